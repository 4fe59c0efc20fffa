"""Exercise of lesson 1b: predict each point from the others."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

leave_out = Exercise(
    "leave-one-out",
    "01b_learn_the_width",
    """Write f(x, y, width): x and y (keys,). Return predictions (keys,): at each x the Gaussian-weighted
    average of the values y of all the other points, never its own.""",
    (
        "Queries and keys are both x: the weights are (keys, keys). Which of them must be 0?",
        "Give the diagonal of the scores `-inf` before the softmax: `torch.eye(len(x), dtype=torch.bool)`.",
        "`weights @ y` averages the values of each row.",
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


def _predictions(x: list[float], y: list[float], width: float, *, own: float) -> Tensor:
    """Averages by a loop; the own value counts with the factor `own`."""
    results = []
    for i, query in enumerate(x):
        heights = [math.exp(-(((query - key) / width) ** 2) / 2) for key in x]
        heights[i] *= own
        results.append(sum(h * v for h, v in zip(heights, y, strict=True)) / sum(heights))
    return torch.tensor(results)


@leave_out.check
def _each_from_the_others(answer: Answer) -> None:
    """Each point is predicted from the others alone."""
    x, y, width = [0.0, 1.0, 1.5, 4.0, 4.5], [2.0, 5.0, -1.0, 7.0, 3.0], 0.8
    heights = torch.tensor([[math.exp(-(((q - k) / width) ** 2) / 2) for k in x] for q in x])
    values, others = torch.tensor(y), 1 - torch.eye(5)
    suspects = [
        Suspect(
            "each point still predicts itself",
            "Its score is 0, and exp(0) = 1 is the largest height of all. Its score must be -inf.",
            _predictions(x, y, width, own=1.0),
        ),
        Suspect(
            "the own weight is removed after the rows were made to sum to 1",
            "What is left sums to less than 1. Hide the point before the softmax.",
            (heights / heights.sum(1, keepdim=True) * others) @ values,
        ),
        Suspect(
            "the weights average x, not y",
            "Keys are compared, values are averaged.",
            _predictions(x, x, width, own=0.0),
        ),
        Suspect(
            "the others are averaged without weights",
            "Near points should count more. Where does the width come in?",
            (others @ values) / 4,
        ),
        Suspect(
            "each point sees only itself",
            "The mask is upside down: predictions equal the values.",
            values,
        ),
        Suspect(
            "the columns of the weights sum to 1, not the rows",
            "Which axis does the softmax run over?",
            heights * others / (heights * others).sum(0) @ values,
        ),
        Suspect(
            "the width is not used",
            "Divide the differences by it.",
            _predictions(x, y, 1.0, own=0.0),
        ),
    ]
    wanted = _predictions(x, y, width, own=0.0)
    tensors = torch.tensor(x), torch.tensor(y)
    answer.gives(*tensors, width, wanted=wanted, suspects=suspects)


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


leave_out.slip(
    "other points at the same x are left out too",
    "A distance of 0 is not the same as the point itself: hide the diagonal, `torch.eye`.",
    lambda x, y, w: _hidden(x, y, w, lambda away: away == 0),
)
for side, part in (("before", torch.triu), ("after", torch.tril)):
    for low in (-math.inf, -1e9):  # the point at the end has none: NaN, which most make 0, or all alike
        leave_out.slip(
            f"only the points {side} each one count",
            "All the others do, on both sides.",
            lambda x, y, w, part=part, low=low: _hidden(
                x, y, w, lambda away: part(torch.ones_like(away)) > 0, low=low
            ).nan_to_num(),
        )
leave_out.slip(
    "the distance is not squared",
    "The Gaussian kernel has -u^2 / 2 in its exponent.",
    lambda x, y, w: _hidden(x, y, w, lambda away: torch.eye(len(x)) > 0, 1),
)
for sign in (1, -1):
    leave_out.slip(
        "the error is returned, not the prediction",
        "Return what the others say, without subtracting y.",
        lambda x, y, w, sign=sign: sign * (predict_from_the_others(x, y, w) - y),
    )
leave_out.slip(
    "only the nearest other point counts",
    "Near ones count more, but all of them count.",
    lambda x, y, w: y[(x[:, None] - x).abs().fill_diagonal_(torch.inf).argmin(1)],
)
leave_out.slip(
    "the heights are added up, but not divided by their sum",
    "An average needs weights that sum to 1.",
    lambda x, y, w: ((-(((x[:, None] - x) / w) ** 2) / 2).exp() * (1 - torch.eye(len(x)))) @ y,
)
