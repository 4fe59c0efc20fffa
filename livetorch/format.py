"""Numbers as text, by one rule in pictures, tables, replies and what a notebook stores."""

import math
import operator


def number(value: float, decimals: int = 4, *, trim: bool = False) -> str:
    """Write a number with fixed decimals, a whole one as it is, from a million on with an exponent.

    Neither -0 nor last bits show: they differ between processors.

    Args:
        value: a number of Python or NumPy.
        decimals: digits after the point.
        trim: leave zeros at the end away.

    >>> number(3), number(1 / 3), number(-1e-9), number(2.5e7), number(0.25, trim=True)
    ('3', '0.3333', '0.0000', '2.500e+07', '0.25')
    """
    if isinstance(value, bool):
        return str(value)
    if hasattr(value, "__index__"):
        return str(operator.index(value))
    if not math.isfinite(value):
        return str(float(value))
    if abs(value) >= 1e6:
        return f"{value:.3e}"
    # the first rounding removes last bits before they meet a tie
    rounded = round(round(float(value), decimals + 4), decimals)
    text = f"{rounded + 0.0:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if trim and "." in text else text
