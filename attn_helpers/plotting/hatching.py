"""The cells that a mask hides: hatched in the colours that live maps have for them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from livetorch.palette import COLOURS

DENSE = 4  # lines along the side of a cell


def masks_of(mask: Any, panels: Sequence[np.ndarray]) -> list[torch.Tensor | None]:
    """Give each panel its mask: the one that fits all of them, or its own.

    Raises:
        TypeError: it holds something else than bools, such as 0 and minus infinity.
        ValueError: there are neither one nor as many as panels, or one does not fit its panel.
    """
    if mask is None:
        return [None] * len(panels)
    alone = not isinstance(mask, list | tuple)
    each = [torch.as_tensor(one) for one in ([mask] if alone else mask)]
    for one in each:
        if one.dtype != torch.bool:
            raise TypeError(f"mask must hold bools, True = may attend, got {one.dtype}.")
    if alone:
        each = list(each[0].reshape(-1, *each[0].shape[-2:]))
    masks = each * len(panels) if len(each) == 1 else each
    try:
        return [one.expand(panel.shape) for one, panel in zip(masks, panels, strict=True)]
    except (RuntimeError, ValueError):
        got = f"mask={[tuple(one.shape) for one in each]}, panels={[panel.shape for panel in panels]}"
        raise ValueError(f"mask must be one for all panels, or one of each, got {got}.") from None


def hatch(ax: Axes, allowed: torch.Tensor) -> None:
    """Lay ground and lines over the cells that are not allowed."""
    hidden = (~allowed).nonzero().flip(1).numpy()  # (cells, 2): column, row
    if not len(hidden):
        return
    ground, line = COLOURS["hatch"]["light"]
    corners = hidden[:, None] + np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])
    codes = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY]
    cells = Path(corners.reshape(-1, 2), codes * len(hidden))
    ax.add_patch(PathPatch(cells, facecolor=ground, linewidth=0))
    rows, columns = allowed.shape
    sums = np.arange(0.5, (rows + columns) * DENSE) / DENSE  # of column and row, the same along a line
    left = np.maximum(sums - rows, 0), np.minimum(sums, rows)
    right = np.minimum(sums, columns), np.maximum(sums - columns, 0)
    ends = np.stack([np.stack(left, axis=1), np.stack(right, axis=1)], axis=1)  # (lines, ends, 2)
    lines = PathPatch(Path(ends.reshape(-1, 2), [Path.MOVETO, Path.LINETO] * len(sums)))
    lines.set(facecolor="none", edgecolor=line, linewidth=0.6)
    ax.add_patch(lines)
    lines.set_clip_path(cells, ax.transData)
