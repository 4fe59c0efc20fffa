"""Numbers picked, compared and counted."""

from torch import _create, _dtype, _index, _slices, _views
from torch._call import call
from torch._tensor import Tensor


def clamp(self, min=None, max=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if len({isinstance(edge, Tensor) for edge in (min, max) if edge is not None}) > 1:
        raise TypeError(
            "clamp() received an invalid combination of arguments: min and max must both be tensors or both numbers"
        )
    return call("clamp", self, min, max)


def _extreme(name: str, pair: str | None = None):
    def find(self, *args, **kwargs):
        if args and isinstance(args[0], Tensor):
            return call(pair, self, *args, **kwargs)
        if pair is None and self.dtype == _dtype.bool_:
            raise RuntimeError(f"\"{name}_cpu\" not implemented for 'Bool'")
        dim = args[0] if args else kwargs.get("dim", kwargs.get("axis"))
        if dim is not None and 0 in self.shape and self.shape[dim] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
        if dim is None and self.numel() == 0:
            raise (RuntimeError if pair else IndexError)(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
                + " Specify the reduction dim with the 'dim' argument." * bool(pair)
            )
        return call(name, self, *args, **kwargs)

    return find


max_, min_ = _extreme("max", "maximum"), _extreme("min", "minimum")
argmax, argmin = _extreme("argmax"), _extreme("argmin")


def _bits(name: str):
    def act(self, other=None):
        others = () if name == "bitwise_not" else (other,)
        for t in (self, *others):
            if isinstance(t, float) or (isinstance(t, Tensor) and t.dtype.is_floating_point):
                if name == "bitwise_not":
                    raise TypeError(
                        "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
                    )
                call("logical_and", self, other)  # shapes that do not fit are told first
                raise NotImplementedError(f"\"{name}_cpu\" not implemented for 'Float'")
        return call(name, self, *others)

    return act


bitwise_and, bitwise_or, bitwise_xor = _bits("bitwise_and"), _bits("bitwise_or"), _bits("bitwise_xor")
bitwise_not = _bits("bitwise_not")


def _is_bool(value) -> bool:
    return isinstance(value, bool) or getattr(value, "dtype", None) == _dtype.bool_


def sub(self, other, *, alpha=1):
    if _is_bool(self) and _is_bool(other):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        )
    if _is_bool(self) or _is_bool(other):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` "
            "or `logical_not()` operator instead."
        )
    return call("sub", self, other, alpha=alpha) if alpha != 1 else call("sub", self, other)


def rsub(self, other, *, alpha=1):
    if _is_bool(self) or _is_bool(other):
        sub(self, other)
    return call("rsub", self, other, alpha=alpha) if alpha != 1 else call("rsub", self, other)


def _whole(name: str, told: str):
    """Division to whole numbers, which two masks do not have."""

    def act(self, other):
        if _is_bool(self) and _is_bool(other):
            raise NotImplementedError(f"\"{told}_cpu\" not implemented for 'Bool'")
        return call(name, self, other)

    return act


floor_divide, remainder = _whole("floor_divide", "div_floor"), _whole("remainder", "remainder")


def div(self, other, *, rounding_mode=None):
    if rounding_mode is None:
        return call("div", self, other)
    if _is_bool(self) and _is_bool(other):
        raise NotImplementedError(f"\"div_{rounding_mode}_cpu\" not implemented for 'Bool'")
    return call("div", self, other, rounding_mode=rounding_mode)


def neg(self):
    if _is_bool(self):
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or "
            "`logical_not()` operator instead."
        )
    return call("neg", self)


def where(condition, self=None, other=None):
    if self is None:
        return _index.nonzero(condition, as_tuple=True)
    if _dtype.get_default_dtype() is not _dtype.float32:
        self, other = (_create.tensor(v) if isinstance(v, float) else v for v in (self, other))
    return call("where", condition, self, other)


def unravel_index(indices, shape):
    shape, flat = list(shape), indices
    found = []
    for length in reversed(shape):
        found.insert(0, flat % length)
        flat = flat // length
    return tuple(found)


def masked_select(self, mask):
    if mask.dtype != _dtype.bool_:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    self, mask = _create.call_broadcast(self, mask)
    return _index.get(self, mask)


def take_along_dim(self, indices, dim=None):
    length = self.numel() if dim is None else self.shape[dim]
    if indices.dtype == _dtype.int64 and indices.numel():  # from the end, which gather refuses
        indices = call("where", indices < 0, indices + length, indices)
    if dim is None:
        return call("gather", self.reshape(-1), 0, indices.reshape(-1))
    axis = _views.axis_of(dim, self.dim())
    sizes = [
        None if k == axis else max(pair) if 0 not in pair else 0
        for k, pair in enumerate(zip(self.shape, indices.shape, strict=True))
    ]
    self, indices = (
        _views.expand(t, [t.shape[k] if n is None else n for k, n in enumerate(sizes)])
        for t in (self, indices)
    )
    return call("gather", self, axis, indices)


def index_fill(self, dim, index, value):
    places = (slice(None),) * _views.axis_of(dim, self.dim()) + (index,)
    made = call("clone", self)
    _index.put(made, places, value)
    return made


def _must_be_tensor(name: str, other) -> None:
    if not isinstance(other, Tensor):
        raise TypeError(f"{name}(): argument 'other' (position 2) must be Tensor, not {type(other).__name__}")


def equal(self, other) -> bool:
    _must_be_tensor("equal", other)
    return tuple(self.shape) == tuple(other.shape) and bool(call("eq", self, other).all())


def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False) -> bool:
    _must_be_tensor("allclose", other)
    return bool(call("isclose", self, other, rtol, atol, equal_nan).all())


def unique(self, sorted=True, return_inverse=False, return_counts=False, dim=None):
    if not isinstance(self, Tensor):
        raise TypeError(
            f"_unique2(): argument 'input' (position 1) must be Tensor, not {type(self).__name__}"
        )
    if dim is not None:
        from torch._more import unique_rows

        values, back, counts = unique_rows(self, dim)
        found = [values] + [back] * return_inverse + [counts] * return_counts
        return found[0] if len(found) == 1 else tuple(found)
    ordered, places = call("sort", self.reshape(-1))
    values, inverse, counts = unique_consecutive(ordered, True, True)
    back = call("scatter", call("zeros_like", inverse), 0, places, inverse).reshape(self.shape)
    found = [values] + [back] * return_inverse + [counts] * return_counts
    return found[0] if len(found) == 1 else tuple(found)


def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    if dim is not None:
        raise NotImplementedError("unique_consecutive with dim is not in the page's torch.")
    flat, inverse, values, counts = self._flat(), [], [], []
    for x in flat:
        if not values or x != values[-1]:
            values.append(x)
            counts.append(0)
        counts[-1] += 1
        inverse.append(len(values) - 1)
    found = [_create.tensor(values, dtype=self.dtype)]
    if return_inverse:
        found.append(_create.tensor(inverse, dtype=_dtype.int64).reshape(self.shape))
    if return_counts:
        found.append(_create.tensor(counts, dtype=_dtype.int64))
    return found[0] if len(found) == 1 else tuple(found)


def bincount(self, weights=None, minlength=0):
    if self.dtype.category != 1:
        raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{_dtype.NAMES[self.dtype.name]}'")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if self.dim() != 1 or any(x < 0 for x in self._flat()):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    flat = self._flat()
    size = max([minlength, *(x + 1 for x in flat)])
    shares = _dtype.float32 if getattr(weights, "dtype", None) is _dtype.float32 else _dtype.float64
    base = _create.zeros(size, dtype=_dtype.int64 if weights is None else shares)
    source = _create.ones_like(self) if weights is None else weights
    return call("index_add", base, 0, self, source.to(base.dtype))


def diff(self, n=1, dim=-1, prepend=None, append=None):
    if not self.dim():
        raise RuntimeError("diff expects input to be at least one-dimensional")
    parts = [t for t in (prepend, self, append) if t is not None and (n or t is self)]
    self = call("cat", parts, dim) if len(parts) > 1 else self
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    for _ in range(min(n, self.shape[dim])):
        length = self.shape[dim]
        after, before = (_slices.narrow(self, dim, start, length - 1) for start in (1, 0))
        self = after ^ before if self.dtype == _dtype.bool_ else after - before
    return self


def msort(self):
    return call("sort", self, 0).values


def sort(self, dim=-1, descending=False):
    return call("sort", self, dim, descending)  # which is stable


def argsort(self, dim=-1, descending=False):
    return call("sort", self, dim, descending).indices


def histc(self, bins=100, min=0, max=0):
    if not self.dtype.is_floating_point:
        raise NotImplementedError(f"\"histogram_cpu\" not implemented for '{_dtype.NAMES[self.dtype.name]}'")
    if not self.numel():
        return self.new_zeros(bins)
    low, high = (min, max) if min != max else (self.min().item(), self.max().item())
    low, high = (low - 1, high + 1) if low == high else (low, high)
    places = ((self - low) / (high - low) * bins).floor().clamp(0, bins - 1).to(_dtype.int64)
    inside = (self >= low) & (self <= high)
    return bincount(places[inside], minlength=bins).to(self.dtype)


def isin(elements, test_elements, *, invert=False):
    elements, test_elements = (
        t if isinstance(t, Tensor) else _create.tensor(t) for t in (elements, test_elements)
    )
    if _is_bool(elements) or _is_bool(test_elements):
        raise RuntimeError("Unsupported input type encountered for isin(): Bool")
    found = (elements.unsqueeze(-1) == test_elements.reshape(-1)).any(-1)
    return ~found if invert else found
