"""``torch.linalg``."""

from __future__ import annotations

from torch._absent import refuser
from torch._call import RESULTS, call
from torch._reduce import norm


def inv(A):
    return call("linalg_inv_ex", A)[0]


def det(A):
    return call("_linalg_det", A)[0]


def solve(A, B, *, left=True):
    vector = B.dim() == 1 or (B.dim() == A.dim() - 1 and tuple(B.shape) == tuple(A.shape[:-1]))
    found = call("_linalg_solve_ex", A, B.unsqueeze(-1) if vector else B)[0]
    return found.squeeze(-1) if vector else found


def svd(A, full_matrices=True):
    return RESULTS["_linalg_svd"](*call("_linalg_svd", A, full_matrices))


def svdvals(A):
    return call("_linalg_svd", A, False)[1]


def eigh(A, UPLO="L"):
    return RESULTS["_linalg_eigh"](*call("_linalg_eigh", A, UPLO))


def eigvalsh(A, UPLO="L"):
    return call("_linalg_eigh", A, UPLO)[0]


def qr(A, mode="reduced"):
    return call("linalg_qr", A, mode)


def cholesky(A, *, upper=False):
    return call("cholesky", A, upper)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    return call("linalg_vector_norm", x, ord, [dim] if isinstance(dim, int) else dim, keepdim)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False):
    if ord == "fro":
        return call("linalg_vector_norm", A, 2, list(dim), keepdim)
    if ord in (2, "nuc"):
        values = svdvals(A)
        return values.sum(-1) if ord == "nuc" else values.amax(-1)
    raise NotImplementedError(f"matrix_norm with ord={ord!r} is not in the page's torch.")


def pinv(A, *, rtol=None, hermitian=False):
    u, s, vh = svd(A, full_matrices=False)
    limit = (rtol if rtol is not None else max(A.shape[-2:]) * _eps(A)) * s.amax(-1, keepdim=True)
    turned = call("where", s > limit, 1 / s, s * 0)
    return (vh.mT * turned.unsqueeze(-2)) @ u.mT


def matrix_rank(A, *, tol=None, rtol=None, hermitian=False):
    s = svdvals(A)
    limit = (
        tol
        if tol is not None
        else (rtol if rtol is not None else max(A.shape[-2:]) * _eps(A)) * s.amax(-1, keepdim=True)
    )
    return (s > limit).sum(-1)


def lstsq(A, B, *, rcond=None, driver=None):
    from collections import namedtuple

    solution = pinv(A) @ (B.unsqueeze(-1) if B.dim() == 1 else B)
    empty = A.new_zeros([0])
    return namedtuple("lstsq", "solution residuals rank singular_values")(
        solution, empty, matrix_rank(A), empty
    )


def _eps(t) -> float:
    from torch._dtype import finfo

    return finfo(t.dtype).eps


__all__ = ["norm"]


__getattr__ = refuser(__name__)
