"""Other types, other values in place: what a tensor is turned into."""

import math

from torch import _create, _dtype, _form, _index, _slices
from torch._call import call
from torch._dtype import NAMES as NAMES_OF_TYPES
from torch._surface import PYTHON
from torch._tensor import Tensor

NAMES = {
    "multiply": "mul", "subtract": "sub", "divide": "div", "true_divide": "div", "negative": "neg", "absolute": "abs",
    "greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne", "arctan": "atan",
    "arctan2": "atan2", "arcsin": "asin", "arccos": "acos", "arctanh": "atanh", "concat": "cat", "concatenate": "cat",
    "fix": "trunc", "ger": "outer", "clip": "clamp", "row_stack": "vstack", "greater_equal_": "ge_",
    "sgn": "sign", "matrix_power": "linalg_matrix_power", "det": "linalg_det", "pinverse": "linalg_pinv", "inverse": "linalg_inv",
    "cholesky": "linalg_cholesky", "qr": "linalg_qr",
}  # fmt: skip


def _typed(name: str):
    def convert(self: Tensor) -> Tensor:
        return to(self, _dtype.named(name))

    return convert


def to(self: Tensor, dtype=None, non_blocking=False, copy=False, *, other=None, device=None) -> Tensor:
    """Give a tensor of another type; a device is the page, and a tensor stands for its type."""
    if isinstance(dtype, str | _form.device):
        _form.usable(dtype)
        dtype = non_blocking if isinstance(non_blocking, _dtype.dtype) else None
    if device is not None:
        _form.usable(device)
    dtype = other if other is not None else dtype
    dtype = dtype.dtype if isinstance(dtype, Tensor) else dtype
    if dtype in (None, self.dtype):
        return call("clone", self) if copy else self
    return call("_to_copy", self, dtype=dtype)


def type_(self, dtype=None):
    if dtype is None:
        return f"torch.{NAMES_OF_TYPES[self.dtype.name]}Tensor"
    if isinstance(dtype, str):
        named = {f"torch.{long}Tensor": short for short, long in NAMES_OF_TYPES.items()}
        if dtype not in named:
            raise ValueError(f"invalid type: '{dtype}'")
        dtype = _dtype.named(named[dtype])
    if hasattr(dtype, "_of"):  # one of the old classes
        dtype = _dtype.named(dtype._of)
    return self.to(PYTHON.get(dtype, dtype))


def type_as(self, other):
    return to(self, other.dtype)


def clone(self, *, memory_format=None):
    return call(
        "clone", self, memory_format="dense" if str(memory_format) == "torch.contiguous_format" else None
    )


def contiguous(self):
    return self if self.is_contiguous() else call("clone", self, memory_format="dense")


def cpu(self):
    return self


def cuda(self):
    _form.usable("cuda")


def fits(value, dtype, end: str = "_t") -> None:
    """Refuse a number that a type cannot hold."""
    if not isinstance(value, int | float | complex) or dtype.category in (0, 3):
        return
    if isinstance(value, complex):
        outside = value.imag != 0
    elif dtype.is_floating_point:
        outside = math.isfinite(value) and abs(value) > _dtype.finfo(dtype).max
    else:
        limits = _dtype.iinfo(dtype)
        least = limits.min or -limits.max  # a negative number wraps in an unsigned type, as in C
        outside = not math.isfinite(value) or not least <= value <= limits.max
    if outside:
        name = _dtype.CNAMES[dtype.name] if dtype.is_floating_point else dtype.name + end
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")


def masked_fill(self, mask, value):
    if mask.dtype != _dtype.bool_:
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {_dtype.CNAMES[mask.dtype.name]}"
        )
    if isinstance(value, Tensor) and value.dim():
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.dim()} dimension(s)."
        )
    fits(value, self.dtype)
    return call("masked_fill", self, mask, value)


def numel(self):
    return self.numel()


def is_tensor(obj) -> bool:
    return isinstance(obj, Tensor)


def is_complex(input) -> bool:
    return input.dtype.is_complex


def conj(self):
    return self


def is_conj(input) -> bool:
    return False


resolve_conj = resolve_neg = conj_physical = conj


def is_floating_point(x) -> bool:
    return x.dtype.is_floating_point


def result_type(tensor, other):
    one, two = (t if isinstance(t, Tensor) else _create.tensor(t) for t in (tensor, other))
    return call(
        "add", one.reshape(-1)[:1] if one.dim() else one, two.reshape(-1)[:1] if two.dim() else two
    ).dtype


def copy_(self, src):
    if isinstance(src, Tensor) and src.dim() > self.dim():
        raise RuntimeError(
            f"output with shape {list(self.shape)} doesn't match the broadcast shape {list(src.shape)}"
        )
    _index.put(self, ..., src)
    return self


def fill_(self, value):
    if isinstance(value, Tensor) and value.dim():
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value.dim()} dimensions."
        )
    fits(value, self.dtype)
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
