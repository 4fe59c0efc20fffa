"""Draws shapes, tensors and arguments for the property tests of the runtime's operators.

Hypothesis chooses shapes, axes, flags and a seed; the values of a tensor come from that seed, so that an
example stays small and shrinks to a small shape.
"""

from dataclasses import dataclass, field
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

FLOATS = ("float32", "float32", "float32", "float64", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int64", "int16", "int8", "uint8")
PLACES = ("int64", "int32")  # what torch takes as an index
ANY = ("float32", "float32", "float64", "float16", "bfloat16", *INTEGERS, "bool")


@dataclass
class Case:
    """Arguments of one call of an operator."""

    args: list
    kwargs: dict = field(default_factory=dict)
    loose: bool = False  # float32 rounding alone may move the result: compare against the largest value


class Draw:
    """What a case is drawn with."""

    def __init__(self, draw):
        self._draw = draw
        self._generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))

    def int(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))

    def bool(self) -> bool:
        return self._draw(st.booleans())

    def pick(self, options: Any) -> Any:
        return self._draw(st.sampled_from(list(options)))

    def shape(self, min_rank=0, max_rank=4, min_side=0, max_side=4) -> list[int]:
        sides = st.integers(min_side, max_side)
        if min_side == 0:  # most examples have elements
            sides = st.sampled_from([1, 2, 3, 4, 2, 3, 4, 5, 1, 0])
        return self._draw(st.lists(sides, min_size=min_rank, max_size=max_rank))

    def axis(self, rank: int) -> int:
        limit = max(rank, 1)
        return self.int(-limit, limit - 1)

    def axes(self, rank: int, min_size=0) -> list[int]:
        if rank == 0:
            return []
        chosen = self._draw(st.lists(st.integers(0, rank - 1), unique=True, min_size=min_size, max_size=rank))
        return [axis - rank if self.bool() else axis for axis in chosen]

    def order(self, rank: int) -> list[int]:
        return self._draw(st.permutations(range(rank)))

    def values(self, shape, low=-3.0, high=3.0) -> Tensor:
        """Uniform float64 values."""
        return low + (high - low) * torch.rand(shape, generator=self._generator, dtype=torch.float64)

    def tensor(self, shape=None, dtype="float32", low=-3.0, high=3.0, odd=False) -> Tensor:
        """A tensor; `odd` sprinkles NaN, infinities and zeros of both signs over floats."""
        shape = self.shape() if shape is None else shape
        if dtype == "bool":
            return self.values(shape, 0, 1) > 0.5
        values = self.values(shape, low, high)
        if "int" in dtype:  # by way of int64: what does not fit wraps
            return values.round().to(torch.int64).to(getattr(torch, dtype))
        if odd and self.bool():
            strange = torch.tensor(
                [float("nan"), float("inf"), float("-inf"), 0.0, -0.0], dtype=torch.float64
            )
            which = torch.randint(0, 5, shape, generator=self._generator)
            values = torch.where(self.values(shape, 0, 1) < 0.3, strange[which], values)
        return values.to(getattr(torch, dtype))

    def distinct(self, shape, dtype="float32") -> Tensor:
        """Values of which no two are equal, so that an order or an extreme has one answer."""
        count = torch.Size(shape).numel()
        values = torch.randperm(count, generator=self._generator).to(torch.float64) - count / 2
        return (values / 4).reshape(shape).to(getattr(torch, dtype))

    def index(self, shape, length: int, dtype="int64", negative=False) -> Tensor:
        """Integers that are places on an axis of a length."""
        low = -length if negative else 0
        return torch.randint(low, max(length, 1), shape, generator=self._generator).to(getattr(torch, dtype))

    def part_of(self, shape, min_rank=0) -> list[int]:
        """A shape that broadcasts with (and to) `shape`."""
        kept = shape[self.int(0, max(0, len(shape) - min_rank)) :]
        return [1 if self.int(0, 3) == 0 else length for length in kept]

    def pair_of_shapes(self, max_rank=4) -> tuple[list[int], list[int]]:
        """Two shapes that broadcast together, in either order."""
        shape = self.shape(max_rank=max_rank)
        kind = self.int(0, 3)
        if kind == 0:
            return shape, list(shape)
        if kind == 1:
            return shape, self.part_of(shape)
        if kind == 2:
            return self.part_of(shape), shape
        both = [(1, n) if self.bool() else (n, 1) for n in shape]
        return [a for a, _ in both], [b for _, b in both]

    def number(self, low=-3, high=3, kinds=("int", "float", "bool")) -> Any:
        """A Python number, a weak operand."""
        kind = self.pick(kinds)
        if kind == "bool":
            return self.bool()
        if kind == "int":
            return self.int(low, high)
        return self.pick([float(self.int(low, high)), round(self._draw(st.floats(low, high)), 3)])
