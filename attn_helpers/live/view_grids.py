"""Views of numbers in rows and columns: `Heatmap`, `Table`, `Tokens`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from torch import Tensor

from attn_helpers.live.sources import Scene
from attn_helpers.live.view_base import Labels, View

__all__ = ["Heatmap", "Table", "Tokens"]


@dataclass(frozen=True)
class Heatmap(View):
    """A matrix of numbers as colours; of rank 3, a grid of matrices (heads) on one colour scale.

    Args:
        output: the output (or control) that is drawn, of shape (queries, keys) or (heads, queries, keys).
        xlabel, ylabel: names of the axes.
        xticks, yticks: names of keys and queries: a list, the name of a text control, `TokenIds`, or `Typed`
            (a text control again, but only as many rows or columns as its text has tokens).
        titles: names of the heads.
        scale: "sequential" for weights (0 to 1), "diverging" for scores (even around 0).
        vmin, vmax: ends of the colour scale; None: 0 and 1, or even around 0; "auto": from the numbers.
        annotate: write the numbers into the cells where they fit ("auto"), or never (False).
        mask: an output or control, True = may attend; the other cells are hatched.
        edit: the mask control whose cells the reader switches in this heatmap.
        edit_words: names of a switched and an unswitched cell, such as ("ink", "paper"), where `edit` is a
            drawing and no mask: nothing is hatched then.
        rows_axis, cols_axis: names by which rows and columns are read out and linked to other views.
        title: a line above the heatmap.

    Example:
        >>> import torch
        >>> Heatmap().to_spec({"output": torch.eye(3)}, {})["source"]
        {'output': 'output'}
    """

    output: str = "output"
    xlabel: str = "Keys"
    ylabel: str = "Queries"
    xticks: Labels = None
    yticks: Labels = None
    titles: Sequence[str] | None = None
    vmin: float | str | None = None
    vmax: float | str | None = None
    scale: Literal["sequential", "diverging"] = "sequential"
    annotate: Literal["auto"] | bool = "auto"
    edit: str | None = None
    mask: str | None = None
    rows_axis: str = "queries"
    cols_axis: str = "keys"
    title: str | None = None
    edit_words: tuple[str, str] | None = None
    kind: ClassVar[str] = "heatmap"
    replaced: ClassVar[tuple[str, ...]] = ("output", "edit_words")

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        axes = (self.rows_axis, self.cols_axis)
        source, tensor = scene.shaped("output", self.output, axes, ("heads", *axes))
        self._check_scale(scene)
        rows, cols = tensor.shape[-2:]
        if self.edit is not None:
            scene.need_control("edit", self.edit, "mask")
        return {
            **self._words(scene),
            "source": source,
            "xticks": scene.labels("xticks", self.xticks, cols, self.cols_axis),
            "yticks": scene.labels("yticks", self.yticks, rows, self.rows_axis),
            "titles": scene.names("titles", self.titles, tensor.shape[0] if tensor.ndim == 3 else 1, "heads"),
            "mask": self._mask(scene, tensor),
            "panels_axis": "heads",
        }

    def _words(self, scene: Scene) -> dict[str, Any]:
        if self.edit_words is None:
            return {}
        if self.edit is None or isinstance(self.edit_words, str) or len(self.edit_words) != 2:
            got = f"edit={self.edit!r}, edit_words={self.edit_words!r}"
            raise scene.error(
                f"edit_words must be two words, and edit the name of a mask control, got {got}."
            )
        return {"words": list(self.edit_words)}

    def _check_scale(self, scene: Scene) -> None:
        if self.scale not in ("sequential", "diverging"):
            raise scene.error(f"scale must be 'sequential' or 'diverging', got scale={self.scale!r}.")
        for end in (self.vmin, self.vmax):
            if isinstance(end, str) and end != "auto":
                raise scene.error(f"vmin and vmax must be a number, None or 'auto', got {end!r}.")
        ends = [end for end in (self.vmin, self.vmax) if isinstance(end, int | float)]
        if len(ends) == 2 and not ends[0] < ends[1]:
            raise scene.error(f"vmin must be less than vmax, got vmin={self.vmin}, vmax={self.vmax}.")

    def _mask(self, scene: Scene, tensor: Tensor) -> dict[str, Any] | None:
        name = self.mask if self.mask is not None or self.edit_words else self.edit
        if name is None:
            return None
        axes = (self.rows_axis, self.cols_axis)
        source, mask = scene.shaped("mask", name, axes, ("heads", *axes))
        if mask.shape[-2:] != tensor.shape[-2:]:
            got = f"{name}={tuple(mask.shape)}, {self.output}={tuple(tensor.shape)}"
            raise scene.error(f"mask must have the {axes[0]} and {axes[1]} of the output, got {got}.")
        return source


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

    Example:
        >>> import torch
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
            parts.append({"source": source, "label": name, "sums": name in summed, "axes": axes})
            rows = max(rows, tensor.shape[0] if tensor.ndim == 2 and axes[0] == self.rows_axis else 0)
            cols = max(cols, tensor.shape[-1] if tensor.ndim and axes[1] == self.cols_axis else 0)
        return {
            "parts": parts,
            "rows": scene.labels("rows", self.rows, rows, self.rows_axis),
            "cols": scene.labels("cols", self.cols, cols, self.cols_axis),
        }


@dataclass(frozen=True)
class Tokens(View):
    """A row of tokens, shaded by the weights of the query token that the reader chooses.

    Args:
        output: weights of shape (keys,), or (queries, keys): the chosen query's row is shown.
        tokens: the tokens of the keys: a list, the name of a text control, `TokenIds`, or `Typed`.
        query_tokens: the tokens of the queries where they differ from those of the keys: a second row.
        axis: name of the axis of the tokens.
        query_axis: name of the axis that chooses the row.
        query: which query is chosen at first, counted from 0; negative from the end.
        vmax: the weight that gets the full colour; None: 1; "auto": the largest of the row.
        title: a line above the tokens.

    Example:
        >>> import torch
        >>> Tokens(tokens=["the", "cat"]).to_spec({"output": torch.eye(2)}, {})["tokens"]
        {'values': ['the', 'cat']}
    """

    output: str = "output"
    tokens: Labels = None
    query_tokens: Labels = None
    axis: str = "keys"
    query_axis: str = "queries"
    query: int = 0
    vmax: float | Literal["auto"] | None = None
    title: str | None = None
    kind: ClassVar[str] = "tokens"

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        source, tensor = scene.shaped("output", self.output, (self.axis,), (self.query_axis, self.axis))
        queries = tensor.shape[0] if tensor.ndim == 2 else 1
        if not -queries <= self.query < queries:
            raise scene.error(f"query must be in {-queries}..{queries - 1}, got query={self.query}.")
        if self.query_tokens is None and tensor.ndim == 2 and queries != tensor.shape[1]:
            got = f"{self.query_axis}={queries}, {self.axis}={tensor.shape[1]}"
            raise scene.error(
                f"query_tokens must be given when there are not as many queries as keys, got {got}."
            )
        return {
            "source": source,
            "tokens": scene.labels("tokens", self.tokens, tensor.shape[-1], self.axis),
            "query_tokens": scene.labels("query_tokens", self.query_tokens, queries, self.query_axis),
        }
