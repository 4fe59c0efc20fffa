"""What a share of right answers is worth: counting them, and the interval that the true share lies in."""

import math

from .. import _check


def wilson_interval(right: int, total: int, *, z: float = 1.96) -> tuple[float, float]:
    """Return an interval that covers the true share of right answers 95 times out of 100.

    Formula: (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n), p = right / n, n = total

    Unlike p +- z sqrt(p (1 - p) / n) it never leaves 0 to 1 and does not shrink to nothing at p = 1.

    Args:
        right: right answers, 0 to total.
        total: answers, at least 1.
        z: 1.96 for 95 %, 2.58 for 99 %.

    Returns:
        (low, high), both between 0 and 1.

    Raises:
        TypeError: a count that is not an int.
        ValueError: right outside 0 to total, total below 1, z not above 0.

    Example:
        >>> low, high = wilson_interval(9, 10)
        >>> round(low, 4), round(high, 4)
        (0.5958, 0.9821)

    Source: Wilson 1927, Journal of the American Statistical Association 22 (158), 209-212.
    Chapter: notebooks/12_vision_transformer.ipynb
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
