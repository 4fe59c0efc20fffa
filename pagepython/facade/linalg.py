"""``torch.linalg``."""

import math

from torch import _methods, _record, _surface
from torch._absent import missing
from torch._call import RESULTS, call, result_type
from torch._dtype import NAMES


def _recording() -> bool:
    """Tell whether an operator is to raise an error itself, in the Program that is recorded."""
    return _record.current() is not None


def _checked(found, told: str):
    """Give the first of an operator's results, unless its report, the last, names a row that has none."""
    rows = [] if _recording() else list(filter(None, found[-1]._flat()))
    if rows:
        raise LinAlgError(told.format(rows[0]))
    return found[0]


class LinAlgError(RuntimeError):
    """A matrix that has no such factor."""


LinAlgError.__name__ = "_LinAlgError"  # as PyTorch's, which is seen in a traceback


def inv(A):
    return _checked(
        call("linalg_inv_ex", A, _recording()),
        "linalg.inv: The diagonal element {} is zero, the inversion could not be completed because the input matrix is singular.",
    )


def det(A):
    return call("_linalg_det", A)[0]


def solve(A, B, *, left=True):
    if not left:
        return solve(A.mT, B.mT).mT
    vector = B.dim() == 1 or (B.dim() == A.dim() - 1 and tuple(B.shape) == tuple(A.shape[:-1]))
    rows = B.shape[-1 if vector else -2]
    if rows != A.shape[-1]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation AX = B ({A.shape[-2]}x{A.shape[-1]} and {rows}x{1 if vector else B.shape[-1]})"
        )
    found = _checked(
        call("_linalg_solve_ex", A, B.unsqueeze(-1) if vector else B, True, _recording()),
        "torch.linalg.solve: The solver failed because the input matrix is singular.",
    )
    return found.squeeze(-1) if vector else found


def svd(A, full_matrices=True):
    return RESULTS["_linalg_svd"](call("_linalg_svd", A, full_matrices))


def svdvals(A):
    return call("_linalg_svd", A, False)[1]


def eigh(A, UPLO="L"):
    return RESULTS["_linalg_eigh"](call("_linalg_eigh", A, UPLO))


def eigvalsh(A, UPLO="L"):
    return eigh(A, UPLO)[0]


def qr(A, mode="reduced"):
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    return call("linalg_qr", A, mode)


def cholesky(A, *, upper=False):
    return _checked(
        call("linalg_cholesky_ex", A, upper, _recording()),
        "linalg.cholesky: The factorization could not be completed because the input is not positive-definite (the leading minor "
        "of order {} is not positive-definite).",
    )


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    if x.dtype.category < 2:
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {NAMES[x.dtype.name]}"
        )
    return call(
        "linalg_vector_norm",
        x if dtype is None else x.to(dtype),
        ord,
        [dim] if isinstance(dim, int) else dim,
        keepdim,
    )


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False):
    if ord == "fro":
        return vector_norm(A, 2, list(dim), keepdim)
    if ord in (2, -2, "nuc"):
        values = svdvals(A.movedim(tuple(dim), (-2, -1)))
        found = values.sum(-1) if ord == "nuc" else values.amax(-1) if ord > 0 else values.amin(-1)
        for axis in sorted(d % A.dim() for d in dim) if keepdim else ():
            found = found.unsqueeze(axis)
        return found
    if ord in (1, -1, math.inf, -math.inf):
        rows, columns = (axis % A.dim() for axis in dim)
        first, second = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = A.abs().sum(first, keepdim=True)
        found = sums.amax(second, keepdim=True) if ord > 0 else sums.amin(second, keepdim=True)
        return found if keepdim else found.squeeze(max(rows, columns)).squeeze(min(rows, columns))
    if isinstance(ord, str):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    raise missing(f"ord={ord!r} of torch.linalg.matrix_norm")


def pinv(A, *, rtol=None):
    u, s, vh = svd(A, full_matrices=False)
    limit = (rtol if rtol is not None else max(A.shape[-2:]) * _eps(A)) * s.amax(-1, keepdim=True)
    turned = call("where", s > limit, 1 / s, s * 0)
    return (vh.mT * turned.unsqueeze(-2)) @ u.mT


def matrix_rank(A, *, tol=None, rtol=None):
    s = svdvals(A)
    limit = (
        tol
        if tol is not None
        else (rtol if rtol is not None else max(A.shape[-2:]) * _eps(A)) * s.amax(-1, keepdim=True)
    )
    return (s > limit).sum(-1)


def lstsq(A, B):
    solution = pinv(A) @ (B.unsqueeze(-1) if B.dim() == 1 else B)
    empty = A.new_zeros([0])
    kind = result_type("linalg_lstsq", ("solution", "residuals", "rank", "singular_values"))
    return kind((solution.squeeze(-1) if B.dim() == 1 else solution, empty, matrix_rank(A), empty))


def _eps(t) -> float:
    from torch._dtype import finfo

    return finfo(t.dtype).eps


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    if isinstance(dim, tuple | list) and len(dim) not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dim)}")
    pair = (isinstance(dim, tuple | list) and len(dim) == 2) or (
        dim is None and ord is not None and A.dim() == 2
    )
    if ord is not None and (pair or isinstance(ord, str)):
        return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim)
    if dim is None and ord is None and not keepdim:
        return vector_norm(A.reshape(-1), 2, dtype=dtype)
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


_surface.hold("linalg", globals())
__getattr__ = _methods.refuser(__name__)
