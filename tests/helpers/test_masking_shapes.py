import pytest
import reference
import torch
from torch.testing import assert_close

from attn_helpers import (
    causal_mask,
    length_mask,
    masked_softmax,
)

BATCH, HEADS, QUERIES, KEYS = 2, 3, 5, 7


@pytest.mark.parametrize(
    ("shape", "full"),
    [
        ((KEYS,), (1, 1, KEYS)),
        ((QUERIES, KEYS), (1, QUERIES, KEYS)),
        ((1, KEYS), (1, 1, KEYS)),
        ((QUERIES, 1), (1, QUERIES, 1)),
        ((BATCH, KEYS), (BATCH, 1, KEYS)),
        ((BATCH, 1, KEYS), (BATCH, 1, KEYS)),
        ((1, QUERIES, KEYS), (1, QUERIES, KEYS)),
        ((BATCH, QUERIES, KEYS), (BATCH, QUERIES, KEYS)),
    ],
)
def test_masks_broadcast_over_batch_and_queries(shape, full):
    scores, mask = torch.randn(BATCH, QUERIES, KEYS, dtype=torch.float64), torch.rand(shape) < 0.5
    expected = reference.masked_softmax(scores, mask.reshape(full))
    assert_close(masked_softmax(scores, mask), expected)


@pytest.mark.parametrize(
    ("shape", "full"),
    [
        ((KEYS,), (1, 1, 1, KEYS)),
        ((QUERIES, KEYS), (1, 1, QUERIES, KEYS)),
        ((BATCH, KEYS), (BATCH, 1, 1, KEYS)),
        ((BATCH, 1, KEYS), (BATCH, 1, 1, KEYS)),
        ((BATCH, QUERIES, KEYS), (BATCH, 1, QUERIES, KEYS)),
        ((BATCH, 1, 1, KEYS), (BATCH, 1, 1, KEYS)),
        ((BATCH, 1, QUERIES, KEYS), (BATCH, 1, QUERIES, KEYS)),
        ((1, HEADS, QUERIES, KEYS), (1, HEADS, QUERIES, KEYS)),
        ((BATCH, HEADS, QUERIES, KEYS), (BATCH, HEADS, QUERIES, KEYS)),
    ],
)
def test_masks_broadcast_over_heads(shape, full):
    scores, mask = torch.randn(BATCH, HEADS, QUERIES, KEYS, dtype=torch.float64), torch.rand(shape) < 0.5
    expected = reference.masked_softmax(scores, mask.reshape(full))
    assert_close(masked_softmax(scores, mask), expected)


def test_three_axes_are_batch_queries_keys_even_if_heads_would_fit():
    scores, mask = torch.randn(2, 2, 3, 5), torch.rand(2, 3, 5) < 0.5
    assert_close(masked_softmax(scores, mask), masked_softmax(scores, mask[:, None]))


@pytest.mark.parametrize("shape", [(3, 3, 5), (3, 2, 3, 5)])
def test_two_axes_that_could_be_either_are_refused(shape):
    with pytest.raises(
        ValueError, match=r"could be \(batch, keys\) or \(queries, keys\).*Write mask\[:, None"
    ):
        masked_softmax(torch.zeros(shape), torch.ones(3, 5).bool())


@pytest.mark.parametrize("written", [lambda mask: mask[:, None, :], lambda mask: mask[None]])
def test_the_way_out_that_the_message_names_is_accepted(written):
    mask = torch.rand(3, 5) < 0.5
    weights = masked_softmax(torch.zeros(3, 3, 5), written(mask))
    assert torch.equal(weights > 0, written(mask).expand(3, 3, 5))


def test_two_axes_are_not_ambiguous_with_one_query_and_one_sequence():
    assert masked_softmax(torch.zeros(1, 1, 5), torch.ones(1, 5).bool()).shape == (1, 1, 5)


def test_a_square_causal_mask_is_read_as_queries_and_keys_without_a_batch():
    weights = masked_softmax(torch.zeros(3, 3), causal_mask(3))
    assert torch.equal(weights > 0, causal_mask(3))


@pytest.mark.parametrize("shape", [(4,), (4, 7), (2, 5, 6), (3, 1, 7), (1, 2, 5, 7), (2, 1, 5, 7)])
def test_masks_that_do_not_broadcast_are_refused(shape):
    expected = r"mask must broadcast to the scores with batch=2, queries=5, keys=7, got mask \("
    with pytest.raises(ValueError, match=expected):
        masked_softmax(torch.zeros(2, 5, 7), torch.ones(shape).bool())


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.uint8])
def test_masks_that_are_not_bool_are_refused(dtype):
    with pytest.raises(TypeError, match=r"mask must be bool \(True = may attend\), got torch"):
        masked_softmax(torch.zeros(2, 3), torch.ones(2, 3, dtype=dtype))


def test_a_mask_that_is_not_a_tensor_is_refused():
    with pytest.raises(TypeError, match=r"mask must be a bool torch.Tensor, got list"):
        masked_softmax(torch.zeros(2, 3), [True, True, False])


@pytest.mark.parametrize("scores", [torch.zeros(2, 3, dtype=torch.int64), torch.zeros(2, 3).bool()])
def test_integer_scores_are_refused(scores):
    with pytest.raises(TypeError, match="scores must be floating-point, got torch"):
        masked_softmax(scores)


def test_mask_and_lengths_must_both_allow_a_key():
    scores, lens = torch.randn(2, 3, 5), torch.tensor([2, 4])
    mask = torch.rand(2, 3, 5) < 0.5
    both = mask & length_mask(lens, 5)[:, None]
    assert torch.equal(masked_softmax(scores, mask, valid_lens=lens), masked_softmax(scores, both))


@pytest.mark.parametrize("lens", [torch.tensor([1, 2]), torch.tensor([[1, 2, 3, 0, 5], [5, 4, 3, 2, 1]])])
def test_lengths_hold_for_all_heads(lens):
    scores = torch.randn(2, 3, 5, 7)
    mask = length_mask(lens, 7).reshape(2, 1, -1, 7)
    assert torch.equal(masked_softmax(scores, valid_lens=lens), masked_softmax(scores, mask))


def test_scores_without_batch_take_one_length_or_one_per_query():
    assert (masked_softmax(torch.zeros(3, 5), valid_lens=2) > 0).sum(-1).tolist() == [2, 2, 2]
    per_query = masked_softmax(torch.zeros(3, 5), valid_lens=torch.tensor([0, 1, 5]))
    assert (per_query > 0).sum(-1).tolist() == [0, 1, 5]


@pytest.mark.parametrize("shape", [(3,), (2, 4), (2, 5, 7), (5, 2)])
def test_lengths_that_do_not_fit_are_refused(shape):
    expected = r"valid_lens must have shape \(batch,\) or \(batch, queries\), got valid_lens \("
    with pytest.raises(ValueError, match=expected):
        masked_softmax(torch.zeros(2, 5, 7), valid_lens=torch.ones(shape).long())


@pytest.mark.parametrize("lens", [[-1, 2], [1, 8]])
def test_lengths_out_of_range_are_refused(lens):
    with pytest.raises(ValueError, match=r"valid_lens must lie between 0 and keys=7, got"):
        masked_softmax(torch.zeros(2, 5, 7), valid_lens=torch.tensor(lens))


def test_fractional_lengths_are_refused():
    with pytest.raises(
        TypeError, match=r"valid_lens must be whole numbers .* got torch.float32 \[2.5, 1.0\]"
    ):
        masked_softmax(torch.zeros(2, 5, 7), valid_lens=torch.tensor([2.5, 1.0]))
