"""Other types, other values in place: what a tensor is turned into."""

from __future__ import annotations

import math

from torch import _create, _dtype, _index, _slices
from torch._call import call
from torch._inplace import NAMES as NAMES_OF_TYPES
from torch._tensor import Tensor

NAMES = {
    "multiply": "mul", "subtract": "sub", "divide": "div", "true_divide": "div", "negative": "neg", "absolute": "abs",
    "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne", "arctan": "atan",
    "arctan2": "atan2", "arcsin": "asin", "arccos": "acos", "arctanh": "atanh", "concat": "cat", "concatenate": "cat",
    "fix": "trunc", "inverse": "linalg_inv",
}  # fmt: skip


def _typed(name: str):
    def convert(self: Tensor) -> Tensor:
        return to(self, _dtype.named(name))

    return convert


def to(
    self: Tensor, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None
) -> Tensor:
    for arg in args:
        if isinstance(arg, Tensor):
            dtype = arg.dtype
        elif isinstance(arg, _dtype.dtype):
            dtype = arg
        elif not isinstance(arg, bool):
            from torch._form import device as place

            place(arg)
    if device is not None:
        from torch._form import device as place

        place(device)
    if dtype in (None, self.dtype) and not copy:
        return self
    return call("_to_copy", self, dtype=dtype or self.dtype)


def type_(self, dtype=None, **more):
    return f"torch.{NAMES_OF_TYPES[self.dtype.name]}Tensor" if dtype is None else to(self, dtype)


def type_as(self, other):
    return to(self, other.dtype)


def contiguous(self, memory_format=None):
    return self if self.is_contiguous() else call("clone", self)


def cpu(self, *args, **kwargs):
    return self


def fits(value, dtype) -> None:
    """Refuse a number that a type cannot hold."""
    if not isinstance(value, int | float) or dtype.category == 0:
        return
    if dtype.is_floating_point:
        outside = math.isfinite(value) and abs(value) > _dtype.finfo(dtype).max
    else:
        limits = _dtype.iinfo(dtype)
        outside = not math.isfinite(value) or not limits.min <= value <= limits.max
    if outside:
        name = {"float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double"}
        raise RuntimeError(
            f"value cannot be converted to type {name.get(dtype.name, dtype.name + '_t')} without overflow"
        )


def masked_fill(self, mask, value):
    if mask.dtype != _dtype.bool_:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype}")
    if isinstance(value, Tensor) and value.dim():
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.dim()} dimension(s)."
        )
    fits(value, self.dtype)
    return call("masked_fill", self, mask, value)


def numel(self):
    return self.numel()


def is_tensor(x) -> bool:
    return isinstance(x, Tensor)


def is_floating_point(x) -> bool:
    return x.dtype.is_floating_point


def result_type(a, b):
    one, two = (t if isinstance(t, Tensor) else _create.tensor(t) for t in (a, b))
    return call(
        "add", one.reshape(-1)[:1] if one.dim() else one, two.reshape(-1)[:1] if two.dim() else two
    ).dtype


def copy_(self, source, non_blocking=False):
    _index.put(self, ..., source)
    return self


def fill_(self, value):
    _index.put(self, ..., value)
    return self


def fill_diagonal_(self, fill_value, wrap=False):
    if self.dim() != 2:
        raise NotImplementedError("fill_diagonal_ of more than two axes is not in the page's torch.")
    rows, columns = self.shape
    with_gap = self.view(-1)[:: columns + 1] if wrap and rows > columns else _slices.diagonal(self)
    _index.put(with_gap, ..., fill_value)
    return self


def zero_(self):
    return fill_(self, 0)


def clone(self, *, memory_format=None):
    return call("clone", self)
