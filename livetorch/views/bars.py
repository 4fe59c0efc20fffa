"""Bars: one number for each name, beside each other."""

from dataclasses import dataclass
from typing import Any, ClassVar

from livetorch.views.base import Labels, Limits, View, pattern
from livetorch.views.sources import BY_AXIS, Scene


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
        role: "query", "key", "value" or "weight", whose colour the bars have, or None for none of them; by
            default what the axis says, and bars by keys are weights.
        series: each bar in the colour that the curve of its place has in `Lines`.
        stacked: the numbers as shares of one bar from 0 to 1, drawn as a `Strip`.
        title: a line above the bars.
        format: how a number is written, as in `Number`; by default ".2f", and counts without a point.

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
    role: str | None = BY_AXIS
    series: bool = False
    stacked: bool = False
    title: str | None = None
    format: str | None = None
    kind: ClassVar[str] = "bars"
    replaced: ClassVar[tuple[str, ...]] = ("output", "role", "series", "stacked", "format")

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        source, tensor = scene.shaped("output", self.output, (self.axis,), (self.query_axis, self.axis))
        if self.stacked and self.ylim is not None:
            raise scene.error(f"a stacked bar reaches from 0 to 1 and takes no ylim, got {self.ylim}.")
        if self.stacked and self.format is not None:
            raise scene.error("a stacked bar writes its shares as a strip does and takes no format.")
        return {
            **({"shares": {"pointer": None}} if self.stacked else {}),
            **scene.hue(self.role),
            **({"hues": "series"} if self.series else {}),
            **({"pattern": pattern(scene, self.format)} if self.format is not None else {}),
            "source": source,
            "labels": scene.labels("labels", self.labels, tensor.shape[-1], self.axis),
            "ylim": scene.limits("ylim", self.ylim),
        }
