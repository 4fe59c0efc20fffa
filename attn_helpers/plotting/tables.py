"""Numbers as tables: what a picture says, for readers who cannot see it and for tests that compare it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from wcwidth import width

from livetorch.format import number

LONGEST = 24  # rows or columns written out; of longer axes every n-th is written


def as_array(values: Any) -> np.ndarray:
    """Make a plain array of real numbers, whatever the device, dtype or gradient."""
    if isinstance(values, torch.Tensor):
        values = values.detach().cpu()
        values = values.double().numpy() if values.is_floating_point() else values.numpy()
    array = np.asarray(values)
    if array.dtype == bool:
        return array.astype(int)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"numbers to show must be real, got {array.dtype}.")
    return array


def pad(text: str, size: int) -> str:
    """Right-align a text by the columns of a terminal that it takes: a Chinese character takes two."""
    return " " * (size - width(text)) + text


def thinned(length: int, longest: int = LONGEST) -> range:
    """Choose the places to write of an axis: all, or every n-th, counted from 1."""
    step = max(1, -(-length // longest))
    return range(step - 1, length, step)


def positions(length: int) -> list[str]:
    """Name the positions of an axis that has no names: everywhere in the book they are counted from 1."""
    return [str(i + 1) for i in range(length)]


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
    text = table(cells, [str(i + 1) for i in rows], list(values), "")
    return text if rows.step == 1 else f"{text}\n(every {_ordinal(rows.step)} of {length})"


def _ordinal(count: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th") if count % 100 not in (11, 12, 13) else "th"
    return f"{count}{ending}"
