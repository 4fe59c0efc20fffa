"""Which ATen operators the runtime in the page has, and how an operator is found by its name."""

import importlib
import json
from functools import cache

import torch
from torch._ops import OpOverload

from livetorch.scripts import built


@cache
def supported_operators() -> frozenset[str]:
    """Names such as `aten.mul.Tensor` that the JavaScript runtime has; the build asks it for them."""
    return frozenset(json.loads(built("operators.json").read_text(encoding="utf-8")))


def is_supported(name: str) -> bool:
    """Tell whether the runtime has the operator `name`."""
    return name in supported_operators()


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
        if namespace == "livetorch":  # enters our own operator; the page's torch cannot take one in
            importlib.import_module("livetorch.program.fourier")
        return getattr(getattr(getattr(torch.ops, namespace), packet), overload)
    except (ValueError, AttributeError):
        raise ValueError(f"unknown operator {name!r}; a name has the form aten.mul.Tensor.") from None
