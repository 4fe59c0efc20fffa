"""Exercise of lesson 1b: predict each point from the others."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers
from attn_lessons.exercises.tasks.kernel_weights import weigh_by_nearness

leave_out = Exercise(
    "leave-one-out",
    "01b_learn_the_width",
    """Write f(x, y, width): x and y (keys,). Return predictions (keys,): at each x the Gaussian-weighted
    average of the values y of all the other points, never its own.""",
    (
        "The weights are (keys, keys). Which must be 0?",
        "Give the diagonal of the scores `-inf` before the softmax: `torch.eye(len(x), dtype=torch.bool)`.",
    ),
    "predictions (keys)",
)


@leave_out.solution
def predict_from_the_others(x, y, width):
    """Hide each point from itself before the softmax."""
    scores = -((x[:, None] - x) / width).square() / 2  # (keys, keys)
    itself = torch.eye(len(x), dtype=torch.bool)
    scores = scores.masked_fill(itself, float("-inf"))
    return torch.softmax(scores, dim=-1) @ y  # (keys,)


def _predictions(x: list[float], y: list[float], width: float) -> Tensor:
    """Averages by a loop."""
    results = []
    for i, query in enumerate(x):
        heights = [math.exp(-(((query - key) / width) ** 2) / 2) * (j != i) for j, key in enumerate(x)]
        results.append(sum(h * v for h, v in zip(heights, y, strict=True)) / sum(heights))
    return torch.tensor(results)


@leave_out.check
def _each_from_the_others(answer: Answer) -> None:
    """Each point is predicted from the others alone."""
    x, y, width = [0.0, 1.0, 1.5, 4.0, 4.5], [2.0, 5.0, -1.0, 7.0, 3.0], 0.8
    answer.gives(torch.tensor(x), torch.tensor(y), width, wanted=_predictions(x, y, width))


@leave_out.check
def _far_from_all(answer: Answer) -> None:
    """a point far from all others takes the value of the nearest."""
    x, y = torch.tensor([0.0, 0.5, 1.0, 30.0]), torch.tensor([4.0, 2.0, 7.0, -5.0])
    wanted = torch.cat([_predictions([0.0, 0.5, 1.0], [4.0, 2.0, 7.0], 0.6), torch.tensor([7.0])])
    answer.gives(x, y, 0.6, wanted=wanted)


@leave_out.also
def _more() -> Iterator[tuple]:
    """two points at the same x see each other, at other widths too."""
    yield torch.tensor([0.5, 2.0, 0.5, 1.0, 0.5, 3.0]), numbers(6, seed=1), 0.6
    yield numbers(7), numbers(7, seed=2), 3.0


def _hidden(
    x: Tensor,
    y: Tensor,
    width: float,
    hide: Callable[[Tensor], Tensor],
    power: int = 2,
    low: float = -math.inf,
) -> Tensor:
    away = (x[:, None] - x) / width
    return torch.softmax((-away.abs().pow(power) / 2).masked_fill(hide(away), low), -1) @ y


@leave_out.mistake("each point still predicts itself")
def _itself_included(x, y, width):
    """Its score is 0, and exp(0) = 1 is the largest height of all. Its score must be -inf."""
    return weigh_by_nearness(x, x, width) @ y


@leave_out.mistake("the own weight is removed after the rows were made to sum to 1")
def _removed_afterwards(x, y, width):
    """What is left sums to less than 1. Hide the point before the softmax."""
    return weigh_by_nearness(x, x, width).fill_diagonal_(0) @ y


@leave_out.mistake("the weights average x, not y")
def _averages_keys(x, y, width):
    """Keys are compared, values are averaged."""
    return predict_from_the_others(x, x, width)


@leave_out.mistake("the others are averaged without weights")
def _plain_mean(x, y, width):
    """Near points should count more. Where does the width come in?"""
    return (y.sum() - y) / (len(y) - 1)


@leave_out.mistake("each point sees only itself")
def _only_itself(x, y, width):
    """The mask is upside down: predictions equal the values."""
    scores = -((x[:, None] - x) ** 2).masked_fill(torch.eye(len(x)) == 0, float("inf"))
    return torch.softmax(scores, -1) @ y


@leave_out.mistake("the columns of the weights sum to 1, not the rows")
def _first_axis(x, y, width):
    """Which axis does the softmax run over?"""
    scores = -(((x[:, None] - x) / width) ** 2) / 2
    return scores.fill_diagonal_(-torch.inf).softmax(0) @ y


@leave_out.mistake("the width is not used")
def _width_forgotten(x, y, width):
    """Divide the differences by it."""
    return predict_from_the_others(x, y, 1.0)


@leave_out.mistake("other points at the same x are left out too")
def _points_at_same_x_left(x, y, w):
    """A distance of 0 is not the same as the point itself: hide the diagonal, `torch.eye`."""
    return _hidden(x, y, w, lambda away: away == 0)


@leave_out.mistake("only the points before each one count")
def _before(x, y, width):
    """All the others do, on both sides."""
    return _hidden(x, y, width, lambda away: torch.ones_like(away).triu() > 0).nan_to_num()


@leave_out.mistake("only the points after each one count")
def _after(x, y, width):
    """All the others do, on both sides."""
    return _hidden(x, y, width, lambda away: torch.ones_like(away).tril() > 0).nan_to_num()


@leave_out.mistake("only the points before each one count")
def _before_or_all(x, y, width):
    """All the others do, on both sides."""
    return _hidden(x, y, width, lambda away: torch.ones_like(away).triu() > 0, low=-1e9)


@leave_out.mistake("only the points after each one count")
def _after_or_all(x, y, width):
    """All the others do, on both sides."""
    return _hidden(x, y, width, lambda away: torch.ones_like(away).tril() > 0, low=-1e9)


@leave_out.mistake("the distance is not squared")
def _distance_not_squared(x, y, w):
    """The Gaussian kernel has -u^2 / 2 in its exponent."""
    return _hidden(x, y, w, lambda away: torch.eye(len(x)) > 0, 1)


@leave_out.mistake("the error is returned, not the prediction")
def _error(x, y, width):
    """Return what the others say, without subtracting y."""
    return y - predict_from_the_others(x, y, width)


@leave_out.mistake("the error is returned, not the prediction")
def _error_turned(x, y, width):
    """Return what the others say, without subtracting y."""
    return predict_from_the_others(x, y, width) - y


@leave_out.mistake("only the nearest other point counts")
def _nearest(x, y, width):
    """Near ones count more, but all of them count."""
    return y[(x[:, None] - x).abs().fill_diagonal_(torch.inf).argmin(-1)]


@leave_out.mistake("the heights are added up, but not divided by their sum")
def _heights_added_up_but_not(x, y, w):
    """An average needs weights that sum to 1."""
    return (-(((x[:, None] - x) / w) ** 2) / 2).exp() * (1 - torch.eye(len(x))) @ y


def _heights(x: Tensor, width: float) -> Tensor:
    return (-(((x[:, None] - x) / width) ** 2) / 2).exp() * (1 - torch.eye(len(x)))


@leave_out.mistake("far from all others the prediction is NaN")
def _underflow(x, y, width):
    """All heights underflow to 0, and 0 / 0 is NaN. A softmax of the exponents avoids it."""
    return _heights(x, width) @ y / _heights(x, width).sum(1)


@leave_out.mistake("far from all others the prediction is 0")
def _underflow_hidden(x, y, width):
    """All heights underflow to 0, which a small number below the line hides. Use torch.softmax."""
    return _heights(x, width) @ y / _heights(x, width).sum(1).clamp(min=1e-12)
