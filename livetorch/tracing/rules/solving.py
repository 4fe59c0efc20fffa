"""Operators that are made of others: pseudoinverse, least squares, searches, a loss."""

from collections.abc import Callable

import torch
from torch import Tensor


def pseudoinverse(
    self: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None, hermitian: bool = False
) -> Tensor:
    """Invert what can be inverted: (..., m, n) -> (..., n, m)."""
    self = self.tril() + self.tril(-1).mT if hermitian else self  # torch looks at one half
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
    if driver == "gels":
        known = (rank == min(rows, columns)) | (self == 0).all(-1).all(-1)  # of zeros torch gives 0
        torch._assert_async(known.all(), "the matrix does not have full rank")
        rank = rank.new_zeros(0)
    return solution, left, rank, self.new_zeros(0)


def _search(
    sorted_sequence: Tensor,
    self: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    if sorter is None:
        return NotImplemented
    row = sorted_sequence.gather(-1, sorter)
    return torch.searchsorted(row, self, out_int32=out_int32, right=right, side=side)


def _reduced(losses: Tensor, reduction: int) -> Tensor:
    return (losses, losses.mean(), losses.sum())[reduction]


def _over_margin(gaps: Tensor, p: int = 1, weight: Tensor | float = 1.0) -> Tensor:
    """Count what is above 0; NaN is not, and counts nothing."""
    return torch.where(gaps > 0, weight * gaps**p, 0)


def _multilabel(input: Tensor, target: Tensor, reduction: int) -> tuple[Tensor, Tensor]:
    """Do what torch's own decomposition does wrong where a row of targets ends with -1."""
    rows, goals = torch.atleast_2d(input), torch.atleast_2d(target)
    size = rows.shape[1]
    counted = (goals == -1).cumsum(-1) == 0
    places = torch.where(counted, goals, 0)
    is_goal = ((torch.arange(size) == places.unsqueeze(-1)) & counted.unsqueeze(-1)).any(1)
    gaps = _over_margin(1 - rows.gather(-1, places).unsqueeze(-1) + rows.unsqueeze(1)) / size
    losses = torch.where(counted.unsqueeze(-1) & ~is_goal.unsqueeze(1), gaps, 0).sum((1, 2))
    loss = _reduced(losses.reshape(target.shape[:-1]), reduction)
    return loss, is_goal.to(input.dtype).reshape(target.shape)


def _multi_margin(
    self: Tensor,
    target: Tensor,
    p: float = 1,
    margin: float = 1,
    weight: Tensor | None = None,
    reduction: int = 1,
) -> Tensor:
    rows, goals = torch.atleast_2d(self), torch.atleast_1d(target).unsqueeze(1)
    gaps = margin - rows.gather(1, goals) + rows
    gaps = _over_margin(gaps, int(p), 1.0 if weight is None else weight[goals])
    size = rows.shape[1]
    losses = torch.where(torch.arange(size) == goals, 0, gaps).sum(1) / size
    return _reduced(losses.reshape(target.shape), reduction)


RULES: dict[str, Callable] = {
    "aten.linalg_pinv.atol_rtol_tensor": pseudoinverse,
    "aten.linalg_lstsq.default": least_squares,
    "aten.searchsorted.Tensor": _search,
    "aten.multi_margin_loss.default": _multi_margin,
    "aten.multilabel_margin_loss_forward.default": _multilabel,
}
