"""Write what the lessons read: maps as whole numbers."""

import numpy as np
import torch
from torch import Tensor

from attn_lessons.studies.minilm.readings import PARTS


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
