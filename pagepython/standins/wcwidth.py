"""How many columns a text takes."""

import unicodedata


def wcwidth(sign: str) -> int:
    """Count the columns of one sign."""
    return 0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def wcswidth(text: str) -> int:
    """Count the columns of a text."""
    return sum(map(wcwidth, text))


width = wcswidth
