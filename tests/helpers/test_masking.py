import math

import pytest
import reference
import torch
from hypothesis import given
from hypothesis import strategies as st
from reference import DTYPES, TOLERANCE
from torch.testing import assert_close

from attn_helpers import (
    masked_softmax,
    softmax_with_fill,
)

NAN, INF = math.nan, math.inf


def test_masked_softmax_by_hand():
    scores = torch.tensor([[0.0, math.log(3), 99.0]])
    weights = masked_softmax(scores, torch.tensor([[True, True, False]]))
    assert_close(weights, torch.tensor([[0.25, 0.75, 0.0]]))


@given(batch=st.integers(1, 3), queries=st.integers(1, 4), keys=st.integers(1, 6), seed=st.integers(0, 999))
def test_masked_softmax_equals_a_slow_loop(batch, queries, keys, seed):
    generator = torch.Generator().manual_seed(seed)
    scores = 5 * torch.randn(batch, queries, keys, generator=generator, dtype=torch.float64)
    mask = torch.rand(batch, queries, keys, generator=generator) < 0.6
    assert_close(masked_softmax(scores, mask), reference.masked_softmax(scores, mask))


@pytest.mark.parametrize("dtype", DTYPES)
def test_masked_softmax_keeps_the_dtype_and_its_precision(dtype):
    scores, mask = torch.randn(2, 3, 7).to(dtype), torch.rand(2, 3, 7) < 0.5
    weights = masked_softmax(scores, mask)
    assert weights.dtype == dtype
    assert_close(weights.double(), reference.masked_softmax(scores, mask), **TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_row_without_keys_has_weights_zero_and_gradient_zero(dtype):
    scores = torch.randn(2, 3, 5).to(dtype).requires_grad_()
    weights = masked_softmax(scores, valid_lens=torch.tensor([0, 2]))
    (weights * torch.randn(2, 3, 5).to(dtype)).sum().backward()
    assert (weights[0] == 0).all()
    assert (scores.grad[0] == 0).all()
    assert scores.grad.isfinite().all()


def test_no_keys_at_all_gives_weights_without_cells():
    assert masked_softmax(torch.zeros(2, 3, 0)).shape == (2, 3, 0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [1.0, -1.0])
def test_huge_scores_do_not_overflow(dtype, size):
    scores = torch.tensor([[0.0, 1.0, 0.999]], dtype=torch.float64) * size * torch.finfo(dtype).max
    weights = masked_softmax(scores.to(dtype))
    assert_close(weights.sum(-1), torch.ones(1, dtype=dtype))


def test_large_negative_scores_beside_masked_keys_keep_their_weights():
    # a fill of -1e6 or -1e9 would win against these
    scores = torch.tensor([[-3e9, -3e9, 0.0]])
    weights = masked_softmax(scores, torch.tensor([[True, True, False]]))
    assert weights.tolist() == [[0.5, 0.5, 0.0]]


def test_minus_infinity_is_as_good_as_masked():
    weights = masked_softmax(torch.tensor([[-INF, 0.0], [-INF, -INF]]))
    assert weights.tolist() == [[0.0, 1.0], [0.0, 0.0]]


def test_minus_infinity_gets_gradient_zero():
    scores = torch.tensor([[-INF, 0.0, 1.0], [-INF, -INF, -INF]], requires_grad=True)
    masked_softmax(scores)[:, 1].sum().backward()
    assert scores.grad[1].tolist() == [0.0, 0.0, 0.0]
    assert scores.grad[0, 0] == 0
    assert scores.grad.isfinite().all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_plus_infinity_takes_all_the_weight(dtype):
    scores = torch.tensor([[INF, 0.0, -INF], [INF, 5.0, INF]], dtype=dtype)
    assert masked_softmax(scores).tolist() == [[1.0, 0.0, 0.0], [0.5, 0.0, 0.5]]


def test_nan_at_an_allowed_key_stays_visible_in_its_row_only():
    scores = torch.tensor([[NAN, 1.0, 2.0], [0.0, 0.0, 0.0]])
    weights = masked_softmax(scores, torch.tensor([True, True, False]))
    assert weights[0, :2].isnan().all()
    assert weights[0, 2] == 0
    assert weights[1].tolist() == [0.5, 0.5, 0.0]


@pytest.mark.parametrize("hidden", [NAN, INF, -INF, 1e30])
def test_what_stands_at_a_masked_key_has_no_effect(hidden):
    mask = torch.tensor([[True, False, True], [False, False, False]])
    plain, spoiled = torch.randn(2, 3), torch.zeros(2, 3)
    spoiled = torch.where(mask, plain, hidden).requires_grad_()
    weights = masked_softmax(spoiled, mask)
    weights.square().sum().backward()
    assert torch.equal(weights.detach(), masked_softmax(plain, mask))
    assert spoiled.grad.isfinite().all()


def test_gradients_are_right():
    scores = torch.randn(2, 3, 5, dtype=torch.float64, requires_grad=True)
    mask = torch.rand(2, 3, 5) < 0.5
    assert torch.autograd.gradcheck(lambda s: masked_softmax(s, mask), scores)
    assert torch.autograd.gradgradcheck(lambda s: masked_softmax(s, mask), scores)


def test_a_fill_makes_a_fully_masked_row_uniform_or_nan():
    scores, nothing = torch.randn(1, 4), torch.zeros(1, 4).bool()
    assert softmax_with_fill(scores, nothing, fill=-1e9).tolist() == [[0.25] * 4]
    assert softmax_with_fill(scores, nothing, fill=-INF).isnan().all()


def test_a_fill_can_win_against_large_negative_scores():
    weights = softmax_with_fill(torch.tensor([[-2e6, 0.0]]), torch.tensor([[True, False]]), fill=-1e6)
    assert weights.tolist() == [[0.0, 1.0]]


def test_a_fill_that_float16_cannot_hold_is_refused():
    with pytest.raises(ValueError, match=r"fill must fit torch.float16 \(at most 65504 in size\)"):
        softmax_with_fill(torch.zeros(1, 2).half(), torch.ones(1, 2).bool(), fill=-1e9)
