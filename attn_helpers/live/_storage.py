"""Tensors that share memory: what is written through one is read through the others.

A recording must not write, so each write makes a new value of the whole memory, and the other tensors on it
are made anew from that value when they are read next. A tensor is known by its geometry: dtype, sizes,
strides, offset.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from attn_helpers.live import _views
from attn_helpers.live._graph import Value
from attn_helpers.live._views import Recipe

if TYPE_CHECKING:
    from attn_helpers.live._recorder import Recorder

Geometry = tuple


def geometry(tensor: Tensor) -> Geometry:
    """Say where in its storage a tensor keeps its elements."""
    return (tensor.dtype, tuple(tensor.shape), tuple(tensor.stride()), tensor.storage_offset())


class Storage:
    """One piece of memory and the values of the tensors on it.

    Args:
        root: the tensor it was first seen through.
        captured: whether it was made outside the function, so that writing into it would be felt there.
    """

    def __init__(self, root: Tensor, captured: bool) -> None:
        self.root = root
        self.captured = captured
        self.values: dict[Geometry, Value] = {}
        self._recipes: dict[Geometry, tuple[Geometry, Recipe]] = {}
        self._root = geometry(root)
        self._stale = False  # whether constants were written into it in a way that was not written down
        self._on_it: list[Value] = []  # constants whose numbers lie on this memory

    @property
    def deps(self) -> frozenset[str]:
        """The inputs that the memory depends on."""
        value = self.values.get(self._root)
        return value.deps if value is not None else frozenset()

    def set_root(self, value: Value) -> None:
        """Give the whole memory its value."""
        self.values[self._root] = value
        self._on_it.append(value)

    def add_view(self, view: Tensor, base: Tensor, recipe: Recipe | None) -> None:
        """Remember how `view` is made from `base`, another tensor on this memory."""
        where = geometry(view)
        if recipe is not None and where not in self._recipes and where not in (self._root, geometry(base)):
            self._recipes[where] = (geometry(base), recipe)

    def read(self, tensor: Tensor, recorder: Recorder) -> Value:
        """Give the present value of a tensor on this memory."""
        return self._value(geometry(tensor), recorder)

    def _value(self, where: Geometry, recorder: Recorder) -> Value:
        if where not in self.values:
            if self.deps or (where in self._recipes and not self._stale):
                base, steps = self._path(where, recorder)
                value = self._value(base, recorder)
                for step in steps:
                    value = self._apply(step, value, recorder)
            else:
                value = Value(
                    where[1], where[0], frozenset(), tensor=self._tensor(where), exact=not self._stale
                )
                self._on_it.append(value)
            self.values[where] = value
        return self.values[where]

    def _tensor(self, where: Geometry) -> Tensor:
        dtype, size, stride, offset = where
        return torch.empty(0, dtype=dtype).set_(self.root.untyped_storage(), offset, size, stride)

    def _path(self, where: Geometry, recorder: Recorder) -> tuple[Geometry, list[Recipe]]:
        if where in self._recipes:
            base, recipe = self._recipes[where]
            return base, [recipe]
        return self._root, _views.find_path(self.root, where, recorder.place)

    def _apply(self, step: Recipe, value: Value, recorder: Recorder) -> Value:
        out = Value(_views.shape_after(step, value.shape), value.dtype, frozenset())
        if value.tensor is not None:
            out.tensor = _views.apply(step, value.tensor)
            self._on_it.append(out)
        recorder.emit(step.op, (value, *step.args), [out])
        return out

    def protect(self) -> None:
        """Copy the numbers of constants off this memory before it is written to."""
        for value in self._on_it:
            if value.tensor is not None:
                value.tensor = value.tensor.clone()
        self._on_it.clear()

    def forget(self) -> None:
        """Drop all values: a constant was written into constants, the memory itself tells what it holds."""
        self.values.clear()
        self._stale = True

    def write(self, tensor: Tensor, new: Value, recorder: Recorder) -> None:
        """Replace the value of one tensor on this memory, and with it that of all the others."""
        where = geometry(tensor)
        values = {where: new}
        while where != self._root:
            base, steps = self._path(where, recorder)
            before = [self._value(base, recorder)]
            for step in steps[:-1]:
                before.append(self._apply(step, before[-1], recorder))
            for step, parent in zip(reversed(steps), reversed(before), strict=True):
                back = _views.write_back(step, parent.shape, recorder.place)
                args = _views.arguments_back(back, parent, new)
                (new,) = recorder.emit(back.op, args, [Value(parent.shape, parent.dtype, frozenset())])
            where = base
            values[where] = new
        self.values = values
