"""Pictures read between their points: `grid_sample`, and `interpolate` by straight lines."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

_NEAREST, _CUBIC = 1, 2  # torch's numbers for the ways to read
_REFLECTED = 2  # and for what stands outside: 0 there, or the border, or the picture again, turned round


def _bounded(at: Tensor, size: int, outside: int, align: bool) -> Tensor:
    """Bring places inside, where what stands there is not 0; NaN is the place 0."""
    if outside == _REFLECTED:
        low, double = (0.0, 2 * (size - 1)) if align else (-0.5, 2 * size)
        away = (at - low).abs()
        extra = away - (away / double).trunc() * double if double else away * 0
        at = torch.minimum(extra, double - extra) + low
    return torch.where(at > 0, at, 0).clamp(max=size - 1) if outside else at


def _shares(at: Tensor, cubic: bool) -> list[tuple[Tensor, Tensor]]:
    """List the points around a place along an axis, and how much each counts."""
    first = at.floor()
    if not cubic:
        return [(first, first + 1 - at), (first + 1, at - first)]
    step = at - first

    def near(x: Tensor) -> Tensor:
        return (1.25 * x - 2.25) * x * x + 1

    def far(x: Tensor) -> Tensor:
        return ((-0.75 * x + 3.75) * x - 6) * x + 3

    shares = (far(step + 1), near(step), near(1 - step), far(2 - step))
    return [(first + i - 1, share) for i, share in enumerate(shares)]


def grid_sampler(input: Tensor, grid: Tensor, mode: int, outside: int, align: bool) -> Tensor:
    """Read pictures: (n, channels, h, w) at (n, rows, columns, 2) -> (n, channels, rows, columns)."""
    n, channels, *sizes = input.shape
    flat = input.reshape(n, channels, -1)
    parts = [(grid[..., 1 - axis] + 1) * ((size - align) / 2) for axis, size in enumerate(sizes)]
    y, x = (part if align else part - 0.5 for part in parts)

    def bounded(at: Tensor, axis: int) -> Tensor:
        return _bounded(at, sizes[axis], outside, align)

    def read(row: Tensor, column: Tensor) -> Tensor:
        inside = (row >= 0) & (row < sizes[0]) & (column >= 0) & (column < sizes[1])
        down, right = (torch.where(inside, each, 0).to(torch.int64) for each in (row, column))
        places = (down * sizes[1] + right).reshape(n, 1, -1).expand(n, channels, -1)
        found = flat.gather(2, places).reshape(n, channels, *row.shape[1:])
        return torch.where(inside.unsqueeze(1), found, 0)

    if mode == _CUBIC:  # each point is brought inside by itself
        rows = [(bounded(row, 0), share) for row, share in _shares(y, True)]
        columns = [(bounded(column, 1), share) for column, share in _shares(x, True)]
    else:
        y, x = bounded(y, 0), bounded(x, 1)
        if mode == _NEAREST:
            return read(y.round(), x.round())
        rows, columns = _shares(y, False), _shares(x, False)
    first, *others = (
        read(row, column) * (right * down).unsqueeze(1) for row, down in rows for column, right in columns
    )
    return sum(others, first)


def interpolate(
    self: Tensor, output_size: Sequence[int], align_corners: bool, *scales: float | None
) -> Tensor:
    """Read between points along the last axes, each number by its share: infinity stays infinity."""
    kind = torch.float64 if self.dtype == torch.float64 else torch.float32
    out = self.to(kind)
    for axis, size, scale in reversed(
        list(zip(range(2, self.dim()), output_size, scales or (None,) * len(output_size), strict=True))
    ):
        length = self.shape[axis]
        steps = torch.arange(size, dtype=kind)
        if align_corners:
            at = steps * ((length - 1) / (size - 1) if size > 1 else 0.0)
        else:
            at = ((steps + 0.5) * (1 / scale if scale else length / size) - 0.5).clamp(min=0)
        low = at.to(torch.int64).clamp(max=length - 1)
        share = (at - low).clamp(0, 1).reshape(-1, *[1] * (self.dim() - axis - 1))
        high = (low + 1).clamp(max=length - 1)
        out = out.index_select(axis, low) * (1 - share) + out.index_select(axis, high) * share
    return out.to(self.dtype)


RULES: dict[str, Callable] = {
    "aten.grid_sampler_2d.default": grid_sampler,
    "aten.upsample_linear1d.default": interpolate,
    "aten.upsample_bilinear2d.default": interpolate,
    "aten.upsample_trilinear3d.default": interpolate,
}
