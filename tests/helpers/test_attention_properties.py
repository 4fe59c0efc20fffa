import math

import pytest
import torch
from hypothesis import strategies as st
from reference import DTYPES, tensors
from torch.testing import assert_close

from attn_helpers import (
    AdditiveAttention,
    DotProductAttention,
    length_mask,
    scaled_dot_product_attention,
)

shapes = st.tuples(*(st.integers(1, 6) for _ in range(5)))


def layers(dropout=0.0):
    return [DotProductAttention(dropout), AdditiveAttention(7, 7, 13, dropout)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_query_without_keys_gets_output_zero(dtype):
    q, k, v = tensors(dtype)
    q.requires_grad_()
    output, weights = scaled_dot_product_attention(q, k, v, mask=torch.tensor([[False], [True]]).expand(2, 5))
    output.square().sum().backward()
    assert (output[0] == 0).all()
    assert (weights[0] == 0).all()
    assert q.grad.isfinite().all()


def test_permuting_keys_with_their_values_changes_nothing():
    (q, k, v), order = tensors(torch.float64), torch.randperm(5)
    assert_close(
        scaled_dot_product_attention(q, k[:, order], v[:, order])[0], scaled_dot_product_attention(q, k, v)[0]
    )


def test_the_output_stays_between_the_values():
    q, k, v = tensors()
    output, _ = scaled_dot_product_attention(q, k, v)
    assert (output <= v.amax(1, keepdim=True) + 1e-6).all()
    assert (output >= v.amin(1, keepdim=True) - 1e-6).all()


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
