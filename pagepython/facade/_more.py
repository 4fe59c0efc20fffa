"""What is said by other functions: combinations that students meet."""

import math

from torch import _create, _dtype, _join, _reduce, _views
from torch._absent import missing
from torch._call import call, result_type
from torch._tensor import Tensor


def take(self, index):
    if index.dtype != _dtype.int64:
        raise RuntimeError(
            f"take(): Expected a long tensor for index, but got {_dtype.NAMES[index.dtype.name]}"
        )
    count = self.numel()
    for place in index._flat():
        if not -count <= place < count:
            raise IndexError(f"out of range: tried to access index {place} on a tensor of {count} elements.")
    return call("index_select", self.reshape(-1), 0, index.reshape(-1) % max(count, 1)).reshape(index.shape)


def block_diag(*tensors):
    if not tensors:
        return _create.zeros([1, 0])
    blocks = [t.reshape(1, -1) if t.dim() < 2 else t for t in tensors]
    width, before, rows = sum(t.shape[1] for t in blocks), 0, []
    for t in blocks:
        rows.append(call("constant_pad_nd", t, [before, width - before - t.shape[1]], 0))
        before += t.shape[1]
    return _join.cat(rows, 0)


def cov(self, *, correction=1, fweights=None, aweights=None):
    if fweights is not None or aweights is not None:
        raise missing("fweights or aweights of torch.cov")
    if self.dim() > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {self.dim()} dimensions"
        )
    self = self if self.dtype.category > 1 else self.to(_dtype.get_default_dtype())
    rows = self.reshape(1, -1) if self.dim() < 2 else self
    gaps = rows - rows.mean(1, keepdim=True)
    return (gaps @ gaps.mT / (rows.shape[1] - correction)).squeeze()


def corrcoef(self):
    found = cov(self)
    if not found.dim():
        return found / found
    size = found.diagonal().sqrt()
    return found / size.unsqueeze(0) / size.unsqueeze(1)


def _alike(self, other) -> None:
    if self.dtype != other.dtype:
        one, two = (_dtype.NAMES[t.dtype.name] for t in (self, other))
        raise RuntimeError(f"expected scalar type {one} but found {two}")


def cross(self, other, dim=None):
    _alike(self, other)
    first = next(
        (axis for axis, (n, m) in enumerate(zip(self.shape, other.shape, strict=False)) if n == m == 3), None
    )
    axis = first if dim is None else dim
    if axis is None:
        raise RuntimeError("no dimension of size 3 in input")
    if self.shape[axis] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {axis} must have length 3. Got {self.shape[axis]} and {other.shape[axis]}"
        )
    turned = lambda t, by: call("roll", t, [by], [axis])  # noqa: E731
    self, other = _create.call_broadcast(self, other)
    return turned(self, -1) * turned(other, -2) - turned(self, -2) * turned(other, -1)


def _at_least(rank: int):
    def make(*tensors):
        if len(tensors) == 1 and isinstance(tensors[0], tuple | list):
            tensors = tuple(tensors[0])
        found = tuple(_grown(t, rank) for t in tensors)
        return found[0] if len(found) == 1 else found

    return make


def _grown(t: Tensor, rank: int) -> Tensor:
    shape = list(t.shape)
    while len(shape) < rank:
        shape = [1, *shape] if len(shape) < 2 else [*shape, 1]
    return t.reshape(shape)


atleast_1d, atleast_2d, atleast_3d = _at_least(1), _at_least(2), _at_least(3)


def rot90(self, k=1, dims=(0, 1)):
    first, second = dims
    turns = {
        0: self.clone,
        1: lambda: self.flip(second).transpose(first, second),
        2: lambda: self.flip(first, second),
        3: lambda: self.flip(first).transpose(first, second),
    }
    return turns[k % 4]()


def _areas(name: str, sums: str):
    def areas(y, x=None, *, dx=1, dim=-1):
        if not y.dim():
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        axis = _views.axis_of(dim, y.dim())
        if not y.shape[axis] and sums == "sum":
            return y.sum(axis)
        if _dtype.bool_ in (y.dtype, getattr(x, "dtype", None)):
            raise RuntimeError(f"{name}: received a bool input for `x` or `y`, but bool is not supported")
        if x is not None and x.dim() == 1 and x.shape[0] != y.shape[axis]:
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        if x is not None and x.dim() == 1:
            x = x.reshape([-1 if k == axis else 1 for k in range(y.dim())])
        elif x is not None:
            x = x.reshape([1] * (y.dim() - x.dim()) + list(x.shape))
        middle = (_after(y, axis) + _before(y, axis)) / 2
        wide = dx if x is None else _after(x, axis) - _before(x, axis)
        return getattr(middle * wide, sums)(axis)

    return areas


def _before(t, axis):
    return t.narrow(axis, 0, max(t.shape[axis] - 1, 0))


def _after(t, axis):
    return t.narrow(axis, min(t.shape[axis], 1), max(t.shape[axis] - 1, 0))


trapezoid = trapz = _areas("trapezoid", "sum")
cumulative_trapezoid = _areas("cumulative_trapezoid", "cumsum")


def addr(self, vec1, vec2, *, beta=1, alpha=1):
    for name, t in (("vec1", vec1), ("vec2", vec2)):
        if t.dim() != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {t.dim()}-D")
    self, more = _views.expand(self, [len(vec1), len(vec2)]), _join.outer(vec1, vec2)
    kind = _dtype.promote_types(self.dtype, more.dtype)
    for name, share in (("beta", beta), ("alpha", alpha)):
        if kind.category < 2 and isinstance(share, float):
            raise RuntimeError(
                f"For integral input tensors, argument {name} must not be a floating point number."
            )
    more = more if alpha == 1 else more * alpha
    return (self * beta + more if beta else more).to(kind)  # with 0 nobody reads what was there


def vander(x, N=None, increasing=False):
    powers = _create.arange(x.shape[0] if N is None else N)
    return x.unsqueeze(-1) ** (powers if increasing else powers.flip(0))


def float_power(self, exponent):
    double = lambda v: v.double() if isinstance(v, Tensor) else float(v)  # noqa: E731
    return call("pow", double(self), double(exponent))


def logdet(self):
    sign, size = linalg_slogdet(self)
    return call("where", sign < 0, size.new_full([], math.nan), size)


def linalg_slogdet(A, name="linalg_slogdet"):
    found = call("_linalg_slogdet", A)
    return result_type(name, ("sign", "logabsdet"))(found[:2])


def linalg_matrix_power(A, n):
    from torch import linalg

    if n < 0:
        return linalg_matrix_power(linalg.inv(A), -n)
    made = _create.eye(A.shape[-1], dtype=A.dtype).expand(list(A.shape)).clone() if n == 0 else A
    for _ in range(n - 1):
        made = call("matmul", made, A)
    return made


def linalg_multi_dot(tensors):
    made = tensors[0]
    for t in tensors[1:]:
        made = call("matmul", made, t)
    return made


def linalg_vecdot(x, y, *, dim=-1):
    _alike(x, y)
    return (x * y).sum(dim)


def linalg_cond(self, p=None):
    from torch import linalg

    if p not in (None, 2):
        raise missing(f"p={p!r} of torch.linalg.cond")
    sizes = linalg.svdvals(self)
    return sizes.amax(-1) / sizes.amin(-1)


def nanquantile(self, q, dim=None, keepdim=False, *, interpolation="linear"):
    kept = self[~self.isnan()]
    if dim is not None:
        raise missing("dim of torch.nanquantile")
    return _reduce.quantile(kept, q, None, keepdim, interpolation=interpolation)


def renorm(self, p, dim, maxnorm):
    axes = [axis for axis in range(self.dim()) if axis != _views.axis_of(dim, self.dim())]
    size = call("linalg_vector_norm", self, p, axes, True)
    return self * (size > maxnorm).to(self.dtype) * (maxnorm / (size + 1e-7)) + self * (size <= maxnorm).to(
        self.dtype
    )


def gradient(self, *, spacing=1, dim=None, edge_order=1):
    axes = range(self.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    if edge_order != 1 or not isinstance(spacing, int | float):
        raise missing("edge_order or a list of spacings of torch.gradient")
    found = []
    for axis in axes:
        n = self.shape[axis]
        inner = (self.narrow(axis, 2, n - 2) - self.narrow(axis, 0, n - 2)) / (2 * spacing)
        ends = [(self.narrow(axis, a + 1, 1) - self.narrow(axis, a, 1)) / spacing for a in (0, n - 2)]
        found.append(_join.cat([ends[0], inner, ends[1]], axis))
    return tuple(found)


def put(self, index, source, accumulate=False):
    if index.dtype != _dtype.int64:
        raise RuntimeError(
            f"put_(): Expected a long tensor for index, but got {_dtype.NAMES[index.dtype.name]}"
        )
    counts = source.numel(), index.numel()
    if counts[0] != counts[1]:
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = {}, index.numel() = {}".format(
                *counts
            )
        )
    flat, places = self.reshape(-1), [index.reshape(-1)]
    return call("index_put", flat, places, source.reshape(-1), accumulate).reshape(self.shape)


def index_put(self, indices, values, accumulate=False):
    from torch import _index

    truth = lambda t: getattr(t, "dtype", None) is _dtype.bool_  # noqa: E731
    picks = [t for one in indices for t in (_index.places(one) if truth(one) else [one])]
    return call("index_put", self, picks, values, accumulate)


def sum_to_size(self, size):
    extra = self.dim() - len(size)
    if extra < 0 or any(n not in (1, m) for n, m in zip(size, self.shape[extra:], strict=True)):
        raise RuntimeError(f"size {{{list(size)}}} is not expandable to size {{{list(self.shape)}}}.")
    found = self.sum(list(range(extra))) if extra else self
    axes = [axis for axis, length in enumerate(size) if length == 1 and found.shape[axis] != 1]
    return found.sum(axes, keepdim=True) if axes else found


def is_nonzero(self) -> bool:
    if self.numel() != 1:
        raise RuntimeError(
            "Boolean value of Tensor with more than one value is ambiguous"
            if self.numel()
            else "Boolean value of Tensor with no values is ambiguous"
        )
    return bool(self)


def unique_rows(self, dim: int):
    """Give the different parts of an axis in order, where each part stands among them, and how often."""
    parts = [(one.tolist(), place) for place, one in enumerate(self.unbind(dim))]
    flat = lambda v: [x for one in v for x in flat(one)] if isinstance(v, list) else [v]  # noqa: E731
    parts = [(flat(one), place) for one, place in parts]
    kinds = sorted({tuple(one) for one, _ in parts})
    where = {one: number for number, one in enumerate(kinds)}
    firsts = {}
    for one, place in parts:
        firsts.setdefault(tuple(one), place)
    numbers = [where[tuple(one)] for one, _ in parts]
    chosen = call("index_select", self, dim, _create.tensor([firsts[k] for k in kinds], dtype=_dtype.int64))
    return (
        chosen,
        _create.tensor(numbers, dtype=_dtype.int64),
        _create.tensor([numbers.count(k) for k in range(len(kinds))], dtype=_dtype.int64),
    )


# what is one call of others
SHORT = {
    "dstack": lambda tensors: _join.cat([atleast_3d(t) for t in tensors], 2),
    "fliplr": lambda self: call("flip", self, [1]),
    "flipud": lambda self: call("flip", self, [0]),
    "argwhere": lambda self: self.nonzero(),
    "linalg_vander": lambda x, *, N=None: x.unsqueeze(-1) ** _create.arange(x.shape[-1] if N is None else N),
    "slogdet": lambda self: linalg_slogdet(self, "slogdet"),
    "chain_matmul": lambda *matrices: linalg_multi_dot(matrices),
    "linalg_cross": lambda self, other, *, dim=-1: cross(self, other, dim),
    "linalg_diagonal": lambda A, *, offset=0, dim1=-2, dim2=-1: A.diagonal(offset, dim1, dim2),
    "linalg_matmul": lambda self, other: call("matmul", self, other),
    "is_same_size": lambda self, other: tuple(self.shape) == tuple(other.shape),
    "isreal": lambda self: call("ones_like", self.detach(), dtype=_dtype.bool_),
    "special_expit": lambda self: self.sigmoid(),
    "special_softmax": lambda input, dim, *, dtype=None: _reduce.softmax(input, dim, dtype),
    "special_log_softmax": lambda input, dim, *, dtype=None: _reduce.log_softmax(input, dim, dtype),
    "special_entr": lambda self: (0 - call("xlogy", self, self)).masked_fill(self < 0, -math.inf),
    "special_ndtr": lambda self: (1 + (self / math.sqrt(2)).erf()) / 2,
    "special_ndtri": lambda self: math.sqrt(2) * (2 * self - 1).erfinv(),
    "cfloat": lambda self: self.to(_dtype.complex64),
    "cdouble": lambda self: self.to(_dtype.complex128),
    "view_copy": lambda self, size: _views.view(self, size).clone(),
}
globals().update(SHORT)
