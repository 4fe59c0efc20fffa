"""Views of numbers along axes: `Lines`, `Bars`, `History`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from attn_helpers.live.sources import Scene
from attn_helpers.live.view_base import Labels, Limits, View

__all__ = ["Bars", "History", "Lines"]


@dataclass(frozen=True)
class Lines(View):
    """Curves over one x axis, with scattered points and points to drag.

    Args:
        x: an output (or control) of shape (points,), or a list; None: 1, 2, 3, ...
        y: one name or several; each of shape (points,) or (series, points).
        points: a pair: the x and y of scattered points, each a name or a list.
        drag: points controls to drag here: a name, several, or {name: axis by which they are linked}.
        labels: names of the curves, in order; by default the names of the outputs.
        points_label: name of the scattered points.
        xlabel, ylabel: names of the axes.
        xlim, ylim: ends of the axes; by default from the numbers.
        axis: name of the axis along x, by which the curves are linked to other views.
        points_axis: the same for the scattered points.
        title: a line above the curves.

    Example:
        >>> import torch
        >>> Lines(x=[0, 1], y="output").to_spec({"output": torch.ones(2)}, {})["x"]
        {'values': [0.0, 1.0]}
    """

    x: Any = None
    y: str | Sequence[str] = "output"
    points: tuple[Any, Any] | None = None
    drag: str | Sequence[str] | Mapping[str, str | None] | None = None
    labels: Sequence[str] | None = None
    points_label: str = "data"
    xlabel: str = ""
    ylabel: str = ""
    xlim: Limits = None
    ylim: Limits = None
    axis: str | None = None
    points_axis: str | None = None
    title: str | None = None
    kind: ClassVar[str] = "lines"

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        x = None if self.x is None else self._column(scene, "x", self.x)
        curves, count = [], 0
        for name in [self.y] if isinstance(self.y, str) else self.y:
            source, tensor = scene.shaped("y", name, ("points",), ("series", "points"))
            if x is not None and (length := scene.tensor(x).numel()) != tensor.shape[-1]:
                got = f"x={length}, {name}={tensor.shape[-1]}"
                raise scene.error(f"x and {name} must have the same length, got {got}.")
            count += tensor.shape[0] if tensor.ndim == 2 else 1
            curves.append({"source": source, "label": name if isinstance(name, str) else "y"})
        drag = scene.drag(self.drag)
        return {
            "x": x,
            "y": curves,
            "points": self._points(scene),
            "drag": list(drag),
            "drag_axes": list(drag.values()),
            "domains": [scene.controls[name]["domain"] for name in drag],
            "labels": scene.names("labels", self.labels, count, "curves"),
            "xlim": scene.limits("xlim", self.xlim),
            "ylim": scene.limits("ylim", self.ylim),
        }

    def _column(self, scene: Scene, field: str, name: Any) -> dict[str, Any]:
        source = scene.source(field, name)
        if list(scene.tensor(source).shape[1:]) != [1]:  # a control of points on a line is a column
            scene.shaped(field, name, ("points",))
        return source

    def _points(self, scene: Scene) -> dict[str, Any] | None:
        if self.points is None:
            return None
        if isinstance(self.points, str) or len(self.points) != 2:
            raise scene.error(f"points must be a pair (x, y) of names or lists, got {self.points!r}.")
        x, y = (self._column(scene, "points", part) for part in self.points)
        sizes = [scene.tensor(part).numel() for part in (x, y)]
        if sizes[0] != sizes[1]:
            raise scene.error(f"points need as many x as y, got x={sizes[0]}, y={sizes[1]}.")
        return {"x": x, "y": y, "label": self.points_label, "axis": self.points_axis}


@dataclass(frozen=True)
class Bars(View):
    """One bar for each item of an axis; of a matrix, the row of the query that is pointed at.

    Args:
        output: of shape (keys,) or (queries, keys).
        labels: names of the bars: a list, the name of a text control, or `TokenIds`.
        axis: name of the axis that the bars stand for.
        query_axis: name of the axis that chooses the row of a matrix.
        ylim: ends of the y axis; by default from the numbers, 0 included.
        xlabel, ylabel: names of the axes.
        title: a line above the bars.

    Example:
        >>> import torch
        >>> Bars().to_spec({"output": torch.ones(3)}, {})["axis"]
        'keys'
    """

    output: str = "output"
    labels: Labels = None
    axis: str = "keys"
    query_axis: str = "queries"
    ylim: Limits = None
    xlabel: str = ""
    ylabel: str = ""
    title: str | None = None
    kind: ClassVar[str] = "bars"

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        source, tensor = scene.shaped("output", self.output, (self.axis,), (self.query_axis, self.axis))
        return {
            "source": source,
            "labels": scene.labels("labels", self.labels, tensor.shape[-1], self.axis),
            "ylim": scene.limits("ylim", self.ylim),
        }


@dataclass(frozen=True)
class History(View):
    """Curves of outputs over the steps taken so far, for a figure with `carry`.

    Args:
        outputs: names of outputs with one number each, of shape ().
        labels: names of the curves; by default the names of the outputs.
        xlabel, ylabel: names of the axes.
        ylim: ends of the y axis; by default from the numbers.
        log: a logarithmic y axis.
        title: a line above the curves.

    Example:
        >>> import torch
        >>> History("loss").to_spec({"loss": torch.tensor(0.5)}, {})["series"]
        [{'output': 'loss', 'label': 'loss'}]
    """

    outputs: str | Sequence[str] = "output"
    labels: Sequence[str] | None = None
    xlabel: str = "step"
    ylabel: str = ""
    ylim: Limits = None
    log: bool = False
    title: str | None = None
    kind: ClassVar[str] = "history"
    replaced: ClassVar[tuple[str, ...]] = ("outputs", "labels")

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        names = [self.outputs] if isinstance(self.outputs, str) else list(self.outputs)
        labels = scene.names("labels", self.labels, len(names), "curves") or names
        for name in names:
            source, tensor = scene.shaped("outputs", name, (), ("1",))
            if "output" not in source or tensor.numel() != 1:
                raise scene.error(f"{name} must be an output of shape (), got {tuple(tensor.shape)}.")
        if self.log and self.ylim is not None and self.ylim[0] <= 0:
            raise scene.error(f"ylim must be above 0 on a logarithmic axis, got {self.ylim}.")
        series = [{"output": name, "label": label} for name, label in zip(names, labels, strict=False)]
        return {"series": series, "ylim": scene.limits("ylim", self.ylim)}
