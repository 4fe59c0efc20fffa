"""Typical wrong answers to leave-one-out."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.kernel_weights import weigh_by_nearness
from attn_lessons.exercises.tasks.leave_one_out import predict_from_the_others


@wrong("each point still predicts itself")
def _itself_included(x: Tensor, y: Tensor, width: float) -> Tensor:
    return weigh_by_nearness(x, x, width) @ y


@wrong("the own weight is removed after the rows were made to sum to 1")
def _removed_afterwards(x: Tensor, y: Tensor, width: float) -> Tensor:
    return weigh_by_nearness(x, x, width).fill_diagonal_(0) @ y


@wrong("the weights average x, not y")
def _averages_keys(x: Tensor, y: Tensor, width: float) -> Tensor:
    return predict_from_the_others(x, x, width)


@wrong("the others are averaged without weights")
def _plain_mean(x: Tensor, y: Tensor, width: float) -> Tensor:
    return (y.sum() - y) / (len(y) - 1)


@wrong("each point sees only itself")
def _only_itself(x: Tensor, y: Tensor, width: float) -> Tensor:
    scores = -((x[:, None] - x) ** 2).masked_fill(torch.eye(len(x)) == 0, float("inf"))
    return torch.softmax(scores, -1) @ y


@wrong("the columns of the weights sum to 1, not the rows")
def _first_axis(x: Tensor, y: Tensor, width: float) -> Tensor:
    scores = -(((x[:, None] - x) / width) ** 2) / 2
    return scores.fill_diagonal_(-torch.inf).softmax(0) @ y


@wrong("the width is not used")
def _width_forgotten(x: Tensor, y: Tensor, width: float) -> Tensor:
    return predict_from_the_others(x, y, 1.0)


@wrong("only the points before each one count")
def _before(x: Tensor, y: Tensor, width: float) -> Tensor:
    scores = (-((x[:, None] - x) ** 2) / (2 * width**2)).masked_fill(
        torch.ones(len(x), len(x)).triu() > 0, -torch.inf
    )
    return scores.softmax(-1).nan_to_num() @ y


@wrong("the error is returned, not the prediction")
def _error(x: Tensor, y: Tensor, width: float) -> Tensor:
    return y - predict_from_the_others(x, y, width)


@wrong("only the nearest other point counts")
def _nearest(x: Tensor, y: Tensor, width: float) -> Tensor:
    return y[(x[:, None] - x).abs().fill_diagonal_(torch.inf).argmin(-1)]
