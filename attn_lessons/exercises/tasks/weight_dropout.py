"""Exercise of lesson 4b: dropout on attention weights, in training only."""

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Mistake, numbers, softmax_rows

dropping = Exercise(
    "weight-dropout",
    "04b_ten_or_eight",
    """Write f(weights, p, training): weights (batch, queries, keys), 0 <= p < 1, training a bool. In
    training, set each weight to 0 with probability p, independently, and let the kept ones grow so that the
    mean stays; otherwise return the weights as they are.""",
    (
        "`torch.rand_like(weights) < p` is True with probability p.",
        "A weight is kept with probability 1 - p. Which factor brings its mean back?",
        "What must happen when `training` is False?",
    ),
    "weights (batch, queries, keys)",
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
    answer.gives(WEIGHTS, 0.25, False, wanted=WEIGHTS)
    return None


@dropping.check
def _training(answer: Answer) -> Mistake | None:
    """in training each weight is 0 or grows by 1 / (1 - p), independently."""
    got = answer(WEIGHTS, 0.25, True)
    if not isinstance(got, Tensor) or got.shape != WEIGHTS.shape or got.dtype != WEIGHTS.dtype:
        answer.gives(WEIGHTS, 0.25, True, wanted=WEIGHTS)
    kept = got != 0
    share = 1 - kept.double().mean().item()
    if share == 0:
        return Mistake(
            "nothing is dropped in training",
            "No weight is 0 with p = 0.25.",
            "Draw a number for each weight.",
        )
    if not answer.varies(WEIGHTS, 0.25, True):
        return Mistake(
            "the same weights are dropped in every call",
            f"Two calls with p = 0.25 dropped the same {int((~kept).sum())} weights.",
            "Each call must draw new numbers: torch.rand_like, and no seed inside.",
        )
    return _pattern(kept) or _size(got, kept) or _share(share) or _count(answer)


def _count(answer: Answer) -> Mistake | None:
    counts = {int((torch.as_tensor(got) == 0).sum()) for got in answer.draws(WEIGHTS, 0.25, True, number=4)}
    if len(counts) > 1:
        return None
    return Mistake(
        "the same number of weights is dropped in every call",
        f"Four calls with p = 0.25 dropped {counts.pop()} weights each.",
        "Then one draw hangs on the others. Drawn by itself, each weight has its own chance.",
    )


@dropping.check
def _other_p(answer: Answer) -> Mistake | None:
    """any p, 0 too."""
    weights = WEIGHTS.flip(0)
    for p in (0.6, 0.0):
        got = answer(weights, p, True)
        share, grown = (got == 0).double().mean().item(), (got.mean() / weights.mean()).item()
        right = torch.where(got == 0, 0.0, weights / (1 - p))
        if abs(share - p) > 0.04 or not torch.allclose(got, right, rtol=1e-3):
            seen = (
                f"With p = {p}, {share:.2f} of the weights are 0; the mean is {grown:.2f} times the old one."
            )
            nudge = "Is a number written where p or 1 - p should stand?"
            return Mistake("p is not used everywhere", seen, nudge)
    return None


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
    if torch.allclose(growth, torch.tensor(1.25), rtol=1e-3):
        return Mistake("the kept weights grow by 1 + p", f"{mean}: 1.25 times.", nudge)
    if torch.allclose(growth, torch.tensor(0.75), rtol=1e-3):
        return Mistake("the kept weights are multiplied by 1 - p", f"{mean}: they shrink.", nudge)
    if torch.allclose(got.sum(dim=-1), torch.ones(()), rtol=1e-3):
        nudge = "Dropout keeps the mean over draws, not the sum of each row. One factor for all."
        return Mistake("every row is made to sum to 1 again", f"{mean}, another factor in each row.", nudge)
    return Mistake("the kept weights have the wrong size", f"{mean}, expected 4/3 of it.", nudge)


def _share(share: float) -> Mistake | None:
    if abs(share - 0.25) < 0.03:  # 4301 weights: more than four standard deviations
        return None
    nudge = "p is the probability that a weight is dropped."
    return Mistake("the share of dropped weights is not p", f"{share:.2f} are 0 with p = 0.25.", nudge)
