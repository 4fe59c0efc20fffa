import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sampling import weekly
from torch.testing import assert_close

from attn_helpers import causal_mask, length_mask, scaled_dot_product_attention
from attn_helpers.efficient import (
    online_softmax_start,
    online_softmax_step,
    tiled_attention,
)
from attn_helpers.measuring import peak_bytes

QUERIES, KEYS, DIM, VALUE_DIM = 11, 13, 5, 3

EXACT = {"rtol": 0, "atol": 1e-6}  # the bound the book states for float32


def tensors(queries=QUERIES, keys=KEYS, dtype=torch.float32, batch=(2, 3)):
    sizes = ((queries, DIM), (keys, DIM), (keys, VALUE_DIM))
    return [torch.randn(*batch, *size, dtype=dtype, requires_grad=True) for size in sizes]


def slopes(run, inputs):
    output = run(*inputs)
    factors = torch.linspace(-1, 1, output.numel(), dtype=output.dtype).reshape(output.shape)
    return torch.autograd.grad((output * factors).sum(), inputs)


@pytest.mark.parametrize("tile", [1, 2, 5, 11, 13, 64])
@pytest.mark.parametrize("causal", [False, True])
def test_it_equals_dense_attention_and_so_do_its_gradients(tile, causal):
    inputs = tensors()
    mask = causal_mask(QUERIES, KEYS)[None] if causal else None

    def dense(q, k, v):
        return scaled_dot_product_attention(q, k, v, mask=mask)[0]

    def tiled(q, k, v):
        return tiled_attention(q, k, v, tile=tile, causal=causal)

    assert_close(tiled(*inputs), dense(*inputs), **EXACT)
    assert_close(slopes(tiled, inputs), slopes(dense, inputs), **EXACT)


@given(
    queries=st.integers(0, 6),
    keys=st.integers(0, 9),
    tile=st.integers(1, 10),
    causal=st.booleans(),
    share=st.floats(0, 1),
    size=st.floats(0.1, 40),
    seed=st.integers(0, 2**16),
)
def test_any_mask_and_any_tile_give_what_dense_attention_gives(
    queries, keys, tile, causal, share, size, seed
):
    torch.manual_seed(seed)
    q, k, v = tensors(queries, keys, torch.float64, batch=(2,))
    mask = torch.rand(2, queries, keys) < share
    allowed = mask & causal_mask(queries, keys) if causal else mask
    expected, weights = scaled_dot_product_attention(size * q, k, v, mask=allowed)
    output = tiled_attention(size * q, k, v, tile=tile, mask=mask, causal=causal)
    assert_close(output, expected, rtol=1e-9, atol=1e-9)
    assert not output[weights.sum(dim=-1) == 0].any()


@pytest.mark.parametrize("causal", [False, True])
def test_gradients(causal):
    inputs = tensors(5, 7, torch.float64, batch=(2,))
    mask = torch.rand(2, 5, 7) < 0.6
    mask[0, 1] = False  # a query without keys

    def run(q, k, v):
        return tiled_attention(q, k, v, tile=3, mask=mask, causal=causal)

    assert torch.autograd.gradcheck(run, inputs)


def test_a_query_without_keys_has_output_zero_and_finite_gradients():
    inputs = tensors(batch=(2,))

    def run(q, k, v):
        return tiled_attention(q, k, v, tile=4, mask=length_mask([0, 5], KEYS))

    assert not run(*inputs)[0].any()
    assert all(slope.isfinite().all() for slope in slopes(run, inputs))
    assert not any(slope[0].any() for slope in slopes(run, inputs))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_summed_in_float32(dtype):
    q, k, v = (x.detach().to(dtype) for x in tensors(64, 512))
    exact = tiled_attention(q.double(), k.double(), v.double())
    output = tiled_attention(q, k, v, tile=16)
    assert output.dtype == dtype
    assert_close(output, exact.to(dtype), rtol=0.0, atol=2 * torch.finfo(dtype).eps)
    inputs = [x.requires_grad_() for x in (q, k, v)]
    assert all(slope.dtype == dtype and slope.isfinite().all() for slope in slopes(tiled_attention, inputs))


def test_large_scores_do_not_overflow():
    q, k, v = (x.detach() for x in tensors(dtype=torch.float16))
    output = tiled_attention(200 * q, 200 * k, v, tile=3)  # products beyond what float16 holds
    assert output.isfinite().all()


def test_axes_broadcast_and_their_gradients_come_back_in_shape():
    q, k, v = torch.randn(2, 3, 5, 4), torch.randn(3, 7, 4), torch.randn(1, 7, 2)
    inputs = [x.requires_grad_() for x in (q, k, v)]

    def dense(*x):
        return scaled_dot_product_attention(*x)[0]

    assert tiled_attention(*inputs).shape == (2, 3, 5, 2)
    assert_close(slopes(lambda *x: tiled_attention(*x, tile=2), inputs), slopes(dense, inputs), **EXACT)


@pytest.mark.parametrize("causal", [False, True])
def test_its_memory_does_not_depend_on_the_number_of_keys(causal):
    def run(q, k, v):
        return tiled_attention(q, k, v, tile=16, causal=causal)

    def dense(*x):
        return scaled_dot_product_attention(*x)[0]

    inputs = {keys: [x.detach() for x in tensors(32, keys, batch=(2,))] for keys in (64, 256, 1024)}
    assert len({peak_bytes(run, *x) for x in inputs.values()}) == 1
    assert peak_bytes(dense, *inputs[1024]) > 10 * peak_bytes(dense, *inputs[64])


@weekly
def test_training_needs_no_memory_for_the_scores():
    def train(run):
        return lambda *x: slopes(run, [tensor.detach().requires_grad_() for tensor in x])

    sizes = [peak_bytes(train(lambda *x: tiled_attention(*x, tile=16)), *tensors(n, n)) for n in (256, 512)]
    assert sizes[1] < 2.05 * sizes[0]
    assert (
        peak_bytes(train(lambda *x: scaled_dot_product_attention(*x)[0]), *tensors(512, 512)) > 8 * sizes[1]
    )


def test_gradients_by_torch_func_are_the_same():
    q, k, v = (x.detach() for x in tensors())
    ours, dense = (
        torch.func.grad(lambda q, run=run: run(q, k, v).square().sum())(q)
        for run in (tiled_attention, lambda *x: scaled_dot_product_attention(*x)[0])
    )
    assert_close(ours, dense, rtol=1e-5, atol=1e-6)


def test_the_future_is_not_computed():
    q, k, v = (x.detach() for x in tensors(64, 64))
    k[..., 48:, :] = float("nan")
    assert tiled_attention(q, k, v, tile=16, causal=True)[..., :48, :].isfinite().all()


def test_arguments_stay_as_they_are():
    inputs = [x.detach() for x in tensors()]
    copies = [x.clone() for x in inputs]
    tiled_attention(*inputs, tile=4)
    assert all(torch.equal(a, b) for a, b in zip(inputs, copies, strict=True))


def test_peak_bytes_counts_what_is_alive_at_once():
    x = torch.ones(1000)  # 4,000 bytes
    assert peak_bytes(lambda x: x + 1, x) == 4000
    assert peak_bytes(lambda x: (x + 1) + (x + 2), x) == 12000
    assert peak_bytes(lambda x: ((x + 1).sum() + x[:10]).clone(), x) == 4004
    assert peak_bytes(lambda x: x.view(10, 100)[2:], x) == 0


X = torch.ones(3, 2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tiled_attention(X, X, X, tile=0), ValueError, "tile must be at least 1, got tile=0"),
        (lambda: tiled_attention(X, X, X, tile=2.0), TypeError, "tile must be an int, got float"),
        (lambda: tiled_attention(X, torch.ones(3, 5), X), ValueError, "same dim"),
        (lambda: tiled_attention(X, X, X[:2]), ValueError, "same length, got keys=3, values=2"),
        (lambda: tiled_attention(X, X, X, mask=torch.ones(3, 3)), TypeError, "mask must be bool"),
        (
            lambda: tiled_attention(X, X, X, mask=torch.ones(3, 4).bool()),
            ValueError,
            "mask must broadcast to the scores with queries=3, keys=3",
        ),
        (lambda: tiled_attention(X, X, X.double()), TypeError, "same dtype"),
        (
            lambda: online_softmax_step(online_softmax_start(X, 2), X, X),
            ValueError,
            "scores keys=2, values keys=3",
        ),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
