import pytest
import torch

from attn_helpers import (
    causal_mask,
    combine_masks,
    leave_one_out_mask,
    length_mask,
    window_mask,
)


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
