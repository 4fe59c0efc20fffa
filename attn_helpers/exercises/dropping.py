"""Exercise of chapter 04: dropout on attention weights, in training only."""

import torch
from torch import Tensor

from ._answer import Answer
from ._exercise import Exercise
from ._inputs import numbers, softmax_rows
from ._mistake import Mistake

__all__ = ["dropping"]

dropping = Exercise(
    "weight-dropout",
    "04_additive_and_scaled",
    "Write f(weights, p, training): weights (batch, queries, keys), 0 <= p < 1, training a bool. In "
    "training, set "
    "each weight to 0 with probability p, independently, and let the kept ones grow so that the mean stays; "
    "otherwise return the weights as they are.",
    (
        "`torch.rand_like(weights) < p` is True with probability p.",
        "A weight is kept with probability 1 - p. Which factor brings its mean back?",
        "What must happen when `training` is False?",
    ),
)


@dropping.solution
def drop_some_weights(weights, p, training):
    """Drop each weight by its own draw, and make up for it on average."""
    if not training:
        return weights
    kept = torch.rand_like(weights) >= p
    return torch.where(kept, weights / (1 - p), 0.0)


WEIGHTS = softmax_rows(numbers(11, 17, 23))  # (batch, queries, keys)


@dropping.check
def _evaluation(answer: Answer) -> Mistake | None:
    """Without training nothing is dropped."""
    got = answer(WEIGHTS, 0.25, False)
    alike = isinstance(got, Tensor) and got.shape == WEIGHTS.shape and got.dtype == WEIGHTS.dtype
    if alike and (got == 0).any():
        share = (got == 0).double().mean().item()
        return Mistake(
            "weights are dropped although training is False",
            f"{share:.2f} of the weights are 0.",
            "Which line asks for `training`?",
        )
    if alike and torch.allclose(got, WEIGHTS * 0.75):
        return Mistake(
            "the weights shrink when training is False",
            f"A weight of {WEIGHTS[0, 0, 0]:.4f} becomes {got[0, 0, 0]:.4f}.",
            "That was the first form of dropout. Here the kept ones grow in training instead.",
        )
    answer.gives(WEIGHTS, 0.25, False, wanted=WEIGHTS, axes="batch queries keys", named="weights")
    return None


@dropping.check
def _training(answer: Answer) -> Mistake | None:
    """in training each weight is 0 or grows by 1 / (1 - p), independently."""
    got = answer(WEIGHTS, 0.25, True)
    if not isinstance(got, Tensor) or got.shape != WEIGHTS.shape or got.dtype != WEIGHTS.dtype:
        answer.gives(WEIGHTS, 0.25, True, wanted=WEIGHTS, axes="batch queries keys", named="weights")
    kept = got != 0
    share = 1 - kept.double().mean().item()
    if share == 0:
        return Mistake(
            "nothing is dropped in training",
            "No weight is 0 with p = 0.25.",
            "Draw a number for each weight.",
        )
    return _pattern(kept) or _size(got, kept) or _share(share)


def _pattern(kept: Tensor) -> Mistake | None:
    nudge = "Draw one number for each weight: which shape must the random numbers have?"
    for axis, name in enumerate(("sentence", "query", "key")):
        if (kept == kept.select(axis, 0).unsqueeze(axis)).all():
            what = f"the same weights are dropped for every {name}"
            return Mistake(what, f"The pattern of {name} 0 is that of {name} 1.", nudge)
    return None


def _size(got: Tensor, kept: Tensor) -> Mistake | None:
    growth = (got / WEIGHTS)[kept]
    mean = f"The first kept weight was {WEIGHTS[kept][0]:.4f} and is {got[kept][0]:.4f}"
    nudge = "Kept with probability 0.75: which factor brings the mean back to what it was?"
    if torch.allclose(growth, torch.tensor(4 / 3), rtol=1e-3):
        return None
    if torch.allclose(growth, torch.ones(()), rtol=1e-3):
        return Mistake("the kept weights do not grow", f"{mean}, so the mean falls to 0.75.", nudge)
    if torch.allclose(growth, torch.tensor(4.0), rtol=1e-3):
        return Mistake("the kept weights are divided by p", f"{mean}: 4 times.", nudge)
    if torch.allclose(got.sum(dim=-1), torch.ones(()), rtol=1e-3):
        nudge = "Dropout keeps the mean over draws, not the sum of each row. One factor for all."
        return Mistake("every row is made to sum to 1 again", f"{mean}, another factor in each row.", nudge)
    return Mistake("the kept weights have the wrong size", f"{mean}, expected 4/3 of it.", nudge)


def _share(share: float) -> Mistake | None:
    if abs(share - 0.25) < 0.03:  # 4301 weights: more than four standard deviations
        return None
    nudge = "p is the probability that a weight is dropped."
    return Mistake("the share of dropped weights is not p", f"{share:.2f} are 0 with p = 0.25.", nudge)


@dropping.wrong("weights are dropped although training is False")
def _always(weights: Tensor, p: float, training: bool) -> Tensor:
    return torch.nn.functional.dropout(weights, p)


@dropping.wrong("nothing is dropped in training")
def _never(weights: Tensor, p: float, training: bool) -> Tensor:
    return torch.nn.functional.dropout(weights, p, training=not training) if training else weights


@dropping.wrong("the kept weights do not grow")
def _no_growth(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * torch.bernoulli(torch.full_like(weights, 1 - p)) if training else weights


@dropping.wrong("the kept weights are divided by p")
def _by_p(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand_like(weights) > p) / p if training else weights


@dropping.wrong("the weights shrink when training is False")
def _shrinks_later(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand_like(weights) > p) if training else weights * (1 - p)


@dropping.wrong("every row is made to sum to 1 again")
def _renormalised(weights: Tensor, p: float, training: bool) -> Tensor:
    if not training:
        return weights
    kept = weights * (torch.rand_like(weights) > p)
    return kept / kept.sum(dim=-1, keepdim=True)


@dropping.wrong("the same weights are dropped for every query")
def _whole_keys(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand(len(weights), 1, weights.shape[-1]) > p) / (1 - p) if training else weights


@dropping.wrong("the same weights are dropped for every sentence")
def _one_draw(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand(weights.shape[1:]) > p) / (1 - p) if training else weights


@dropping.wrong("the share of dropped weights is not p")
def _keeps_p(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand_like(weights) < p) / (1 - p) if training else weights


@dropping.wrong("`weights` was changed in place")
def _in_place(weights: Tensor, p: float, training: bool) -> Tensor:
    if training:
        weights[torch.rand_like(weights) < p] = 0
    return weights / (1 - p) if training else weights
