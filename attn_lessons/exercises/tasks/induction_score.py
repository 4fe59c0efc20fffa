"""Exercise of lesson 11b: how much a map looks at the tokens that followed."""

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

score = Exercise(
    "induction-score",
    "11b_induction_learned",
    """Write f(weights, period): weights (queries, keys) is one map over a sequence that repeats with this
    period. Return the mean weight on the token that followed the query's token one period earlier, over the
    queries whose next token can be known and exists: period <= i < length - 1.""",
    (
        "With period 3, query 4 holds the same token as key 1. Which key holds what came after it?",
        """Query i should look at key i - period + 1. Pick one number from each row, for the rows period to
        length - 2, and take their mean.""",
    ),
    "score ()",
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
    _ask(answer, _map(11, 4), 4)


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
        Suspect(
            "the whole diagonal counts: a row before the second copy, and the last row",
            "In row period - 1 nothing is known yet, and after the last token nothing follows.",
            mean(period - 1, range(period - 1, length)),
        ),
        Suspect(
            "one row too few: the first", "period <= i: query `period` counts.", mean(period - 1, rows[1:])
        ),
        Suspect(
            "one row too few: the last",
            "i < length - 1: query length - 2 counts.",
            mean(period - 1, rows[:-1]),
        ),
        Suspect(
            "the score is of the token two after the copy",
            "Key i - period holds the query's token. Its follower stands one further, not two.",
            mean(period - 2),
        ),
        Suspect(
            "the sum is divided by the whole length",
            "Divide by the number of queries that count.",
            right * len(rows) / length,
        ),
        Suspect(
            "the sum is divided by the period",
            "Divide by the number of queries that count.",
            right * len(rows) / period,
        ),
        Suspect(
            "the largest weight counts, wherever it stands",
            "Only the weight on the follower.",
            weights[period : length - 1].amax(-1).mean(),
        ),
        Suspect(
            "the largest of the weights on the followers is returned",
            "Take their mean.",
            weights.diagonal(1 - period)[1:-1].amax(),
        ),
        Suspect(
            "only the last query counts",
            "Average over all queries from period to length - 2.",
            weights[-2, -1 - period],
        ),
        Suspect(
            "each token's weight on its predecessor's place in the first copy is read: rows below the period",
            "The queries stand in the second copy: period <= i.",
            torch.stack([weights[j, j + 1] for j in range(period - 1)]).mean(),
        ),
        Suspect(
            "the score is one number for each query",
            "Take their mean.",
            weights.diagonal(1 - period)[1:-1],
        ),
    ]
    differing = [
        one for one in suspects if one.value.dim() or not torch.allclose(one.value, right, atol=1e-5)
    ]
    answer.gives(weights, period, wanted=right, suspects=differing)


def _map(length: int, period: int) -> Tensor:
    """Make a map in which some queries look most at their follower."""
    scores = 2 * numbers(length, length, seed=period)
    scores[period:-2, 1:].diagonal()[::2] += 6
    scores[period - 1, 0] += 5  # the cells that do not count
    scores[-1, length - period] += 3
    return torch.softmax(scores, dim=-1)
