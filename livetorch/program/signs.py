"""One sign for each eigenvector and singular vector: torch leaves it open.

Here, as in the page, the first of a vector's largest entries is positive, and singular vectors beyond the
number of singular values are what the others leave of unit vectors.
"""

import torch
from torch import Tensor

aten = torch.ops.aten
_LARGEST = 0.999  # as large as the largest entry, whatever the last bits say


def signs(columns: Tensor) -> Tensor:
    """Give the sign of each column: (..., rows, columns) -> (..., 1, columns).

    >>> signs(torch.tensor([[-1.0, 0.5], [1.0, 2.0]]))
    tensor([[-1.,  1.]])
    """
    if not columns.numel():
        return columns.new_ones(*columns.shape[:-2], 1, columns.shape[-1])
    sizes = columns.abs()
    large = sizes >= _LARGEST * sizes.amax(-2, keepdim=True)
    first = large.to(torch.int8).argmax(-2, keepdim=True)
    return torch.where(columns.gather(-2, first) < 0, -1.0, 1.0).to(columns.dtype)


def eigh(A: Tensor, UPLO: str = "L", compute_v: bool = True) -> tuple[Tensor, Tensor]:
    """Decompose a symmetric matrix: (..., n, n) -> (..., n) and (..., n, n)."""
    values, vectors = aten._linalg_eigh.default(A, UPLO, compute_v)
    return (values, vectors * signs(vectors)) if compute_v else (values, vectors)


def svd(
    A: Tensor,
    full_matrices: bool = False,
    compute_uv: bool = True,
    *,
    driver: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Decompose a matrix: (..., m, n) -> (..., m, k), (..., k), (..., k, n)."""
    u, sizes, vh = aten._linalg_svd.default(A, full_matrices, compute_uv, driver=driver)
    if not compute_uv:
        return u, sizes, vh
    count = sizes.shape[-1]
    both = signs(u[..., :count])
    rest = _beyond(u, count)
    v = _beyond(vh.mT, count)
    u = torch.cat([u[..., :count] * both, rest * signs(rest)], -1)
    return u, sizes, torch.cat([vh[..., :count, :] * both.mT, (v * signs(v)).mT], -2)


def _beyond(columns: Tensor, count: int) -> Tensor:
    """Give directions at right angles to the first `count`: (..., m, n) -> (..., m, n - count)."""
    found = columns[..., :count].double()
    for _ in range(columns.shape[-1] - count):
        left = 1 - found.square().sum(-1)
        most = left >= _LARGEST * left.amax(-1, keepdim=True)
        at = most.to(torch.int8).argmax(-1, keepdim=True)
        row = found.gather(-2, at.unsqueeze(-1).expand(*at.shape, found.shape[-1]))
        rest = torch.zeros_like(left).scatter(-1, at, 1.0) - (found * row).sum(-1)
        rest = rest / rest.norm(dim=-1, keepdim=True)
        found = torch.cat([found, rest.unsqueeze(-1)], -1)
    return found[..., count:].to(columns.dtype)
