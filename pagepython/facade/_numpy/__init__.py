"""NumPy is not in the page; of it there is what tables of numbers need. The rest says so when it is used."""

import builtins
import math
import types
from pathlib import Path

import absent
import torch
from numpy import _grids, _more, _ufuncs
from numpy._array import (
    SCALARS,
    _given,
    asarray,
    complexfloating,
    dtype,
    floating,
    generic,
    integer,
    matched,
    ndarray,
    number,
    set_printoptions,
)
from numpy._array import typed as _kind
from numpy._errors import AxisError, spoken
from numpy._files import load

__all__ = [
    "complexfloating",
    "dtype",
    "floating",
    "generic",
    "integer",
    "linalg",
    "load",
    "number",
    "random",
    "set_printoptions",
    "testing",
]
exceptions = types.SimpleNamespace(AxisError=AxisError)
pi, e, inf, nan, newaxis = math.pi, math.e, math.inf, math.nan, None
globals().update(
    SCALARS | {"bool_": SCALARS["bool"], "True_": SCALARS["bool"](1), "False_": SCALARS["bool"](0)}
)


def array(object, dtype=None, *, copy=True, order="K") -> ndarray:
    """Make an array of its own."""
    made = asarray(object, dtype)
    return made.copy() if copy and (made is object or isinstance(object, torch.Tensor)) else made


def arange(*steps, dtype=None) -> ndarray:
    """Count."""
    first, last, step = (0, *steps, 1) if len(steps) == 1 else (*steps, 1)[:3]
    if (last - first) / step < 0:
        steps = first, first
    made = torch.arange(
        *steps, dtype=torch.float64 if builtins.any(isinstance(s, float) for s in steps) else torch.int64
    )
    return ndarray(made if dtype is None else made.to(_kind(dtype, torch.float64)))


def zeros(shape, dtype=None, order="C") -> ndarray:
    """Make an array of 0."""
    return ndarray(torch.zeros(shape, dtype=_kind(dtype, torch.float64)))


def ones(shape, dtype=None, order="C") -> ndarray:
    """Make an array of 1."""
    return ndarray(torch.ones(shape, dtype=_kind(dtype, torch.float64)))


def full(shape, fill_value, dtype=None, order="C") -> ndarray:
    """Make an array of one number."""
    size = [shape] if isinstance(shape, int) else shape
    if isinstance(fill_value, ndarray | list | tuple):
        filling = asarray(fill_value, dtype)._held
        return ndarray(filling.expand(size).clone())
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


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None):
    """Make numbers in equal steps."""
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    found = _grids.evenly(start, stop, num, endpoint=endpoint)
    kind = _kind(dtype, torch.float64)
    made = ndarray((found if kind.category > 1 else found.floor()).to(kind))
    steps = num - (1 if endpoint else 0)
    step = SCALARS["float64"]((stop - start) / steps) if steps > 0 else nan
    return (made, step) if retstep else made


def _each(name: str):
    def act(x):
        held = asarray(x)._held
        whole = held.dtype.category < 2 and name not in ("abs", "sign", "square")
        found = getattr(held.double() if whole else held, name)()
        return found if isinstance(x, torch.Tensor) else _given(found)

    act.__name__, act.__doc__ = name, f"Give the {name} of each number."
    return act


_EACH = "sqrt exp log log2 log10 log1p expm1 sin cos tan sinh cosh tanh abs sign floor ceil trunc square"
_EACH += " isnan isinf arcsin arccos arctan arctanh exp2 deg2rad rad2deg reciprocal logical_not sinc"
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
    "sum prod mean var std max min any all argmax argmin argsort cumsum repeat transpose clip reshape dot ravel squeeze "
    "swapaxes diagonal trace nonzero round"
)
for _name in _METHODS.split():
    globals()[_name] = _method(_name)
amax, amin = _method("max"), _method("min")


def _two(name: str):
    def act(a, b):
        a, b = (asarray(a).ravel(), asarray(b).ravel()) if name == "outer" else (a, b)
        held = matched(a, b)
        held = map(_more._fraction, held) if name in ("hypot", "arctan2") else held
        return _given(getattr(torch, name)(*held))

    act.__name__, act.__doc__ = name, f"Give the {name} of two arrays."
    return act


for _name in ["maximum", "minimum", "outer", "arctan2", "hypot", "logical_and", "logical_or", "logical_xor"]:
    globals()[_name] = _two(_name)


def matmul(x1, x2):
    """Multiply as ``@`` does."""
    return asarray(x1) @ asarray(x2)


def where(condition, x=None, y=None):
    """Choose between two arrays; a condition alone gives the places where it holds."""
    if x is None and y is None:
        return asarray(condition).nonzero()
    return ndarray(torch.where(asarray(condition)._held.bool(), *matched(x, y)))


def sort(a, axis: int = -1) -> ndarray:
    """Give the numbers in order."""
    held = asarray(a)._held
    return ndarray((held.flatten() if axis is None else held).sort(-1 if axis is None else axis).values)


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False) -> bool:
    """Tell whether all numbers are close."""
    return builtins.bool(torch.as_tensor(_more.isclose(a, b, rtol, atol, equal_nan)).all())


def stack(arrays, axis: int = 0) -> ndarray:
    """Put arrays beside one another along a new axis."""
    return ndarray(torch.stack(matched(*map(asarray, arrays)) if len(arrays) else [], axis))


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
    if isinstance(axis, ndarray) and axis.size != 1:
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    parts = matched(*map(asarray, arrays)) if len(arrays) else []
    return ndarray(torch.cat([p.flatten() for p in parts] if axis is None else parts, axis or 0))


globals().update(_more.NAMES)
globals().update(_grids.NAMES)
for _name, _act in list(globals().items()):
    if isinstance(_act, types.FunctionType) and not _name.startswith("_"):
        globals()[_name] = spoken(_act)
_PAIRS = "maximum minimum arctan2 hypot logical_and logical_or logical_xor"
for _name in (*_EACH.split(), *_PAIRS.split(), *_more.OPERATORS):
    globals()[_name] = _ufuncs.made(_name, globals()[_name])
ufunc = _ufuncs.ufunc
concat, around, permute_dims = (globals()[_name] for _name in ("concatenate", "round", "transpose"))

from numpy import linalg, random, testing  # noqa: E402 (they use arrays; below, any name would be found, as one that is absent)


def __getattr__(name: str):
    if name not in Path(__file__).with_name("names.txt").read_text("utf-8").split():
        raise AttributeError(f"module 'numpy' has no attribute {name!r}")
    return absent.make(f"numpy.{name}")
