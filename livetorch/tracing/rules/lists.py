"""Operators on lists of tensors (`torch._foreach_add_`, used by optimisers), done one tensor at a time."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload

PREFIX = "_foreach_"


def rule(func: OpOverload) -> Callable:
    """Give how an operator whose name begins with PREFIX is done."""
    return partial(_each, func._schema.name.partition("::")[2].removeprefix(PREFIX))


def _each(name: str, *args: Any, **kwargs: Any) -> list[Tensor] | None:
    writes = name.endswith("_")
    plain = _plain(name.removesuffix("_"))
    results = []
    for i, target in enumerate(args[0]):
        of_this = [arg[i] if isinstance(arg, list | tuple) else arg for arg in args]
        result = plain(
            *of_this, **{key: v[i] if isinstance(v, list | tuple) else v for key, v in kwargs.items()}
        )
        results.append(target.copy_(result) if writes else result)
    return None if writes else results


def _plain(name: str) -> Callable:
    if name in ("addcdiv", "addcmul"):
        return lambda x, a, b, value=1: getattr(torch, name)(x, a, b, value=value)
    special: dict[str, Callable] = {
        "norm": lambda x, ord=2, dtype=None: torch.linalg.vector_norm(x, ord, dtype=dtype),
        "copy": lambda x, source, non_blocking=False: source.to(x.dtype).expand_as(x),
        "zero": torch.zeros_like,
        "max": torch.amax,
        "minimum": _bounded(torch.minimum, "max"),
        "maximum": _bounded(torch.maximum, "min"),
        "clamp_min": _bounded(torch.maximum, "min"),
        "clamp_max": _bounded(torch.minimum, "max"),
    }
    return special.get(name) or getattr(torch, name)


def _bounded(of_tensors: Callable, side: str) -> Callable:
    def bounded(x: Tensor, bound: Tensor | float) -> Tensor:
        return of_tensors(x, bound) if isinstance(bound, Tensor) else x.clamp(**{side: bound})

    return bounded
