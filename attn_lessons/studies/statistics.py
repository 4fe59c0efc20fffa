"""What a share of right answers is worth: luck, counting, and the interval that the true share lies in.

Chapter: notebooks/12c_really_better.ipynb, notebooks/13a_a_heads_name.ipynb
"""

import math

from torch import Tensor

from attn_helpers import _check


def wilson_interval(right: int, total: int, *, z: float = 1.96) -> tuple[float, float]:
    """Return an interval that covers the true share of right answers 95 times out of 100.

    Formula: (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n), p = right / n, n = total
    Source: Wilson 1927, Journal of the American Statistical Association 22 (158), 209-212.

    Unlike p +- z sqrt(p (1 - p) / n) it never leaves 0 to 1 and does not shrink to nothing at p = 1.

    Args:
        right: right answers, 0 to total.
        z: 1.96 for 95 %, 2.58 for 99 %.
    Returns: (low, high), both between 0 and 1.

    >>> low, high = wilson_interval(9, 10)
    >>> round(low, 4), round(high, 4)
    (0.5958, 0.9821)
    """
    _check.count("right", right)
    _check.count("total", total, least=1)
    _check.positive("z", z)
    if right > total:
        raise ValueError(f"right must be at most total, got right={right}, total={total}.")
    share = right / total
    middle = share + z**2 / (2 * total)
    reach = z * math.sqrt(share * (1 - share) / total + z**2 / (4 * total**2))
    scale = 1 + z**2 / total
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def sign_test(first: Tensor, second: Tensor) -> tuple[int, int, float]:
    """Compare two rules on the same sentences: only those where one is right and the other wrong count.

    Formula: p = P(|2 X - n| >= |wins - losses|), X the heads of n = wins + losses fair coins
    Source: McNemar 1947, in its exact form.

    Args:
        first: bool (sentences,), where the first rule is right.
        second: bool (sentences,), where the second is right.
    Returns: sentences where only the first is right, where only the second is, and p, the chance of a
        difference as large as this if both rules were equally good.

    >>> right, wrong = torch.tensor([True] * 5), torch.tensor([False] * 5)
    >>> sign_test(right, wrong)
    (5, 0, 0.0625)
    """
    if first.shape != second.shape:
        shapes = f"first {_check.shape_text(first)}, second {_check.shape_text(second)}"
        raise ValueError(f"first and second must have the same shape (sentences,), got {shapes}.")
    wins, losses = int((first & ~second).sum()), int((~first & second).sum())
    n = wins + losses
    tails = sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(wins - losses))
    return wins, losses, tails / 2**n


def rank_correlation(first: Tensor, second: Tensor) -> float:
    """Say how far two lists of numbers put the same items first: 1 the same order, -1 the reverse, 0 neither.

    Formula: the correlation of the ranks (Spearman's rho); equal numbers share the mean of their ranks
    Source: Spearman 1904.

    Args:
        first: (items,).
        second: (items,).
    Returns: a number within -1 to 1; NaN if one of the lists has only equal numbers.

    >>> rank_correlation(torch.tensor([1.0, 5.0, 9.0]), torch.tensor([10.0, 20.0, 21.0]))
    1.0
    """
    if first.shape != second.shape or first.dim() != 1 or len(first) < 2:
        shapes = f"{_check.shape_text(first)} and {_check.shape_text(second)}"
        raise ValueError(f"first and second must have the same shape (items,), items >= 2, got {shapes}.")
    one, other = _ranks(first), _ranks(second)
    return round(float(one @ other / (one.norm() * other.norm())), 12)


def _ranks(numbers: Tensor) -> Tensor:
    """Return ranks around their mean; equal numbers get the mean of their places."""
    numbers = numbers.double()
    below = (numbers[:, None] > numbers).sum(dim=-1)
    equal = (numbers[:, None] == numbers).sum(dim=-1)
    places = below + (equal - 1) / 2
    return (places - places.mean()).double()


def at_least_one(chance: float, tries: int) -> float:
    """Return how likely it is that something of this chance happens at least once in so many tries.

    Formula: 1 - (1 - chance)^tries, the tries being independent

    Args:
        chance: 0 to 1.
    Returns: 0 to 1.

    >>> round(at_least_one(0.05, 72), 3)
    0.975
    """
    _check.count("tries", tries, least=1)
    if not 0 <= chance <= 1:
        raise ValueError(f"chance must be within 0 to 1, got chance={chance}.")
    return 1 - (1 - chance) ** tries
