"""The pieces of a question, checked, and in a form that does not depend on the machine."""

import math
import re
from collections.abc import Sequence
from typing import Any

from torch import Tensor
from torch import bool as torch_bool

_LARGEST = 12  # rows or columns: more cannot be clicked on a phone
_DIGITS = 6
_STARRED = re.compile(r"(?<![\w*])\*+[^\s*][^*]*\*")  # *so*, **so**; not 0.6 * 0.3


def checked_name(name: str) -> str:
    """Return the name if it can stand in a page's address and storage."""
    if not isinstance(name, str) or not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", name):
        raise ValueError(
            f"name must be small letters, digits and hyphens, such as causal-cells, got name={name!r}."
        )
    return name


def checked_text(what: str, text: str) -> str:
    """Return a text in one line, if there is something in it and no markup that the page would show raw."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be text, got {type(text).__name__}.")
    if not text.strip():
        raise ValueError(f"{what} must not be empty.")
    if found := _STARRED.search(re.sub(r"`[^`]*`", "``", text)):
        raise ValueError(
            f"{what} must be plain text (only `code` is marked), got {found[0]!r}: take the * away."
        )
    return " ".join(text.split())


def as_number(what: str, value: Any) -> float:
    """Return a Python number of a number or of a tensor that holds one."""
    if isinstance(value, Tensor):
        if value.numel() != 1:
            raise TypeError(f"{what} must be one number, got a tensor of shape {tuple(value.shape)}.")
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{what} must be a number, got {type(value).__name__}.")
    if not math.isfinite(value):
        raise ValueError(f"{what} must be finite, got {value}.")
    return value


def usual_tolerance(answer: float) -> float:
    """Return 0 for a whole number, else what rounding to two decimals (small ones: to one digit) needs."""
    if float(answer).is_integer():
        return 0.0
    return max(abs(answer) * 0.005, min(0.005, abs(answer) * 0.1))


def rounded(value: float) -> float:
    """Round to six significant digits: the last bits differ between processors."""
    if not float(value).is_integer():
        value = float(f"{value:.{_DIGITS}g}")
    return int(value) if float(value).is_integer() else value


def shown(answer: float, tolerance: float) -> str:
    """Write a number with as few digits, four at least, as its own tolerance lets pass."""
    value = rounded(answer)
    if isinstance(value, int):
        return f"{value:,}"
    texts = (f"{value:.{digits}g}" for digits in range(4, _DIGITS))
    return next((text for text in texts if abs(float(text) - value) <= tolerance), str(value))


def bits(what: str, cells: Any) -> list[str]:
    """Return a bool matrix as one text of 0 and 1 a row."""
    if not isinstance(cells, Tensor) or cells.dtype != torch_bool:
        got = cells.dtype if isinstance(cells, Tensor) else type(cells).__name__
        raise TypeError(f"{what} must be a bool tensor (rows, cols), got {got}.")
    if cells.dim() != 2 or not all(1 <= size <= _LARGEST for size in cells.shape):
        raise ValueError(
            f"{what} must have shape (rows, cols), 1 to {_LARGEST} each, got {tuple(cells.shape)}."
        )
    return ["".join("1" if cell else "0" for cell in row) for row in cells.tolist()]


def labels(what: str, given: Sequence[str] | None, count: int) -> list[str]:
    """Return a label for each row or column."""
    texts = [str(i + 1) for i in range(count)] if given is None else [str(text) for text in given]
    if len(texts) != count:
        raise ValueError(f"{what} must have {count} labels, one for each, got {len(texts)}.")
    return texts
