import math

import pytest
import reference
import torch
from hypothesis import given
from hypothesis import strategies as st
from reference import DTYPES, TOLERANCE
from torch.testing import assert_close

from attn_helpers import (
    causal_mask,
    combine_masks,
    leave_one_out_mask,
    length_mask,
    masked_softmax,
    softmax_with_fill,
    window_mask,
)

NAN, INF = math.nan, math.inf


def test_length_mask_is_true_at_the_first_keys():
    expected = [[True, False, False, False], [True, True, True, False]]
    assert length_mask(torch.tensor([1, 3]), 4).tolist() == expected


@pytest.mark.parametrize("shape", [(), (2,), (2, 3), (2, 5, 3)])
def test_length_mask_adds_one_axis_to_any_shape(shape):
    mask = length_mask(torch.full(shape, 4), 7)
    assert mask.shape == (*shape, 7)
    assert mask.dtype == torch.bool
    assert (mask.sum(-1) == 4).all()


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64])
def test_length_mask_takes_every_integer_dtype(dtype):
    assert length_mask(torch.tensor([0, 2], dtype=dtype), 2).tolist() == [[False, False], [True, True]]


def test_length_mask_takes_a_list():
    assert length_mask([1, 2], 2).tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize(("lens", "shown"), [([-1, 2], r"\[-1, 2\]"), ([2, 5], r"\[2, 5\]")])
def test_length_mask_refuses_lengths_out_of_range(lens, shown):
    with pytest.raises(ValueError, match=rf"valid_lens must lie between 0 and keys=4, got {shown}"):
        length_mask(torch.tensor(lens), 4)


@pytest.mark.parametrize("lens", [torch.tensor([1.5, 2.0]), [0.5], torch.tensor([True, False])])
def test_length_mask_refuses_what_is_not_whole_numbers(lens):
    with pytest.raises(TypeError, match=r"valid_lens must be whole numbers .*, got torch\.\w+ \["):
        length_mask(lens, 4)


@pytest.mark.parametrize(("size", "error"), [(-1, ValueError), (2.0, TypeError), (True, TypeError)])
def test_length_mask_refuses_a_number_of_keys_that_is_none(size, error):
    with pytest.raises(error, match="num_keys must be"):
        length_mask(torch.tensor([0]), size)


@pytest.mark.parametrize("num_queries", [0, 1, 2, 5])
@pytest.mark.parametrize("num_keys", [0, 1, 5, 7])
def test_causal_mask_lines_up_the_last_query_with_the_last_key(num_queries, num_keys):
    late = num_keys - num_queries
    expected = [[j <= i + late for j in range(num_keys)] for i in range(num_queries)]
    assert causal_mask(num_queries, num_keys).tolist() == expected


def test_causal_mask_is_torchs_lower_triangle_when_square():
    assert torch.equal(causal_mask(5), torch.ones(5, 5, dtype=torch.bool).tril())


@pytest.mark.parametrize("make", [causal_mask, lambda n: window_mask(n, reach=1), leave_one_out_mask])
@pytest.mark.parametrize(("size", "error"), [(-2, ValueError), (1.5, TypeError), ("3", TypeError)])
def test_masks_refuse_sizes_that_are_none(make, size, error):
    with pytest.raises(error, match=r"num_queries must be|num_keys must be"):
        make(size)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("num_queries", "num_keys"), [(5, 5), (2, 7), (1, 3)])
def test_window_mask_keeps_keys_within_reach(causal, num_queries, num_keys):
    late = num_keys - num_queries
    expected = [
        [abs(j - i - late) <= 2 and not (causal and j > i + late) for j in range(num_keys)]
        for i in range(num_queries)
    ]
    assert window_mask(num_queries, num_keys, reach=2, causal=causal).tolist() == expected


def test_window_mask_refuses_a_negative_reach():
    with pytest.raises(ValueError, match="reach must be at least 0, got reach=-1"):
        window_mask(3, reach=-1)


def test_leave_one_out_mask_is_false_on_the_diagonal_only():
    assert torch.equal(leave_one_out_mask(3), ~torch.eye(3, dtype=torch.bool))


def test_combine_masks_allows_what_all_allow():
    padding = length_mask(torch.tensor([1, 3]), 3)
    combined = combine_masks(None, padding[:, None, :], causal_mask(3))
    expected = [[[j <= i and j < n for j in range(3)] for i in range(3)] for n in (1, 3)]
    assert combined.tolist() == expected


def test_combine_masks_of_nothing_is_none():
    assert combine_masks() is None
    assert combine_masks(None, None) is None


def test_combine_masks_returns_a_mask_of_its_own():
    mask = causal_mask(2)
    assert combine_masks(mask).data_ptr() != mask.data_ptr()


def test_combine_masks_refuses_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match=r"broadcast against each other, got \(2, 3\) and \(4, 3\)"):
        combine_masks(torch.ones(2, 3).bool(), torch.ones(4, 3).bool())


def test_masked_softmax_of_the_padded_sentences_keeps_rows_of_weights():
    # documents.md, Part I, 03: two sentences padded to 6, of 3 and 5 tokens
    weights = masked_softmax(torch.randn(2, 3, 6), valid_lens=torch.tensor([3, 5]))
    assert (weights[0, :, 3:] == 0).all()
    assert (weights[1, :, 5:] == 0).all()
    assert_close(weights.sum(-1), torch.ones(2, 3))


def test_masked_softmax_takes_one_length_per_query():
    lens = torch.tensor([[1, 2, 3], [4, 5, 6]])
    weights = masked_softmax(torch.randn(2, 3, 6), valid_lens=lens)
    assert torch.equal((weights > 0).sum(-1), lens)


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


def test_one_key_gets_all_the_weight():
    assert (masked_softmax(torch.randn(2, 3, 1)) == 1).all()


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


def test_adding_a_number_to_a_row_changes_nothing():
    scores, mask = torch.randn(2, 3, 5, dtype=torch.float64), torch.rand(2, 3, 5) < 0.5
    assert_close(masked_softmax(scores + 7, mask), masked_softmax(scores, mask))


def test_permuting_keys_permutes_weights():
    scores, mask, order = torch.randn(2, 3, 5), torch.rand(2, 3, 5) < 0.5, torch.randperm(5)
    assert_close(
        masked_softmax(scores[..., order], mask[..., order]), masked_softmax(scores, mask)[..., order]
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
