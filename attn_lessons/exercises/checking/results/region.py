"""Say which part of a result is wrong, where the wrong numbers stand in a pattern."""

import torch
from torch import Tensor

from attn_lessons.exercises.checking import words


def where_wrong(got: Tensor, want: Tensor, axes: str) -> str:
    """Name the part of a result that alone is wrong; "" if the wrong numbers stand in no pattern.

    >>> where_wrong(torch.tensor([[1., 4., 5.]] * 2), torch.tensor([[1., 4., 2.]] * 2), "batch dim")
    'only at the last place of the dim'
    """
    names = axes.split()
    if got.shape != want.shape or got.dtype != want.dtype or want.numel() < 4 or len(names) != want.dim():
        return ""
    wrong = ~torch.isclose(got.double(), want.double(), rtol=1e-3, atol=1e-4, equal_nan=True)
    if wrong.all() or not wrong.any():
        return ""
    if want.dim() > 1 and (there := _around_diagonal(wrong)):
        return there
    for axis in reversed(range(want.dim())):
        others = [other for other in range(want.dim()) if other != axis]
        along = wrong.any(dim=others) if others else wrong
        if pattern := _pattern(along, names[axis]):
            return pattern
    return ""


def _around_diagonal(wrong: Tensor) -> str:
    square = wrong.flatten(0, -3).any(dim=0) if wrong.dim() > 2 else wrong
    rows, columns = square.shape
    if rows != columns or rows < 3:
        return ""
    place = torch.arange(columns) - torch.arange(rows)[:, None]
    for at, text in (
        (place == 0, "only on the diagonal"),
        (place > 0, "only above the diagonal"),
        (place < 0, "only below the diagonal"),
    ):
        if square[at].all() and not square[~at].any():
            return text
    return ""


def _pattern(along: Tensor, name: str) -> str:
    """Describe which places along an axis are wrong."""
    size, wrong = len(along), along.nonzero().flatten().tolist()
    if not 0 < len(wrong) < size or size < 3:
        return ""
    one = words.one(name)
    if wrong == list(range(1, size)):
        return f"everywhere but at {one} 0"
    if wrong == list(range(size - 1)):
        return f"everywhere but at the last {one}"
    if name in ("batch", "heads") and size > 2:
        return ""
    if size > 3 and wrong in (list(range(0, size, 2)), list(range(1, size, 2))):
        return f"only at every {'odd' if wrong[0] else 'even'} {one}"
    if len(wrong) == 1:
        place = "first" if wrong[0] == 0 else "last"
        return f"only at the {place} {one}" if wrong[0] in (0, size - 1) else f"only at {one} {wrong[0]}"
    if size > 3 and wrong == list(range(wrong[0], size)):
        return f"only from {one} {wrong[0]} on"
    if size > 3 and wrong == list(range(wrong[-1] + 1)):
        return f"only up to {one} {wrong[-1]}"
    return ""


def row_factors(got: Tensor, want: Tensor, axes: str) -> str:
    """Say that every row is the right one times a number of its own, or plus one, if it is."""
    names = axes.split()
    if got.shape != want.shape or want.dim() < 2 or not want.is_floating_point() or len(names) != want.dim():
        return ""
    got, want = got.double(), want.double()
    if not (got.isfinite().all() and want.isfinite().all()):
        return ""
    for axis in reversed(range(want.dim())):
        if want.shape[axis] < 3:
            continue
        factor = (got * want).sum(axis, keepdim=True) / want.square().sum(axis, keepdim=True).clamp(min=1e-12)
        if _varies(factor, want, axis) and torch.allclose(got, factor * want, rtol=1e-3, atol=1e-4):
            return f"right along the {names[axis]} but for a factor, another one each time"
        term = (got - want).mean(axis, keepdim=True)
        if _varies(term, want, axis) and torch.allclose(got, want + term, rtol=1e-3, atol=1e-4):
            return f"right along the {names[axis]} but for something added, another number each time"
    return ""


def _varies(number: Tensor, want: Tensor, axis: int) -> bool:
    """Tell whether the numbers differ, and the rows are no rows of 0 or of one number only."""
    rows = want.movedim(axis, -1).flatten(0, -2)
    return (
        number.numel() > 1
        and bool(number.std() > 1e-3)
        and bool(number.abs().min() > 1e-3)
        and bool((rows.std(dim=-1) > 1e-3).all())
    )
