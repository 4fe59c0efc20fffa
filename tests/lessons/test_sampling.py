"""Temperature, top-k and the draw of the next token."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some
from torch.fx.experimental.proxy_tensor import make_fx
from torch.testing import assert_close

from attn_lessons.studies.text.sampling import (
    first_state,
    next_probabilities,
    next_random,
    pick,
    top_k_filter,
)

LOGITS = torch.tensor([0.5, 2.0, -1.0, 2.0, 1.0])


def test_top_k_keeps_the_largest_and_of_equal_ones_the_first():
    kept = [(top_k_filter(LOGITS, k) > -torch.inf).nonzero().flatten().tolist() for k in range(1, 6)]
    assert kept == [[1], [1, 3], [1, 3, 4], [0, 1, 3, 4], [0, 1, 2, 3, 4]]


def test_top_k_agrees_with_torch_where_no_logits_are_equal():
    logits = torch.randn(3, 5, 17)
    values, ids = logits.topk(7)
    assert_close(top_k_filter(logits, 7), torch.full_like(logits, -torch.inf).scatter(-1, ids, values))


@pytest.mark.parametrize("top_k", [5, 6, 1000, torch.tensor(99)])
def test_a_top_k_of_all_tokens_or_more_changes_nothing(top_k):
    assert torch.equal(top_k_filter(LOGITS, top_k), LOGITS)


def test_logits_are_left_as_they_were():
    before = LOGITS.clone()
    next_probabilities(LOGITS, temperature=0.5, top_k=2)
    assert torch.equal(LOGITS, before)


def test_temperature_divides_the_logits():
    for temperature in (0.3, 1, 2.5):
        assert_close(next_probabilities(LOGITS, temperature=temperature), (LOGITS / temperature).softmax(-1))


def test_temperature_zero_takes_the_largest_and_of_equal_ones_the_first():
    assert next_probabilities(LOGITS, temperature=0).tolist() == [0, 1, 0, 0, 0]
    assert next_probabilities(LOGITS, temperature=0, top_k=3).tolist() == [0, 1, 0, 0, 0]


@pytest.mark.parametrize("temperature", [1e-3, 1e-30, 5e-324])
def test_a_tiny_temperature_tends_to_the_largest_without_nan(temperature):
    probabilities = next_probabilities(torch.tensor([1.0, 3.0, 2.0]), temperature=temperature)
    assert_close(probabilities, torch.tensor([0.0, 1.0, 0.0]))


@given(some.floats(0, 5), some.integers(1, 9), some.lists(some.floats(-50, 50), min_size=1, max_size=7))
def test_probabilities_sum_to_one_and_at_most_k_are_above_zero(temperature, top_k, logits):
    probabilities = next_probabilities(torch.tensor(logits), temperature=temperature, top_k=top_k)
    assert_close(probabilities.sum(), torch.tensor(1.0))
    assert (probabilities > 0).sum() <= top_k


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_the_dtype_follows_the_logits(dtype):
    assert next_probabilities(LOGITS.to(dtype), temperature=0.7, top_k=3).dtype == dtype


@given(some.lists(some.floats(0, 1), min_size=1, max_size=9), some.floats(0, 1, exclude_max=True))
def test_a_token_of_probability_zero_is_never_picked(weights, uniform):
    weights = torch.tensor([*weights, 0.5, 0.0], dtype=torch.float64)
    probabilities = weights / weights.sum()
    picked = pick(probabilities, torch.tensor(uniform, dtype=torch.float64))
    ends = [math.fsum(probabilities[: i + 1].tolist()) for i in range(len(weights))]
    assert probabilities[picked] > 0
    assert ends[picked] >= uniform - 1e-12
    assert ends[picked] - probabilities[picked].item() <= uniform + 1e-12


def test_a_sum_that_rounding_left_below_one_still_gives_a_token():
    probabilities = torch.tensor([0.3, 0.3, 0.3, 0.0])
    assert pick(probabilities, torch.tensor(0.999999, dtype=torch.float64)) == 2


def test_tokens_are_picked_as_often_as_their_probability_says():
    probabilities = torch.tensor([0.1, 0.6, 0.05, 0.25])
    uniform = (torch.arange(10_000, dtype=torch.float64) + 0.5) / 10_000
    picked = pick(probabilities.expand(10_000, 4), uniform)
    assert_close(picked.bincount() / 10_000, probabilities, atol=2e-4, rtol=0)


def test_the_random_numbers_are_those_of_park_and_miller():
    state = torch.tensor(1)
    for _ in range(10_000):
        state, number = next_random(state)
    assert state.item() == 399268537  # the check value of the C++ standard for minstd_rand
    assert number.item() == 399268537 / (2**31 - 1)


@pytest.mark.parametrize("seed", [0, 1, -1, 2**31 - 3, 2**70])
def test_any_seed_gives_a_state_in_range(seed):
    assert 1 <= first_state(seed) <= 2**31 - 2


def test_a_step_can_be_traced_with_every_number_an_input():
    def step(logits, temperature, top_k, state):
        state, uniform = next_random(state)
        return pick(next_probabilities(logits, temperature=temperature, top_k=top_k), uniform), state

    inputs = LOGITS, torch.tensor(0.8), torch.tensor(3), first_state(5)
    traced = make_fx(step)(*inputs)
    for temperature in (0.0, 0.5, 2.0):
        other = LOGITS.flip(0), torch.tensor(temperature), torch.tensor(4), first_state(6)
        assert_close(traced(*other), step(*other))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: top_k_filter(LOGITS, 0), ValueError, "top_k must be at least 1, got top_k=0"),
        (lambda: top_k_filter(LOGITS, -3), ValueError, "top_k must be at least 1, got top_k=-3"),
        (lambda: top_k_filter(LOGITS, torch.tensor(0)), ValueError, "top_k must be at least 1, got top_k=0"),
        (lambda: top_k_filter(LOGITS, 2.0), TypeError, "top_k must be an int, got float"),
        (lambda: top_k_filter(LOGITS, True), TypeError, "top_k must be an int, got bool"),
        (lambda: top_k_filter(LOGITS, torch.tensor(2.0)), TypeError, "top_k must be one whole number"),
        (lambda: top_k_filter(torch.arange(3), 2), TypeError, "logits must be floating-point"),
        (lambda: next_probabilities(LOGITS, top_k=0), ValueError, "top_k must be at least 1"),
        (
            lambda: next_probabilities(LOGITS, temperature=-0.5),
            ValueError,
            "temperature must be at least 0 and finite, got temperature=-0.5",
        ),
        (lambda: next_probabilities(LOGITS, temperature=math.inf), ValueError, "got temperature=inf"),
        (lambda: next_probabilities(LOGITS, temperature=math.nan), ValueError, "got temperature=nan"),
        (lambda: next_probabilities(LOGITS, temperature="hot"), TypeError, "temperature must be a number"),
        (
            lambda: pick(LOGITS.softmax(-1), torch.tensor(1.0)),
            ValueError,
            "uniform must be at least 0 and below 1",
        ),
        (lambda: pick(LOGITS.softmax(-1), torch.rand(3)), ValueError, r"uniform must have shape \(\)"),
        (lambda: first_state(0.5), TypeError, "seed must be an int, got float"),
        (lambda: next_random(torch.tensor(0.5)), TypeError, "state must be an int64"),
        (lambda: next_random(7), TypeError, "state must be an int64 torch.Tensor, got int"),
    ],
)
def test_wrong_arguments_are_named(call, error, text):
    with pytest.raises(error, match=text):
        call()
