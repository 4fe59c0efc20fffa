"""Rows picked by a number that depends on an input: `row = y[n]` is a view in torch, and stays one here.

A recorded pick is an operator's result with memory of its own. What is written into it is owed to the
tensor it was picked from, and paid when that is used next; after a write there the pick is made anew.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from livetorch.program.errors import TraceError
from livetorch.tracing.graph import Value, Writer
from livetorch.tracing.memory.storage import Pick, Storage


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


def owe(storage: Storage) -> None:
    """Remember that a pick was written into, so that what it was picked from is to follow."""
    pick = storage.pick
    while pick is not None:
        pick.storage.owed = pick
        pick = pick.storage.pick


def settle(storage: Storage, read: Callable[[Tensor], Value], writer: Writer) -> None:
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
    settle(own.storage, read, writer)
    if own.seen != own.storage.writes:
        _refuse_fixed(own, writer)
        own.seen = own.storage.writes
        with writer.writing():
            new = taken(own.base[own.rest], own.axes)
        storage.write(own.tensor, read(new), writer)
        storage.protect()
        own.tensor.copy_(new)


def _refuse_fixed(pick: Pick, writer: Writer) -> None:
    if pick.fixed:
        raise TraceError(
            "row = y[n] looks at y, and one of the two was written to while gradients are taken or in "
            f"torch.func, {writer.place()}. Write y[n] = y[n] * 2 instead of row = y[n]; row.mul_(2)."
        )
