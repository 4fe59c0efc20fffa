"""Shares of a whole: columns, pushed together to one strip of length 1, and a die that falls on it."""

from dataclasses import dataclass
from typing import Any, ClassVar

from torch import Tensor

from livetorch.views.base import Labels, View
from livetorch.views.sources import BY_AXIS, Scene


@dataclass(frozen=True)
class Strip(View):
    """A strip from 0 to 1, cut into pieces as long as the shares; of a matrix, the row that is pointed at.

    With `columns` it shows where the shares come from: the columns stand side by side, and each leads down to
    its piece. A piece whose share goes to 0 falls out, and its neighbours grow.

    Args:
        output: shares that add up to 1, of shape (keys,) or (queries, keys).
        columns: numbers of the same shape that are shared out, such as exponentials, drawn as columns.
        scores: numbers of the same shape that are written above the columns, such as those before exp.
        mask: an output or control of the same shape, True = may attend; what may not has an empty place.
        pointer: an output or control of shape () that points to a place of the strip, such as a die.
        labels: names of the pieces: a list, the name of a text control, or `TokenIds`.
        axis: name of the axis that the pieces stand for.
        query_axis: name of the axis that chooses the row of a matrix.
        role: "query", "key", "value" or "weight", whose colour the strip has, or None for none of them; by
            default what the axis says, and pieces by keys are weights.
        title: a line above the strip.

    >>> Strip().to_spec({"output": torch.tensor([0.25, 0.75])}, {})["axis"]
    'keys'
    """

    output: str = "output"
    columns: str | None = None
    scores: str | None = None
    mask: str | None = None
    pointer: str | None = None
    labels: Labels = None
    axis: str = "keys"
    query_axis: str = "queries"
    role: str | None = BY_AXIS
    title: str | None = None
    kind: ClassVar[str] = "strip"
    replaced: ClassVar[tuple[str, ...]] = ("output", "role")

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        source, tensor = scene.shaped("output", self.output, (self.axis,), (self.query_axis, self.axis))
        if self.scores is not None and self.columns is None:
            raise scene.error(f"scores={self.scores!r} are written above columns: columns must be given.")
        pointer = None if self.pointer is None else scene.shaped("pointer", self.pointer, ())[0]
        return {
            "source": source,
            "columns": self._beside(scene, self.columns, tensor),
            "scores": self._beside(scene, self.scores, tensor),
            "mask": self._beside(scene, self.mask, tensor),
            "pointer": pointer,
            "labels": scene.labels("labels", self.labels, tensor.shape[-1], self.axis),
            **scene.hue(self.role),
        }

    def _beside(self, scene: Scene, name: str | None, tensor: Tensor) -> dict[str, Any] | None:
        if name is None:
            return None
        source = scene.source("output", name)
        shape, wanted = tuple(scene.tensor(source).shape), tuple(tensor.shape)
        if shape != wanted:
            raise scene.error(f"{name} must have the shape of {self.output}, {wanted}, got {shape}.")
        return source
