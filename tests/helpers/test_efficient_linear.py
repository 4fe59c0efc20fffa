import math

import pytest
import reference
import torch
from torch.nn import functional
from torch.testing import assert_close

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


def test_the_feature_map_can_be_chosen():
    q, k, v = tensors()
    sigmoid = linear_attention(q, k, v, feature_map=torch.sigmoid)
    products = torch.sigmoid(q) @ torch.sigmoid(k).mT
    assert_close(sigmoid, products / products.sum(dim=-1, keepdim=True) @ v)
    wide = linear_attention(q, k, v, feature_map=lambda x: torch.cat([elu_plus_one(x), elu_plus_one(-x)], -1))
    assert wide.shape == v.shape


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
