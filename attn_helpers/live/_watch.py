"""Calls that read numbers out of a tensor without any operator: seen here, and refused or done otherwise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from attn_helpers.live._recorder import Recorder
from attn_helpers.live._refusals import data_dependent

_READS = {
    *(
        Tensor.tolist,
        Tensor.numpy,
        Tensor.__array__,
        Tensor.data_ptr,
        Tensor.__dlpack__,
        Tensor.__reduce_ex__,
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
        if func in _READS and recorder.inputs_of(args[0]):
            raise data_dependent(name, recorder.inputs_of(args[0]), recorder.place())
        if func in _SHOWS:  # print(x) in a function may show the example
            with torch._C._DisableTorchDispatch():
                return func(*args, **kwargs)
        if func in _REPLACED:
            out = _REPLACED[func](recorder, *args, **kwargs)
            if out is not NotImplemented:
                return out
        recorder.asking = name
        return func(*args, **kwargs)


def _depends(recorder: Recorder, item: Any) -> bool:
    return isinstance(item, Tensor) and bool(recorder.inputs_of(item))


def _deepcopy(recorder: Recorder, tensor: Tensor, memo: dict) -> Tensor:
    return tensor.clone() if _depends(recorder, tensor) else NotImplemented


def _tensor(recorder: Recorder, data: Any, dtype: torch.dtype | None = None, **kwargs: Any) -> Tensor:
    """Do torch.tensor([a, b]) with tensors a, b by operators."""
    if not _has_tensor(data):
        return NotImplemented
    parts = [_tensor(recorder, item) if _has_tensor(item) else torch.as_tensor(item) for item in data]
    common = functools.reduce(torch.promote_types, (part.dtype for part in parts))
    out = torch.stack([part.to(common) for part in parts]).detach()
    return out if dtype is None else out.to(dtype)


def _has_tensor(data: Any) -> bool:
    return isinstance(data, list | tuple) and any(
        isinstance(item, Tensor) or _has_tensor(item) for item in data
    )


def _full(
    recorder: Recorder, size: Any, fill_value: Any, *, dtype: torch.dtype | None = None, **_: Any
) -> Tensor:
    if not _depends(recorder, fill_value):
        return NotImplemented
    return fill_value.to(dtype or fill_value.dtype).expand(size).clone()


def _full_like(recorder: Recorder, like: Tensor, fill_value: Any, *, dtype: Any = None, **_: Any) -> Tensor:
    return _full(recorder, like.shape, fill_value, dtype=dtype or like.dtype)


def _new_full(
    recorder: Recorder, like: Tensor, size: Any, fill_value: Any, *, dtype: Any = None, **_: Any
) -> Tensor:
    return _full(recorder, size, fill_value, dtype=dtype or like.dtype)


def _attention(recorder: Recorder, query: Tensor, *args: Any, scale: Any = None, **kwargs: Any) -> Tensor:
    if not _depends(recorder, scale):
        return NotImplemented
    return functional.scaled_dot_product_attention(query * scale, *args, scale=1.0, **kwargs)


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


def _getitem(recorder: Recorder, tensor: Tensor, index: Any) -> Tensor:
    found = _positions(recorder, tensor, index)
    if found is None:
        return NotImplemented
    rest, axes = found
    out = tensor[rest]
    for axis in sorted(axes, reverse=True):
        out = out[(slice(None),) * axis + (axes[axis].reshape(1),)].squeeze(axis)
    return out


def _setitem(recorder: Recorder, tensor: Tensor, index: Any, value: Any) -> None:
    found = _positions(recorder, tensor, index)
    if found is None:
        return NotImplemented
    rest, axes = found
    window = tensor[rest]
    value = value.to(tensor.dtype) if isinstance(value, Tensor) else torch.tensor(value, dtype=tensor.dtype)
    value = value.expand([size for axis, size in enumerate(window.shape) if axis not in axes])
    here = torch.ones((), dtype=torch.bool)
    for axis in sorted(axes):
        places = torch.arange(window.shape[axis]).reshape([-1] + [1] * (window.dim() - axis - 1))
        here = here & (places == axes[axis] % window.shape[axis])
        value = value.unsqueeze(axis)
    window.copy_(torch.where(here, value, window))
    return None


_REPLACED: dict[Callable, Callable] = {
    Tensor.__getitem__: _getitem,
    Tensor.__setitem__: _setitem,
    Tensor.__deepcopy__: _deepcopy,
    Tensor.new_full: _new_full,
    torch.tensor: _tensor,
    torch.as_tensor: _tensor,
    torch.asarray: _tensor,
    torch.full: _full,
    torch.full_like: _full_like,
    functional.one_hot: _one_hot,
    functional.scaled_dot_product_attention: _attention,
}
