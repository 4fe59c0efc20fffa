"""Rows picked by a number that depends on an input: `row = y[n]` is a view in torch, and stays one here.

A recorded pick is an operator's result with memory of its own. What is written into it is owed to the
tensor it was picked from, and paid when that is used next; after a write there the pick is made anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from livetorch.program.errors import TraceError
from livetorch.tracing.graph import Value, Writer
from livetorch.tracing.names import plain

if TYPE_CHECKING:
    from livetorch.tracing.memory import Memory
    from livetorch.tracing.storage import Storage


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


def taken(tensor: Tensor, axes: dict[int, Tensor]) -> Tensor:
    """Take one place of each of these axes, by numbers that depend on an input."""
    for axis in sorted(axes, reverse=True):
        tensor = tensor[(slice(None),) * axis + (axes[axis].reshape(1),)].squeeze(axis)
    return tensor


def put(tensor: Tensor, rest: tuple, axes: dict[int, Tensor], value: Tensor) -> None:
    """Write into one place of each of these axes."""
    window = tensor[rest]
    sizes = [size for axis, size in enumerate(window.shape) if axis not in axes]
    while value.dim() > len(sizes) and value.shape[0] == 1:  # torch takes further axes of length 1 in front
        value = value[0]
    value = value.expand(sizes)
    here = torch.ones((), dtype=torch.bool)
    for axis in sorted(axes):
        every = torch.arange(window.shape[axis])
        place = every[axes[axis].reshape(1)]  # counts negative ones from the end, refuses those outside
        here = here & (every.reshape([-1] + [1] * (window.dim() - axis - 1)) == place)
        value = value.unsqueeze(axis)
    window.copy_(torch.where(here, value, window))


def view(memory: Memory, tensor: Tensor, rest: tuple, axes: dict[int, Tensor]) -> Tensor:
    """Pick from a tensor, and let the two know of each other."""
    out = taken(tensor[rest], axes)
    wrapped = [item for item in (tensor, out, *axes.values()) if plain(item) is not item]
    base, own = memory.storage(plain(tensor)), memory.known(plain(out))
    if own is not None and own is not base:
        own.pick = Pick(
            plain(out).detach(),
            plain(tensor).detach(),
            rest,
            {axis: number.detach().clone() for axis, number in axes.items()} if not wrapped else axes,
            base,
            base.writes,
            [memory.read(plain(number)) for number in axes.values()],
            bool(wrapped) or (torch.is_grad_enabled() and out.requires_grad),
        )
    return out


def owe(storage: Storage) -> None:
    """Remember that a pick was written into, so that what it was picked from is to follow."""
    pick = storage.pick
    while pick is not None:
        pick.storage.owed = pick
        pick = pick.storage.pick


def paid(memory: Memory, tensor: Tensor, axes: dict[int, Tensor], value: Tensor) -> None:
    """Forget what is owed where `y[n] = row` is about to write it: Python does so after `y[n] += 1`."""
    base, own = memory.known(plain(tensor)), memory.known(plain(value))
    if base is None or own is None or own.pick is None or base.owed is not own.pick:
        return
    if own.pick.known == [memory.read(plain(number)) for number in axes.values()]:
        base.owed = None


def settle(memory: Memory, storage: Storage, writer: Writer) -> None:
    """Bring a tensor up to date before it is used: pay what is owed to it, make a pick anew."""
    owed, own = storage.owed, storage.pick
    if owed is not None:
        storage.owed = None
        _refuse_fixed(owed, writer)
        with writer.writing():
            put(owed.base, owed.rest, owed.axes, owed.tensor)
        owed.seen = storage.writes
    if own is None or (own.storage.owed is own):
        return
    settle(memory, own.storage, writer)
    if own.seen != own.storage.writes:
        _refuse_fixed(own, writer)
        own.seen = own.storage.writes
        with writer.writing():
            new = taken(own.base[own.rest], own.axes)
        storage.write(own.tensor, memory.read(new), writer)
        storage.protect()
        own.tensor.copy_(new)


def _refuse_fixed(pick: Pick, writer: Writer) -> None:
    if pick.fixed:
        raise TraceError(
            "row = y[n] looks at y, and one of the two was written to while gradients are taken or in "
            f"torch.func, {writer.place()}. Write y[n] = y[n] * 2 instead of row = y[n]; row.mul_(2)."
        )
