"""Numbers as text: what a picture says, for readers who cannot see it and for tests that compare it."""

import unicodedata
from collections.abc import Sequence

import numpy as np

LONGEST = 24  # rows or columns written out; of longer axes every n-th is written


def width(text: str) -> int:
    """Count the columns of a terminal that a text takes: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def pad(text: str, size: int) -> str:
    """Right-align a text by its width."""
    return " " * (size - width(text)) + text


def number(value: float, decimals: int) -> str:
    """Write a number with fixed decimals; whole numbers of an integer array are written as such."""
    if isinstance(value, int | np.integer):
        return str(int(value))
    if not np.isfinite(value):
        return str(float(value))
    # the first rounding removes last bits, which differ between processors, before they meet a tie
    rounded = round(round(float(value), decimals + 4), decimals)
    return f"{rounded + 0.0:.{decimals}f}"


def thinned(length: int, longest: int = LONGEST) -> range:
    """Choose the positions to write of an axis: all, or every n-th."""
    return range(0, length, max(1, -(-length // longest)))


def table(
    rows: Sequence[Sequence[str]], row_labels: Sequence[str], column_labels: Sequence[str], corner: str
) -> str:
    """Lay out cells in columns as wide as their widest entry."""
    lines = [[corner, *column_labels], *([label, *row] for label, row in zip(row_labels, rows, strict=True))]
    sizes = [max(width(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(map(pad, line, sizes)) for line in lines)


def matrix(
    values: np.ndarray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    axes: tuple[str, str],
    decimals: int,
) -> str:
    """Write a matrix with its labels, thinned when it is long."""
    rows, columns = thinned(values.shape[0]), thinned(values.shape[1])
    cells = [[number(values[i, j], decimals) for j in columns] for i in rows]
    text = table(
        cells, [row_labels[i] for i in rows], [column_labels[j] for j in columns], f"{axes[0]} \\ {axes[1]}"
    )
    if rows.step == columns.step == 1:
        return text
    shown = [
        f"every {_ordinal(axis.step)} of {length} {name.lower()}"
        for axis, length, name in zip((rows, columns), values.shape, axes, strict=True)
        if axis.step > 1
    ]
    return f"{text}\n({', '.join(shown)})"


def columns(values: dict[str, np.ndarray], *, decimals: int) -> str:
    """Write sequences of one length as the columns of a table, thinned when they are long."""
    length = len(next(iter(values.values())))
    rows = thinned(length)
    cells = [[number(column[i], decimals) for column in values.values()] for i in rows]
    text = table(cells, [str(i) for i in rows], list(values), "")
    return text if rows.step == 1 else f"{text}\n(every {_ordinal(rows.step)} of {length})"


def _ordinal(count: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th") if count % 100 not in (11, 12, 13) else "th"
    return f"{count}{ending}"
