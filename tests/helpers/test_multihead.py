import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from attn_helpers import MultiHeadAttention, causal_mask, length_mask, merge_heads, split_heads

BATCH, QUERIES, KEYS, D_MODEL, HEADS = 2, 5, 7, 12, 3
SAME_SUMS = {"rtol": 1e-5, "atol": 1e-6}  # float32, sums in another order


def inputs(queries=QUERIES, keys=KEYS, dtype=torch.float32):
    sizes = (queries, keys, keys)
    return [torch.randn(BATCH, size, D_MODEL, dtype=dtype, requires_grad=True) for size in sizes]


def pair(dtype=torch.float32, bias=True):
    torchs = nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True, bias=bias, dtype=dtype)
    if bias:  # torch starts its biases at 0: a forgotten bias would not show
        nn.init.normal_(torchs.in_proj_bias)
        nn.init.normal_(torchs.out_proj.bias)
    return torchs, MultiHeadAttention.from_torch(torchs)


def masks(kind):
    """Ours (True = may attend) and torch's two (True = blocked)."""
    padding = length_mask(torch.tensor([KEYS, 3]), KEYS)  # (batch, keys)
    causal = causal_mask(QUERIES, KEYS)
    return {
        "none": (None, {}),
        "padding": (padding, {"key_padding_mask": ~padding}),
        "causal": (causal, {"attn_mask": ~causal}),
        "both": (padding[:, None] & causal, {"key_padding_mask": ~padding, "attn_mask": ~causal}),
        "per head": (
            (causal & padding[:, None, None]).expand(BATCH, HEADS, QUERIES, KEYS),
            {"attn_mask": ~(causal & padding[:, None, None]).expand(BATCH, HEADS, -1, -1).flatten(0, 1)},
        ),
    }[kind]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", ["none", "padding", "causal", "both", "per head"])
def test_output_and_weights_equal_those_of_torch(kind, bias):
    torchs, ours = pair(bias=bias)
    q, k, v = inputs()
    mask, torch_masks = masks(kind)
    output, weights = ours(q, k, v, mask)
    expected, expected_weights = torchs(q, k, v, average_attn_weights=False, **torch_masks)
    assert_close(output, expected, **SAME_SUMS)
    assert_close(weights, expected_weights, **SAME_SUMS)


@pytest.mark.parametrize("kind", ["none", "padding", "causal", "both"])
def test_gradients_equal_those_of_torch(kind):
    torchs, ours = pair(dtype=torch.float64)
    tensors = inputs(dtype=torch.float64)
    mask, torch_masks = masks(kind)
    expected = torch.autograd.grad(
        torchs(*tensors, **torch_masks)[0].square().sum(),
        [*tensors, torchs.in_proj_weight, torchs.in_proj_bias],
    )
    parts = [ours.W_q, ours.W_k, ours.W_v]
    leaves = [*tensors, *(part.weight for part in parts), *(part.bias for part in parts)]
    got = torch.autograd.grad(ours(*tensors, mask)[0].square().sum(), leaves)
    got = [*got[:3], torch.cat(got[3:6]), torch.cat(got[6:])]
    assert_close(got, list(expected), rtol=1e-9, atol=1e-9)


@given(batch=st.integers(0, 3), length=st.integers(0, 5), heads=st.integers(1, 4), dim=st.integers(1, 3))
def test_merging_undoes_splitting(batch, length, heads, dim):
    tensor = torch.randn(batch, length, heads * dim)
    split = split_heads(tensor, heads)
    assert split.shape == (batch, heads, length, dim)
    assert torch.equal(merge_heads(split), tensor)


def test_the_number_of_parameters_does_not_depend_on_the_heads():
    counts = {
        sum(p.numel() for p in MultiHeadAttention(12, heads).parameters()) for heads in (1, 2, 3, 4, 6, 12)
    }
    assert counts == {4 * (12 * 12 + 12)}


def test_a_query_that_may_attend_to_nothing_gets_zero_weights_and_the_output_bias():
    _, ours = pair()
    tensors = inputs()
    output, weights = ours(*tensors, valid_lens=torch.tensor([0, 2]))
    output.sum().backward()
    assert not weights[0].any()
    assert_close(output[0], ours.W_o.bias.expand(QUERIES, D_MODEL), **SAME_SUMS)
    assert all(tensor.grad.isfinite().all() for tensor in tensors)


def test_a_switched_off_head_leaves_the_others_part_of_the_output():
    _, ours = pair()
    tensors = inputs()
    parts = [ours(*tensors, head_mask=row)[0] - ours.W_o.bias for row in torch.eye(HEADS)]
    assert_close(sum(parts) + ours.W_o.bias, ours(*tensors)[0], **SAME_SUMS)


def test_a_bool_head_mask_is_taken_too():
    _, ours = pair()
    tensors = inputs()
    mask = torch.tensor([True, False, True])
    assert_close(ours(*tensors, head_mask=mask)[0], ours(*tensors, head_mask=mask.float())[0])


def test_switching_off_a_head_does_not_change_the_weights_or_the_arguments():
    _, ours = pair()
    tensors = [tensor.detach() for tensor in inputs()]
    copies, head_mask = [tensor.clone() for tensor in tensors], torch.tensor([0.0, 1.0, 1.0])
    _, weights = ours(*tensors, head_mask=head_mask)
    assert torch.equal(weights, ours(*tensors)[1])
    assert all(torch.equal(a, b) for a, b in zip(tensors, copies, strict=True))
    assert head_mask.tolist() == [0.0, 1.0, 1.0]


def test_dropout_is_off_in_evaluation_mode_and_never_shows_in_the_weights():
    layer = MultiHeadAttention(D_MODEL, HEADS, dropout=0.5)
    tensors = inputs()
    trained, weights = layer(*tensors)
    layer.eval()
    evaluated, evaluated_weights = layer(*tensors)
    assert torch.equal(weights, evaluated_weights)
    assert not torch.allclose(trained, evaluated)
    assert torch.equal(evaluated, layer(*tensors)[0])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_the_output_has_the_dtype_of_the_layer(dtype):
    layer = MultiHeadAttention(D_MODEL, HEADS).to(dtype)
    output, weights = layer(*inputs(dtype=dtype))
    assert output.dtype == weights.dtype == dtype
    assert output.isfinite().all()


def test_from_torch_refuses_layers_it_cannot_copy():
    with pytest.raises(ValueError, match="kdim = vdim = embed_dim"):
        MultiHeadAttention.from_torch(nn.MultiheadAttention(12, 3, kdim=5))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: MultiHeadAttention(10, 3),
            ValueError,
            "d_model must be divisible by num_heads, got d_model=10, num_heads=3",
        ),
        (lambda: MultiHeadAttention(10, 0), ValueError, "num_heads must be at least 1"),
        (lambda: MultiHeadAttention(10, 2.5), TypeError, "num_heads must be an int"),
        (lambda: split_heads(torch.ones(2, 3, 10), 4), ValueError, "divisible by num_heads, got d_model=10"),
        (
            lambda: split_heads(torch.ones(6), 3),
            ValueError,
            r"inputs must have shape \(\.\.\., length, d_model\)",
        ),
        (
            lambda: merge_heads(torch.ones(2, 3)),
            ValueError,
            r"heads must have shape \(\.\.\., heads, length, dim\)",
        ),
    ],
)
def test_sizes_that_do_not_fit_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([(2, 5, 11), (2, 7, 11), (2, 7, 11)], "queries must have d_model=12"),
        ([(2, 5, 12), (2, 7, 11), (2, 7, 12)], "queries and keys must have the same dim"),
        (
            [(2, 5, 12), (2, 7, 12), (2, 5, 12)],
            "keys and values must have the same length, got keys=7, values=5",
        ),
        ([(2, 5, 12), (2, 7, 12), (2, 7, 3)], "values must have d_model=12"),
    ],
)
def test_inputs_that_do_not_fit_are_named(shapes, message):
    with pytest.raises(ValueError, match=message):
        MultiHeadAttention(12, 3)(*(torch.ones(shape) for shape in shapes))


def test_a_float_mask_and_a_wrong_head_mask_are_refused():
    layer, tensors = MultiHeadAttention(12, 3), inputs()
    with pytest.raises(TypeError, match="mask must be bool"):
        layer(*tensors, torch.ones(QUERIES, KEYS))
    with pytest.raises(ValueError, match=r"head_mask must have shape \(heads=3,\), got \(2,\)"):
        layer(*tensors, head_mask=torch.ones(2))
