"""What torch makes of several operators."""

from __future__ import annotations

import itertools
import math

from torch import _create, _dtype, _index, _views
from torch._call import call
from torch._tensor import Tensor, _as_tensor

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
            from torch._tensor import device as place

            place(arg)
    if device is not None:
        from torch._tensor import device as place

        place(device)
    if dtype in (None, self.dtype) and not copy:
        return self
    return call("_to_copy", self, dtype=dtype or self.dtype)


def type_(self, dtype=None, **more):
    return f"torch.{self.dtype.name.capitalize()}Tensor" if dtype is None else to(self, dtype)


def type_as(self, other):
    return to(self, other.dtype)


def contiguous(self, memory_format=None):
    return self if self.is_contiguous() else call("clone", self)


def cpu(self, *args, **kwargs):
    return self


def clip(self, min=None, max=None, *, out=None):
    return clamp(self, min, max)


def clamp(self, min=None, max=None, *, out=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        min, max = (
            None if edge is None else edge if isinstance(edge, Tensor) else _as_tensor(edge, self)
            for edge in (min, max)
        )
    return call("clamp", self, min, max)


def _extreme(name: str, pair: str):
    def find(self, *args, **kwargs):
        if args and isinstance(args[0], Tensor):
            return call(pair, self, *args, **kwargs)
        return call(name, self, *args, **kwargs)

    return find


max_, min_ = _extreme("max", "maximum"), _extreme("min", "minimum")


def where(condition, self=None, other=None, *, input=None):
    self = input if self is None else self
    if self is None:
        return _index.nonzero(condition, as_tuple=True)
    if not isinstance(self, Tensor) and not isinstance(other, Tensor):
        return call("where", condition, self, other)
    return call("where", condition, self, other)


def stack(tensors, dim=0):
    tensors = list(tensors)
    shapes = [list(t.shape) for t in tensors]
    for place, shape in enumerate(shapes):
        if shape != shapes[0]:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {shapes[0]} at entry 0 and {shape} at entry {place}"
            )
    return call("stack", tensors, dim)


def cat(tensors, dim=0):
    tensors = list(tensors)
    full = [t for t in tensors if tuple(t.shape) != (0,)]
    for place, t in enumerate(full):
        axis = _views.axis_of(dim, full[0].dim())
        if t.dim() != full[0].dim():
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {full[0].dim()} and {t.dim()}"
            )
        for other in range(t.dim()):
            if other != axis and t.shape[other] != full[0].shape[other]:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {axis}. Expected size {full[0].shape[other]} but got size "
                    f"{t.shape[other]} for tensor number {place} in the list."
                )
    return call("cat", full or tensors, dim)


def _dims(name: str):
    """Make a method that takes axes or sizes one by one or as a list."""

    def act(self, *values, **kwargs):
        if not values and kwargs:
            return call(name, self, *kwargs.values())
        return call(name, self, _views.ints(values))

    return act


flip, repeat, tile = _dims("flip"), _dims("repeat"), _dims("tile")


def roll(self, shifts, dims=None):
    if dims is None:
        return call("roll", self.reshape(-1), shifts).reshape(self.shape)
    return call(
        "roll",
        self,
        list(shifts) if isinstance(shifts, tuple) else [shifts],
        list(dims) if isinstance(dims, tuple | list) else [dims],
    )


def repeat_interleave(self, repeats, dim=None, *, output_size=None):
    if isinstance(repeats, Tensor) and repeats.numel() > 1:
        self = self.reshape(-1) if dim is None else self
        places = _create.tensor(
            [k for k, n in enumerate(repeats.tolist()) for _ in range(n)], dtype=_dtype.int64
        )
        return call("index_select", self, dim or 0, places)
    return call("repeat_interleave", self, int(repeats), dim)


def fits(value, dtype) -> None:
    """Refuse a number that a type cannot hold."""
    if (
        isinstance(value, int | float)
        and dtype.is_floating_point
        and math.isfinite(value)
        and abs(value) > _dtype.finfo(dtype).max
    ):
        name = {"float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float"}.get(
            dtype.name, dtype.name
        )
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")


def masked_fill(self, mask, value):
    if mask.dtype != _dtype.bool_:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype}")
    fits(value, self.dtype)
    return call("masked_fill", self, mask, value)


def unravel_index(indices, shape):
    shape, flat = list(shape), indices
    found = []
    for length in reversed(shape):
        found.insert(0, flat % length)
        flat = flat // length
    return tuple(found)


def masked_select(self, mask):
    self, mask = _create.call_broadcast(self, mask)
    return _index.get(self, mask)


def take_along_dim(self, indices, dim=None):
    if dim is None:
        return call("gather", self.reshape(-1), 0, indices.reshape(-1))
    return call("gather", self, dim, indices)


def index_fill(self, dim, index, value):
    places = (slice(None),) * (dim % self.dim()) + (index,)
    made = call("clone", self)
    _index.put(made, places, value)
    return made


def equal(self, other) -> bool:
    return (
        tuple(self.shape) == tuple(other.shape)
        and self.dtype == other.dtype
        and bool(call("eq", self, other).all())
    )


def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False) -> bool:
    if self.dtype != other.dtype:
        raise RuntimeError(f"{str(self.dtype).split('.')[1]} did not match {str(other.dtype).split('.')[1]}")
    return bool(call("isclose", self, other, rtol, atol, equal_nan).all())


def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
    if dim is not None:
        raise NotImplementedError("unique with dim is not in the page's torch.")
    flat = self._flat()
    values = list(
        dict.fromkeys(
            __builtins__["sorted"](flat)
            if isinstance(__builtins__, dict)
            else __import__("builtins").sorted(flat)
        )
    )
    found = [_create.tensor(values, dtype=self.dtype)]
    if return_inverse:
        place = {value: k for k, value in enumerate(values)}
        found.append(_create.tensor([place[x] for x in flat], dtype=_dtype.int64).reshape(self.shape))
    if return_counts:
        found.append(_create.tensor([flat.count(x) for x in values], dtype=_dtype.int64))
    return found[0] if len(found) == 1 else tuple(found)


def bincount(self, weights=None, minlength=0):
    flat = self._flat()
    size = max([minlength, *(x + 1 for x in flat)])
    base = _create.zeros(size, dtype=_dtype.int64 if weights is None else weights.dtype)
    source = _create.ones_like(self) if weights is None else weights
    return call("index_add", base, 0, self, source.to(base.dtype))


def diag(self, diagonal=0):
    return (
        call("diag_embed", self, diagonal)
        if self.dim() == 1
        else call("clone", _views.diagonal(self, diagonal))
    )


def trace(self):
    return _views.diagonal(self).sum()


def outer(self, vec2):
    return self.unsqueeze(1) * vec2.unsqueeze(0)


def inner(self, other):
    return call("matmul", self, other.mT) if other.dim() > 1 else call("matmul", self, other)


def diff(self, n=1, dim=-1, prepend=None, append=None):
    parts = [t for t in (prepend, self, append) if t is not None]
    self = call("cat", parts, dim) if len(parts) > 1 else self
    for _ in range(n):
        length = self.shape[dim]
        self = _views.narrow(self, dim, 1, length - 1) - _views.narrow(self, dim, 0, length - 1)
    return self


def cdist(x1, x2, p=2.0, compute_mode=None):
    gaps = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    return call("linalg_vector_norm", gaps, p, [-1])


def cartesian_prod(*tensors):
    if len(tensors) == 1:
        return tensors[0]
    kind = tensors[0].dtype
    return _create.tensor(list(itertools.product(*(t.tolist() for t in tensors))), dtype=kind)


def combinations(self, r=2, with_replacement=False):
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    return _create.tensor(list(choose(self.tolist(), r)), dtype=self.dtype)


def meshgrid(*tensors, indexing=None):
    tensors = (
        list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], tuple | list) else list(tensors)
    )
    if indexing == "xy" and len(tensors) > 1:
        found = meshgrid(tensors[1], tensors[0], *tensors[2:])
        return (found[1].transpose(0, 1), found[0].transpose(0, 1)) if len(tensors) == 2 else found
    shape = [t.numel() for t in tensors]
    return tuple(
        t.reshape([-1 if k == axis else 1 for k in range(len(shape))]).expand(shape)
        for axis, t in enumerate(tensors)
    )


def broadcast_tensors(*tensors):
    return tuple(_create.call_broadcast(*tensors))


def hstack(tensors):
    tensors = [t.reshape(-1) if t.dim() < 1 else t for t in tensors]
    return call("cat", tensors, 0 if tensors[0].dim() == 1 else 1)


def vstack(tensors):
    return call("cat", [t.reshape(1, -1) if t.dim() < 2 else t for t in tensors], 0)


def column_stack(tensors):
    return call("cat", [t.reshape(-1, 1) if t.dim() < 2 else t for t in tensors], 1)


def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
    order = 2 if p in ("fro", None) else p
    dim = [dim] if isinstance(dim, int) else dim
    return call("linalg_vector_norm", self, order, dim, keepdim)


def sum_(self, dim=None, keepdim=False, *, dtype=None, axis=None):
    return _reduce("sum", self, axis if dim is None else dim, keepdim, dtype)


def mean(self, dim=None, keepdim=False, *, dtype=None, axis=None):
    if not self.dtype.is_floating_point and (dtype is None or not dtype.is_floating_point):
        names = {"int64": "Long", "bool": "Bool", "int32": "Int"}
        raise RuntimeError(
            f"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {names.get(self.dtype.name, self.dtype.name)}"
        )
    return _reduce("mean", self, axis if dim is None else dim, keepdim, dtype)


def _reduce(name, self, dim, keepdim, dtype):
    if dim is None and not keepdim:
        return call(name, self, dtype=dtype)
    dims = (
        list(range(self.dim()))
        if dim is None or dim in ((), [])
        else [dim]
        if isinstance(dim, int)
        else list(dim)
    )
    return call(name, self, dims, keepdim, dtype=dtype)


def _spread(name: str):
    def find(self, dim=None, unbiased=True, keepdim=False, *, correction=None):
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        dims = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
        found = call(
            name, self, dims, correction=int(unbiased) if correction is None else correction, keepdim=keepdim
        )
        return found

    return find


var, std, var_mean, std_mean = _spread("var"), _spread("std"), _spread("var_mean"), _spread("std_mean")


def quantile(self, q, dim=None, keepdim=False, *, interpolation="linear"):
    q = q.tolist() if isinstance(q, Tensor) else q
    self, dim = (self.reshape(-1), 0) if dim is None else (self, dim)
    ordered = call("sort", self, dim).values
    last = ordered.shape[dim] - 1

    def one(share):
        place = share * last
        low = math.floor(place)
        below, above = ordered.select(dim, low), ordered.select(dim, min(low + 1, last))
        found = below + (above - below) * (place - low)
        return found.unsqueeze(dim) if keepdim else found

    return call("stack", [one(x) for x in q]) if isinstance(q, list) else one(q)


def softmax(self, dim=None, dtype=None, _stacklevel=3):
    return call("softmax", self, dim, dtype=dtype)


def log_softmax(self, dim=None, dtype=None, _stacklevel=3):
    return call("log_softmax", self, dim, dtype=dtype)


def pow_(self, exponent):
    return call("pow", self, exponent)


def round_(self, *, decimals=0):
    return call("round", self) if decimals == 0 else call("round", self, decimals)


def sort(self, dim=-1, descending=False, stable=False):
    return call("sort", self, dim, descending)


def argsort(self, dim=-1, descending=False, stable=False):
    return call("sort", self, dim, descending).indices


def mode(self, dim=-1, keepdim=False):
    raise NotImplementedError("mode is not in the page's torch.")


def histc(self, bins=100, min=0, max=0):
    low, high = (min, max) if min != max else (self.min().item(), self.max().item())
    places = ((self - low) / (high - low) * bins).floor().clamp(0, bins - 1).to(_dtype.int64)
    inside = (self >= low) & (self <= high)
    return bincount(places[inside], minlength=bins).to(self.dtype)


def isin(elements, test_elements):
    return (elements.unsqueeze(-1) == test_elements.reshape(-1)).any(-1)


def einsum(equation: str, *operands):
    """Sum products over letters: each operand is spread over all letters, and those not wanted are summed."""
    operands = (
        list(operands[0]) if len(operands) == 1 and isinstance(operands[0], tuple | list) else list(operands)
    )
    left, _, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if "..." in equation:
        raise NotImplementedError("einsum with '...' is not in the page's torch; use matmul.")
    if not _:
        right = "".join(
            sorted_
            for sorted_ in __import__("builtins").sorted(set(left) - {","})
            if left.count(sorted_) == 1
        )
    rest = [letter for letter in dict.fromkeys("".join(terms)) if letter not in right]
    letters, product = [*right, *rest], None
    for term, operand in zip(terms, operands, strict=True):
        if len(set(term)) < len(term):
            raise NotImplementedError(
                "einsum with a letter twice in a term is not in the page's torch; use diagonal."
            )
        spread = _views.permute(operand, [term.index(x) for x in letters if x in term])
        spread = spread.reshape([operand.shape[term.index(x)] if x in term else 1 for x in letters])
        product = spread if product is None else product * spread
    return product.sum(list(range(len(right), len(letters)))) if rest else product


def tensor_split(self, sections, dim=0):
    length = self.shape[dim]
    if isinstance(sections, int):
        small, more = divmod(length, sections)
        return _views.split(self, [small + (k < more) for k in range(sections)], dim)
    edges = [0, *sections, length]
    return tuple(_views.narrow(self, dim, a, b - a) for a, b in itertools.pairwise(edges))


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


def zero_(self):
    return fill_(self, 0)


def clone(self, *, memory_format=None):
    return call("clone", self)


def rot90(*_):
    raise NotImplementedError("rot90 is not in the page's torch.")
