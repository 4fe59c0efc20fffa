"""NumPy is not in the page; of it there is what tables of numbers need. The rest says so when it is used."""

from __future__ import annotations

import math

import absent
import torch
from numpy._files import load

__all__ = ["load"]
pi, e, inf, nan = math.pi, math.e, math.inf, math.nan
_OPERATORS = "add radd sub rsub mul rmul truediv rtruediv floordiv mod pow rpow neg abs matmul"
_OPERATORS += " eq ne lt le gt ge and or invert"
_KINDS = {0: ("b", bool), 1: ("i", int), 2: ("f", float)}


class dtype:
    """The kind of an array's numbers."""

    def __init__(self, of) -> None:
        self.name, (self.kind, self._type), self._of = of.name, _KINDS[of.category], of

    def __eq__(self, other) -> bool:
        return other is self._type or getattr(other, "name", other) == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"dtype('{self.name}')"

    def newbyteorder(self, order: str = "<") -> dtype:
        """Give the type: its bytes are little endian."""
        return self


uint8, int64, float16, float32, float64 = (
    dtype(getattr(torch, name)) for name in ("uint8", "int64", "float16", "float32", "float64")
)


class ndarray:
    """Numbers in rows and columns, held by a tensor."""

    def __init__(self, held) -> None:
        self._held = held

    shape = property(lambda self: tuple(self._held.shape))
    ndim = property(lambda self: self._held.dim())
    size = property(lambda self: self._held.numel())
    dtype = property(lambda self: dtype(self._held.dtype))
    T = property(lambda self: ndarray(self._held.T))

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def __getitem__(self, place):
        parts = place if isinstance(place, tuple) else (place,)
        return _given(self._held[tuple(_plain(p) for p in parts)])

    def __float__(self) -> float:
        return float(self._held)

    def __repr__(self) -> str:
        return f"array({self.tolist()})"

    def astype(self, kind) -> ndarray:
        types = {int: torch.int64, float: torch.float64, bool: torch.bool}
        return ndarray(self._held.to(kind._of if isinstance(kind, dtype) else types[kind]))

    def round(self, decimals: int = 0) -> ndarray:
        whole = not self._held.dtype.is_floating_point
        return self if whole else ndarray(torch.round(self._held, decimals=decimals))

    def tobytes(self) -> bytes:
        return bytes(self._held.contiguous().reshape(-1).view(torch.uint8).tolist())

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        method = getattr(self._held, name)
        return lambda *args, **kwargs: _given(method(*map(_plain, args), **kwargs))


def _plain(value):
    return value._held if isinstance(value, ndarray) else value


def _given(value):
    if isinstance(value, torch.Tensor):
        return ndarray(value) if value.dim() else value.item()
    return value


def _operator(name: str):
    def act(self, *others):
        return _given(getattr(self._held, name)(*map(_plain, others)))

    return act


for _name in _OPERATORS.split():
    setattr(ndarray, f"__{_name}__", _operator(f"__{_name}__"))
ndarray.__hash__ = object.__hash__


def asarray(values, dtype=None) -> ndarray:
    """Make an array of numbers, nested lists, a tensor or an array."""
    if dtype is not None:
        return asarray(values).astype(dtype)
    if isinstance(values, ndarray):
        return values
    if isinstance(values, torch.Tensor):
        return ndarray(values.detach())
    values = [_plain(v) for v in values] if isinstance(values, list | tuple) else values
    made = torch.tensor(values)
    return ndarray(made.double() if made.dtype.is_floating_point else made)


array = asarray


def arange(*steps) -> ndarray:
    """Count."""
    return ndarray(torch.arange(*steps))


def prod(values):
    """Multiply all numbers."""
    return asarray(values)._held.prod().item()


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


class random:
    """Nothing draws from it here."""

    @staticmethod
    def seed(_seed: int) -> None:
        """There is nothing to set."""


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    return absent.make(f"numpy.{name}")
