"""Tensors made of numbers that depend on an input (`torch.tensor([a, b])`, `torch.full`), by operators."""

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from livetorch.tracing.recorder import Recorder


def _tensor(
    recorder: Recorder,
    data: Any,
    dtype: torch.dtype | None = None,
    requires_grad: bool = False,
    **_: Any,
) -> Tensor:
    """Do torch.tensor([a, b]) with tensors a, b by operators."""
    if not _has_tensor(data):
        return NotImplemented
    out = _stacked(data).detach()
    out = out if dtype is None else out.to(dtype)
    return out.requires_grad_() if requires_grad else out


def _stacked(data: Any) -> Tensor:
    if not isinstance(data, list | tuple):
        if isinstance(data, Tensor) and data.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return torch.as_tensor(data).reshape(())
    parts = [_stacked(item) for item in data] if _has_tensor(data) else [torch.as_tensor(data)]
    common = functools.reduce(torch.promote_types, (part.dtype for part in parts))
    return torch.stack([part.to(common) for part in parts]) if _has_tensor(data) else parts[0]


def _new_tensor(
    recorder: Recorder, like: Tensor, data: Any = None, dtype: Any = None, **kwargs: Any
) -> Tensor:
    return _tensor(recorder, data, dtype or like.dtype, **kwargs)


def _has_tensor(data: Any) -> bool:
    return isinstance(data, list | tuple) and any(
        isinstance(item, Tensor) or _has_tensor(item) for item in data
    )


def _full(
    recorder: Recorder,
    size: Any,
    fill_value: Any,
    *,
    dtype: torch.dtype | None = None,
    requires_grad: bool = False,
    **_: Any,
) -> Tensor:
    if not isinstance(fill_value, Tensor) or not recorder.memory.inputs_of(fill_value):
        return NotImplemented
    if dtype is None and fill_value.dtype != torch.bool:
        dtype = torch.get_default_dtype() if fill_value.is_floating_point() else torch.int64
    out = fill_value.to(dtype).expand(size).clone()
    return out.detach().requires_grad_() if requires_grad else out


def _full_like(recorder: Recorder, like: Tensor, fill_value: Any, *, dtype: Any = None, **_: Any) -> Tensor:
    return _full(recorder, like.shape, fill_value, dtype=dtype or like.dtype)


def _new_full(
    recorder: Recorder, like: Tensor, size: Any, fill_value: Any, *, dtype: Any = None, **_: Any
) -> Tensor:
    return _full(recorder, size, fill_value, dtype=dtype or like.dtype)


REPLACED: dict[Callable, Callable] = {
    Tensor.new_full: _new_full,
    Tensor.new_tensor: _new_tensor,
    Tensor.new: _new_tensor,
    torch.tensor: _tensor,
    torch.as_tensor: _tensor,
    torch.asarray: _tensor,
    torch.full: _full,
    torch.full_like: _full_like,
}
