"""A live figure's table of numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from livetorch.views.base import Labels, View
from livetorch.views.sources import Scene


@dataclass(frozen=True)
class Table(View):
    """Numbers in rows and columns.

    Args:
        outputs: names of outputs (or controls) of rank 0, 1 or 2; None: all outputs. Those of rank 1 with the
            same length stand under each other in one table.
        decimals: digits after the point.
        rows, cols: names of rows and columns: a list, the name of a text control, or `TokenIds`.
        sums: add a column with the sum of each row: True, or the names of the outputs that get one.
        rows_axis, cols_axis: names by which rows and columns are read out and linked to other views.
        axes: {output: (rows axis, columns axis)} for outputs that have others, such as (queries, value_dim).
        title: a line above the table.

    >>> Table(decimals=2).to_spec({"output": torch.eye(2)}, {})["parts"][0]["axes"]
    ['queries', 'keys']
    """

    outputs: str | Sequence[str] | None = None
    decimals: int = 4
    rows: Labels = None
    cols: Labels = None
    sums: bool | Sequence[str] = False
    rows_axis: str = "queries"
    cols_axis: str = "keys"
    axes: Mapping[str, tuple[str, str]] | None = None
    title: str | None = None
    kind: ClassVar[str] = "table"
    replaced: ClassVar[tuple[str, ...]] = ("outputs", "axes")

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        names = list(scene.outputs) if self.outputs is None else self.outputs
        names = [names] if isinstance(names, str) else list(names)
        if not 0 <= self.decimals <= 12:
            raise scene.error(f"decimals must be in 0..12, got decimals={self.decimals}.")
        summed = names if self.sums is True else [] if self.sums is False else list(self.sums)
        others = dict(self.axes or {})
        for name in [*summed, *others]:
            if name not in names:
                raise scene.error(
                    f"sums or axes name {name!r}, which the table does not show; it shows {names}."
                )
        parts, rows, cols = [], 0, 0
        for name in names:
            axes = list(others.get(name, (self.rows_axis, self.cols_axis)))
            source, tensor = scene.shaped("outputs", name, (), axes[1:], axes)
            parts.append({"source": source, "label": scene.word(name), "sums": name in summed, "axes": axes})
            rows = max(rows, tensor.shape[0] if tensor.ndim == 2 and axes[0] == self.rows_axis else 0)
            cols = max(cols, tensor.shape[-1] if tensor.ndim and axes[1] == self.cols_axis else 0)
        return {
            "parts": parts,
            "rows": scene.labels("rows", self.rows, rows, self.rows_axis),
            "cols": scene.labels("cols", self.cols, cols, self.cols_axis),
        }
