"""Views of numbers along axes: `Lines`, `Bars`, `History`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from livetorch.views.base import Limits, View
from livetorch.views.sources import Scene


@dataclass(frozen=True)
class Lines(View):
    """Curves over one x axis, with scattered points and points to drag.

    Args:
        x: an output (or control) of shape (points,), or a list; None: 1, 2, 3, ...
        y: one name or several; each of shape (points,) or (series, points).
        points: a pair: the x and y of scattered points, each a name or a list.
        drag: points controls to drag here: a name, several, or {name: axis by which they are linked}.
        labels: names of the curves, in order; by default the words for the outputs.
        points_label: name of the scattered points.
        stems: draw each scattered point on a line from 0, as the height of something.
        xlabel, ylabel: names of the axes.
        xlim, ylim: ends of the axes; by default from the numbers.
        xlog: draw x, all of it above 0, by its logarithm: as far from 0.1 to 0.2 as from 1 to 2.
        ylog: the same for y; numbers that are not above 0 are left out.
        axis: name of the axis along x, by which the curves are linked to other views.
        points_axis: the same for the scattered points.
        title: a line above the curves.

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
    stems: bool = False
    xlog: bool = False
    ylog: bool = False
    kind: ClassVar[str] = "lines"

    def to_spec(self, *args: Any, **options: Any) -> dict[str, Any]:  # noqa: D102
        spec = super().to_spec(*args, **options)
        unsaid = {name for name in ("stems", "xlog", "ylog") if not spec[name]}
        return {name: value for name, value in spec.items() if name not in unsaid}

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        x = None if self.x is None else self._column(scene, "x", self.x)
        curves, count = [], 0
        for name in [self.y] if isinstance(self.y, str) else self.y:
            source, tensor = scene.shaped("y", name, ("points",), ("series", "points"))
            if x is not None and (length := scene.tensor(x).numel()) != tensor.shape[-1]:
                got = f"x={length}, {name}={tensor.shape[-1]}"
                raise scene.error(f"x and {name} must have the same length, got {got}.")
            count += tensor.shape[0] if tensor.ndim == 2 else 1
            curves.append({"source": source, "label": scene.word(name) if isinstance(name, str) else "y"})
        points, drag = self._points(scene), scene.drag(self.drag)
        domains = [scene.controls[name]["domain"] for name in drag]
        if self.xlog:
            across = [] if x is None else [x, *([points["x"]] if points else [])]
            least = [float(scene.tensor(source).min()) for source in across]
            least += [domain[0][0] for domain in domains] + list(self.xlim or ())
            if x is None or min(least) <= 0:
                raise scene.error("xlog needs an x of numbers above 0, in points, drag and xlim as well.")
        if self.ylog and (min(self.ylim or (0,)) <= 0 or self.stems):
            raise scene.error("ylog needs a ylim above 0, and no stems: they stand on 0.")
        return {
            "x": x,
            "y": curves,
            "points": points,
            "drag": list(drag),
            "drag_axes": list(drag.values()),
            "domains": domains,
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
