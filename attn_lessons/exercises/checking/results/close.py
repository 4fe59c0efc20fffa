"""Tell whether two results are the same up to rounding."""

import torch
from torch import Tensor

_TOLERANCE = {torch.float16: 4e-3, torch.bfloat16: 3e-2}


def close(one: Tensor, other: Tensor, atol: float = 0.0) -> bool:
    """Tell whether two results are the same up to rounding (NaN equals NaN)."""
    if one.shape != other.shape:
        return False
    allowed = max(_TOLERANCE.get(one.dtype, 1e-4), _TOLERANCE.get(other.dtype, 1e-4))
    least = max(allowed / 4, atol)
    return torch.allclose(one.double(), other.double(), rtol=allowed, atol=least, equal_nan=True)


def same(ones: tuple[Tensor, ...], others: tuple[Tensor, ...]) -> bool:
    """Tell whether several results are the same, dtypes included."""
    return len(ones) == len(others) and all(
        one.dtype == other.dtype and close(one, other) for one, other in zip(ones, others, strict=True)
    )
