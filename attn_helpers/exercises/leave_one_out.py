"""Exercise of chapter 01: predict each point from the others."""

import math

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise
from .kernels import weigh_by_nearness

__all__ = ["leave_out"]

leave_out = Exercise(
    "leave-one-out",
    "01_kernel_pooling",
    "Write f(x, y, width): x and y (keys,). Return predictions (keys,): at each x the Gaussian-weighted "
    "average of the values y of all the other points, never its own.",
    (
        "Queries and keys are both x: the weights are (keys, keys). Which of them must be 0?",
        "Give the diagonal of the scores `-inf` before the softmax: `torch.eye(len(x), dtype=torch.bool)`.",
        "`weights @ y` averages the values of each row.",
    ),
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
            "The largest weight of each row is on the diagonal: hide it.",
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
    answer.gives(*tensors, width, wanted=wanted, axes="keys", suspects=suspects, named="predictions")


@leave_out.wrong("each point still predicts itself")
def _itself_included(x: Tensor, y: Tensor, width: float) -> Tensor:
    return weigh_by_nearness(x, x, width) @ y


@leave_out.wrong("the own weight is removed after the rows were made to sum to 1")
def _removed_afterwards(x: Tensor, y: Tensor, width: float) -> Tensor:
    return weigh_by_nearness(x, x, width).fill_diagonal_(0) @ y


@leave_out.wrong("the weights average x, not y")
def _averages_keys(x: Tensor, y: Tensor, width: float) -> Tensor:
    return predict_from_the_others(x, x, width)


@leave_out.wrong("the others are averaged without weights")
def _plain_mean(x: Tensor, y: Tensor, width: float) -> Tensor:
    return (y.sum() - y) / (len(y) - 1)


@leave_out.wrong("each point sees only itself")
def _only_itself(x: Tensor, y: Tensor, width: float) -> Tensor:
    scores = -((x[:, None] - x) ** 2).masked_fill(torch.eye(len(x)) == 0, float("inf"))
    return torch.softmax(scores, -1) @ y


@leave_out.wrong("the columns of the weights sum to 1, not the rows")
def _first_axis(x: Tensor, y: Tensor, width: float) -> Tensor:
    scores = -(((x[:, None] - x) / width) ** 2) / 2
    return scores.fill_diagonal_(-torch.inf).softmax(0) @ y


@leave_out.wrong("the width is not used")
def _width_forgotten(x: Tensor, y: Tensor, width: float) -> Tensor:
    return predict_from_the_others(x, y, 1.0)
