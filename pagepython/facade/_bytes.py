"""Numbers as bytes, little endian, and back."""

import base64
import struct

from torch import _dtype, _handle
from torch._create import tensor
from torch._tensor import Tensor

LETTERS = {
    "bool": "?", "uint8": "B", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "float16": "e", "float32": "f", "float64": "d"
}  # fmt: skip


def as_bytes(self: Tensor, kind: _dtype.dtype) -> Tensor:
    """Give the bytes of a tensor, as ``view(torch.uint8)`` does."""
    if kind != _dtype.uint8 or self.dim() > 1:
        raise NotImplementedError("of view(dtype) the page's torch has view(torch.uint8) of a vector.")
    if self.dtype == _dtype.bfloat16:
        raw = b"".join(struct.pack("<f", x)[2:] for x in self._flat())
    else:
        raw = struct.pack(f"<{self.numel()}{LETTERS[self.dtype.name]}", *self._flat())
    return tensor(list(raw), dtype=_dtype.uint8)


def from_numpy(ndarray) -> Tensor:
    """Give the tensor that holds an array's numbers."""
    if type(ndarray).__name__ != "ndarray":
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    from numpy._array import forwards

    return forwards(ndarray).detach()


def frombuffer(buffer, *, dtype, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """Read numbers from bytes."""
    raw = bytes(buffer)[offset:]
    count = len(raw) // dtype.itemsize if count == -1 else count
    raw = raw[: count * dtype.itemsize]
    made = Tensor._of(_handle.bridge.decode(base64.b64encode(raw).decode("ascii"), dtype.name, count))
    return made.requires_grad_(requires_grad)
