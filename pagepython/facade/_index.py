"""Indexing of all kinds: numbers and slices make views, tensors and lists pick."""

import math

from torch import _dtype, _record, _slices, _views
from torch._autograd import remember
from torch._call import call
from torch._create import as_tensor, broadcast_shapes, tensor
from torch._dtype import NAMES
from torch._inplace import apart, take_over, tracked
from torch._tensor import Tensor


def _is_truth(part) -> bool:
    return isinstance(part, Tensor) and part.dtype == _dtype.bool_ and not part.dim()


def _is_part(value) -> bool:
    return value is None or value is ... or isinstance(value, list | tuple | slice | range | Tensor)


def _parts(self: Tensor, place) -> list:
    """Give one entry for each step of an index, with the ellipsis written out."""
    if isinstance(place, list) and len(place) < 32 and any(_is_part(p) for p in place):
        place = tuple(place)  # a list of lists or slices stands for a tuple of them
    parts = [
        as_tensor(p)
        if hasattr(p, "_held")
        else tensor(p if p else [], dtype=None if p else _dtype.int64)
        if isinstance(p, list | tuple | range)
        else p
        for p in (place if isinstance(place, tuple) else [place])
    ]
    parts = [p.bool() if isinstance(p, Tensor) and p.dtype == _dtype.uint8 else p for p in parts]
    used = sum(
        1 if not isinstance(p, Tensor) or p.dtype.category else p.dim()
        for p in parts
        if p is not None and p is not ... and not isinstance(p, bool)
    )
    if used and not self.dim():
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
            "convert a 0-dim tensor to a number"
        )
    if used > self.dim():
        raise IndexError(f"too many indices for tensor of dimension {self.dim()}")
    if not any(p is ... for p in parts):
        parts.append(...)
    at = next(k for k, p in enumerate(parts) if p is ...)
    return [*parts[:at], *[slice(None)] * (self.dim() - used), *(p for p in parts[at + 1 :] if p is not ...)]


def places(mask: Tensor) -> list[Tensor]:
    """Give the places where a mask is true, an index for each of its axes."""
    return list(nonzero(mask, as_tuple=True))


def nonzero(self: Tensor, *, as_tuple: bool = False):
    """Find the places that are not 0."""
    shape, flat = self.shape, self._flat()
    found = [k for k, value in enumerate(flat) if value]
    columns, step = [], 1
    for length in reversed(shape):
        columns.insert(0, [k // step % length for k in found])
        step *= length
    if as_tuple:
        return (
            tuple(tensor(column, dtype=_dtype.int64) for column in columns)
            if shape
            else (tensor([0] * len(found), dtype=_dtype.int64),)
        )
    rows = [list(row) for row in zip(*columns, strict=True)] if shape else [[] for _ in found]
    return tensor(rows, dtype=_dtype.int64).reshape(len(found), len(shape))


def _follows(part: Tensor) -> bool:
    """Tell whether a single place depends on an input that is recorded: the page looks it up again each time."""
    recorder = _record.current()
    return recorder is not None and recorder.depends(part)


def _said_place(place, parts: list, step: int) -> int:
    """Count the steps of an index as it was written, with its ellipsis as one."""
    written = place if isinstance(place, tuple) else (place,)
    before = next((k for k, p in enumerate(written) if p is ...), len(parts))
    return step if step < before else len(written) - (len(parts) - step)


def _split(self: Tensor, place, backwards: bool = False) -> tuple[Tensor, list]:
    """Take numbers, slices and new axes as a view; give it and a picking tensor (or None) for each of its axes."""
    axis, picks, whole, parts = 0, [], self, _parts(self, place)
    for step, part in enumerate(parts):
        if part is None or isinstance(part, bool) or _is_truth(part):
            whole = _views.unsqueeze(whole, axis)
            # a bool picks one place of the new axis or none: what comes out is a copy, as of any mask
            picks.append(None if part is None else tensor([0] if part else [], dtype=_dtype.int64))
            axis += 1
        elif isinstance(part, slice):
            edges = part.start, part.stop, part.step
            if any(edge is not None and not hasattr(edge, "__index__") for edge in edges):
                raise TypeError("slice indices must be integers or None or have an __index__ method")
            cut = slice(*(None if edge is None else edge.__index__() for edge in edges))
            whole = whole if cut == slice(None) else _slices.slice_(whole, axis, cut, backwards=backwards)
            picks.append(None)
            axis += 1
        elif isinstance(part, Tensor) and part.dtype == _dtype.bool_:
            for k, length in enumerate(part.shape):
                if length != whole.shape[axis + k]:
                    raise IndexError(
                        f"The shape of the mask {list(part.shape)} at index {k} does not match the shape of the indexed tensor {list(whole.shape)} at index {axis + k}"
                    )
            picks += places(part)
            axis += part.dim()
        elif isinstance(part, Tensor) and part.dtype.category != 1:
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        elif isinstance(part, Tensor) and (part.dim() or _follows(part)):
            picks.append(part)
            axis += 1
        elif hasattr(part, "__index__") and not isinstance(part, type):
            if not -whole.shape[axis] <= part.__index__() < whole.shape[axis]:
                raise IndexError(
                    f"index {part.__index__()} is out of bounds for dimension {_said_place(place, parts, step)} "
                    f"with size {whole.shape[axis]}"
                )
            whole = _slices.select(whole, axis, part.__index__())
        else:
            if isinstance(part, str) and len(part) > whole.dim() == self.dim():
                raise IndexError(f"too many indices for tensor of dimension {whole.dim()}")
            if isinstance(part, str):
                raise TypeError("new(): invalid data type 'str'")
            raise IndexError(
                f"only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {type(part).__name__})"
            )
    return whole, picks


def get(self: Tensor, place, *, backwards: bool = False):
    """``self[place]``; only NumPy reads backwards."""
    whole, picks = _split(self, place, backwards)
    if not any(pick is not None for pick in picks):
        return _views.alias(whole) if whole is self else whole
    shape = picked_shape(whole, picks)
    return call("index", whole, picks) if math.prod(shape) else whole.new_zeros(shape)


def picked_shape(whole: Tensor, picks: list) -> list[int]:
    """Give the shape of a pick: the place of the picked axes is where the first one stood, if they are side by side."""
    chosen = [k for k, pick in enumerate(picks) if pick is not None]
    if any(whole.shape[k] == 0 and picks[k].numel() for k in chosen):
        raise IndexError("index is out of bounds for dimension with size 0")
    rest = [whole.shape[k] if k >= len(picks) or picks[k] is None else None for k in range(whole.dim())]
    at = chosen[0] if chosen == list(range(chosen[0], chosen[-1] + 1)) else 0
    kept = [length for length in rest if length is not None]
    try:
        spread = broadcast_shapes(*(picks[k].shape for k in chosen))
    except RuntimeError:
        shapes = ", ".join(str(list(picks[k].shape)) for k in chosen)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None
    return [*kept[:at], *spread, *kept[at:]]


def put(self: Tensor, place, value, *, backwards: bool = False) -> None:
    """``self[place] = value``."""
    if isinstance(value, list | tuple | str | None) or (
        hasattr(value, "__setitem__") and not isinstance(value, Tensor)
    ):
        raise TypeError(f"can't assign a {type(value).__name__} to a torch.{NAMES[self.dtype.name]}Tensor")
    if not isinstance(value, Tensor):
        from torch._convert import fits

        if self.dtype != _dtype.float16:  # of which a number too large makes infinity here
            fits(value, self.dtype)
        exact = self.dtype is _dtype.float64 and isinstance(
            value, float
        )  # a number of Python has all its digits
        value = tensor(value, dtype=_dtype.float64 if exact else None)
    whole, picks = _split(self, place, backwards)
    if value.dim() == 0 or not any(pick is not None for pick in picks):
        value = value.to(self.dtype)
    apart(whole, value)
    if any(pick is not None for pick in picks):
        shape = picked_shape(whole, picks)
        if not math.prod(shape):
            fit(value, shape)
            return
        result = call("index_put", whole, picks, value)
    else:
        result = Tensor._of(fit(value, whole.shape, "")._handle)
        if tracked(whole, value):
            remember("copy", {"self": whole, "src": value}, [result])
        if recorder := _record.current():
            recorder.same(value, result)
    take_over(whole, result)


def fit(value: Tensor, shape, kind: str = "picked") -> Tensor:
    while value.dim() > len(shape) and value.shape[0] == 1:
        value = value[0]
    try:
        return _views.expand(value, shape)
    except RuntimeError:
        if not kind:
            raise
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(value.shape)} cannot be broadcast to indexing result of shape {list(shape)}"
        ) from None
