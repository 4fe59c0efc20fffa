"""Products of matrices and small linear algebra."""

import torch
from operator_draw import Case

from operator_cases.registry import cases

# ---------------- products
DOTTED = ("float32", "float32", "float32", "float64", "float16", "bfloat16", "int64")


def _matrices(d, *shapes, dtypes=DOTTED):
    dtype = d.pick(dtypes)
    return [d.tensor(list(shape), dtype) for shape in shapes]


def _sides(d, count=3):
    return [d.pick([1, 2, 3, 5, 7, 9, 0]) for _ in range(count)]


@cases("mm.default")
def _(d):
    m, k, n = _sides(d)
    return Case(_matrices(d, (m, k), (k, n)), loose=True)


@cases("bmm.default")
def _(d):
    b, m, k, n = _sides(d, 4)
    return Case(_matrices(d, (b, m, k), (b, k, n)), loose=True)


@cases("mv.default")
def _(d):
    m, k = _sides(d, 2)
    return Case(_matrices(d, (m, k), (k,)), loose=True)


@cases("dot.default", "vdot.default")
def _(d):
    (k,) = _sides(d, 1)
    return Case(_matrices(d, (k,), (k,), dtypes=("float32", "float64")), loose=True)


@cases("matmul.default")
def _(d):
    m, k, n = (d.int(1, 4) for _ in range(3))
    lead_a, lead_b = d.pair_of_shapes(max_rank=2)
    left = d.pick([[k], [m, k], [*lead_a, m, k]])
    right = d.pick([[k], [k, n], [*lead_b, k, n]])
    return Case(_matrices(d, left, right, dtypes=("float32", "float64", "int64")), loose=True)


@cases("linear.default")
def _(d):
    lead, (k, n) = d.shape(max_rank=3), (d.int(1, 4), d.int(1, 4))
    args = _matrices(d, (*lead, k), (n, k), (n,), dtypes=("float32", "float64"))
    return Case(d.pick([args, args[:2]]), loose=True)


FACTORS = [{}, {"beta": 0.5, "alpha": 2.0}, {"beta": 0, "alpha": 1}, {"alpha": 3}, {"beta": 2}]


@cases("addmm.default")
def _(d):
    m, k, n = _sides(d)
    bias = d.pick([(n,), (m, n), (1, n), (m, 1), ()])
    return Case(_matrices(d, bias, (m, k), (k, n)), _integral(d, FACTORS), loose=True)


def _integral(d, factors):
    """Factors that torch takes for integer matrices too."""
    return d.pick([factor for factor in factors if all(isinstance(v, int) for v in factor.values())])


@cases("baddbmm.default")
def _(d):
    b, m, k, n = _sides(d, 4)
    bias = d.pick([(n,), (b, m, n), (m, n), (b, 1, n)])
    return Case(_matrices(d, bias, (b, m, k), (b, k, n), dtypes=("float32",)), d.pick(FACTORS), loose=True)


@cases("addbmm.default")
def _(d):
    b, m, k, n = (d.int(1, 4) for _ in range(4))
    return Case(_matrices(d, (m, n), (b, m, k), (b, k, n), dtypes=("float32",)), d.pick(FACTORS), loose=True)


@cases("addmv.default")
def _(d):
    m, k = _sides(d, 2)
    return Case(_matrices(d, (m,), (m, k), (k,), dtypes=("float32",)), d.pick(FACTORS), loose=True)


# ---------------- small linear algebra
def _square(d, rank=2):
    n = d.int(1, 4)
    lead = d.shape(max_rank=rank, min_side=1, max_side=2)
    return d.tensor([*lead, n, n], d.pick(("float32", "float64"))) + 4 * torch.eye(n), lead, n


@cases("_linalg_det.default", "_linalg_slogdet.default", "linalg_inv_ex.default")
def _(d):
    return Case([_square(d)[0]], loose=True)


@cases("_linalg_solve_ex.default")
def _(d):
    a, lead, n = _square(d)
    dtype = str(a.dtype).removeprefix("torch.")
    cols = d.int(1, 3)
    if d.bool():
        return Case([a, d.tensor([*lead, n, cols], dtype)], loose=True)
    return Case([a, d.tensor([*lead, cols, n], dtype)], {"left": False}, loose=True)


def _positive(d):
    """Symmetric matrices that have a Cholesky factor."""
    a, lead, n = _square(d)
    return a @ a.mT + torch.eye(n), lead, n


@cases("linalg_cholesky_ex.default")
def _(d):
    a, _, _ = _positive(d)
    return Case([a], {"upper": d.bool()}, loose=True)


@cases("cholesky.default")
def _(d):
    a, _, _ = _positive(d)
    return Case([a, *d.pick([[], [True], [False]])], loose=True)


@cases("cholesky_inverse.default")
def _(d):
    a, _, _ = _positive(d)
    upper = d.bool()
    return Case([torch.linalg.cholesky(a, upper=upper), upper], loose=True)


@cases("cholesky_solve.default")
def _(d):
    a, lead, n = _positive(d)
    b = d.tensor([*d.part_of(lead), n, d.int(1, 3)], str(a.dtype).removeprefix("torch."))
    upper = d.bool()
    return Case([b, torch.linalg.cholesky(a, upper=upper), upper], loose=True)


@cases("linalg_solve_triangular.default")
def _(d):
    a, lead, n = _square(d)
    upper, left, unit = d.bool(), d.bool(), d.bool()
    a = a / 4  # with ones on the diagonal, large numbers beside it would blow up
    a = a.triu() if upper else a.tril()
    cols = d.int(1, 3)
    sides = [n, cols] if left else [cols, n]
    b = d.tensor([*d.part_of(lead), *sides], str(a.dtype).removeprefix("torch."))
    return Case([a, b], {"upper": upper, "left": left, "unitriangular": unit}, loose=True)


@cases("triangular_solve.default")
def _(d):
    a, lead, n = _square(d)
    b = d.tensor([*lead, n, d.int(1, 3)], str(a.dtype).removeprefix("torch."))
    upper = d.bool()
    return Case([b, a.triu() if upper else a.tril(), upper, d.bool()], loose=True)


@cases("linalg_qr.default")
def _(d):
    lead = d.shape(max_rank=2, min_side=1, max_side=2)
    a = d.tensor([*lead, d.int(1, 5), d.int(1, 5)], d.pick(("float32", "float64")))
    if d.bool():
        a[..., 1:, 0] = 0  # a column that needs no reflection
    return Case([a, d.pick(["reduced", "complete", "r"])], loose=True)


def _apart(d, rows, cols):
    """A matrix whose singular values lie apart: its singular vectors are known but for their signs."""
    k = min(rows, cols)
    q = [
        torch.linalg.qr(d.values([n, n]) + 4 * torch.eye(n, dtype=torch.float64)).Q[:, :k]
        for n in (rows, cols)
    ]
    return (q[0] * (1.0 + torch.arange(k))) @ q[1].mT


@cases("_linalg_svd.default")
def _(d):
    rows, cols = d.int(1, 4), d.int(1, 4)
    if abs(rows - cols) > 1:  # of two or more further vectors torch may choose any
        cols = rows
    parts = [_apart(d, rows, cols) for _ in range(d.int(1, 2))]
    a = torch.stack(parts).to(getattr(torch, d.pick(("float32", "float64"))))
    return Case([a if d.bool() else a[0], d.bool(), d.pick([True, True, False])], loose=True)


@cases("_linalg_eigh.default")
def _(d):
    n = d.int(1, 5)
    q = torch.linalg.qr(d.values([n, n])).Q
    a = (q * (torch.arange(n) - 1.0)) @ q.mT
    a = a.to(getattr(torch, d.pick(("float32", "float64")))).expand(*d.shape(max_rank=1, min_side=1), n, n)
    a = a + d.pick([0.0, 5.0]) * torch.ones(n, n).triu(1) if (lower := d.bool()) else a
    return Case([a, "L" if lower else "U", d.pick([True, True, False])], loose=True)


@cases("linalg_matrix_exp.default")
def _(d):
    n = d.int(1, 4)
    lead = d.shape(max_rank=2, min_side=1, max_side=2)
    return Case([d.tensor([*lead, n, n], d.pick(("float32", "float64")), low=-2, high=2)], loose=True)
