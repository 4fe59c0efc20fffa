"""In-place operators: what is computed is written into the tensor's memory, and the tape follows."""

from __future__ import annotations

from torch import _dtype, _handle, _record
from torch._autograd import is_grad_enabled
from torch._tensor import Tensor


def take_over(self: Tensor, result: Tensor) -> Tensor:
    """Write a result into a tensor and let its gradient go the result's way."""
    recorder = _record.current()
    place = (
        recorder.ref(result) if recorder and (recorder.depends(result) or recorder.depends(self)) else None
    )
    _handle.write(self._handle, result._handle)
    self._store.version += 1
    if recorder:
        recorder.written(self, place)
    if result._node is not None:  # else nothing was on the tape, and a parameter stays one
        self._node, self._number, self.requires_grad = result._node, result._number, True
    return self


def in_place(name: str, function):
    """Make ``name_`` of a function that gives a new tensor."""

    def write(self: Tensor, *args, **kwargs) -> Tensor:
        wants = self.requires_grad or any(getattr(a, "requires_grad", False) is True for a in args)
        if is_grad_enabled() and wants:
            if self.requires_grad and self._node is None:
                raise RuntimeError(
                    "a leaf Variable that requires grad is being used in an in-place operation."
                )
            if self._base is not None:
                raise NotImplementedError(
                    f"{name}_ on a view that wants a gradient is not in the page's torch; write into the whole tensor."
                )
        tracked = is_grad_enabled() and wants  # a rule may want the numbers that stood here before
        before = (
            Tensor._of(_handle.call("clone.default", [self._handle, None])[0])
            if tracked
            else Tensor._of(self._handle, self._store)
        )
        before._node, before._number, before.requires_grad = self._node, self._number, self.requires_grad
        result = function(before, *args, **kwargs)
        if tuple(result.shape) != tuple(self.shape):
            raise RuntimeError(
                f"output with shape {list(self.shape)} doesn't match the broadcast shape {list(result.shape)}"
            )
        if not _dtype.can_cast(result.dtype, self.dtype):
            names = {"bool": "Bool", "int64": "Long", "float32": "Float", "float64": "Double"}
            raise RuntimeError(
                f"result type {names.get(result.dtype.name, result.dtype.name)} can't be cast to the desired output type {names.get(self.dtype.name, self.dtype.name)}"
            )
        return take_over(self, result if result.dtype == self.dtype else result.to(self.dtype))

    return write
