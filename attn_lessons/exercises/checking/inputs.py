"""Inputs for checks: small, always the same, and different enough that each mistake shows."""

import itertools
import math

import torch
from torch import Tensor

VARIANT = 0  # a class whose homework is graded with numbers of its own sets another one (tools/course)


def numbers(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> Tensor:
    """Give numbers between -2 and 2, rounded to two decimals so that a reader can type them in."""
    generator = torch.Generator().manual_seed(seed + 1_000_003 * VARIANT)
    drawn = torch.rand(*shape, generator=generator, dtype=torch.float64) * 4 - 2
    return drawn.round(decimals=2).to(dtype)


def softmax_rows(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Compute weights slowly, one row and one exponential at a time; a row without keys is all 0."""
    weights = torch.zeros(scores.shape, dtype=torch.float64)
    for index in itertools.product(*(range(size) for size in scores.shape[:-1])):
        row = scores[index].tolist()
        keys = [j for j in range(len(row)) if mask is None or mask[index][j]]
        highest = max((row[j] for j in keys), default=0.0)
        heights = {j: math.exp(row[j] - highest) for j in keys}
        for j in keys:
            weights[(*index, j)] = heights[j] / sum(heights.values())
    return weights.to(scores.dtype)
