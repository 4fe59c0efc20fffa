"""NumPy is not in the page; of it there is what tables of numbers need. The rest says so when it is used."""

import builtins
import math
from pathlib import Path

import absent
import torch
from numpy._array import (
    SCALARS,
    _given,
    asarray,
    dtype,
    floating,
    generic,
    integer,
    ndarray,
    number,
)
from numpy._array import typed as _kind
from numpy._files import load

__all__ = ["dtype", "floating", "generic", "integer", "load", "number", "random"]
pi, e, inf, nan, newaxis = math.pi, math.e, math.inf, math.nan, None
globals().update(
    SCALARS | {"bool_": SCALARS["bool"], "True_": SCALARS["bool"](1), "False_": SCALARS["bool"](0)}
)


def array(object, dtype=None) -> ndarray:
    """Make an array of its own."""
    made = asarray(object, dtype)
    return made.copy() if made is object or isinstance(object, torch.Tensor) else made


def arange(*steps, dtype=None) -> ndarray:
    """Count."""
    made = torch.arange(
        *steps, dtype=torch.float64 if builtins.any(isinstance(s, float) for s in steps) else torch.int64
    )
    return ndarray(made if dtype is None else made.to(_kind(dtype, torch.float64)))


def zeros(shape, dtype=None) -> ndarray:
    """Make an array of 0."""
    return ndarray(torch.zeros(shape, dtype=_kind(dtype, torch.float64)))


def ones(shape, dtype=None) -> ndarray:
    """Make an array of 1."""
    return ndarray(torch.ones(shape, dtype=_kind(dtype, torch.float64)))


def full(shape, fill_value, dtype=None) -> ndarray:
    """Make an array of one number."""
    size = [shape] if isinstance(shape, int) else shape
    return ndarray(torch.full(size, fill_value, dtype=_kind(dtype, asarray(fill_value).dtype._of)))


def eye(N, M=None, k=0, dtype=None) -> ndarray:
    """Make a matrix with 1 on a diagonal."""
    found = torch.ones(N, N if M is None else M, dtype=torch.float64)
    return ndarray((found.tril(k) - found.tril(k - 1)).to(_kind(dtype, torch.float64)))


def tri(N, M=None, k=0, dtype=None) -> ndarray:
    """Make a matrix with 1 at and below a diagonal."""
    return ndarray(
        torch.ones(N, N if M is None else M, dtype=torch.float64).tril(k).to(_kind(dtype, torch.float64))
    )


def linspace(start, stop, num=50) -> ndarray:
    """Make numbers in equal steps."""
    return ndarray(torch.linspace(start, stop, num, dtype=torch.float64))


def _each(name: str):
    def act(x):
        held = asarray(x)._held
        whole = not held.dtype.is_floating_point and name not in ("abs", "sign", "square")
        found = getattr(held.double() if whole else held, name)()
        return found if isinstance(x, torch.Tensor) else _given(found)

    act.__name__, act.__doc__ = name, f"Give the {name} of each number."
    return act


_EACH = "sqrt exp log log2 log10 log1p expm1 sin cos tan sinh cosh tanh abs sign floor ceil trunc square"
_EACH += " isnan isinf"
for _name in _EACH.split():
    globals()[_name] = _each(_name)
absolute = globals()["abs"]


_ASKED = ("sum", "prod", "mean", "var", "std", "max", "min", "any", "all")


def _method(name: str):
    def act(a, *args, **kwargs):
        if (
            isinstance(a, torch.Tensor) and name in _ASKED
        ):  # NumPy asks the tensor, in words that it does not know
            raise TypeError(f"{name}() got an unexpected keyword argument 'axis'")
        found = getattr(asarray(a), name)(*args, **kwargs)
        return torch.as_tensor(found) if isinstance(a, torch.Tensor) and name != "dot" else found

    act.__name__, act.__doc__ = name, f"Give an array's {name}."
    return act


_METHODS = (
    "sum prod mean var std max min any all argmax argmin argsort cumsum repeat transpose clip reshape dot"
)
for _name in _METHODS.split():
    globals()[_name] = _method(_name)
amax, amin = _method("max"), _method("min")


def _two(name: str):
    def act(a, b):
        a, b = asarray(a)._held, asarray(b)._held
        kind = torch.promote_types(a.dtype, b.dtype)
        return _given(getattr(torch, name)(a.to(kind), b.to(kind)))

    act.__name__, act.__doc__ = name, f"Give the {name} of two arrays."
    return act


for _name in ("maximum", "minimum", "outer", "matmul"):
    globals()[_name] = _two(_name)


def where(condition, x=None, y=None):
    """Choose between two arrays; a condition alone gives the places where it holds."""
    if x is None and y is None:
        return tuple(ndarray(places) for places in asarray(condition)._held.nonzero().unbind(-1))
    x, y = asarray(x)._held, asarray(y)._held
    kind = torch.promote_types(x.dtype, y.dtype)
    return _given(torch.where(asarray(condition)._held.bool(), x.to(kind), y.to(kind)))


def sort(a, axis: int = -1) -> ndarray:
    """Give the numbers in order."""
    return ndarray(asarray(a)._held.sort(axis).values)


def allclose(a, b, rtol=1e-05, atol=1e-08) -> bool:
    """Tell whether all numbers are close."""
    return torch.allclose(asarray(a)._held.double(), asarray(b)._held.double(), rtol=rtol, atol=atol)


def stack(arrays, axis: int = 0) -> ndarray:
    """Put arrays beside one another along a new axis."""
    return ndarray(torch.stack([asarray(a)._held for a in arrays], axis))


def ndim(values) -> int:
    """Count the axes."""
    return asarray(values).ndim


def shape(values) -> tuple[int, ...]:
    """Give the length of each axis."""
    return asarray(values).shape


def isfinite(values):
    """Tell which numbers are neither infinite nor NaN."""
    return _given(asarray(values)._held.isfinite())


def concatenate(arrays, axis: int = 0) -> ndarray:
    """Put arrays one after the other."""
    return ndarray(torch.cat([asarray(a)._held for a in arrays], axis))


from numpy import random  # noqa: E402 (it makes arrays; below, any name would be found, as one that is absent)


def __getattr__(name: str):
    if name not in Path(__file__).with_name("names.txt").read_text("utf-8").split():
        raise AttributeError(f"module 'numpy' has no attribute {name!r}")
    return absent.make(f"numpy.{name}")
