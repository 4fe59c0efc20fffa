"""Exercise of lesson 12c: how likely is so uneven a result by luck?"""

import math
from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise

paired = Exercise(
    "paired-test",
    "12c_really_better",
    """Write f(first, second): two bool tensors (images,), where the first and where the second model is
    right. Return p, a tensor without axes: how likely coins fall at least as unevenly as the images on
    which only one of the two is right. Without such an image p is 1.""",
    (
        "Which images can tell the two models apart? Count those for each model.",
        "Let n be the sum of wins and losses. `math.comb(n, k) / 2**n` is the chance of k heads.",
        "Add up the chances of all k with `abs(2 * k - n) >= abs(wins - losses)`: both directions count.",
    ),
    "p ()",
)


@paired.solution
def at_least_as_uneven(first, second):
    """Count the images on which they disagree, and toss as many coins."""
    wins, losses = int((first & ~second).sum()), int((second & ~first).sum())
    n = wins + losses
    ways = sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(wins - losses))
    return torch.tensor(ways / 2**n)


def _pair(both: int, wins: int, losses: int, neither: int) -> tuple[torch.Tensor, torch.Tensor]:
    first = [True] * (both + wins) + [False] * (losses + neither)
    second = [True] * both + [False] * wins + [True] * losses + [False] * neither
    return torch.tensor(first), torch.tensor(second)


@paired.check
def _four_wins(answer: Answer) -> None:
    """Four wins and no loss: two of sixteen ways."""
    answer.gives(*_pair(2, 4, 0, 0), wanted=torch.tensor(0.125))


@paired.check
def _losses_too(answer: Answer) -> None:
    """five wins and one loss, either way round: 14 of 64 ways."""
    answer.gives(*_pair(3, 5, 1, 2), wanted=torch.tensor(14 / 64))
    answer.gives(*_pair(3, 1, 5, 2), wanted=torch.tensor(14 / 64))


@paired.check
def _no_difference(answer: Answer) -> None:
    """no image tells them apart."""
    answer.gives(*_pair(4, 0, 0, 1), wanted=torch.tensor(1.0))


@paired.also
def _more() -> Iterator[tuple]:
    """other counts."""
    yield from (_pair(*counts) for counts in ((10, 7, 2, 1), (0, 3, 3, 0), (50, 2, 9, 4)))


def _counts(first, second):
    return int((first & ~second).sum()), int((second & ~first).sum())


@paired.mistake("only one direction is counted")
def _one_sided(first, second):
    """You would have been as surprised by the other model winning."""
    wins, losses = _counts(first, second)
    n = wins + losses
    return torch.tensor(sum(math.comb(n, k) for k in range(max(wins, losses), n + 1)) / 2**n)


@paired.mistake("only wins of the first model count as uneven")
def _from_wins_on(first, second):
    """Five losses are as uneven as five wins. How far is either from the middle?"""
    wins, losses = _counts(first, second)
    n = wins + losses
    return torch.tensor(min(1.0, 2 * sum(math.comb(n, k) for k in range(wins, n + 1)) / 2**n))


@paired.mistake("all images are counted, also those where both are right")
def _all_images(first, second):
    """Where both are right, or both wrong, nothing tells them apart."""
    wins, losses, n = int(first.sum()), int(second.sum()), len(first)
    ways = sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(wins - losses))
    return torch.tensor(ways / 2**n)


@paired.mistake("only exactly this result is counted")
def _exactly(first, second):
    """*At least* as uneven: more uneven results count, too."""
    wins, losses = _counts(first, second)
    return torch.tensor(math.comb(wins + losses, wins) / 2 ** (wins + losses))


@paired.mistake("only more uneven results are counted")
def _more_uneven(first, second):
    """A result as uneven as this one counts, too."""
    wins, losses = _counts(first, second)
    n = wins + losses
    ways = sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) > abs(wins - losses))
    return torch.tensor(ways / 2**n)


@paired.mistake("the share of wins is returned")
def _share(first, second):
    """That says how uneven it is, not how often coins are."""
    wins, losses = _counts(first, second)
    return torch.tensor(wins / max(1, wins + losses))


@paired.mistake("every image that a model reads is a coin")
def _all_right(first, second):
    """An image that both read is no evidence for either: leave it out."""
    wins, losses = int(first.sum()), int(second.sum())
    n = wins + losses
    ways = sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(wins - losses))
    return torch.tensor(ways / 2**n)


@paired.mistake("one direction is doubled, also where the two meet")
def _doubled(first, second):
    """A chance is never above 1: with equal counts both directions hold the middle."""
    wins, losses = _counts(first, second)
    n = wins + losses
    return torch.tensor(2 * sum(math.comb(n, k) for k in range(max(wins, losses), n + 1)) / 2**n)
