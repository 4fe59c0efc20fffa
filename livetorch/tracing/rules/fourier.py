"""Discrete Fourier transforms as products with matrices of cosines and sines, on pairs of real numbers.

A page has no complex numbers: a pair holds the real and the imaginary part. The matrices depend on sizes
only, so they are constants of the Program; a transform of n numbers takes n * n products.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, prod, sqrt

import torch
from torch import Tensor

Pair = tuple[Tensor, Tensor]
_LAST_BITS = 1e-14  # a sine that small is 0, so that real signals have real ends
_BY_ROOT = 1  # torch's numbers for `norm`: 0 leaves sums as they are, 1 divides by sqrt(n), 2 by n


def _waves(rows: int, size: int, like: Tensor) -> Pair:
    """Cosines and sines of 2 pi r c / size: (rows, size) each."""
    turns = torch.arange(rows)[:, None] * torch.arange(size) % size  # whole turns left out, for exact angles
    angles = turns.double() * (2 * pi / size)
    waves = (torch.where(wave.abs() < _LAST_BITS, 0, wave) for wave in (angles.cos(), angles.sin()))
    cos, sin = (wave.to(like.dtype) for wave in waves)
    return cos, sin


def _scale(normalization: int, count: int) -> float:
    return 1.0 if normalization == 0 else 1 / sqrt(count) if normalization == _BY_ROOT else 1 / count


def _along(pair: Pair, dim: int, forward: bool) -> Pair:
    """Transform along one axis."""
    real, imaginary = (part.movedim(dim, -1) for part in pair)
    size = real.shape[-1]
    cos, sin = _waves(size, size, real)
    sin = -sin if forward else sin
    new = real @ cos - imaginary @ sin, real @ sin + imaginary @ cos
    return new[0].movedim(-1, dim), new[1].movedim(-1, dim)


def complex_to_complex(self: Pair, dim: Sequence[int], normalization: int, forward: bool) -> Pair:
    """Transform along several axes."""
    scale = _scale(normalization, prod(self[0].shape[axis] for axis in dim))
    for axis in dim:
        self = _along(self, axis, forward)
    return self[0] * scale, self[1] * scale


def real_to_complex(self: Pair, dim: Sequence[int], normalization: int, onesided: bool) -> Pair:
    """Transform real numbers; one-sided leaves out the half of the last axis that mirrors the other."""
    scale = _scale(normalization, prod(self[0].shape[axis] for axis in dim))
    rows = self[0].movedim(dim[-1], -1)
    size = rows.shape[-1]
    cos, sin = _waves(size // 2 + 1 if onesided else size, size, rows)
    pair = rows @ cos.T, 0 - rows @ sin.T  # 0 - 0 is 0, and never -0, whose angle is another
    pair = pair[0].movedim(-1, dim[-1]), pair[1].movedim(-1, dim[-1])
    real, imaginary = complex_to_complex(pair, dim[:-1], 0, True)
    return real * scale, imaginary * scale


def complex_to_real(self: Pair, dim: Sequence[int], normalization: int, last_dim_size: int) -> Tensor:
    """Transform back to `last_dim_size` real numbers, of which only one half is given."""
    sizes = [self[0].shape[axis] for axis in dim[:-1]] + [last_dim_size]
    real, imaginary = (part.movedim(dim[-1], -1) for part in complex_to_complex(self, dim[:-1], 0, False))
    half = last_dim_size // 2 + 1
    cos, sin = _waves(half, last_dim_size, real)
    twice = torch.full((half, 1), 2.0, dtype=real.dtype)  # each number but the ends stands for its mirror too
    twice[0] = 1
    if last_dim_size % 2 == 0:
        twice[-1] = 1
    out = real[..., :half] @ (cos * twice) - imaginary[..., :half] @ (sin * twice)
    return out.movedim(-1, dim[-1]) * _scale(normalization, prod(sizes))
