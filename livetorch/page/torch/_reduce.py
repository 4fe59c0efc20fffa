"""Sums, means and shares along axes."""

from __future__ import annotations

import math

from torch._call import call
from torch._tensor import Tensor


def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
    order = 2 if p in ("fro", None) else p
    dim = [dim] if isinstance(dim, int) else dim
    return call("linalg_vector_norm", self, order, dim, keepdim)


def sum_(self, dim=None, keepdim=False, *, dtype=None, axis=None):
    return _reduce("sum", self, axis if dim is None else dim, keepdim, dtype)


def nansum(self, dim=None, keepdim=False, *, dtype=None):
    return sum_(call("nan_to_num", self, 0.0, math.inf, -math.inf), dim, keepdim, dtype=dtype)


def nanmean(self, dim=None, keepdim=False, *, dtype=None):
    return nansum(self, dim, keepdim, dtype=dtype) / sum_(~call("isnan", self), dim, keepdim)


def mean(self, dim=None, keepdim=False, *, dtype=None, axis=None):
    if not self.dtype.is_floating_point and (dtype is None or not dtype.is_floating_point):
        names = {"int64": "Long", "bool": "Bool", "int32": "Int"}
        raise RuntimeError(
            f"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {names.get(self.dtype.name, self.dtype.name)}"
        )
    return _reduce("mean", self, axis if dim is None else dim, keepdim, dtype)


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


def _spread(name: str):
    def find(self, dim=None, unbiased=True, keepdim=False, *, correction=None):
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        dims = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
        found = call(
            name, self, dims, correction=int(unbiased) if correction is None else correction, keepdim=keepdim
        )
        return found

    return find


var, std, var_mean, std_mean = _spread("var"), _spread("std"), _spread("var_mean"), _spread("std_mean")


def quantile(self, q, dim=None, keepdim=False, *, interpolation="linear"):
    q = q.tolist() if isinstance(q, Tensor) else q
    self, dim = (self.reshape(-1), 0) if dim is None else (self, dim)
    ordered = call("sort", self, dim).values
    last = ordered.shape[dim] - 1

    def one(share):
        place = share * last
        low = math.floor(place)
        below, above = ordered.select(dim, low), ordered.select(dim, min(low + 1, last))
        found = below + (above - below) * (place - low)
        return found.unsqueeze(dim) if keepdim else found

    return call("stack", [one(x) for x in q]) if isinstance(q, list) else one(q)


def softmax(self, dim=None, dtype=None, _stacklevel=3):
    return call("softmax", self, dim, dtype=dtype)


def log_softmax(self, dim=None, dtype=None, _stacklevel=3):
    return call("log_softmax", self, dim, dtype=dtype)


def pow_(self, exponent):
    return call("pow", self, exponent)


def round_(self, *, decimals=0):
    return call("round", self) if decimals == 0 else call("round", self, decimals)
