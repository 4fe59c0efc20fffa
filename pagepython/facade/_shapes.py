"""Other shapes of the same numbers: what stands for -1, and whether the memory can stay."""

import math


def filled(shape: list[int], numel: int) -> list[int]:
    """Put a number in for -1."""
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    known = math.prod(s for s in shape if s != -1)
    if -1 in shape and known and numel % known == 0:
        shape = [numel // known if s == -1 else s for s in shape]
    if math.prod(shape) != numel or -1 in shape:
        raise RuntimeError(f"shape '{shape}' is invalid for input of size {numel}")
    return shape


def _dense(shape) -> list[int]:
    return [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]


def strides_for(self, shape: list[int]) -> list[int] | None:
    """Give strides that show the same memory in another shape, or None where there are none.

    Axes that follow each other without a gap form a block; each block has to be cut into new axes by itself.
    """
    if self.numel() == 0 or self.is_contiguous():
        return _dense(shape)
    old = [(length, step) for length, step in zip(self.shape, self.stride(), strict=True) if length != 1]
    strides, axis = [0] * len(shape), len(shape) - 1
    while old:
        length, base = old.pop()
        while old and old[-1][1] == length * base:
            length *= old.pop()[0]
        done = 1
        while axis >= 0 and (done < length or shape[axis] == 1):
            strides[axis] = done * base
            done, axis = done * shape[axis], axis - 1
        if done != length:
            return None
    return strides
