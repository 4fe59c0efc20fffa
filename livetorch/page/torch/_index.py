"""Indexing of all kinds: numbers and slices make views, tensors and lists pick."""

from __future__ import annotations

from torch import _dtype, _handle, _record, _slices, _views
from torch._autograd import is_grad_enabled
from torch._call import call
from torch._tensor import Tensor


def _tensor_of(value) -> Tensor:
    from torch._create import tensor

    return value if isinstance(value, Tensor) else tensor(value)


def _parts(self: Tensor, place) -> list:
    """Give one entry for each step of an index, with the ellipsis written out."""
    parts = list(place) if isinstance(place, tuple) else [place]
    parts = [
        (_tensor_of(p) if p else _tensor_of(p).to(_dtype.int64)) if isinstance(p, list) else p for p in parts
    ]
    used = sum(
        1 if not isinstance(p, Tensor) or p.dtype.category else p.dim()
        for p in parts
        if p is not None and p is not ... and not isinstance(p, bool)
    )
    if used > self.dim():
        raise IndexError(f"too many indices for tensor of dimension {self.dim()}")
    if not any(p is ... for p in parts):
        parts.append(...)
    at = next(k for k, p in enumerate(parts) if p is ...)
    return [*parts[:at], *[slice(None)] * (self.dim() - used), *(p for p in parts[at + 1 :] if p is not ...)]


def _places(mask: Tensor) -> list[Tensor]:
    """Give the places where a mask is true, an index for each of its axes."""
    return list(nonzero(mask, as_tuple=True))


def nonzero(self: Tensor, *, as_tuple: bool = False):
    """Find the places that are not 0."""
    from torch._create import tensor

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


def _split(self: Tensor, place) -> tuple[Tensor, list]:
    """Take numbers, slices and new axes as a view; give it and a picking tensor (or None) for each of its axes."""
    axis, picks, whole = 0, [], self
    for part in _parts(self, place):
        if part is None or isinstance(part, bool):
            whole = _views.unsqueeze(whole, axis)
            picks.append(None if part is not False else _tensor_of([]).to(_dtype.int64))
            axis += 1
        elif isinstance(part, slice):
            cut = slice(*(None if edge is None else int(edge) for edge in (part.start, part.stop, part.step)))
            whole = whole if cut == slice(None) else _slices.slice_(whole, axis, cut)
            picks.append(None)
            axis += 1
        elif isinstance(part, Tensor) and part.dtype == _dtype.bool_:
            if tuple(part.shape) != tuple(whole.shape[axis : axis + part.dim()]):
                raise IndexError(
                    f"The shape of the mask {list(part.shape)} at index 0 does not match the shape of the indexed tensor {list(whole.shape)} at index {axis}"
                )
            picks += _places(part)
            axis += part.dim()
        elif isinstance(part, Tensor) and part.dim():
            if part.dtype.category != 1:
                raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
            picks.append(part)
            axis += 1
        elif hasattr(part, "__index__"):
            whole = _slices.select(whole, axis, part.__index__())
        else:
            raise IndexError(
                f"only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {type(part).__name__})"
            )
    return whole, picks


def get(self: Tensor, place):
    """``self[place]``."""
    whole, picks = _split(self, place)
    if not any(pick is not None for pick in picks):
        return _views.alias(whole) if whole is self else whole
    if all(pick is None or pick.numel() for pick in picks):
        return call("index", whole, picks)
    return whole.new_zeros(_picked_shape(whole, picks))


def _picked_shape(whole: Tensor, picks: list) -> list[int]:
    """Give the shape of an empty pick: the place of the picked axes is where the first one stood, if they are side by side."""
    chosen = [k for k, pick in enumerate(picks) if pick is not None]
    rest = [whole.shape[k] if k >= len(picks) or picks[k] is None else None for k in range(whole.dim())]
    side = chosen == list(range(chosen[0], chosen[-1] + 1))
    at = chosen[0] if side else 0
    kept = [length for length in rest if length is not None]
    return [*kept[:at], *max((picks[k].shape for k in chosen), key=len), *kept[at:]]


def put(self: Tensor, place, value) -> None:
    """``self[place] = value``."""
    if not isinstance(value, Tensor):
        value = _tensor_of(value).to(self.dtype)
    tracked = is_grad_enabled() and (self.requires_grad or value.requires_grad)
    recorder = _record.current()
    recorded = recorder is not None and (recorder.depends(self) or recorder.depends(value))
    if tracked or recorded:
        if tracked and self._node is None and self.requires_grad:
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place operation."
            )
        if tracked and self._base is not None:
            raise NotImplementedError(
                "writing into a view that wants a gradient is not in the page's torch; write into the whole tensor."
            )
        from torch._inplace import take_over

        spots = call("arange", self.numel()).reshape(self.shape)
        chosen = get(spots, place)
        flat = call(
            "index_put",
            self.reshape(-1),
            [chosen.reshape(-1)],
            _fit(value, chosen.shape).reshape(-1).to(self.dtype),
        )
        take_over(self, flat.reshape(self.shape))
        return
    whole, picks = _split(self, place)
    if any(pick is not None for pick in picks):
        if not all(pick is None or pick.numel() for pick in picks):
            return
        result = call("index_put", whole, picks, value.to(self.dtype))
    else:
        result = _fit(value, whole.shape)
    _handle.write(whole._handle, result.detach()._handle)
    self._store.version += 1


def _fit(value: Tensor, shape) -> Tensor:
    while value.dim() > len(shape) and value.shape[0] == 1:
        value = value[0]
    try:
        return _views.expand(value, shape)
    except RuntimeError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(value.shape)} cannot be broadcast to indexing result of shape {list(shape)}"
        ) from None
