import math

import pytest
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


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_query_without_keys_gets_output_zero(dtype):
    q, k, v = tensors(dtype)
    q.requires_grad_()
    output, weights = scaled_dot_product_attention(q, k, v, mask=torch.tensor([[False], [True]]).expand(2, 5))
    output.square().sum().backward()
    assert (output[0] == 0).all()
    assert (weights[0] == 0).all()
    assert q.grad.isfinite().all()


def test_what_masked_keys_and_values_hold_has_no_effect():
    q, k, v = tensors()
    lens = torch.tensor([2, 3])
    padding = ~length_mask(lens, 5)[..., None]
    for layer in layers():
        plain = layer(q, k, v, lens)
        assert_close(layer(q, k.masked_fill(padding, 1e4), v.masked_fill(padding, -1e4), lens), plain)


def test_nan_in_a_query_stays_visible_in_its_row_only():
    q, k, v = tensors()
    q[0, 1, 0] = math.nan
    output, _ = scaled_dot_product_attention(q, k, v)
    assert output[0, 1].isnan().all()
    assert output.isnan().sum() == 11


def test_gradients_are_right():
    q, k, v = (x.requires_grad_() for x in tensors(torch.float64))
    mask = torch.rand(2, 3, 5) < 0.6
    assert torch.autograd.gradcheck(lambda *x: scaled_dot_product_attention(*x, mask=mask), (q, k, v))
    additive = AdditiveAttention(7, 7, 3).double()
    assert torch.autograd.gradcheck(lambda *x: additive(*x, mask=mask), (q, k, v))


EXPECTED = torch.tensor([[[2.0, 3.0, 4.0, 5.0]], [[10.0, 11.0, 12.0, 13.0]]])


def documents_a(query_size):
    keys, values = torch.ones(2, 10, 2), torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    return torch.randn(2, 1, query_size), keys, values, torch.tensor([2, 6])


def test_documents_a_additive_attention_averages_the_valid_values():
    # documents.md, Part I, 04: all keys are equal, so the weights are uniform over the valid ones
    attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.1).eval()
    output = attention(*documents_a(query_size=20))
    assert_close(output, EXPECTED)
    expected = torch.tensor([[0.5] * 2 + [0.0] * 8, [1 / 6] * 6 + [0.0] * 4]).unsqueeze(1)
    assert_close(attention.attention_weights, expected)


def test_documents_a_dot_product_attention_gives_the_same_rows():
    attention = DotProductAttention(dropout=0.5).eval()
    assert_close(attention(*documents_a(query_size=2)), EXPECTED)


def test_dropout_in_training_mode_shows_as_weights_zero_or_doubled():
    attention = DotProductAttention(dropout=0.5)
    queries, keys, _, lens = documents_a(query_size=2)
    used = attention(queries, keys, torch.eye(10).expand(2, 10, 10), lens)  # the identity shows the weights
    assert set(used[0, 0, :2].tolist()) <= {0.0, 1.0}
    assert_close(attention.attention_weights.sum(-1), torch.ones(2, 1))  # kept before dropout
    attention.eval()
    assert torch.equal(
        attention(queries, keys, torch.eye(10).expand(2, 10, 10), lens), attention.attention_weights
    )
