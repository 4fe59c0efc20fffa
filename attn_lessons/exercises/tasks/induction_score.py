"""Exercise of lesson 11b: how much a map looks at the tokens that followed."""

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

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
    picked = [weights[i, i - period + 1].item() for i in range(period, len(weights) - 1)]
    answer.gives(weights, period, wanted=torch.tensor(sum(picked) / len(picked)))


def _map(length: int, period: int) -> Tensor:
    """Make a map in which some queries look most at their follower."""
    scores = 2 * numbers(length, length, seed=period)
    scores[period:-2, 1:].diagonal()[::2] += 6
    scores[period - 1, 0] += 5  # the cells that do not count
    scores[-1, length - period] += 3
    return torch.softmax(scores, dim=-1)


def _followed(weights: Tensor, period: int) -> Tensor:
    return weights.diagonal(1 - period)[1:-1]


@score.mistake("the score is of the copy itself, not of the token after it")
def _copy(weights, period):
    """Key i - period holds the same token as query i. The follower stands one further."""
    return weights.diagonal(-period)[:-1].mean()


@score.mistake("the score is of the token before the copy")
def _before(weights, period):
    """One step too far back: the sign of the 1 is wrong."""
    total, count = 0.0, 0
    for i in range(period + 1, len(weights) - 1):
        total, count = total + weights[i, i - (period + 1)], count + 1
    return torch.as_tensor(total / count)


@score.mistake("the score is that of a head that looks at the token before the query")
def _previous(weights, period):
    """That is the head of layer 1. Here the distance depends on the period."""
    return torch.stack([weights[i, i - 1] for i in range(period, len(weights) - 1)]).mean()


@score.mistake("queries and keys are swapped")
def _swapped(weights, period):
    """Rows are queries: weights[query, key]."""
    return weights.mT.diagonal(1 - period)[1:-1].mean()


@score.mistake("the weights are added up, not averaged")
def _sum(weights, period):
    """A score should not grow with the length."""
    return torch.diagonal(weights, 1 - period)[1:-1].sum()


@score.mistake("the whole block is averaged: each query with the followers of all")
def _block(weights, period):
    """`weights[period:-1, 1:-period]` pairs every query with every key. Which index takes one for each?"""
    return weights[period:-1, 1:-period].mean()


@score.mistake("it counts how often the largest weight is in the right place")
def _hits(weights, period):
    """Take the weight itself: a head may look there with 0.4 or with 1."""
    rows = torch.arange(len(weights))[period:-1]
    return (weights.argmax(dim=1)[period:-1] == rows + 1 - period).float().mean()


@score.mistake("rows before the second copy are counted too")
def _all_rows(weights, period):
    """In the rows before `period` nothing can be known."""
    return weights.diagonal(1 - period)[:-1].mean()


@score.mistake("the last row is counted too")
def _to_the_end(weights, period):
    """Nothing follows the last token: nothing can be right or wrong there."""
    return weights.diagonal(1 - period)[1:].mean()


@score.mistake("the whole diagonal counts: a row before the second copy, and the last row")
def _whole_diagonal(weights, period):
    """In row period - 1 nothing is known yet, and after the last token nothing follows."""
    return weights.diagonal(1 - period).mean()


@score.mistake("one row too few: the first")
def _without_the_first(weights, period):
    """period <= i: query `period` counts."""
    return _followed(weights, period)[1:].mean()


@score.mistake("one row too few: the last")
def _without_the_last(weights, period):
    """i < length - 1: query length - 2 counts."""
    return _followed(weights, period)[:-1].mean()


@score.mistake("the score is of the token two after the copy")
def _two_after(weights, period):
    """Key i - period holds the query's token. Its follower stands one further, not two."""
    return weights.diagonal(2 - period)[2:-1].mean()


@score.mistake("the sum is divided by the whole length")
def _by_length(weights, period):
    """Divide by the number of queries that count."""
    return _followed(weights, period).sum() / len(weights)


@score.mistake("the sum is divided by the period")
def _by_period(weights, period):
    """Divide by the number of queries that count."""
    return _followed(weights, period).sum() / period


@score.mistake("the largest weight counts, wherever it stands")
def _anywhere(weights, period):
    """Only the weight on the follower."""
    return weights[period:-1].amax(-1).mean()


@score.mistake("the largest of the weights on the followers is returned")
def _largest(weights, period):
    """Take their mean."""
    return weights.diagonal(1 - period)[1:-1].max()


@score.mistake("only the last query counts")
def _last_query(weights, period):
    """Average over all queries from period to length - 2."""
    return weights[-2, len(weights) - 1 - period]


@score.mistake(
    "each token's weight on its predecessor's place in the first copy is read: rows below the period"
)
def _first_copy(weights, period):
    """The queries stand in the second copy: period <= i."""
    return weights[torch.arange(period - 1), torch.arange(1, period)].mean()


@score.mistake("the score is one number for each query")
def _each_query(weights, period):
    """Take their mean."""
    return _followed(weights, period)
