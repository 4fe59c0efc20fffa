"""How far two tensors are apart, and when that is next to nothing."""

from __future__ import annotations

import torch
from torch import Tensor


def close(got: Tensor, want: Tensor, tolerance: float) -> bool:
    """Tell whether floats are as near as a share of the largest of them, and other numbers equal."""
    if not (want.is_floating_point() or want.is_complex()):
        return torch.equal(got, want)
    got, want = got.double(), want.double()
    finite = want[want.isfinite()].abs()
    size = float(finite.amax()) if finite.numel() else 0.0
    return torch.allclose(got, want, rtol=tolerance, atol=tolerance * size, equal_nan=True)


def same(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    """Tell whether two calls gave the same outputs."""
    return list(one) == list(other) and all(
        one[name].shape == want.shape and one[name].dtype == want.dtype and close(one[name], want, 1e-6)
        for name, want in other.items()
    )


def gap(got: Tensor, want: Tensor) -> float:
    """Give the largest difference; infinite where only one of two numbers is finite, or the shapes differ."""
    if got.shape != want.shape:
        return float("inf")
    got, want = got.detach().double(), want.double()
    odd = got.isfinite() != want.isfinite()
    odd |= ~got.isfinite() & ~want.isfinite() & ~torch.isclose(got, want, equal_nan=True)
    if odd.any():
        return float("inf")
    difference = (got - want).nan_to_num(0.0, 0.0, 0.0).abs()
    return float(difference.amax()) if difference.numel() else 0.0


def share(got: Tensor, want: Tensor) -> float:
    """Give the largest difference as a share of the largest number."""
    finite = want.double()[want.isfinite()].abs()
    size = float(finite.amax()) if finite.numel() else 0.0
    off = gap(got, want)
    return off / size if size else (0.0 if off == 0 else float("inf"))


def nudged(tensor: Tensor, sign: int) -> Tensor:
    """Move each number by a few of its last bits, neighbours in opposite directions."""
    if not tensor.is_floating_point():
        return tensor
    ways = torch.arange(tensor.numel()).reshape(tensor.shape) % 3 - 1
    ways = torch.where(ways == 0, sign, ways * sign)
    moved = tensor.detach() * (1 + 4 * torch.finfo(tensor.dtype).eps * ways).to(tensor.dtype)
    return moved.requires_grad_(tensor.requires_grad)
