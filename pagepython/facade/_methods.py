"""Finding a function by torch's name: what is written here, an operator, or an operator in place."""

from __future__ import annotations

import contextlib
import functools

from torch import (
    _axes,
    _bytes,
    _convert,
    _create,
    _einsum,
    _index,
    _join,
    _pick,
    _random,
    _reduce,
    _slices,
    _views,
)
from torch._call import BY_NAME, call
from torch._inplace import in_place, turned
from torch._tensor import TensorBase

MODULES = (_convert, _join, _einsum, _pick, _reduce, _slices, _views, _axes, _create, _random, _index, _bytes)
RENAMED = {
    "slice_": None,
    "max_": None,
    "min_": None,
    "sum_": None,
    "pow_": None,
    "round_": None,
    "type_": None,
}
OWN = {
    "max": _pick.max_,
    "min": _pick.min_,
    "sum": _reduce.sum_,
    "pow": _reduce.pow_,
    "round": _reduce.round_,
    "type": _convert.type_,
}
WRITES = {
    "fill_diagonal_",
    "copy_",
    "fill_",
    "zero_",
    "uniform_",
    "normal_",
    "random_",
    "bernoulli_",
    "exponential_",
}
TURNS = {"t", "transpose", "swapaxes", "swapdims", "squeeze", "unsqueeze"}
TYPES = {"float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16", "int": "int32", "long": "int64",
         "short": "int16", "bool": "bool", "char": "int8", "byte": "uint8"}  # fmt: skip


def _operator(name: str):
    def act(*args, **kwargs):
        return call(name, *args, **kwargs)

    return act


@functools.cache
def find(name: str):
    """Give the function that torch has under a name."""
    if name in OWN:
        return OWN[name]
    if name in TYPES:
        return _convert._typed(TYPES[name])
    for module in MODULES:
        found = vars(module).get(name)
        if (
            callable(found)
            and getattr(found, "__module__", "").startswith("torch.")
            and not (name in RENAMED or isinstance(found, type))
            and (not name.endswith("_") or name in WRITES)
        ):
            return found
    if name in _convert.NAMES:
        return find(_convert.NAMES[name])
    if name in BY_NAME and not name.startswith("_"):
        return _operator(name)
    if name.endswith("_") and not name.startswith("_"):
        with contextlib.suppress(AttributeError):  # the error below names the whole name
            plain = find(name[:-1])
            return turned(plain) if name[:-1] in TURNS else in_place(name[:-1], plain)
    raise AttributeError(f"torch.{name} is not in the page's torch; run this notebook in Jupyter.")


def _method(self, name: str):
    """Find a method when it is first asked for; from then on the class has it."""
    if name.startswith("__"):
        raise AttributeError(name)
    found = find(name)
    setattr(TensorBase, name, found)
    return found.__get__(self)


TensorBase.__getattr__ = _method
TensorBase.__getitem__ = _index.get
TensorBase.__setitem__ = _index.put
TensorBase.T = property(lambda self: _axes.permute(self, list(reversed(range(self.dim())))))
TensorBase.mT = property(_axes.mT)
TensorBase.H = TensorBase.T
TensorBase.where = lambda self, condition, other: _pick.where(condition, self, other)
