import math

import pytest
import reference
import torch
from hypothesis import given
from hypothesis import strategies as st
from reference import DTYPES, TOLERANCE, tensors
from torch.nn import functional
from torch.testing import assert_close

from attn_helpers import (
    AdditiveAttention,
    DotProductAttention,
    attend,
    causal_mask,
    length_mask,
    masked_softmax,
    scaled_dot_product_attention,
    scaled_dot_product_scores,
)

shapes = st.tuples(*(st.integers(1, 6) for _ in range(5)))


@given(shape=shapes, heads=st.integers(0, 3), share=st.floats(0.2, 1), seed=st.integers(0, 9999))
def test_weights_and_output_agree_with_torch(shape, heads, share, seed):
    generator = torch.Generator().manual_seed(seed)
    batch, queries, keys, dim, value_dim = shape
    leading = (batch, heads) if heads else (batch,)
    q = torch.randn(*leading, queries, dim, generator=generator)
    k = torch.randn(*leading, keys, dim, generator=generator)
    v = torch.randn(*leading, keys, value_dim, generator=generator)
    mask = torch.rand(*leading, queries, keys, generator=generator) < share
    mask[..., 0] = True  # what torch does with a row without keys is its own affair
    output, weights = scaled_dot_product_attention(q, k, v, mask=mask)
    assert_close(
        output, functional.scaled_dot_product_attention(q, k, v, attn_mask=mask), rtol=1e-6, atol=1e-6
    )
    identity = torch.eye(keys).expand(
        *leading, keys, keys
    )  # with the identity for values, torch returns weights
    torchs = functional.scaled_dot_product_attention(q, k, identity, attn_mask=mask)
    assert_close(weights, torchs, rtol=1e-6, atol=1e-6)


@given(queries=st.integers(1, 6), batch=st.integers(1, 3), seed=st.integers(0, 999))
def test_causal_attention_agrees_with_torch(queries, batch, seed):
    q, k, v = (x for x in torch.randn(3, batch, queries, 4, generator=torch.Generator().manual_seed(seed)))
    output, _ = scaled_dot_product_attention(q, k, v, mask=causal_mask(queries)[None])
    assert_close(
        output, functional.scaled_dot_product_attention(q, k, v, is_causal=True), rtol=1e-6, atol=1e-6
    )


def test_attention_equals_a_slow_loop():
    q, k, v = tensors(torch.float64)
    mask = torch.rand(2, 3, 5) < 0.6
    output, weights = scaled_dot_product_attention(q, k, v, mask=mask)
    for b in range(2):
        scores = reference.scores(q[b], k[b], lambda x, y: reference.dot(x, y) / math.sqrt(7))
        expected = reference.masked_softmax(scores, mask[b])
        assert_close(weights[b], expected)
        assert_close(output[b], reference.weighted_average(expected, v[b]))


def test_a_worked_pair():
    # documents.md, Part I, 02: q = [2, 3], two keys, v = [[10, 20], [30, 40]]
    keys, values = torch.eye(2).double(), torch.tensor([[10.0, 20.0], [30.0, 40.0]]).double()
    query = torch.tensor([[2.0, 3.0]]).double()
    output, weights = attend(query, keys, values, score="dot_product")
    second = 1 / (1 + math.exp(-1))
    assert_close(weights, torch.tensor([[1 - second, second]]).double())
    assert_close(output, torch.tensor([[10 + 20 * second, 20 + 20 * second]]).double())


@pytest.mark.parametrize("dtype", DTYPES)
def test_output_and_weights_follow_the_dtype(dtype):
    q, k, v = tensors(dtype)
    output, weights = scaled_dot_product_attention(q, k, v)
    exact, _ = scaled_dot_product_attention(q.double(), k.double(), v.double())
    assert output.dtype == weights.dtype == dtype
    tolerance = TOLERANCE[dtype]
    assert_close(output.double(), exact, rtol=5 * tolerance["rtol"], atol=5 * tolerance["atol"])


def layers(dropout=0.0):
    return [DotProductAttention(dropout), AdditiveAttention(7, 7, 13, dropout)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layer", [0, 1])
def test_layers_follow_the_dtype_and_give_zero_without_keys(layer, dtype):
    attention = layers()[layer].to(dtype)
    q, k, v = tensors(dtype)
    q.requires_grad_()
    output = attention(q, k, v, torch.tensor([0, 3]))
    output.sum().backward()
    assert output.dtype == dtype
    assert (output[0] == 0).all()
    assert (attention.attention_weights[0] == 0).all()
    assert q.grad.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in attention.parameters())


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("lens", [torch.tensor([2, 5]), torch.tensor([[1, 2, 0], [5, 4, 3]])])
def test_layers_take_lengths_and_masks(layer, lens):
    attention = layers()[layer]
    q, k, v = tensors()
    mask = torch.rand(2, 3, 5) < 0.7
    both = mask & length_mask(lens, 5).reshape(2, -1, 5)
    assert_close(attention(q, k, v, lens, mask=mask), attention(q, k, v, mask=both))


def test_the_dot_product_layer_is_the_function():
    q, k, v = tensors()
    mask = torch.rand(2, 3, 5) < 0.7
    attention = DotProductAttention()
    output, weights = scaled_dot_product_attention(q, k, v, mask=mask)
    assert torch.equal(attention(q, k, v, mask=mask), output)
    assert torch.equal(attention.attention_weights, weights)


def test_the_additive_layer_is_attend_with_its_weights():
    attention = AdditiveAttention(key_size=5, query_size=3, num_hiddens=13)
    q, k, v = torch.randn(2, 4, 3), torch.randn(2, 6, 5), torch.randn(2, 6, 11)
    parameters = {"w_q": attention.W_q.weight, "w_k": attention.W_k.weight, "w_v": attention.w_v.weight[0]}
    output, weights = attend(q, k, v, score="additive", valid_lens=torch.tensor([2, 6]), **parameters)
    assert_close(attention(q, k, v, torch.tensor([2, 6])), output)
    assert_close(attention.attention_weights, weights.detach())


def test_attend_takes_a_function_as_score():
    q, k, v = tensors()
    output, weights = attend(q, k, v, score=lambda q, k, slope: slope * (q @ k.mT), slope=0.5)
    assert_close(weights, torch.softmax(q @ k.mT / 2, dim=-1))
    assert_close(output, weights @ v)


def test_attend_uses_the_scaled_dot_product_by_default():
    q, k, v = tensors()
    assert torch.equal(attend(q, k, v)[0], scaled_dot_product_attention(q, k, v)[0])
    assert_close(attend(q, k, v)[1], masked_softmax(scaled_dot_product_scores(q, k)))


@pytest.mark.parametrize("attention", [scaled_dot_product_attention, attend, *layers()])
@pytest.mark.parametrize(
    ("queries", "keys", "values", "expected"),
    [
        ((2, 3, 7), (2, 5, 7), (2, 4, 11), r"same length, got keys=5, values=4\."),
        ((2, 3, 7), (3, 5, 7), (3, 5, 11), r"batch axes of queries and keys must broadcast, got queries \("),
        ((2, 3, 7), (2, 5, 7), (3, 5, 11), r"batch axes of keys and values must broadcast, got keys \("),
        ((2, 3, 7), (2, 5, 7), (5,), r"values must have shape \(..., keys, value_dim\), got \(5,\)"),
        ((7,), (5, 7), (5, 11), r"queries must have shape \(..., queries, dim\), got \(7,\)"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(attention, queries, keys, values, expected):
    with pytest.raises(ValueError, match=expected):
        attention(torch.zeros(queries), torch.zeros(keys), torch.zeros(values))


@pytest.mark.parametrize("attention", [scaled_dot_product_attention, attend, *layers()])
@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_integer_tensors_are_refused(attention, wrong):
    given = [torch.ones(1, 3, 7), torch.ones(1, 3, 7), torch.ones(1, 3, 7)]
    given[wrong] = given[wrong].int()
    name = ["queries", "keys", "values"][wrong]
    with pytest.raises(TypeError, match=rf"{name} must be floating-point, got torch\.int32"):
        attention(*given)


@pytest.mark.parametrize("attention", [scaled_dot_product_attention, attend, *layers()])
def test_masks_that_do_not_fit_are_refused(attention):
    q, k, v = tensors()
    with pytest.raises(
        ValueError, match=r"mask must broadcast to the scores with batch=2, queries=3, keys=5"
    ):
        attention(q, k, v, mask=torch.ones(4, 5).bool())
    with pytest.raises(TypeError, match=r"mask must be bool \(True = may attend\), got torch\.float32"):
        attention(q, k, v, mask=torch.ones(3, 5))


def test_keys_of_the_wrong_size_are_refused_by_the_layer():
    attention = AdditiveAttention(key_size=2, query_size=3, num_hiddens=4)
    with pytest.raises(ValueError, match=r"keys must have key_size=2 \(last axis\), got keys \(1, 5, 3\)"):
        attention(torch.zeros(1, 1, 3), torch.zeros(1, 5, 3), torch.zeros(1, 5, 1))
    with pytest.raises(
        ValueError, match=r"queries must have query_size=3 \(last axis\), got queries \(1, 1, 2\)"
    ):
        attention(torch.zeros(1, 1, 2), torch.zeros(1, 5, 2), torch.zeros(1, 5, 1))


@pytest.mark.parametrize("sizes", [(0, 1, 1), (1, -1, 1), (1, 1, 0)])
def test_layers_refuse_sizes_below_one(sizes):
    with pytest.raises(ValueError, match=r"(key_size|query_size|num_hiddens) must be at least 1, got"):
        AdditiveAttention(*sizes)


@pytest.mark.parametrize("dropout", [-0.1, 1.5])
def test_layers_refuse_a_dropout_that_is_no_share(dropout):
    with pytest.raises(ValueError, match="dropout probability"):
        DotProductAttention(dropout)


def test_an_unknown_score_is_refused():
    with pytest.raises(
        ValueError, match="unknown score 'cosine'; choose one of dot_product, scaled_dot_product"
    ):
        attend(*tensors(), score="cosine")


def test_a_wrong_length_is_refused_by_the_layers():
    for layer in layers():
        with pytest.raises(ValueError, match=r"valid_lens must lie between 0 and keys=5, got \[6, 1\]"):
            layer(*tensors(), torch.tensor([6, 1]))
