"""The view of points and vectors in the plane: `Plane`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from livetorch.views.base import Limits, View
from livetorch.views.sources import Scene


@dataclass(frozen=True)
class Plane(View):
    """Points or vectors in the plane, drawn with equal units on both axes; those of a control can be dragged.

    Args:
        points: {axis name: output or points control}, each of shape (points, 2).
        drag: the controls that may be dragged; None: all that are drawn.
        labels: {axis name: names of its points}; by default q1, q2, ... from the axis name.
        arrows: draw arrows from the origin: True, or the axis names that get them.
        weights: an output of shape (queries, keys): lines between the first and the second group of points,
            as thick as the weight is large.
        xlabel, ylabel: names of the axes.
        xlim, ylim: ends of the axes; by default from the controls' domains and the numbers.
        title: a line above the plane.

    >>> Plane({"keys": "output"}).to_spec({"output": torch.eye(2)}, {})["groups"][0]["prefix"]
    'k'
    """

    points: Mapping[str, str]
    drag: str | Sequence[str] | None = None
    labels: Mapping[str, Sequence[str]] | None = None
    arrows: bool | Sequence[str] = False
    weights: str | None = None
    xlabel: str = ""
    ylabel: str = ""
    xlim: Limits = None
    ylim: Limits = None
    title: str | None = None
    kind: ClassVar[str] = "plane"
    replaced: ClassVar[tuple[str, ...]] = ("points", "labels", "arrows")

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        drag = scene.drag(self.drag)
        groups, counts = [], []
        for axis, name in self.points.items():
            source, tensor = scene.shaped("points", name, (axis, "2"))
            if tensor.shape[1] != 2:
                raise scene.error(f"{name} must have shape ({axis}, 2), got {tuple(tensor.shape)}.")
            control = scene.controls.get(source.get("control", ""), {})
            movable = control.get("kind") == "points"
            labels = scene.names("labels", (self.labels or {}).get(axis), tensor.shape[0], axis)
            counts.append(tensor.shape[0])
            groups.append({
                "axis": axis,
                "source": source,
                "prefix": axis[:1],
                "labels": labels or control.get("labels"),
                "domain": control.get("domain"),
                "drag": movable and (self.drag is None or name in drag),
                "arrows": self.arrows if isinstance(self.arrows, bool) else axis in self.arrows,
            })  # fmt: skip
        missing = [name for name in drag if name not in self.points.values()]
        if missing:
            raise scene.error(
                f"drag names {missing[0]!r}, which is not drawn; points are {list(self.points)}."
            )
        return {
            "groups": groups,
            "drag": [group["source"]["control"] for group in groups if group["drag"]],
            "weights": self._weights(scene, counts),
            "xlim": scene.limits("xlim", self.xlim),
            "ylim": scene.limits("ylim", self.ylim),
        }

    def _weights(self, scene: Scene, counts: list[int]) -> dict[str, Any] | None:
        if self.weights is None:
            return None
        source, tensor = scene.shaped("weights", self.weights, tuple(self.points)[:2])
        if len(counts) < 2 or list(tensor.shape) != counts[:2]:
            want = ", ".join(f"{axis}={count}" for axis, count in zip(self.points, counts, strict=True))
            raise scene.error(
                f"weights must join the first two groups of points ({want}), got {tuple(tensor.shape)}."
            )
        return source
