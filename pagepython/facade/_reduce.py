"""Sums, means and shares along axes."""

import math

from torch._absent import missing
from torch._call import call
from torch._create import call_broadcast
from torch._dtype import NAMES, promote_types
from torch._tensor import Tensor


def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
    order = 2 if p in ("fro", None) else p
    if not self.dtype.is_floating_point:
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            + NAMES[self.dtype.name]
        )
    if isinstance(order, str):
        from torch import linalg

        return linalg.norm(self, order, dim, keepdim, dtype=dtype)
    dim = [dim] if isinstance(dim, int) else dim
    return call("linalg_vector_norm", self if dtype is None else self.to(dtype), order, dim, keepdim)


def cosine_similarity(x1, x2, dim=1, eps=1e-08):
    kind = promote_types(x1.dtype, x2.dtype)
    if not kind.is_floating_point:
        raise RuntimeError(
            f"expected common dtype to be floating point, yet common dtype is {NAMES[kind.name]}"
        )
    both = call_broadcast(x1.to(kind), x2.to(kind))
    one, two = (x / norm(x, 2, dim, keepdim=True).clamp_min(eps) for x in both)
    return (one * two).sum(dim)


def sum_(self, dim=None, keepdim=False, *, dtype=None):
    return _reduce("sum", self, dim, keepdim, dtype)


def nansum(self, dim=None, keepdim=False, *, dtype=None):
    return sum_(call("where", call("isnan", self), self.new_zeros([]), self), dim, keepdim, dtype=dtype)


def nanmean(self, dim=None, keepdim=False, *, dtype=None):
    if self.dtype.category < 2:
        kind = NAMES[self.dtype.name]
        raise RuntimeError(
            f"nanmean(): expected input to have floating point or complex dtype but got {kind}"
        )
    return nansum(self, dim, keepdim, dtype=dtype) / sum_(~call("isnan", self), dim, keepdim)


def mean(self, dim=None, keepdim=False, *, dtype=None):
    if not self.dtype.is_floating_point and (dtype is None or not dtype.is_floating_point):
        raise RuntimeError(
            f"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {NAMES[self.dtype.name]}"
        )
    return _reduce("mean", self, dim, keepdim, dtype)


def _reduce(name, self, dim, keepdim, dtype):
    if dim is None and not keepdim:
        return call(name, self, dtype=dtype)
    dims = (
        list(range(self.dim()))
        if dim is None or dim in ((), [])
        else [dim]
        if isinstance(dim, int)
        else list(dim)
    )
    return call(name, self, dims, keepdim, dtype=dtype)


def _spread(name: str, with_mean: bool = False):
    def find(self, dim=None, unbiased=True, keepdim=False, *, correction=None):
        if not self.dtype.is_floating_point:
            raise RuntimeError("std and var only support floating point and complex dtypes")
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        dims = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
        found = call(
            name, self, dims, correction=int(unbiased) if correction is None else correction, keepdim=keepdim
        )
        return (found, mean(self, dims, keepdim)) if with_mean else found

    return find


var, std, var_mean, std_mean = _spread("var"), _spread("std"), _spread("var", True), _spread("std", True)


def quantile(self, q, dim=None, keepdim=False, *, interpolation="linear"):
    if self.dtype.name not in ("float32", "float64"):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if not self.numel():
        raise RuntimeError("quantile() input tensor must be non-empty")
    q = q.tolist() if isinstance(q, Tensor) else q
    for share in q if isinstance(q, list) else [q]:
        if not 0 <= share <= 1:
            raise RuntimeError(
                f"quantile() q must be in the range [0, 1] but got {share:g}"
                if not isinstance(q, list)
                else "quantile() q values must be in the range [0, 1]"
            )
    if interpolation != "linear":
        raise missing(f"interpolation={interpolation!r} of torch.quantile")
    self, dim = (self.reshape(-1), 0) if dim is None or not self.dim() else (self, dim)
    ordered = call("sort", self, dim).values
    last = ordered.shape[dim] - 1

    def one(share):
        place = share * last
        low = math.floor(place)
        below, above = ordered.select(dim, low), ordered.select(dim, min(low + 1, last))
        found = below + (above - below) * (place - low)
        return found.unsqueeze(dim) if keepdim else found

    return call("stack", [one(x) for x in q]) if isinstance(q, list) else one(q)


def softmax(self, dim, dtype=None):
    return call("softmax", self, dim, dtype=dtype)


def log_softmax(self, dim, dtype=None):
    return call("log_softmax", self, dim, dtype=dtype)


def pow_(self, exponent):
    return call("pow", self, exponent)


def round_(self, *, decimals=None):
    if not decimals and (decimals is None or self.dtype.is_floating_point):
        return call("round", self)
    if not self.dtype.is_floating_point:
        kernel = "round_cpu" if decimals else "round_vml_cpu"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{NAMES[self.dtype.name]}'")
    size = 10.0 ** abs(decimals)  # as PyTorch does it: scaled in the type of the tensor
    return call("round", self * size) / size if decimals > 0 else call("round", self / size) * size
