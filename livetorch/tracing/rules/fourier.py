"""Discrete Fourier transforms on pairs of real numbers, by the runtime's own operator.

A page has no complex numbers: a pair holds the real and the imaginary part.
"""

from collections.abc import Sequence
from math import prod, sqrt

import torch
from torch import Tensor

from livetorch.program.fourier import fourier

Pair = tuple[Tensor, Tensor]
_BY_ROOT = 1  # torch's numbers for `norm`: 0 leaves sums as they are, 1 divides by sqrt(n), 2 by n


def _scaled(part: Tensor, normalization: int, count: int) -> Tensor:
    if normalization == 0:
        return part
    return part * (1 / sqrt(count) if normalization == _BY_ROOT else 1 / count)


def _along(real: Tensor, imaginary: Tensor | None, dim: Sequence[int], forward: bool) -> Pair:
    axes = sorted(axis % real.dim() for axis in dim)
    return fourier(real.contiguous(), None if imaginary is None else imaginary.contiguous(), forward, axes)


def complex_to_complex(self: Pair, dim: Sequence[int], normalization: int, forward: bool) -> Pair:
    """Transform along several axes."""
    if not dim:
        return self
    count = prod(self[0].shape[axis] for axis in dim)
    real, imaginary = _along(*self, dim, forward)
    return _scaled(real, normalization, count), _scaled(imaginary, normalization, count)


def real_to_complex(self: Pair, dim: Sequence[int], normalization: int, onesided: bool) -> Pair:
    """Transform real numbers; one-sided leaves out the half of the last axis that mirrors the other."""
    count = prod(self[0].shape[axis] for axis in dim)
    pair = _along(self[0], None, dim, True)
    if onesided:
        half = self[0].shape[dim[-1]] // 2 + 1
        pair = pair[0].narrow(dim[-1], 0, half), pair[1].narrow(dim[-1], 0, half)
    return _scaled(pair[0], normalization, count), _scaled(pair[1], normalization, count)


def complex_to_real(self: Pair, dim: Sequence[int], normalization: int, last_dim_size: int) -> Tensor:
    """Transform back to `last_dim_size` real numbers, of which only one half is given."""
    count = prod([self[0].shape[axis] for axis in dim[:-1]] + [last_dim_size])
    last = dim[-1]
    real, imaginary = complex_to_complex(self, dim[:-1], 0, False)
    half, mirrored = last_dim_size // 2 + 1, (last_dim_size - 1) // 2
    real, imaginary = real.narrow(last, 0, half), imaginary.narrow(last, 0, half).clone()
    # the ends stand for themselves alone, and are read as real; each number between them has a mirror
    ends = torch.ones(half, dtype=real.dtype)
    ends[0] = 0
    if last_dim_size % 2 == 0:
        ends[-1] = 0
    imaginary = (imaginary.movedim(last, -1) * ends).movedim(-1, last)
    tail = [part.narrow(last, 1, mirrored).flip([last]) for part in (real, imaginary)]
    whole = torch.cat([real, tail[0]], last), torch.cat([imaginary, -tail[1]], last)
    return _scaled(_along(*whole, [last], False)[0], normalization, count)
