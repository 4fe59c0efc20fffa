"""What torch asks of numbers before it computes: where small operators would not ask, where it may fail."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch._ops import OpOverload

_INDEXES = {
    *("index", "index_select", "index_add", "index_copy", "embedding", "index_put", "_index_put_impl_"),
}
_PLACES = {"gather", "scatter", "scatter_add", "scatter_reduce"}
_DIVISIONS = {"floor_divide", "remainder", "fmod", "div"}


def may_fail(func: OpOverload, args: tuple) -> type[Exception] | None:
    """Name the error that an operator raises for some numbers, or nothing.

    >>> may_fail(torch.ops.aten.add.Tensor, ())
    """
    name = func._schema.name.partition("::")[2]
    if name == "_linalg_check_errors":
        return torch.linalg.LinAlgError  # type: ignore[attr-defined]
    if name in _INDEXES:
        return IndexError
    if name in _PLACES:
        return RuntimeError
    whole = all(not arg.is_floating_point() for arg in args[:2] if isinstance(arg, torch.Tensor))
    return RuntimeError if name in _DIVISIONS and whole and len(args) > 1 else None


def _shares(self: Tensor, target: Tensor, *_: object) -> None:
    for name, each in (("input", self), ("target", target)):
        inside = ((each >= 0) & (each <= 1)).all()
        torch._assert_async(inside, f"all elements of {name} should be between 0 and 1")


def _places(self: Tensor, indices: Tensor, output_size: list[int], *_: object) -> None:
    room = torch.Size(output_size).numel()
    torch._assert_async(((indices >= 0) & (indices < room)).all(), f"an index is not in 0..{room - 1}")


def _labels(self: Tensor, target: Tensor, *_: object) -> None:
    classes = self.shape[-1] if self.dim() else 1
    inside = ((target >= -1) & (target < classes)).all()
    torch._assert_async(inside, f"a target is not in -1..{classes - 1}")


def _edges(self: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> None:
    if min == max:
        torch._assert_async(self.isfinite().all(), "the range of a histogram is not finite")


def _diagonal(self: Tensor, *_: object) -> None:
    torch._assert_async(
        (self.diagonal(dim1=-2, dim2=-1) != 0).all(), "the matrix is singular: its diagonal has a 0"
    )


CHECKS: dict[str, Callable] = {
    "binary_cross_entropy": _shares,
    "max_unpool2d": _places,
    "max_unpool3d": _places,
    "multilabel_margin_loss_forward": _labels,
    "histc": _edges,
    "cholesky_inverse": _diagonal,
}


def of(func: OpOverload) -> Callable | None:
    """Find what writes down what an operator asks of its numbers."""
    return CHECKS.get(func._schema.name.partition("::")[2])
