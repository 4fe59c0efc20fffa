"""The reader's function: what it is called, and what it gave back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor

from livetorch.program.errors import OutputError


def innermost(fn: Callable) -> Callable:
    """Take functools.partial off a function."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    return fn


def function_name(fn: Callable) -> str:
    """Name a function, an `nn.Module` or a `functools.partial` for messages.

    >>> function_name(torch.nn.Linear(2, 3))
    'Linear'
    """
    fn = innermost(fn)
    return getattr(fn, "__name__", type(fn).__name__)


def named_outputs(fn: Callable, result: Any) -> dict[str, Tensor]:
    """Give what a function returned as a dict of tensors: a single tensor is called `output`.

    Raises:
        OutputError: it is something else; the text says what, and how to return it.

    >>> named_outputs(len, torch.tensor(2.0))
    {'output': tensor(2.)}
    """
    name = function_name(fn)
    if isinstance(result, Tensor):
        return {"output": _real(name, "output", result)}
    if isinstance(result, Mapping) and result:
        for key, value in result.items():
            if not isinstance(key, str):
                raise OutputError(f"{name} must name its outputs by str, got the key {key!r}.")
            if not isinstance(value, Tensor):
                raise OutputError(f"{name} must return tensors, got {type(value).__name__} for {key!r}.")
        return {key: _real(name, key, value) for key, value in result.items()}
    got = "an empty dict" if isinstance(result, Mapping) else f"a {type(result).__name__}"
    hint = ""
    if isinstance(result, list | tuple):
        hint = ' Name the parts: return {"output": ..., "weights": ...}.'
    elif result is None:
        got, hint = "None", " Is there a return in every branch?"
    raise OutputError(f"{name} must return a tensor or a dict of tensors, got {got}.{hint}")


def _real(name: str, key: str, value: Tensor) -> Tensor:
    if value.is_complex():
        got = f"got {str(value.dtype).removeprefix('torch.')} for {key!r}"
        raise OutputError(f"{name} must return real numbers, {got}. Return .abs(), .angle(), .real or .imag.")
    return value
