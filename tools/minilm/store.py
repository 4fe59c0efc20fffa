"""Write what the lessons read: maps as whole numbers, matrices of three values as bytes."""

import numpy as np
import torch
from torch import Tensor

from attn_lessons.studies.minilm.readings import PARTS
from attn_lessons.studies.minilm.small import FIVE


def in_parts(weights: Tensor) -> np.ndarray:
    """Round rows of weights to 65,535ths that still add up to 1: the largest remainders go up.

    Source: Hamilton's method of shares.

    Args:
        weights: (..., queries, keys), each row adding up to 1.
    Returns: uint16 of the same shape; each is less than one such part from its weight.

    >>> in_parts(torch.full((1, 3), 1 / 3))
    array([[21845, 21845, 21845]], dtype=uint16)
    """
    exact = weights.double()
    sums = exact.sum(dim=-1, keepdim=True)
    if not torch.allclose(sums, torch.ones_like(sums), atol=1e-5):
        worst = sums.flatten()[(sums.flatten() - 1).abs().argmax()].item()
        raise ValueError(f"the rows of weights must add up to 1, got a sum of {worst:.4f}.")
    exact = exact / sums * PARTS
    whole = exact.floor()
    missing = (PARTS - whole.sum(dim=-1, keepdim=True)).round()
    order = (whole - exact).argsort(dim=-1, stable=True).argsort(dim=-1)  # 0 for the largest remainder
    return (whole + (order < missing)).to(torch.int32).numpy().astype(np.uint16)


def packed(matrix: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """Store a matrix whose columns hold only -s, 0 and s: five numbers to a byte, and the scales.

    Args:
        matrix: (rows, columns), each scale a number that float16 holds.
    Returns: uint8 (ceil(rows / 5) + 1, columns), the last row telling how many rows were added to make it a
        multiple of five; and the scales, float16 (columns,).

    >>> from attn_lessons.studies.minilm.small import unpacked
    >>> array, scales = packed(torch.tensor([[0.5, 0.0], [-0.5, 2.0]]))
    >>> unpacked(array, scales)
    tensor([[ 0.5000,  0.0000],
            [-0.5000,  2.0000]])
    """
    scales = matrix.abs().amax(dim=0)
    signs = matrix.sign()
    if not torch.equal(signs * scales.half().float(), matrix):
        raise ValueError("each column of matrix must hold only -s, 0 and s with an s that float16 holds.")
    added, columns = -len(matrix) % 5, matrix.shape[1]
    digits = np.pad(signs.numpy().astype(np.int64) + 1, ((0, added), (0, 0))).reshape(-1, 5, columns)
    array = np.concatenate([(digits * FIVE[:, None]).sum(axis=1), np.full((1, columns), added)])
    return array.astype(np.uint8), scales.half().numpy()
