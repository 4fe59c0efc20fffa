"""Views: other shapes and strides of the same memory, and the way back of their gradients."""

import math

from torch import _dtype, _handle, _record
from torch._autograd import remember
from torch._call import call
from torch._form import axis_of
from torch._shapes import filled, strides_for
from torch._tensor import Tensor


def ints(values: tuple) -> list[int]:
    """Read sizes or axes given one by one or as one list."""
    if len(values) == 1 and isinstance(values[0], tuple | list):
        values = values[0]
    return [int(v) for v in values]


def whole(self: Tensor) -> Tensor:
    """Give all the numbers of the memory that a tensor is a part of."""
    return Tensor._of(_handle.view(self._handle, [self._handle.storage.data.length], [1], 0), self._store)


def part(whole: Tensor, shape, strides, offset: int, requires_grad: bool) -> Tensor:
    """Give a part of a memory that was read from a file."""
    made = Tensor._of(_handle.view(whole._handle, shape, strides, offset), whole._store)
    return made.requires_grad_(requires_grad)


def _view(name: str, self: Tensor, shape, strides, offset: int, told: str | None = None, **more) -> Tensor:
    """Make a view, on the tape under its name; ``told`` is what torch calls it."""
    made = Tensor._of(_handle.view(self._handle, shape, strides, offset), self._store)
    made._base, made._taped = self if self._base is None else self._base, self._store.taped
    made._many = {"unbind": "Unbind", "split": "Split"}.get(told, self._many)
    if recorder := _record.current():
        recorder.view(name, self, made, more)
    if name == "as_strided":
        more = {"whole": self._form(), "part": made._form()}
    remember(name, {"self": self, **more}, [made], name=told)
    return made


def places(whole: tuple, part: tuple) -> Tensor:
    """Count where the numbers of a view lie in a tensor; both are given as shape, strides and offset."""
    end = 1 + max(
        at + sum((n - 1) * s for n, s in zip(shape, step, strict=True)) for shape, step, at in (whole, part)
    )
    with _record.paused():
        table = call("zeros", [end], dtype=_dtype.int64)
        spots = call("arange", math.prod(whole[0])).reshape(whole[0])
    _handle.write(_handle.view(table._handle, *whole), spots._handle)
    return reshape(Tensor._of(_handle.view(table._handle, *part)), -1)


def as_strided(self, size, stride, storage_offset=None):
    return _view(
        "as_strided",
        self,
        list(size),
        list(stride),
        self.storage_offset() if storage_offset is None else storage_offset,
    )


def alias(self):
    return _view("reshape", self, self.shape, self.stride(), self.storage_offset(), "alias")


def view(self, size, told="view"):
    if isinstance(size, _dtype.dtype):
        from torch._bytes import as_bytes

        return as_bytes(self, size)
    wanted = filled(ints((size,)), self.numel())
    strides = strides_for(self, wanted)
    if strides is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return _view("reshape", self, wanted, strides, self.storage_offset(), told)


def reshape(self, shape):
    wanted = filled(ints((shape,)), self.numel())
    if strides_for(self, wanted) is None:
        return view(call("clone", self, memory_format="dense"), wanted, told="unsafe_view")
    return view(self, wanted)


def view_as(self, other):
    return view(self, other.shape)


def reshape_as(self, other):
    return reshape(self, other.shape)


def flatten(self, start_dim=0, end_dim=-1):
    start, end = axis_of(start_dim, self.dim()), axis_of(end_dim, self.dim())
    if not self.dim():
        return reshape(self, 1)
    if start == end:
        return self
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    return reshape(
        self, [*self.shape[:start], math.prod(self.shape[start : end + 1]), *self.shape[end + 1 :]]
    )


def ravel(self):
    return reshape(self, -1)


def unflatten(self, dim, sizes):
    axis = axis_of(dim, self.dim())
    try:
        inner = filled(list(sizes), self.shape[axis])
    except RuntimeError:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {axis} ({self.shape[axis]}) in the input tensor"
        ) from None
    return reshape(self, [*self.shape[:axis], *inner, *self.shape[axis + 1 :]])


def unsqueeze(self, dim):
    axis = axis_of(dim, self.dim() + 1)
    strides = list(self.stride())
    step = strides[axis] * self.shape[axis] if axis < self.dim() else 1
    return _view(
        "reshape",
        self,
        [*self.shape[:axis], 1, *self.shape[axis:]],
        [*strides[:axis], step, *strides[axis:]],
        self.storage_offset(),
        "unsqueeze",
    )


def squeeze(self, dim=None):
    dims = (
        range(self.dim())
        if dim is None
        else [axis_of(d, self.dim()) for d in ints((dim,) if isinstance(dim, int) else (list(dim),))]
    )
    kept = [axis for axis in range(self.dim()) if axis not in dims or self.shape[axis] != 1]
    strides = self.stride()
    return _view(
        "reshape",
        self,
        [self.shape[a] for a in kept],
        [strides[a] for a in kept],
        self.storage_offset(),
        "squeeze" if dim is None else f"squeeze*{1 if isinstance(dim, int) else 2}",
    )


def expand(self, size):
    size = ints((size,))
    extra = len(size) - self.dim()
    if extra < 0:
        raise RuntimeError(
            f"expand({self.dtype}{list(self.shape)}, size={size}): the number of sizes provided ({len(size)}) must be greater or equal to the number of dimensions in the tensor ({self.dim()})"
        )
    strides, shape = [0] * extra + list(self.stride()), [1] * extra + list(self.shape)
    for axis, wanted in enumerate(size):
        if wanted == -1:
            if axis < extra:
                raise RuntimeError(
                    f"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {axis}"
                )
            size[axis] = shape[axis]
        elif shape[axis] != wanted:
            if shape[axis] != 1:
                raise RuntimeError(
                    f"The expanded size of the tensor ({wanted}) must match the existing size ({shape[axis]}) at non-singleton dimension {axis}.  Target sizes: {size}.  Tensor sizes: {list(self.shape)}"
                )
            strides[axis] = 0
    return _view("expand", self, size, strides, self.storage_offset())


def expand_as(self, other):
    return expand(self, other.shape)


broadcast_to = expand
