"""Factors that are made of others: pseudoinverse and least squares."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


def pseudoinverse(
    self: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False
) -> Tensor:
    """Invert what can be inverted: (..., m, n) -> (..., n, m)."""
    u, sizes, vh = torch.linalg.svd(self, full_matrices=False)
    if not sizes.shape[-1]:
        return self.mT
    least = torch.finfo(self.dtype).eps * max(self.shape[-2:]) if atol is None else 0.0
    share = torch.as_tensor(least if rtol is None else rtol, dtype=self.dtype).unsqueeze(-1)
    bound = share * sizes.amax(-1, keepdim=True)
    if atol is not None:
        bound = torch.maximum(bound, atol.to(self.dtype).unsqueeze(-1))
    kept = sizes > bound
    inverse = torch.where(kept, 1 / torch.where(kept, sizes, 1), 0)
    return (vh.mT * inverse.unsqueeze(-2)) @ u.mT


def least_squares(
    self: Tensor, b: Tensor, rcond: float | None = None, *, driver: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Solve A x = b as well as it goes: (..., m, n) and (..., m, k) -> (..., n, k), and more."""
    rows, columns = self.shape[-2:]
    share = torch.finfo(self.dtype).eps * max(rows, columns) if rcond is None else rcond
    solution = torch.linalg.pinv(self, rtol=share) @ b
    sizes = torch.linalg.svdvals(self)
    rank = (sizes > share * sizes.amax(-1, keepdim=True)).sum(-1)
    known = rows > columns and driver not in (None, "gelsy")  # when torch gives what is left over
    left = (self @ solution - b).square().sum(-2) if known else self.new_zeros(0)
    return solution, left, rank, self.new_zeros(0)


RULES: dict[str, Callable] = {
    "aten.linalg_pinv.atol_rtol_tensor": pseudoinverse,
    "aten.linalg_lstsq.default": least_squares,
}
