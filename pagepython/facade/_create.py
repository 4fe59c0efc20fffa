"""Making tensors: of Python's numbers, of one value, in steps."""

from __future__ import annotations

import math

from torch import _dtype, _handle, _views
from torch._call import call
from torch._dtype import bool_, float32, int64
from torch._tensor import Tensor


def _read(data, shape: list, flat: list, depth: int, kinds: set) -> None:
    """Walk nested lists, collecting numbers and checking that they make a block."""
    if isinstance(data, Tensor):
        data = data.tolist() if data.dim() else data.item()
    if isinstance(data, list | tuple | range):
        if len(shape) == depth:
            shape.append(len(data))
        elif shape[depth] != len(data):
            raise ValueError(f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})")
        for one in data:
            _read(one, shape, flat, depth + 1, kinds)
        return
    if not isinstance(data, bool | int | float):
        if hasattr(data, "__float__"):
            data = float(data)
        else:
            raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if depth < len(shape):
        raise ValueError(f"expected sequence of length {shape[depth]} at dim {depth} (got a number)")
    kinds.add(type(data))
    flat.append(data)


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False) -> Tensor:
    """Make a tensor of nested lists of numbers."""
    if isinstance(data, Tensor):
        made = data.detach().clone() if dtype is None else data.detach().clone().to(dtype)
    else:
        shape, flat, kinds = [], [], set()
        _read(data, shape, flat, 0, kinds)
        if dtype is None:
            kind = float if float in kinds or not kinds else int if int in kinds else bool
            dtype = _tensor_type(data) or _dtype.of_python(kind)
        for x in flat:
            if x.__class__ is int and abs(x) > 2**53:
                raise _handle.beyond(x)
        made = Tensor._of(_handle.from_numbers([float(x) for x in flat], shape, dtype.name))
    return made.requires_grad_() if requires_grad else made


def _tensor_type(data):
    """Give the type of the first tensor in a list of tensors."""
    while isinstance(data, list | tuple) and data:
        data = data[0]
    return data.dtype if isinstance(data, Tensor) else None


def as_tensor(data, dtype=None, device=None) -> Tensor:
    if isinstance(data, Tensor):
        return data if dtype is None or data.dtype == dtype else data.to(dtype)
    return tensor(data, dtype=dtype)


asarray = as_tensor


def _made(name: str, size: tuple, dtype, requires_grad: bool, *values) -> Tensor:
    made = call(name, _views.ints(size), *values, dtype=dtype or _dtype.get_default_dtype())
    return made.requires_grad_() if requires_grad else made


def zeros(*size, dtype=None, device=None, requires_grad=False, **kwargs) -> Tensor:
    return _made("zeros", size or (kwargs["size"],), dtype, requires_grad)


def ones(*size, dtype=None, device=None, requires_grad=False, **kwargs) -> Tensor:
    return _made("ones", size or (kwargs["size"],), dtype, requires_grad)


def empty(*size, dtype=None, device=None, requires_grad=False, memory_format=None, **kwargs) -> Tensor:
    return _made("zeros", size or (kwargs["size"],), dtype, requires_grad)


def full(size, fill_value, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    if isinstance(fill_value, Tensor):
        fill_value, dtype = _filling("full", fill_value), dtype or fill_value.dtype
    if dtype is not None:
        from torch._convert import fits

        fits(fill_value, dtype)
    return _made("full", (size,), dtype or _dtype.of_python(type(fill_value)), requires_grad, fill_value)


def _filling(name: str, value):
    """Give the number to fill with: a number, or a tensor without axes that no gradient goes through."""
    if isinstance(value, Tensor) and not value.dim() and not value.requires_grad:
        return value.item()
    if not isinstance(value, bool | int | float | complex):
        kind = "Tensor" if isinstance(value, Tensor) else type(value).__name__
        raise TypeError(f"{name}(): argument 'fill_value' (position 2) must be Number, not {kind}")
    return value


def eye(n, m=None, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    made = call("eye", n, n if m is None else m, dtype=dtype or _dtype.get_default_dtype())
    return made.requires_grad_() if requires_grad else made


def _number(value):
    return value.item() if isinstance(value, Tensor) else value


def arange(*args, dtype=None, device=None, requires_grad=False, **named) -> Tensor:
    start, end, step = 0, None, 1
    if len(args) == 1:
        (end,) = args
    elif len(args) == 2:
        start, end = args
    elif args:
        start, end, step = args
    start, end, step = (_number(named.get(k, v)) for k, v in (("start", start), ("end", end), ("step", step)))
    if dtype is None:
        dtype = _dtype.get_default_dtype() if any(isinstance(v, float) for v in (start, end, step)) else int64
    if step == 0 or (end - start) / step < 0:
        raise RuntimeError(
            "upper bound and lower bound inconsistent with step sign" if step else "step must be nonzero"
        )
    made = call("arange", start, end, step, dtype=dtype)
    return made.requires_grad_() if requires_grad else made


def linspace(start, end, steps, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    made = call("linspace", _number(start), _number(end), steps, dtype=dtype or _dtype.get_default_dtype())
    return made.requires_grad_() if requires_grad else made


def logspace(start, end, steps, base=10.0, *, dtype=None, device=None) -> Tensor:
    powers = call("linspace", _number(start), _number(end), steps, dtype=_dtype.float64)
    return call("pow", base, powers).to(dtype or _dtype.get_default_dtype())


def _like(name: str):
    def make(self: Tensor, *, dtype=None, device=None, requires_grad=False, memory_format=None) -> Tensor:
        made = call(name, self.detach(), dtype=dtype)
        return made.requires_grad_() if requires_grad else made

    return make


zeros_like, ones_like, empty_like = _like("zeros_like"), _like("ones_like"), _like("zeros_like")


def full_like(self: Tensor, fill_value, *, dtype=None, device=None, requires_grad=False) -> Tensor:
    return full(
        self.shape, _filling("full_like", fill_value), dtype=dtype or self.dtype, requires_grad=requires_grad
    )


def new_zeros(self, *size, dtype=None, **more):
    return zeros(*size, dtype=dtype or self.dtype, **more)


def new_ones(self, *size, dtype=None, **more):
    return ones(*size, dtype=dtype or self.dtype, **more)


def new_empty(self, *size, dtype=None, **more):
    return zeros(*size, dtype=dtype or self.dtype, **more)


def new_full(self, size, fill_value, dtype=None, **more):
    return full(size, fill_value, dtype=dtype or self.dtype, **more)


def new_tensor(self, data, dtype=None, **more):
    return tensor(data, dtype=dtype or self.dtype, **more)


def tril_indices(row, col=None, offset=0, *, dtype=int64, device=None):
    return call("tril_indices", row, row if col is None else col, offset, dtype=dtype)


def triu_indices(row, col=None, offset=0, *, dtype=int64, device=None):
    return call("triu_indices", row, row if col is None else col, offset, dtype=dtype)


def scalar_tensor(s, *, dtype=None, device=None) -> Tensor:
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
    shape = broadcast_shapes(*(t.shape for t in tensors))
    return [_views.expand(t, shape) for t in tensors]


def broadcast_shapes(*shapes):
    from torch._form import Size

    rank = max((len(s) for s in shapes), default=0)
    out = [1] * rank
    for shape in shapes:
        for axis, length in enumerate(shape, rank - len(shape)):
            if length != 1 and out[axis] not in (1, length):
                raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
            out[axis] = length if length != 1 else out[axis]
    return Size(out)
