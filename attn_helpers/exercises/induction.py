"""Exercise of chapter 11: how much a map looks at the tokens that followed."""

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise
from ._inputs import numbers

__all__ = ["score"]

score = Exercise(
    "induction-score",
    "11_induction_heads",
    "Write f(weights, period): weights (queries, keys) is one map over a sequence that repeats with this "
    "period. Return the mean weight on the token that followed the query's token one period earlier, "
    "over the queries whose next token can be known and exists: period <= i < length - 1.",
    (
        "With period 3, query 4 holds the same token as key 1. Which key holds what came after it?",
        "Query i should look at key i - period + 1. Pick one number from each row, for the rows period to "
        "length - 2, and take their mean.",
    ),
)


@score.solution
def look_at_followers(weights: Tensor, period: int) -> Tensor:
    """Pick one weight from each knowable row."""
    queries = torch.arange(period, len(weights) - 1)
    return weights[queries, queries - period + 1].mean()


@score.check
def _long(answer: Answer) -> None:
    """The mean over the knowable queries."""
    _ask(answer, _map(13, 5), 5)


@score.check
def _short(answer: Answer) -> None:
    """another length and period."""
    _ask(answer, _map(11, 3), 3)


def _ask(answer: Answer, weights: Tensor, period: int) -> None:
    length = len(weights)
    rows = range(period, length - 1)

    def mean(offset: int, rows: range = rows, flip: bool = False) -> Tensor:
        cells = [(i, i - offset) for i in rows if 0 <= i - offset < length]
        picked = [weights[j, i] if flip else weights[i, j] for i, j in cells]
        return torch.stack(picked).mean() if picked else torch.tensor(0.0)

    right = mean(period - 1)
    best = torch.tensor([float(weights[i].argmax() == i - period + 1) for i in rows]).mean()
    suspects = [
        Suspect(
            "the score is of the copy itself, not of the token after it",
            "Key i - period holds the same token as query i. The follower stands one further.",
            mean(period),
        ),
        Suspect(
            "the score is of the token before the copy",
            "One step too far back: the sign of the 1 is wrong.",
            mean(period + 1),
        ),
        Suspect(
            "the score is that of a head that looks at the token before the query",
            "That is the head of layer 1. Here the distance depends on the period.",
            mean(1),
        ),
        Suspect(
            "queries and keys are swapped",
            "Rows are queries: weights[query, key].",
            mean(period - 1, flip=True),
        ),
        Suspect(
            "the weights are added up, not averaged",
            "A score should not grow with the length.",
            right * len(rows),
        ),
        Suspect(
            "it counts how often the largest weight is in the right place",
            "Take the weight itself: a head may look there with 0.4 or with 1.",
            best,
        ),
        Suspect(
            "rows before the second copy are counted too",
            "In the rows before `period` nothing can be known.",
            mean(period - 1, range(period - 1, length - 1)),
        ),
        Suspect(
            "the last row is counted too",
            "Nothing follows the last token: nothing can be right or wrong there.",
            mean(period - 1, range(period, length)),
        ),
    ]
    differing = [each for each in suspects if not torch.allclose(each.value, right, atol=1e-5)]
    answer.gives(weights, period, wanted=right, axes="", suspects=differing, named="score")


def _map(length: int, period: int) -> Tensor:
    """Make a map in which some queries look most at their follower."""
    scores = 2 * numbers(length, length, seed=period)
    scores[period:-2, 1:].diagonal()[::2] += 6
    scores[period - 1, 0] += 5  # the cells that do not count
    scores[-1, length - period] += 3
    return torch.softmax(scores, dim=-1)


@score.wrong("the score is of the copy itself")
def _copy(weights: Tensor, period: int) -> Tensor:
    return weights.diagonal(-period)[:-1].mean()


@score.wrong("the score is of the token before the copy")
def _before(weights: Tensor, period: int) -> Tensor:
    total, count = 0.0, 0
    for i in range(period + 1, len(weights) - 1):
        total, count = total + weights[i, i - (period + 1)], count + 1
    return torch.as_tensor(total / count)


@score.wrong("a head that looks at the token before the query")
def _previous(weights: Tensor, period: int) -> Tensor:
    return torch.stack([weights[i, i - 1] for i in range(period, len(weights) - 1)]).mean()


@score.wrong("queries and keys are swapped")
def _swapped(weights: Tensor, period: int) -> Tensor:
    return weights.mT.diagonal(1 - period)[1:-1].mean()


@score.wrong("added up, not averaged")
def _sum(weights: Tensor, period: int) -> Tensor:
    return torch.diagonal(weights, 1 - period)[1:-1].sum()


@score.wrong("how often the largest weight is in the right place")
def _hits(weights: Tensor, period: int) -> Tensor:
    rows = torch.arange(len(weights))[period:-1]
    return (weights.argmax(dim=1)[period:-1] == rows + 1 - period).float().mean()


@score.wrong("rows before the second copy are counted too")
def _all_rows(weights: Tensor, period: int) -> Tensor:
    return weights.diagonal(1 - period)[:-1].mean()


@score.wrong("the last row is counted too")
def _to_the_end(weights: Tensor, period: int) -> Tensor:
    return weights.diagonal(1 - period)[1:].mean()
