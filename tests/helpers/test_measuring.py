import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from attn_helpers import attend, causal_mask, scaled_dot_product_attention, window_mask
from attn_helpers.measuring import chain_length, count_multiplications, path_length, receptive_field

LENGTH, SIZE = 13, 5


def convolutions(depth, kernel=3):
    layers = nn.Sequential(*(nn.Conv1d(SIZE, SIZE, kernel, padding=kernel // 2) for _ in range(depth)))
    return lambda x: layers(x.mT).mT


def recurrence(x):
    torch.manual_seed(0)
    return nn.RNN(SIZE, SIZE, batch_first=True)(x)[0]


def self_attention(x):
    return attend(x, x, x)[0]


@given(depth=st.integers(1, 4), position=st.integers(0, LENGTH - 1))
def test_each_convolution_widens_the_field_by_one_on_each_side(depth, position):
    field = receptive_field(convolutions(depth), torch.randn(1, LENGTH, SIZE), position)
    expected = [abs(j - position) <= depth for j in range(LENGTH)]
    assert field.tolist() == expected


def test_a_recurrence_sees_all_that_came_before():
    field = receptive_field(recurrence, torch.randn(2, LENGTH, SIZE), 4)
    assert field.tolist() == [j <= 4 for j in range(LENGTH)]


def test_self_attention_sees_everything_or_what_its_mask_allows():
    x = torch.randn(1, LENGTH, SIZE)
    masked = lambda x: scaled_dot_product_attention(x, x, x, mask=causal_mask(LENGTH))[0]  # noqa: E731
    assert receptive_field(self_attention, x, 4).all()
    assert receptive_field(masked, x, 4).tolist() == causal_mask(LENGTH)[4].tolist()


def test_finding_the_field_leaves_the_inputs_alone():
    x = torch.randn(1, LENGTH, SIZE)
    before = x.clone()
    receptive_field(self_attention, x, 0)
    assert torch.equal(x, before)
    assert not x.requires_grad


@given(length=st.integers(1, 12), reach=st.integers(1, 5))
def test_the_path_through_windows_has_length_over_reach_steps(length, reach):
    assert path_length(window_mask(length, reach=reach)) == math.ceil((length - 1) / reach)


def test_the_path_through_a_recurrence_is_as_long_as_the_sequence():
    assert path_length(window_mask(LENGTH, reach=1, causal=True)) == LENGTH - 1


def test_self_attention_connects_all_positions_in_one_step():
    assert path_length(torch.ones(LENGTH, LENGTH, dtype=torch.bool)) == 1


def test_positions_that_see_only_themselves_have_no_path():
    assert path_length(torch.eye(4, dtype=torch.bool)) == 0


def test_self_attention_costs_two_products_of_length_squared_times_size():
    x = torch.randn(1, LENGTH, SIZE)
    assert count_multiplications(self_attention, x) == 2 * LENGTH**2 * SIZE


def test_a_convolution_costs_kernel_times_length_times_size_squared():
    assert count_multiplications(convolutions(1), torch.randn(1, LENGTH, SIZE)) == 3 * LENGTH * SIZE**2


def test_a_recurrence_costs_two_times_length_times_size_squared():
    assert count_multiplications(recurrence, torch.randn(1, LENGTH, SIZE)) == 2 * LENGTH * SIZE**2


def test_only_a_recurrence_has_a_chain_that_grows_with_the_length():
    short, long = torch.randn(1, 4, SIZE), torch.randn(1, 9, SIZE)
    chains = {
        f: (chain_length(f, short), chain_length(f, long))
        for f in (self_attention, convolutions(1), recurrence)
    }
    assert list(chains.values()) == [(2, 2), (1, 1), (4, 9)]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: path_length(torch.ones(3, 3)), TypeError, "edges must be bool"),
        (
            lambda: path_length(torch.ones(3, 4, dtype=torch.bool)),
            ValueError,
            r"\(length, length\), got \(3, 4\)",
        ),
        (
            lambda: receptive_field(lambda x: x, torch.ones(3, 4), 0),
            ValueError,
            r"\(batch, length, d_model\), got \(3, 4\)",
        ),
    ],
)
def test_a_wrong_argument_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
