"""Complex numbers that depend on an input, as pairs of real ones: enough for rotary positions written so.

A page has no complex numbers. A complex tensor is the view of a real one with a last axis (real, imaginary),
so each operator on it is done on the two halves and the result is viewed as complex again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload

from attn_helpers.live._graph import leaves
from attn_helpers.live._refusals import Refusal
from attn_helpers.live.operators import operator

Pair = tuple[Any, Any]
_VIEWS = {
    "view_as_complex",
    "view_as_real",
    "view",
    "reshape",
    "unsqueeze",
    "squeeze",
    "permute",
    "transpose",
    "t",
}
_VIEWS |= {"expand", "slice", "select", "detach", "alias", "_unsafe_view", "unbind", "split", "resolve_conj"}


def rule(func: OpOverload, args: tuple, kwargs: dict) -> Callable | None:
    """Find how an operator is done on pairs; None where nothing is complex."""
    found = leaves((args, kwargs), (Tensor, complex))
    takes = any(isinstance(leaf, complex) or leaf.is_complex() for leaf in found)
    name = func._schema.name.partition("::")[2]
    if not takes and name not in ("complex", "polar"):
        return None
    if name in _VIEWS:
        return None
    if name not in _PAIRS and name not in _MOVED:
        raise Refusal(
            f"complex numbers in {func} cannot be traced",
            "Write it with cos and sin on the two halves instead.",
        )

    def pairwise(*args: Any, **kwargs: Any) -> Tensor:
        if name in _MOVED:  # the same move for both halves
            halves = [
                operator(str(func))(half.contiguous(), *args[1:], **kwargs)
                for half in torch.unbind(_real(args[0]), -1)
            ]
            return _joined(*halves)
        out = _PAIRS[name](*(_pair(arg) for arg in args if isinstance(arg, Tensor | complex | float | int)))
        return _joined(*out) if isinstance(out, tuple) else out

    return pairwise


def _real(tensor: Tensor) -> Tensor:
    return torch.view_as_real(tensor.resolve_conj() if tensor.is_conj() else tensor)


def _pair(item: Tensor | complex) -> Pair:
    if isinstance(item, Tensor) and item.is_complex():
        real = _real(item)
        return real[..., 0], real[..., 1]
    return (item.real, item.imag) if isinstance(item, complex) else (item, 0.0)


def _joined(real: Tensor, imaginary: Tensor | float) -> Tensor:
    imaginary = imaginary if isinstance(imaginary, Tensor) else torch.full_like(real, imaginary)
    return torch.view_as_complex(torch.stack(torch.broadcast_tensors(real, imaginary), -1))


def _mul(a: Pair, b: Pair) -> Pair:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _div(a: Pair, b: Pair) -> Pair:
    size = b[0] * b[0] + b[1] * b[1]
    return (a[0] * b[0] + a[1] * b[1]) / size, (a[1] * b[0] - a[0] * b[1]) / size


def _exp(a: Pair) -> Pair:
    size = torch.exp(a[0])
    return size * torch.cos(a[1]), size * torch.sin(a[1])


_PAIRS: dict[str, Callable] = {
    "complex": lambda a, b: (a[0], b[0]),
    "polar": lambda size, angle: (size[0] * torch.cos(angle[0]), size[0] * torch.sin(angle[0])),
    "mul": _mul,
    "div": _div,
    "add": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "sub": lambda a, b: (a[0] - b[0], a[1] - b[1]),
    "neg": lambda a: (-a[0], -a[1]),
    "exp": _exp,
    "abs": lambda a: torch.sqrt(a[0] * a[0] + a[1] * a[1]),
    "angle": lambda a: torch.atan2(a[1], a[0]),
    "_conj": lambda a: (a[0], -a[1]),
    "_conj_physical": lambda a: (a[0], -a[1]),
    "conj_physical": lambda a: (a[0], -a[1]),
}
_MOVED = {"clone", "sum", "mean", "flip", "roll", "index_select", "cumsum"}
