"""Trained weights in Programs: kept in float16 where that loses nothing."""

import pytest
import torch

from livetorch.tracing.trace import trace


def stored(weight: torch.Tensor) -> str | None:
    """Say in which dtype a Program keeps a tensor of its function."""
    (constant,) = trace(lambda x: x * weight, x=1.0).to_dict()["constants"]
    return constant.get("stored")


@pytest.mark.parametrize("shape", [(53, 97), (2, 53, 67)])
def test_large_constants_that_float16_holds_exactly_take_half_the_space(shape):
    weight = torch.randn(shape).half().float()
    assert stored(weight) == "float16"
    assert torch.equal(trace(lambda x: x * weight, x=1.0).run(x=1.0)["output"], weight)


@pytest.mark.parametrize("value", [0.1, 1e-9, 1e9, float("nan")])
def test_one_number_that_float16_does_not_hold_keeps_float32(value):
    weight = torch.randn(53, 97).half().float()
    weight[3, 5] = value
    assert stored(weight) is None


def test_infinity_is_held_exactly():
    weight = torch.full((53, 97), -torch.inf).triu()
    assert stored(weight.nan_to_num(0, neginf=-torch.inf)) == "float16"


def test_small_constants_stay_as_they_are():
    assert stored(torch.ones(3, 5)) is None
