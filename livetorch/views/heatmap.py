"""A matrix of numbers as colours."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import torch
from torch import Tensor

from livetorch.views.base import Labels, View
from livetorch.views.sources import Scene

_LARGE = 64  # rows or columns above which a cell is too small for a finger


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
        mask: an output or control, or a bool tensor that stays, True = may attend; the other cells are
            hatched and carry no number.
        hatched: what hatching means, where it is not only a mask: "masked or off".
        edit: the mask control whose cells the reader switches in this heatmap; where it has fewer, each
            of them stands for a block, as a patch does for its pixels.
        edit_words: names of a switched and an unswitched cell, such as ("ink", "paper"), where `edit` is a
            drawing and no mask: nothing is hatched then.
        marks: an output or control of the heatmap's shape (or that of one head), True = a ring in the cell.
        blocks: (rows, columns) of a block, such as (0, d_head): thicker lines between blocks; 0: none.
        spans: (rows, columns) of the map beside it for which one cell stands, such as (2, 2) for patches of a
            picture: the cell is as large as they are.
        rows_axis, cols_axis: names by which rows and columns are read out and linked to other views.
        title: a line above the heatmap.
        leaks: write what a masked cell holds all the same, and no 0 anywhere, as maps of weights always do.
        named: the words for numbers of which there are a few, such as {1: "reached", 0: "not reached"}:
            swatches of their colours stand in place of the scale. Bools are "yes" and "no" by themselves.

    A map of more than 64 rows or columns can be made larger by wheel, fingers and keys.

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
    mask: str | Tensor | None = None
    marks: str | None = None
    blocks: tuple[int, int] | None = None
    rows_axis: str = "queries"
    cols_axis: str = "keys"
    title: str | None = None
    edit_words: tuple[str, str] | None = None
    named: Mapping[float, str] | None = None
    spans: tuple[int, int] | None = None
    hatched: str = "masked"
    leaks: bool = False
    kind: ClassVar[str] = "heatmap"
    replaced: ClassVar[tuple[str, ...]] = (
        "output",
        "edit_words",
        "marks",
        "blocks",
        "spans",
        "hatched",
        "leaks",
        "named",
    )

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        axes = (self.rows_axis, self.cols_axis)
        source, tensor = scene.shaped("output", self.output, axes, ("heads", *axes))
        self._check_scale(scene)
        rows, cols = tensor.shape[-2:]
        if self.edit is not None:
            scene.need_control("edit", self.edit, "mask")
        return {
            **self._words(scene, tensor),
            **({} if self.marks is None else {"rings": self._over(scene, "marks", self.marks, tensor)}),
            **({} if self.blocks is None else {"block": self._blocks(scene, self.blocks, rows, cols)}),
            **({} if self.spans is None else {"span": self._spans(scene, self.spans)}),
            **({} if self.edit is None else self._fine(scene, self.edit, rows, cols)),
            **({} if self.hatched == "masked" else {"mask_word": self.hatched}),
            **({"nonzero": True} if self.leaks else {}),
            **({"zoom": True} if self._is_large(tensor) else {}),
            "source": source,
            "xticks": scene.labels("xticks", self.xticks, cols, self.cols_axis),
            "yticks": scene.labels("yticks", self.yticks, rows, self.rows_axis),
            "titles": scene.names("titles", self.titles, tensor.shape[0] if tensor.ndim == 3 else 1, "heads"),
            "mask": self._mask(scene, tensor),
            "panels_axis": "heads",
            "measure": scene.words.get(self.output),
        }

    def _is_large(self, tensor: Tensor) -> bool:
        """Tell whether a reader will want to come nearer: one map, whose cells no hand sets."""
        bare = self.edit is None and self.blocks is None and self.spans is None and self.marks is None
        return bare and tensor.ndim == 2 and max(tensor.shape) > _LARGE

    def _words(self, scene: Scene, tensor: Tensor) -> dict[str, Any]:
        if self.named is not None and self.edit_words is not None:
            raise scene.error("named and edit_words both name the numbers of a cell; give one of them.")
        if self.named is not None:
            return {"levels": [[float(number), str(word)] for number, word in self.named.items()]}
        if self.edit_words is None and tensor.dtype == torch.bool:
            hatching = self.edit if self.mask is None else self.mask
            kept = isinstance(hatching, str) and self.output == hatching  # what is not is hatched
            return {"levels": [[1.0, "kept"]] if kept else [[1.0, "yes"], [0.0, "no"]]}
        if self.edit_words is None:
            return {}
        if self.edit is None or isinstance(self.edit_words, str) or len(self.edit_words) != 2:
            got = f"edit={self.edit!r}, edit_words={self.edit_words!r}"
            raise scene.error(
                f"edit_words must be two words, and edit the name of a mask control, got {got}."
            )
        spec: dict[str, Any] = {"words": list(self.edit_words)}
        drawing = bool(((tensor == 0) | (tensor == 1)).all())
        return spec | ({"levels": [[1.0, spec["words"][0]], [0.0, spec["words"][1]]]} if drawing else {})

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
        return None if name is None else self._over(scene, "mask", name, tensor)

    def _over(self, scene: Scene, field: str, given: str | Tensor, tensor: Tensor) -> dict[str, Any]:
        axes = (self.rows_axis, self.cols_axis)
        source, over = scene.shaped(field, given, axes, ("heads", *axes))
        if "values" in source and over.dtype != torch.bool:
            raise scene.error(f"{field} must be a bool tensor, got one of {over.dtype}.")
        if over.shape[-2:] != tensor.shape[-2:]:
            name = given if isinstance(given, str) else field
            got = f"{name}={tuple(over.shape)}, {self.output}={tuple(tensor.shape)}"
            raise scene.error(f"{field} must have the {axes[0]} and {axes[1]} of the output, got {got}.")
        return {"values": over.int().tolist()} if "values" in source else source

    def _blocks(self, scene: Scene, blocks: tuple[int, int], rows: int, cols: int) -> list[int]:
        sizes = list(blocks)
        fits = len(sizes) == 2 and all(
            size == 0 or (size > 0 and count % size == 0)
            for size, count in zip(sizes, (rows, cols), strict=True)
        )
        if not fits:
            got = f"blocks={blocks}, {self.rows_axis}={rows}, {self.cols_axis}={cols}"
            raise scene.error(f"blocks must be two sizes that divide rows and columns (0: none), got {got}.")
        return sizes

    def _fine(self, scene: Scene, edit: str, rows: int, cols: int) -> dict[str, int]:
        """Return how many cells, each way, stand for one of the mask that is edited, where not one."""
        _, mask = scene.shaped("edit", edit, (self.rows_axis, self.cols_axis))
        fine = max(1, rows // mask.shape[0])
        blocks = mask.shape[0] * fine == rows and mask.shape[1] * fine == cols
        return {"fine": fine} if fine > 1 and blocks else {}

    def _spans(self, scene: Scene, spans: tuple[int, int]) -> list[int]:
        if len(spans) != 2 or not all(isinstance(size, int) and size > 0 for size in spans):
            raise scene.error(f"spans must be two whole numbers of rows and columns, got spans={spans}.")
        return list(spans)

    def at_options(
        self, spec: Mapping[str, Any], outputs: Mapping[str, Tensor], options: Iterable[Mapping[str, Tensor]]
    ) -> list[dict[str, Any]]:
        """Return the shapes that its numbers take, and the ids that name rows and columns, where they differ.

        >>> view, small = Heatmap(output="w"), {"w": torch.ones(2, 2)}
        >>> view.at_options(view.to_spec(small, {}), small, [small, {"w": torch.ones(3, 2)}])
        [{'w': {'shape': [2, 2]}}, {'w': {'shape': [3, 2]}}]
        """
        own = spec["source"].get("output")
        if own is None:
            return []
        named = [spec[field] for field in ("xticks", "yticks")]
        ids = {labels["ids"] for labels in named if labels and "ids" in labels} & set(outputs)

        def case(made: Mapping[str, Tensor]) -> dict[str, Any]:
            tokens = {n: {"shape": list(made[n].shape), "data": made[n].tolist()} for n in sorted(ids)}
            return {own: {"shape": list(made[own].shape)}} | tokens

        cases = [case(outputs)]
        for made in options:
            if (one := case(made)) not in cases:
                cases.append(one)
        return cases if len(cases) > 1 else []
