import math

import pytest
import reference
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional
from torch.testing import assert_close

from attn_helpers import scaled_dot_product_attention
from attn_helpers.efficient import (
    LinearState,
    elu_plus_one,
    linear_attention,
    linear_attention_step,
    linear_attention_weights,
)
from attn_helpers.measuring import count_multiplications, peak_bytes

LENGTH, DIM, VALUE_DIM = 7, 5, 3


def tensors(length=LENGTH, dtype=torch.float32, batch=(2, 3)):
    return [torch.randn(*batch, length, dim, dtype=dtype) for dim in (DIM, DIM, VALUE_DIM)]


def phi(x):
    return x + 1 if x > 0 else math.exp(x)


def by_loops(q, k, v, causal):
    rows = []
    for i, query in enumerate(q.tolist()):
        products = [
            sum(phi(a) * phi(b) for a, b in zip(query, key, strict=True)) if j <= i or not causal else 0.0
            for j, key in enumerate(k.tolist())
        ]
        rows.append([product / sum(products) for product in products])
    weights = torch.tensor(rows, dtype=torch.float64)
    return reference.weighted_average(weights, v), weights


@pytest.mark.parametrize("causal", [False, True])
def test_output_and_weights_equal_slow_loops(causal):
    q, k, v = tensors(dtype=torch.float64, batch=())
    output, weights = by_loops(q, k, v, causal)
    assert_close(linear_attention(q, k, v, causal=causal), output)
    assert_close(linear_attention_weights(q, k, causal=causal), weights)


def test_the_hand_computed_case():
    q, k, v = (
        torch.tensor([[1.0, 0.0]]),
        torch.tensor([[0.0, 0.0], [2.0, 1.0]]),
        torch.tensor([[0.0], [11.0]]),
    )
    # phi(q) = [2, 1], phi(k) = [1, 1] and [3, 2]: products 3 and 8
    assert_close(linear_attention_weights(q, k), torch.tensor([[3 / 11, 8 / 11]]))
    assert_close(linear_attention(q, k, v), torch.tensor([[8.0]]))


@pytest.mark.parametrize("length", [1, 63, 64, 65, 200])
def test_the_causal_form_the_explicit_weights_and_the_recurrence_agree(length):
    q, k, v = tensors(length, torch.float64, batch=(2,))
    parallel = linear_attention(q, k, v, causal=True)
    assert_close(parallel, linear_attention_weights(q, k, causal=True) @ v)
    state, outputs = None, []
    for t in range(length):
        state, output = linear_attention_step(state, q[:, t], k[:, t], v[:, t])
        outputs.append(output)
    assert_close(torch.stack(outputs, dim=1), parallel)
    assert isinstance(state, LinearState)
    assert state.products.shape == (2, DIM, VALUE_DIM)


@given(st.integers(1, 6), st.integers(1, 9), st.integers(1, 4), st.floats(0.1, 30), st.integers(0, 2**16))
def test_rows_of_the_weights_sum_to_one_and_explain_the_output(queries, keys, dim, size, seed):
    make = torch.Generator().manual_seed(seed)
    q, k = (size * torch.randn(n, dim, generator=make, dtype=torch.float64) for n in (queries, keys))
    v = torch.randn(keys, VALUE_DIM, generator=make, dtype=torch.float64)
    weights = linear_attention_weights(q, k)
    assert (weights >= 0).all()
    assert_close(weights.sum(dim=-1), torch.ones(queries, dtype=torch.float64))
    assert_close(weights @ v, linear_attention(q, k, v))


@given(st.integers(0, 2**16))
def test_permuting_keys_and_values_together_changes_nothing(seed):
    torch.manual_seed(seed)
    q, k, v = tensors()
    order = torch.randperm(LENGTH)
    assert_close(linear_attention(q, k[..., order, :], v[..., order, :]), linear_attention(q, k, v))


def test_the_future_does_not_change_the_past():
    q, k, v = tensors()
    later = v.clone()
    later[..., 4:, :] += 1
    before, after = (linear_attention(q, k, x, causal=True) for x in (v, later))
    assert_close(before[..., :4, :], after[..., :4, :], rtol=0, atol=0)


def test_it_is_not_softmax_attention_and_the_difference_grows_with_the_scores():
    q, k, v = tensors(31)
    gaps = []
    for size in (0.01, 1.0, 10.0):
        softmax = scaled_dot_product_attention(size * q, size * k, v)[0]
        gaps.append((linear_attention(size * q, size * k, v) - softmax).abs().mean().item())
    assert gaps[0] < 0.01 < gaps[1] < gaps[2]


def test_the_feature_map_can_be_chosen():
    q, k, v = tensors()
    sigmoid = linear_attention(q, k, v, feature_map=torch.sigmoid)
    products = torch.sigmoid(q) @ torch.sigmoid(k).mT
    assert_close(sigmoid, products / products.sum(dim=-1, keepdim=True) @ v)
    wide = linear_attention(q, k, v, feature_map=lambda x: torch.cat([elu_plus_one(x), elu_plus_one(-x)], -1))
    assert wide.shape == v.shape


def test_a_feature_map_for_the_exponential_gives_softmax_attention():
    # one number per query and key: exp(q k) has a series whose terms are products of features
    q, k = torch.rand(LENGTH, 1, dtype=torch.float64), torch.rand(LENGTH, 1, dtype=torch.float64)
    v = torch.randn(LENGTH, VALUE_DIM, dtype=torch.float64)
    orders = torch.arange(20, dtype=torch.float64)

    def series(x):
        return x**orders / torch.lgamma(orders + 1).exp().sqrt()

    expected = scaled_dot_product_attention(q, k, v)[0]
    assert_close(linear_attention(q, k, v, feature_map=series), expected, rtol=1e-9, atol=1e-9)


def test_features_that_meet_no_key_give_zero_and_a_finite_gradient():
    q, k, v = (x.requires_grad_() for x in tensors(batch=()))
    output = linear_attention(-q.abs() - 1, k, v, feature_map=torch.relu)
    output.sum().backward()
    assert not output.any()
    assert all(x.grad.isfinite().all() for x in (k, v))


def test_masked_keys_are_left_out():
    q, k, v = tensors()
    key_mask = torch.arange(LENGTH) < 4
    for causal in (False, True):
        part = linear_attention(q[..., :4, :], k[..., :4, :], v[..., :4, :], causal=causal)
        masked = linear_attention(q, k, v, key_mask=key_mask, causal=causal)
        assert_close(masked[..., :4, :], part)
    assert not linear_attention(q, k, v, key_mask=torch.zeros(LENGTH).bool()).any()
    weights = linear_attention_weights(q, k, key_mask=key_mask)
    assert not weights[..., 4:].any()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("causal", [False, True])
def test_every_dtype_gives_its_own_dtype_also_for_long_sums(dtype, causal):
    q, k, v = (x.to(dtype) for x in tensors(3000, torch.float64, batch=()))
    output = linear_attention(q, k, v, causal=causal)
    expected = linear_attention(q.double(), k.double(), v.double(), causal=causal)
    assert output.dtype == dtype
    assert_close(output.double(), expected, **reference.TOLERANCE[dtype])


@pytest.mark.parametrize("causal", [False, True])
def test_gradients(causal):
    inputs = [x.requires_grad_() for x in tensors(dtype=torch.float64, batch=(2,))]
    assert torch.autograd.gradcheck(lambda *x: linear_attention(*x, causal=causal), inputs)
    assert torch.autograd.gradcheck(lambda q, k: linear_attention_weights(q, k, causal=causal), inputs[:2])


@pytest.mark.parametrize("causal", [False, True])
def test_cost_and_memory_grow_in_proportion_to_the_length(causal):
    costs, sizes = [], []
    for length in (256, 512, 1024):
        inputs = tensors(length, batch=())

        def run(*x):
            return linear_attention(*x, causal=causal)

        costs.append(count_multiplications(run, *inputs))
        sizes.append(peak_bytes(run, *inputs))
    assert costs[2] - costs[1] == 2 * (costs[1] - costs[0])
    assert sizes[2] < 2.05 * sizes[1] < 4.2 * sizes[0]


def test_the_default_features_are_elu_plus_one_and_stay_positive():
    x = torch.linspace(-5, 5, 101, dtype=torch.float64)
    assert_close(elu_plus_one(x), functional.elu(x) + 1)
    assert elu_plus_one(torch.tensor([-80.0])) > 0
    assert functional.elu(torch.tensor([-80.0])) + 1 == 0


Q = torch.ones(3, 2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: linear_attention(Q, Q[:2], Q[:2], causal=True), ValueError, "queries=3, keys=2"),
        (lambda: linear_attention(Q, Q, Q[:2]), ValueError, "same length, got keys=3, values=2"),
        (lambda: linear_attention(Q, torch.ones(3, 4), Q), ValueError, "same dim"),
        (lambda: linear_attention(Q.int(), Q, Q), TypeError, "queries must be floating-point"),
        (
            lambda: linear_attention(Q, Q, Q, feature_map=lambda x: -x),
            ValueError,
            "feature_map must return numbers of at least 0, got -1",
        ),
        (lambda: linear_attention(Q, Q, Q, key_mask=torch.ones(3)), TypeError, "must be bool"),
        (
            lambda: linear_attention(Q, Q, Q, key_mask=torch.ones(2).bool()),
            ValueError,
            r"key_mask must broadcast to \(..., keys\) = \(3,\), got \(2,\)",
        ),
        (lambda: elu_plus_one(torch.ones(2).int()), TypeError, "x must be floating-point"),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
