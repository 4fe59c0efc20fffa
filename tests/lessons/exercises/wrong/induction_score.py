"""Typical wrong answers to induction-score."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("the score is of the copy itself")
def _copy(weights: Tensor, period: int) -> Tensor:
    return weights.diagonal(-period)[:-1].mean()


@wrong("the score is of the token before the copy")
def _before(weights: Tensor, period: int) -> Tensor:
    total, count = 0.0, 0
    for i in range(period + 1, len(weights) - 1):
        total, count = total + weights[i, i - (period + 1)], count + 1
    return torch.as_tensor(total / count)


@wrong("a head that looks at the token before the query")
def _previous(weights: Tensor, period: int) -> Tensor:
    return torch.stack([weights[i, i - 1] for i in range(period, len(weights) - 1)]).mean()


@wrong("queries and keys are swapped")
def _swapped(weights: Tensor, period: int) -> Tensor:
    return weights.mT.diagonal(1 - period)[1:-1].mean()


@wrong("added up, not averaged")
def _sum(weights: Tensor, period: int) -> Tensor:
    return torch.diagonal(weights, 1 - period)[1:-1].sum()


@wrong("how often the largest weight is in the right place")
def _hits(weights: Tensor, period: int) -> Tensor:
    rows = torch.arange(len(weights))[period:-1]
    return (weights.argmax(dim=1)[period:-1] == rows + 1 - period).float().mean()


@wrong("rows before the second copy are counted too")
def _all_rows(weights: Tensor, period: int) -> Tensor:
    return weights.diagonal(1 - period)[:-1].mean()


@wrong("the last row is counted too")
def _to_the_end(weights: Tensor, period: int) -> Tensor:
    return weights.diagonal(1 - period)[1:].mean()


@wrong("only the last query counts")
def _last_query(weights: Tensor, period: int) -> Tensor:
    return weights[-2, len(weights) - 1 - period]


@wrong("the largest of the weights on the followers")
def _largest(weights: Tensor, period: int) -> Tensor:
    return weights.diagonal(1 - period)[1:-1].max()


@wrong("rows below the period")
def _first_copy(weights: Tensor, period: int) -> Tensor:
    return weights[torch.arange(period - 1), torch.arange(1, period)].mean()
