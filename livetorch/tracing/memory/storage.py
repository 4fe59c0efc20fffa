"""Tensors that share memory: what is written through one is read through the others.

A recording must not write, so each write makes a new value of the whole memory, and the other tensors on it
are made anew from that value when they are read next. A tensor is known by its geometry: dtype, sizes,
strides, offset.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from livetorch.tracing.graph import Value, Writer
from livetorch.tracing.memory import aliases
from livetorch.tracing.memory.aliases import Recipe

Geometry = tuple


def geometry(tensor: Tensor) -> Geometry:
    """Say where in its storage a tensor keeps its elements."""
    return (tensor.dtype, tuple(tensor.shape), tuple(tensor.stride()), tensor.storage_offset())


@dataclass(eq=False)
class Pick:
    """How a tensor was picked from another.

    Args:
        tensor: what was picked.
        base: what it was picked from.
        rest: the index, with the whole axis in place of each number.
        axes: the number for each of these axes.
        storage: the memory of `base`.
        seen: how often that had been written to when the pick was last made.
        known: the numbers as they were recorded, to be known again.
        fixed: gradients or `vmap` stand between the two, so that nothing can be owed.
    """

    tensor: Tensor
    base: Tensor
    rest: tuple
    axes: dict[int, Tensor]
    storage: Storage
    seen: int
    known: list[Value]
    fixed: bool


class Storage:
    """One piece of memory and the values of the tensors on it.

    Args:
        root: the tensor it was first seen through.
        captured: whether it was made outside the function, so that writing into it would be felt there.
    """

    def __init__(self, root: Tensor, captured: bool) -> None:
        self._first = geometry(root)
        self.root = torch.view_as_real(root) if root.is_complex() else root  # written to in halves
        self.captured = captured
        self.values: dict[Geometry, Value] = {}
        self._recipes: dict[Geometry, tuple[Geometry, Recipe]] = {}
        self._root = geometry(self.root)
        self.names: dict[Geometry, str] = {}
        self.learned = False  # whether it is a parameter's
        self._stale = False  # whether constants were written into it in a way that was not written down
        self._on_it: list[Value] = []  # constants whose numbers lie on this memory
        self.writes = 0
        self.pick: Pick | None = None  # what it was picked from
        self.owed: Pick | None = None  # what was written into a pick of it

    @property
    def deps(self) -> frozenset[str]:
        """The inputs that the memory depends on."""
        value = self.values.get(self._root) or self.values.get(self._first)
        return value.deps if value is not None else frozenset()

    def call(self, where: Geometry, name: str) -> None:
        """Give a tensor on this memory, and the value that it holds, a name; the first one stays."""
        self.names.setdefault(where, name)
        value = self.values.get(where)
        if value is not None and value.label is None:
            value.label = name

    def set_root(self, value: Value) -> None:
        """Give the whole memory its value."""
        self.values[self._first] = value
        self._on_it.append(value)

    def add_view(self, view: Tensor, base: Tensor, recipe: Recipe | None) -> None:
        """Remember how `view` is made from `base`, another tensor on this memory."""
        where = geometry(view)
        if recipe is not None and where not in self._recipes and where not in self._ways(geometry(base)):
            self._recipes[where] = (geometry(base), recipe)

    def _ways(self, where: Geometry) -> list[Geometry]:
        """List what a geometry is made from, and the root: none of them may be made from what it leads to."""
        found = [self._root, where]
        while where in self._recipes:
            where = self._recipes[where][0]
            found.append(where)
        return found

    def read(self, tensor: Tensor, writer: Writer) -> Value:
        """Give the present value of a tensor on this memory."""
        return self._value(geometry(tensor), writer)

    def _value(self, where: Geometry, writer: Writer) -> Value:
        if where not in self.values:
            if self.deps or (where in self._recipes and not self._stale):
                base, steps = self._path(where, writer)
                value = self._value(base, writer)
                for step in steps:
                    value = self._apply(step, value, writer)
            else:
                value = Value(
                    where[1], where[0], frozenset(), tensor=self._tensor(where), learned=self.learned
                )
                self._on_it.append(value)
            self.values[where] = value
            value.label = value.label or self.names.get(where)
        return self.values[where]

    def _tensor(self, where: Geometry) -> Tensor:
        dtype, size, stride, offset = where
        return torch.empty(0, dtype=dtype).set_(self.root.untyped_storage(), offset, size, stride)

    def _path(self, where: Geometry, writer: Writer) -> tuple[Geometry, list[Recipe]]:
        if where in self._recipes:
            base, recipe = self._recipes[where]
            return base, [recipe]
        return self._root, aliases.find_path(self.root, where, writer.place)

    def _apply(self, step: Recipe, value: Value, writer: Writer) -> Value:
        out = Value(aliases.shape_after(step, value.shape), value.dtype, frozenset())
        writer.emit(step.op, (value, *step.args), [out])
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
        self.writes += 1

    def write(self, tensor: Tensor, new: Value, writer: Writer) -> None:
        """Replace the value of one tensor on this memory, and with it that of all the others."""
        where = geometry(tensor)
        self.writes += 1
        values = {where: new}
        while where != self._root:
            base, steps = self._path(where, writer)
            before = [self._value(base, writer)]
            for step in steps[:-1]:
                before.append(self._apply(step, before[-1], writer))
            for step, parent in zip(reversed(steps), reversed(before), strict=True):
                back = aliases.write_back(step, parent.shape, writer.place)
                args = aliases.arguments_back(back, parent, new)
                (new,) = writer.emit(back.op, args, [Value(parent.shape, parent.dtype, frozenset())])
            where = base
            values[where] = new
        for place, value in values.items():
            value.label = value.label or self.names.get(place)
        self.values = values
