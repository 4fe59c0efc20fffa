"""The matrices of one calculation beside each other, and how each number came of the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from livetorch.views.base import Labels, View
from livetorch.views.sources import Scene


@dataclass(frozen=True)
class Flow(View):
    """Matrices from left to right; pointing at a number shows those that made it, and the sum between them.

    What a number was made of is followed through the recorded function, however many steps lie between two
    matrices. A button fills the matrices again, one after the other.

    Args:
        stages: outputs (or controls) of shape (rows, columns) or (columns,) from left to right; a list of
            names stands in one place, one under the other.
        steps: what happens between two stages, in a few words, such as ["q · k", "softmax"].
        axes: {output: (rows axis, columns axis)}; by default (queries, keys). They name rows and columns,
            link them to other views, and give queries, keys, values and weights their colours.
        names: {axis: the names of its items}, each as `Heatmap` takes them.
        masks: {output: mask}, the mask an output or control, or a bool tensor that stays, True = may attend;
            other cells are hatched and carry no number, as those at minus infinity are by themselves.
        roles: {output: its role}, "query", "key", "value" or "weight", or None for none of them, where the
            axes do not say it.
        title: a line above the matrices.

    >>> outputs = {"scores": torch.eye(2), "weights": torch.eye(2)}
    >>> Flow(["scores", "weights"], steps=["softmax"]).to_spec(outputs, {})["stages"]
    [[0], [1]]
    """

    stages: Sequence[str | Sequence[str]]
    steps: Sequence[str] = ()
    axes: Mapping[str, tuple[str, str]] | None = None
    names: Mapping[str, Any] | None = None
    masks: Mapping[str, str | Tensor] | None = None
    roles: Mapping[str, str | None] | None = None
    title: str | None = None
    kind: ClassVar[str] = "flow"
    replaced: ClassVar[tuple[str, ...]] = ("axes", "names", "masks", "roles")

    def resolve(self, scene: Scene) -> dict[str, Any]:  # noqa: D102
        columns = [[stage] if isinstance(stage, str) else list(stage) for stage in self.stages]
        shown = [name for column in columns for name in column]
        if len(columns) < 2 or not all(columns) or len(set(shown)) < len(shown):
            raise scene.error(f"stages must be two or more, each output in one of them, got {columns}.")
        if self.steps and len(self.steps) != len(columns) - 1:
            got = f"stages={len(columns)}, steps={len(self.steps)}"
            raise scene.error(f"steps stand between stages, one less than there are stages, got {got}.")
        for field, given in (("axes", self.axes), ("masks", self.masks), ("roles", self.roles)):
            for name in given or {}:
                if name not in shown:
                    raise scene.error(f"{field} names {name!r}, which no stage shows; they show {shown}.")
        parts = [self._part(scene, name) for name in shown]
        known = {axis for part in parts for axis in part["axes"]}
        for axis in self.names or {}:
            if axis not in known:
                raise scene.error(f"names has the axis {axis!r}, but the axes are {sorted(known)}.")
        for name, role in (self.roles or {}).items():
            scene.role(f"the role of {name}", role)
        places = iter(range(len(shown)))
        stages = [[next(places) for _ in column] for column in columns]
        return {"parts": parts, "stages": stages, "steps": [str(step) for step in self.steps]}

    def _part(self, scene: Scene, name: str) -> dict[str, Any]:
        axes = list((self.axes or {}).get(name, ("queries", "keys")))
        source, tensor = scene.shaped("stages", name, axes, axes[1:])
        mask = (self.masks or {}).get(name)
        roles = self.roles or {}
        role = {"role": roles[name]} if name in roles else {}
        return role | {
            "source": source,
            "label": scene.controls[name]["label"] if "control" in source else scene.word(name),
            "axes": axes,
            "rows": self._labels(scene, axes[0], tensor.shape[0]) if tensor.ndim == 2 else None,
            "cols": self._labels(scene, axes[1], tensor.shape[-1]),
            "mask": None if mask is None else self._mask(scene, mask, name, tensor),
        }

    def _mask(self, scene: Scene, mask: str | Tensor, name: str, tensor: Tensor) -> dict[str, Any]:
        if isinstance(mask, Tensor) and mask.dtype != torch.bool:
            raise scene.error(f"the mask of {name} must be a bool tensor, got one of {mask.dtype}.")
        source = {"values": mask.int().tolist()} if isinstance(mask, Tensor) else scene.source("masks", mask)
        shape = tuple(scene.tensor(source).shape)
        if shape != tuple(tensor.shape):
            said = mask if isinstance(mask, str) else "the mask"
            raise scene.error(f"{said} must have the shape of {name}, {tuple(tensor.shape)}, got {shape}.")
        return source

    def _labels(self, scene: Scene, axis: str, count: int) -> dict[str, Any] | None:
        names: Labels = (self.names or {}).get(axis)
        return scene.labels("names", names, count, axis)
