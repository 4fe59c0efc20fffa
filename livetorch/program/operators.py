"""The operators of Programs: which of ATen's the page's runtime has, and how one is found by its name.

Torch leaves it open which of equal numbers `topk`, `sort` or `median` names first. Here, as in a page's
figures, equal numbers keep their order, NaN counts as the largest, and an eigenvector has the sign that
`signs.py` gives it. `stable_order` makes torch keep these rules too, for a function that is called and not
traced. Python in the page takes the equal numbers that torch takes (pagepython/worker/ties.mjs).
"""

import importlib
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode

from livetorch.program import signs
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


# ---- one order for equal numbers

aten = torch.ops.aten
Pair = tuple[Tensor, Tensor]


def _sort(self: Tensor, dim: int = -1, descending: bool = False) -> Pair:
    return aten.sort.stable(self, stable=True, dim=dim, descending=descending)


def _sort_stable(self: Tensor, *, stable: bool | None, dim: int = -1, descending: bool = False) -> Pair:
    return _sort(self, dim, descending)


def _argsort(self: Tensor, dim: int = -1, descending: bool = False) -> Tensor:
    return _sort(self, dim, descending)[1]


def _topk(self: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Pair:
    aten.topk.default(self, k, dim, largest)  # torch's own errors
    values, places = _sort(self, dim, largest)
    return (values, places) if self.dim() == 0 else _part(values, places, dim, 0, k)


def _kthvalue(self: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Pair:
    aten.kthvalue.default(self, k, dim, keepdim)
    values, places = _sort(self, dim)
    if self.dim() == 0:
        return values, places
    values, places = _part(values, places, dim, k - 1, 1)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def _median(self: Tensor, dim: int, keepdim: bool = False, *, skip_nan: bool = False) -> Pair:
    """Give the lower one of the middle two; with NaN in a row the first NaN, unless NaN are skipped."""
    aten.median.dim(self, dim, keepdim)
    if self.dim() == 0:
        return _sort(self, dim)
    values, places = _sort(self, dim)
    missing = values.isnan().sum(dim, keepdim=True)
    whole = self.shape[dim]
    middle = ((whole - missing - 1) // 2).clamp(min=0) if skip_nan else (whole - 1) // 2
    which = torch.where(missing > 0, middle if skip_nan else whole - missing, middle)
    values, places = values.gather(dim, which), places.gather(dim, which)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def _nanmedian(self: Tensor, dim: int, keepdim: bool = False) -> Pair:
    return _median(self, dim, keepdim, skip_nan=True)


def _mode(self: Tensor, dim: int = -1, keepdim: bool = False) -> Pair:
    """Give the most frequent number, of several the smallest, and its last place."""
    if self.dim() == 0:
        return self.clone(), torch.zeros((), dtype=torch.int64)
    rows = self.movedim(dim, -1)
    counts = (rows.unsqueeze(-1) == rows.unsqueeze(-2)).sum(-1)
    often = counts == counts.amax(-1, keepdim=True)
    top = (
        torch.inf
        if self.is_floating_point()
        else True
        if self.dtype == torch.bool
        else torch.iinfo(self.dtype).max
    )
    values = torch.where(often, rows, top).amin(-1, keepdim=True)
    places = torch.where(rows == values, torch.arange(rows.shape[-1]), -1).amax(-1, keepdim=True)
    values, places = values.movedim(-1, dim), places.movedim(-1, dim).clamp(min=0)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def _part(values: Tensor, places: Tensor, dim: int, start: int, length: int) -> Pair:
    first, second = (part.narrow(dim, start, length).contiguous() for part in (values, places))
    return first.clone(), second.clone()  # operators give tensors of their own, not windows on others


_RULES: dict[str, Callable[..., Any]] = {
    "aten.sort.default": _sort,
    "aten.sort.stable": _sort_stable,
    "aten.argsort.default": _argsort,
    "aten.argsort.stable": lambda self, *, stable, dim=-1, descending=False: _argsort(self, dim, descending),
    "aten.topk.default": _topk,
    "aten.kthvalue.default": _kthvalue,
    "aten.median.dim": _median,
    "aten.nanmedian.dim": _nanmedian,
    "aten.mode.default": _mode,
    "aten._linalg_eigh.default": signs.eigh,
    "aten._linalg_svd.default": signs.svd,
}


def ordered(func: OpOverload) -> Callable[..., Any]:
    """Give an operator, or in its place one that keeps the rule.

    >>> values, places = ordered(torch.ops.aten.topk.default)(torch.zeros(4), 2)
    >>> places
    tensor([0, 1])
    """
    return _RULES.get(str(func), func)


class stable_order(TorchDispatchMode):  # noqa: N801 - it is used like a function
    """Let torch name equal numbers in their order.

    >>> with stable_order():
    ...     print(torch.zeros(40).topk(3).indices)
    tensor([0, 1, 2])
    """

    def __torch_dispatch__(
        self,
        func: OpOverload,
        types: tuple[Any, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Run one operator."""
        return ordered(func)(*args, **kwargs or {})

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # as in the recorder: else torch imports its compiler first
