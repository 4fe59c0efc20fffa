"""Which ATen operators the runtime in the page has, and how an operator is found by its name."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import torch
from torch._ops import OpOverload


@cache
def supported_operators() -> frozenset[str] | None:
    """Names such as `aten.mul.Tensor` that the JavaScript runtime has, or None without a list.

    The list `operators.json` is written by `js/list_operators.mjs` from the runtime itself.
    """
    path = Path(__file__).with_name("operators.json")
    return frozenset(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def is_supported(name: str) -> bool:
    """Tell whether the runtime has the operator `name`."""
    known = supported_operators()
    return known is None or name in known


@cache
def operator(name: str) -> OpOverload:
    """Find the torch operator for a name such as `aten.mul.Tensor`.

    Source: torch.ops.

    Args:
        name: namespace, operator and overload, joined by dots.
    Returns: the operator, ready to be called.
    Raises:
        ValueError: no operator has this name.

    >>> operator("aten.add.Tensor")(torch.tensor(1), torch.tensor(2))
    tensor(3)
    """
    parts = name.split(".")
    try:
        namespace, packet, overload = parts
        return getattr(getattr(getattr(torch.ops, namespace), packet), overload)
    except (ValueError, AttributeError):
        raise ValueError(f"unknown operator {name!r}; a name has the form aten.mul.Tensor.") from None
