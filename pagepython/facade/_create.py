"""Making tensors: of Python's numbers, of one value, in steps."""

import functools
import math
import warnings

from torch import _dtype, _handle, _views
from torch._call import call
from torch._dtype import bool_, float32, int64
from torch._tensor import Tensor


def _read(data, shape: list, flat: list, depth: int, kinds: set) -> None:
    """Walk nested lists, collecting numbers and checking that they make a block."""
    if isinstance(data, Tensor):
        if data.numel() != 1 or data.dim() > 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        kinds.add(data.dtype)
        data, kinds = data.item(), set()
    if hasattr(data, "_held"):
        kinds.add(data.dtype._of)
        data, kinds = data.tolist(), set()
    if _is_sequence(data):
        if len(shape) == depth:
            if flat:  # a number stood where now a list stands
                whole = isinstance(flat[-1], int)
                raise TypeError(
                    f"'{type(data).__name__}' object cannot be interpreted as an integer"
                    if whole
                    else f"must be real number, not {type(data).__name__}"
                )
            shape.append(len(data))
        elif shape[depth] != len(data):
            raise ValueError(f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})")
        for one in _parts(data):
            _read(one, shape, flat, depth + 1, kinds)
        return
    if not isinstance(data, bool | int | float | complex):
        if hasattr(data, "__float__") and type(data).__module__ not in ("decimal", "fractions"):
            data = float(data)
        elif isinstance(data, str) and depth and not flat:
            raise ValueError("too many dimensions 'str'")
        elif isinstance(data, str | bytes):
            raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
        else:
            raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    if depth < len(shape):
        raise TypeError("not a sequence")
    kinds.add(_dtype.of_python(type(data)))
    flat.append(data)


def _is_sequence(data) -> bool:
    """Tell whether PyTorch reads something as a list: what Python indexes by places, and no text or table."""
    return isinstance(data, list | tuple) or (
        hasattr(type(data), "__getitem__") and not isinstance(data, dict | str | bytes | Tensor)
    )


def _parts(data):
    """Give what stands at the places of a sequence."""
    if hasattr(data, "keys"):  # a table that is no dict
        raise ValueError(f"could not determine the shape of object type '{type(data).__name__}'")
    return data if hasattr(data, "__iter__") else [data[k] for k in range(len(data))]


def tensor(data, *, dtype=None, requires_grad=False) -> Tensor:
    """Make a tensor of nested lists of numbers."""
    data = _held(data)
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            stacklevel=4,
        )
        made = data.detach().clone() if dtype is None else data.detach().clone().to(dtype)
    else:
        shape, flat, kinds = [], [], set()
        _read(data, shape, flat, 0, kinds)
        if dtype is None:
            dtype = functools.reduce(_dtype.promote_types, kinds or {_dtype.get_default_dtype()})
        if not dtype.is_complex and any(isinstance(x, complex) for x in flat):
            raise RuntimeError("value cannot be converted to type float without overflow")
        if dtype.is_complex:
            from torch._complex import of_numbers

            made = of_numbers(flat, shape, dtype)
            return made._wanting() if requires_grad else made
        from torch._convert import fits

        for x in flat:
            if dtype.category == 1 and (dtype.itemsize < 8 or x.__class__ is not int):
                fits(x, dtype, "")
        made = Tensor._of(_handle.from_numbers(flat, shape, dtype.name))
    return made._wanting() if requires_grad else made


def _held(data):
    """Give the tensor that a NumPy array holds; anything else as it is."""
    if not hasattr(data, "_held"):
        return data
    from numpy._array import forwards

    return forwards(data)


def as_tensor(data, dtype=None) -> Tensor:
    data = _held(data)
    if isinstance(data, Tensor):
        return data if dtype is None or data.dtype == dtype else data.to(dtype)
    return tensor(data, dtype=dtype)


asarray = as_tensor


def sizes(size) -> list:
    """Give the lengths of what is to be made, none of them negative."""
    for length in (size := _views.ints((size,))):
        if length < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {length}: {size}")
    return size


def _filled(name: str):
    def make(size, *, dtype=None) -> Tensor:
        return call(name, sizes(size), dtype=dtype or _dtype.get_default_dtype())

    return make


def empty_strided(size, stride, *, dtype=None) -> Tensor:
    last = sum((n - 1) * s for n, s in zip(size, stride, strict=True)) if 0 not in size else -1
    return _views.as_strided(zeros([last + 1], dtype=dtype), size, stride).detach()


zeros, ones, empty = _filled("zeros"), _filled("ones"), _filled("zeros")


def full(size, fill_value, *, dtype=None) -> Tensor:
    if isinstance(fill_value, Tensor):
        fill_value, dtype = _filling("full", fill_value), dtype or fill_value.dtype
    if dtype is not None:
        from torch._convert import fits

        fits(fill_value, dtype)
    return call("full", sizes(size), fill_value, dtype=dtype or _dtype.of_python(type(fill_value)))


def _filling(name: str, value):
    """Give the number to fill with: a number, or a tensor without axes that no gradient goes through."""
    if isinstance(value, Tensor) and not value.dim() and not value.requires_grad:
        return value.item()
    if not isinstance(value, bool | int | float | complex):
        kind = "Tensor" if isinstance(value, Tensor) else type(value).__name__
        raise TypeError(f"{name}(): argument 'fill_value' (position 2) must be Number, not {kind}")
    return value


def eye(n, m=None, *, dtype=None) -> Tensor:
    return call("eye", n, n if m is None else m, dtype=dtype or _dtype.get_default_dtype())


def _number(value):
    return value.item() if isinstance(value, Tensor) else value


def arange(start, end=None, step=1, *, dtype=None) -> Tensor:
    start, end = (0, start) if end is None else (start, end)
    start, end, step = map(_number, (start, end, step))
    if dtype is None:
        dtype = _dtype.get_default_dtype() if any(isinstance(v, float) for v in (start, end, step)) else int64
    if step == 0 or (end - start) / step < 0:
        raise RuntimeError(
            "upper bound and lower bound inconsistent with step sign" if step else "step must be nonzero"
        )
    if (
        dtype is int64
        and all(isinstance(v, int) for v in (start, end, step))
        and max(abs(start), abs(end)) >= 2**52
    ):
        return tensor([*range(start, end, step)], dtype=dtype)  # no float64 holds each of these
    return call("arange", start, end, step, dtype=dtype)


def linspace(start, end, steps, *, dtype=None) -> Tensor:
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    return call("linspace", _number(start), _number(end), steps, dtype=dtype or _dtype.get_default_dtype())


def logspace(start, end, steps, base=10.0, *, dtype=None) -> Tensor:
    powers = linspace(start, end, steps, dtype=_dtype.float64)
    return call("pow", base, powers).to(dtype or _dtype.get_default_dtype())


def _like(name: str):
    def make(self: Tensor, *, dtype=None) -> Tensor:
        return call(name, self.detach(), dtype=dtype)

    return make


zeros_like, ones_like, empty_like = _like("zeros_like"), _like("ones_like"), _like("zeros_like")


def full_like(self: Tensor, fill_value, *, dtype=None) -> Tensor:
    return full(self.shape, _filling("full_like", fill_value), dtype=dtype or self.dtype)


def new_zeros(self, size, *, dtype=None):
    return zeros(size, dtype=dtype or self.dtype)


def new_ones(self, size, *, dtype=None):
    return ones(size, dtype=dtype or self.dtype)


new_empty = new_zeros


def new_full(self, size, fill_value, *, dtype=None):
    return full(size, fill_value, dtype=dtype or self.dtype)


def new_tensor(self, data, *, dtype=None, requires_grad=False):
    return tensor(data, dtype=dtype or self.dtype, requires_grad=requires_grad)


def tril_indices(row, col=None, offset=0, *, dtype=int64):
    return call("tril_indices", row, row if col is None else col, offset, dtype=dtype)


def triu_indices(row, col=None, offset=0, *, dtype=int64):
    return call("triu_indices", row, row if col is None else col, offset, dtype=dtype)


def scalar_tensor(s, *, dtype=None) -> Tensor:
    return tensor(s, dtype=dtype or (float32 if not isinstance(s, bool) else bool_))


def nextafter(self: Tensor, other: Tensor) -> Tensor:
    """Give the next number of the type towards another."""
    if self.dtype.name not in ("float16", "float32", "float64"):
        raise NotImplementedError(f"nextafter of {self.dtype} is not in the page's torch.")
    import struct

    one, whole = {"float16": ("e", "h"), "float32": ("f", "i"), "float64": ("d", "q")}[self.dtype.name]
    pairs = zip(*(t._flat() for t in call_broadcast(self, other)), strict=True)
    shape = call_broadcast(self, other)[0].shape

    def step(x: float, to: float) -> float:
        if math.isnan(x) or math.isnan(to) or x == to:
            return to if x == to else math.nan
        if x == 0:
            smallest = struct.unpack(one, struct.pack(whole, 1))[0]
            return smallest if to > 0 else -smallest
        bits = struct.unpack(whole, struct.pack(one, x))[0]
        return struct.unpack(one, struct.pack(whole, bits + (1 if (to > x) == (x > 0) else -1)))[0]

    return tensor([step(x, to) for x, to in pairs], dtype=self.dtype).reshape(shape)


def call_broadcast(*tensors: Tensor) -> list[Tensor]:
    """Give all tensors the shape that they broadcast to."""
    shape = ()
    for t in tensors:
        for axis, (a, b) in enumerate(zip(reversed(shape), reversed(t.shape), strict=False), 1):
            if a != b and 1 not in (a, b):
                raise RuntimeError(
                    f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension "
                    f"{max(len(shape), t.dim()) - axis}"
                )
        shape = broadcast_shapes(shape, t.shape)
    return [_views.expand(t, shape) for t in tensors]


def broadcast_shapes(*shapes):
    from torch._form import Size

    rank = max((len(s) for s in shapes), default=0)
    out = [1] * rank
    for place, shape in enumerate(shapes):
        for axis in range(-1, -len(shape) - 1, -1):
            if (length := shape[axis]) != 1 and out[axis] not in (1, length):
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {length} at {axis}! Mismatching argument at index {place} had "
                    f"{tuple(shape)}; but expected shape should be broadcastable to {out}"
                )
            out[axis] = length if length != 1 else out[axis]
    return Size(out)
