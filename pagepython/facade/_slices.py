"""Views of a part: one place of an axis, a stretch, a diagonal, windows."""

from torch._tensor import Tensor
from torch._views import _view, axis_of


def select(self, dim, index, told="select"):
    if not self.dim():
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    axis, index = axis_of(dim, self.dim()), int(index)
    length, strides = self.shape[axis], self.stride()
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for dimension {axis} with size {length}")
    index %= length
    return _view(
        "select", self, [*self.shape[:axis], *self.shape[axis + 1 :]], [*strides[:axis], *strides[axis + 1 :]],
        self.storage_offset() + index * strides[axis], told, dim=axis, index=index,
    )  # fmt: skip


def slice_(self, dim, place: slice, told="slice", *, backwards=False):
    axis = axis_of(dim, self.dim())
    if place.step is not None and place.step <= 0 and not backwards:
        raise ValueError("step must be greater than zero")
    start, stop, step = place.indices(self.shape[axis])
    shape, strides = list(self.shape), list(self.stride())
    offset = self.storage_offset() + start * strides[axis] * (start >= 0)
    shape[axis], strides[axis] = len(range(start, stop, step)), strides[axis] * step
    if step < 0:
        return _view("as_strided", self, shape, strides, offset, told)
    return _view(
        "slice", self, shape, strides, offset, told, dim=axis, start=start, stop=max(start, stop), step=step
    )


def narrow(self, dim, start, length):
    start = start + self.shape[dim] if start < 0 else start
    if start + length > self.shape[dim]:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({self.shape[dim]}).")
    return slice_(self, dim, slice(start, start + length))


def unbind(self, dim=0):
    return tuple(select(self, dim, place, "unbind") for place in range(self.shape[axis_of(dim, self.dim())]))


def split(self, split_size, dim=0):
    if not self.dim():
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if isinstance(split_size, Tensor) and not split_size.dim() and split_size.dtype.category == 1:
        split_size = int(split_size)
    if not isinstance(split_size, int | tuple | list):
        told = type(split_size).__name__
        raise TypeError(
            f"split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not {told}"
        )
    length = self.shape[axis_of(dim, self.dim())]
    if isinstance(split_size, int) and split_size <= 0 and (split_size or length):
        raise RuntimeError(
            f"split_size can only be 0 if dimension size is 0, but got dimension size of {length}"
            if not split_size
            else f"split expects split_size be non-negative, but got split_size={split_size}"
        )
    if isinstance(split_size, int) and split_size:
        parts = [min(split_size, length - start) for start in range(0, length, split_size)] or [0]
    else:
        parts = list(split_size) if split_size else [0]
        if sum(parts) != length:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {length} (input tensor's size at dimension {dim}), but got split_sizes={parts}"
            )
    ends = [sum(parts[: k + 1]) for k in range(len(parts))]
    return tuple(
        slice_(self, dim, slice(end - part, end), "split") for end, part in zip(ends, parts, strict=True)
    )


def chunk(self, chunks, dim=0):
    if chunks < 1:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    length = self.shape[axis_of(dim, self.dim())]
    return split(self, -(-length // chunks), dim) if length else (self,) * chunks


def diagonal(self, offset=0, dim1=0, dim2=1):
    first, second = axis_of(dim1, self.dim()), axis_of(dim2, self.dim())
    strides = self.stride()
    length = max(0, min(self.shape[first] + min(offset, 0), self.shape[second] - max(offset, 0)))
    start = self.storage_offset() + (offset * strides[second] if offset >= 0 else -offset * strides[first])
    rest = [axis for axis in range(self.dim()) if axis not in (first, second)]
    return _view(
        "as_strided", self, [*(self.shape[a] for a in rest), length], [*(strides[a] for a in rest), strides[first] + strides[second]],
        start if length else self.storage_offset(), "diagonal",
    )  # fmt: skip


def unfold(self, dimension, size, step):
    axis = axis_of(dimension, self.dim())
    shape, strides = list(self.shape), list(self.stride())
    if size > shape[axis]:
        raise RuntimeError(f"maximum size for tensor at dimension {axis} is {shape[axis]} but size is {size}")
    shape[axis] = (shape[axis] - size) // step + 1
    new = [*strides, strides[axis]]
    new[axis] = strides[axis] * step
    return _view(
        "as_strided",
        self,
        [*shape, size],
        new,
        self.storage_offset(),
        "unfold",
    )
