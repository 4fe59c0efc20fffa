"""Exercise of lesson 4b: dropout on attention weights, in training only."""

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Reply, numbers, softmax_rows

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
OTHERS = softmax_rows(numbers(3, 40, 12, seed=1)), softmax_rows(numbers(64, 32, seed=2))


@dropping.check
def _evaluation(answer: Answer) -> Reply | None:
    """Without training nothing is dropped."""
    got = answer(WEIGHTS, 0.25, False)
    alike = isinstance(got, Tensor) and got.shape == WEIGHTS.shape and got.dtype == WEIGHTS.dtype
    if alike and (got == 0).any():
        share = (got == 0).double().mean().item()
        return Reply(
            "weights are dropped although training is False",
            f"{share:.2f} of the weights are 0.",
            "Which line asks for `training`?",
        )
    if alike and torch.allclose(got, WEIGHTS * 0.75):
        return Reply(
            "the weights shrink when training is False",
            f"A weight of {WEIGHTS[0, 0, 0]:.4f} becomes {got[0, 0, 0]:.4f}.",
            "That was the first form of dropout. Here the kept ones grow in training instead.",
        )
    answer.gives(WEIGHTS, 0.25, False, wanted=WEIGHTS)
    return None


@dropping.check
def _training(answer: Answer) -> Reply | None:
    """in training each weight is 0 or grows by 1 / (1 - p), independently."""
    got = answer(WEIGHTS, 0.25, True)
    if not isinstance(got, Tensor) or got.shape != WEIGHTS.shape or got.dtype != WEIGHTS.dtype:
        answer.gives(WEIGHTS, 0.25, True, wanted=WEIGHTS)
    kept = got != 0
    share = 1 - kept.double().mean().item()
    if share == 0:
        return Reply(
            "nothing is dropped in training",
            "No weight is 0 with p = 0.25.",
            "Draw a number for each weight.",
        )
    if not answer.varies(WEIGHTS, 0.25, True):
        return Reply(
            "the same weights are dropped in every call",
            f"Two calls with p = 0.25 dropped the same {int((~kept).sum())} weights.",
            "Each call must draw new numbers: torch.rand_like, and no seed inside.",
        )
    return _pattern(kept) or _share(share) or _size(got, kept) or _count(answer)


def _count(answer: Answer) -> Reply | None:
    counts = {int((torch.as_tensor(got) == 0).sum()) for got in answer.draws(WEIGHTS, 0.25, True, number=4)}
    if len(counts) > 1:
        return None
    return Reply(
        "the same number of weights is dropped in every call",
        f"Four calls with p = 0.25 dropped {counts.pop()} weights each.",
        "Then one draw hangs on the others. Drawn by itself, each weight has its own chance.",
    )


@dropping.check
def _other_p(answer: Answer) -> Reply | None:
    """any p, 0 too."""
    for weights, p in ((WEIGHTS.flip(0), 0.6), (OTHERS[0], 0.4), (OTHERS[1], 0.5), (WEIGHTS, 0.0)):
        got = answer(weights, p, True)
        if not isinstance(got, Tensor) or got.shape != weights.shape:
            answer.gives(weights, p, True, wanted=weights)
        share, grown = (got == 0).double().mean().item(), (got.mean() / weights.mean()).item()
        right = torch.where(got == 0, 0.0, weights / (1 - p))
        if abs(share - p) > 0.06 or not torch.allclose(got, right, rtol=1e-3):
            seen = (
                f"With p = {p}, {share:.2f} of the weights are 0; the mean is {grown:.2f} times the old one."
            )
            nudge = "Is a number written where p or 1 - p should stand?"
            return Reply("p is not used everywhere", seen, nudge)
    return None


def _pattern(kept: Tensor) -> Reply | None:
    nudge = "Draw one number for each weight: which shape must the random numbers have?"
    for axis, name in enumerate(("sentence", "query", "key")):
        if (kept == kept.select(axis, 0).unsqueeze(axis)).all():
            what = f"the same weights are dropped for every {name}"
            return Reply(what, f"The pattern of {name} 0 is that of {name} 1.", nudge)
        pairs = (
            kept.narrow(axis, 0, kept.shape[axis] - 1) == kept.narrow(axis, 1, kept.shape[axis] - 1)
        ).double()
        if pairs.mean() > 0.72:  # of independent draws 0.25^2 + 0.75^2 = 0.625 are like their neighbour
            seen = f"{pairs.mean():.2f} of them do what their neighbour does, where chance alone gives 0.62."
            return Reply(f"neighbours along the {name} axis are dropped together", seen, nudge)
    return None


def _size(got: Tensor, kept: Tensor) -> Reply | None:
    growth = (got / WEIGHTS)[kept]
    mean = f"The first kept weight was {WEIGHTS[kept][0]:.4f} and is {got[kept][0]:.4f}"
    nudge = "Kept with probability 0.75: which factor brings the mean back to what it was?"
    if torch.allclose(growth, torch.tensor(4 / 3), rtol=1e-3):
        return None
    if torch.allclose(growth, torch.ones(()), rtol=1e-3):
        return Reply("the kept weights do not grow", f"{mean}, so the mean falls to 0.75.", nudge)
    if torch.allclose(growth, torch.tensor(4.0), rtol=1e-3):
        return Reply("the kept weights are divided by p", f"{mean}: 4 times.", nudge)
    if torch.allclose(growth, torch.tensor(1.25), rtol=1e-3):
        return Reply("the kept weights grow by 1 + p", f"{mean}: 1.25 times.", nudge)
    if torch.allclose(growth, torch.tensor(0.75), rtol=1e-3):
        return Reply("the kept weights are multiplied by 1 - p", f"{mean}: they shrink.", nudge)
    if torch.allclose(got.sum(dim=-1), torch.ones(()), rtol=1e-3):
        nudge = "Dropout keeps the mean over draws, not the sum of each row. One factor for all."
        return Reply("every row is made to sum to 1 again", f"{mean}, another factor in each row.", nudge)
    return Reply("the kept weights have the wrong size", f"{mean}, expected 4/3 of it.", nudge)


def _share(share: float) -> Reply | None:
    if abs(share - 0.25) < 0.03:  # 4301 weights: more than four standard deviations
        return None
    nudge = "p is the probability that a weight is dropped."
    return Reply("the share of dropped weights is not p", f"{share:.2f} are 0 with p = 0.25.", nudge)


@dropping.mistake("weights are dropped although training is False")
def _always(weights, p, training):
    return torch.nn.functional.dropout(weights, p)


@dropping.mistake("nothing is dropped in training")
def _never(weights, p, training):
    return torch.nn.functional.dropout(weights, p, training=not training) if training else weights


@dropping.mistake("the kept weights do not grow")
def _no_growth(weights, p, training):
    return weights * torch.bernoulli(torch.full_like(weights, 1 - p)) if training else weights


@dropping.mistake("the kept weights are divided by p")
def _by_p(weights, p, training):
    return weights * (torch.rand_like(weights) > p) / p if training else weights


@dropping.mistake("the weights shrink when training is False")
def _shrinks_later(weights, p, training):
    return weights * (torch.rand_like(weights) > p) if training else weights * (1 - p)


@dropping.mistake("every row is made to sum to 1 again")
def _renormalised(weights, p, training):
    if not training:
        return weights
    kept = weights * (torch.rand_like(weights) > p)
    return kept / kept.sum(dim=-1, keepdim=True)


@dropping.mistake("the same weights are dropped for every query")
def _whole_keys(weights, p, training):
    return weights * (torch.rand(len(weights), 1, weights.shape[-1]) > p) / (1 - p) if training else weights


@dropping.mistake("the same weights are dropped for every sentence")
def _one_draw(weights, p, training):
    return weights * (torch.rand(weights.shape[1:]) > p) / (1 - p) if training else weights


@dropping.mistake("the share of dropped weights is not p")
def _keeps_p(weights, p, training):
    return weights * (torch.rand_like(weights) < p) / (1 - p) if training else weights


@dropping.mistake("`weights` was changed in place")
def _in_place(weights, p, training):
    if training:
        weights[torch.rand_like(weights) < p] = 0
    return weights / (1 - p) if training else weights


@dropping.mistake("the same number of weights is dropped in every call")
def _fixed_number(weights, p, training):
    if not training:
        return weights
    dropped = weights.clone().flatten()
    dropped[torch.randperm(len(dropped))[: int(len(dropped) * p)]] = 0
    return dropped.view_as(weights) / (1 - p)


@dropping.mistake("neighbours along the key axis are dropped together")
def _in_pairs(weights, p, training):
    if not training:
        return weights
    draws = torch.rand_like(weights[..., : (weights.shape[-1] + 1) // 2]).repeat_interleave(2, -1)
    return weights * (draws[..., : weights.shape[-1]] >= p) / (1 - p)
