"""Calls that read numbers out of a tensor without any operator: seen here, and refused or done otherwise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from livetorch.tracing import chosen, creation, scalars
from livetorch.tracing.recorder import Recorder
from livetorch.tracing.refusals import data_dependent

_READS = {
    *(
        Tensor.tolist,
        Tensor.numpy,
        Tensor.__array__,
        Tensor.data_ptr,
        Tensor.__dlpack__,
        Tensor.__reduce_ex__,
        Tensor.apply_,
        Tensor.map_,
    ),
}
_SHOWS = {Tensor.__repr__, Tensor.__format__}


class Watch(TorchFunctionMode):
    """The function mode that stands beside a recorder."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def __torch_function__(
        self, func: Callable, types: tuple, args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        """Let a call through, unless it would fix what depends on an input."""
        kwargs = kwargs or {}
        recorder = self._recorder
        name = getattr(func, "__name__", "")
        if func in _READS and recorder.memory.inputs_of(args[0]):
            recorder.refused = data_dependent(name, recorder.memory.inputs_of(args[0]), recorder.place())
            raise recorder.refused
        if func in _SHOWS:  # print(x) in a function may show the example
            with torch._C._DisableTorchDispatch():
                return func(*args, **kwargs)
        if func in _REPLACED:
            out = _REPLACED[func](recorder, *args, **kwargs)
            if out is not NotImplemented:
                return out
        out = scalars.rewritten(func, args, kwargs, functools.partial(_depends, recorder))
        if out is not NotImplemented:
            return out
        recorder.asking = name
        return func(*args, **kwargs)


def _depends(recorder: Recorder, item: Any) -> bool:
    return isinstance(item, Tensor) and bool(recorder.memory.inputs_of(item))


def _deepcopy(recorder: Recorder, tensor: Tensor, memo: dict) -> Tensor:
    return tensor.clone() if _depends(recorder, tensor) else NotImplemented


def _attention(recorder: Recorder, query: Tensor, *args: Any, scale: Any = None, **kwargs: Any) -> Tensor:
    if not _depends(recorder, scale):
        return NotImplemented
    return functional.scaled_dot_product_attention(query * scale, *args, scale=1.0, **kwargs)


def _rrelu(
    recorder: Recorder,
    input: Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Do RReLU without training by what it is then; torch asks the operator that could draw slopes."""
    return NotImplemented if training else functional.leaky_relu(input, (lower + upper) / 2, inplace)


def _one_hot(recorder: Recorder, tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Compare with each class; torch's own looks at the smallest and the largest number first."""
    if num_classes < 0 or not _depends(recorder, tensor):
        return NotImplemented
    return (tensor.unsqueeze(-1) == torch.arange(num_classes)).to(torch.int64)


# ---- x[i] with a whole number i that depends on an input: torch would read i out and be done with it


def _positions(recorder: Recorder, tensor: Tensor, index: Any) -> tuple[tuple, dict[int, Tensor]] | None:
    """Split an index: what is left of it when such numbers take the whole axis, and axis -> number."""
    parts = list(index) if isinstance(index, tuple) else [index]
    moving = {
        i
        for i, part in enumerate(parts)
        if _depends(recorder, part) and part.dim() == 0 and part.dtype != torch.bool
    }
    if not moving or any(
        isinstance(part, list) or (isinstance(part, Tensor) and part.dim()) for part in parts
    ):
        return None
    used = sum(part is not None and part is not Ellipsis for part in parts)
    axes, axis = {}, 0
    for i, part in enumerate(parts):
        if part is Ellipsis:
            axis += tensor.dim() - used
        elif i in moving:
            axes[axis], parts[i] = part, slice(None)
            axis += 1
        elif part is None or isinstance(part, slice):
            axis += 1
    return tuple(parts), axes


def _getitem(recorder: Recorder, tensor: Tensor, index: Any) -> Any:
    picked = chosen.choose(recorder, tensor, index)
    if picked is not None:
        return picked
    found = _positions(recorder, tensor, index)
    if found is None:
        return _among_lists(recorder, tensor, index)
    rest, axes = found
    return _taken(tensor[rest], axes)


def _taken(tensor: Tensor, axes: dict[int, Tensor]) -> Tensor:
    for axis in sorted(axes, reverse=True):
        tensor = tensor[(slice(None),) * axis + (axes[axis].reshape(1),)].squeeze(axis)
    return tensor


def _among_lists(recorder: Recorder, tensor: Tensor, index: Any) -> Tensor:
    """Do x[n, [0, 2]]: torch takes the numbers first and the lists then."""
    parts = list(index) if isinstance(index, tuple) else [index]
    used = sum(part is not None and part is not Ellipsis for part in parts)
    axes, rest, axis = {}, [], 0
    for part in parts:
        if isinstance(part, Tensor) and part.dtype == torch.bool:
            return NotImplemented
        if _depends(recorder, part) and part.dim() == 0:
            axes[axis] = part
        else:
            rest.append(part)
        axis += tensor.dim() - used if part is Ellipsis else part is not None
    return _taken(tensor, axes)[tuple(rest)] if axes else NotImplemented


def _setitem(recorder: Recorder, tensor: Tensor, index: Any, value: Any) -> None:
    if chosen.put(recorder, tensor, index, value):
        return None
    found = _positions(recorder, tensor, index)
    if found is None:
        return NotImplemented
    rest, axes = found
    window = tensor[rest]
    value = value.to(tensor.dtype) if isinstance(value, Tensor) else torch.tensor(value, dtype=tensor.dtype)
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
    return None


def _masked_select(recorder: Recorder, tensor: Tensor, mask: Tensor) -> Any:
    picked = chosen.choose(recorder, tensor, mask) if mask.shape == tensor.shape else None
    return NotImplemented if picked is None else picked


_REPLACED: dict[Callable, Callable] = {
    **creation.REPLACED,
    Tensor.masked_select: _masked_select,
    torch.masked_select: _masked_select,
    Tensor.__getitem__: _getitem,
    Tensor.__setitem__: _setitem,
    Tensor.__deepcopy__: _deepcopy,
    functional.rrelu: _rrelu,
    torch.rrelu: _rrelu,
    functional.one_hot: _one_hot,
    functional.scaled_dot_product_attention: _attention,
}
