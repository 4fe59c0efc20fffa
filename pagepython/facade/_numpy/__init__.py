"""NumPy is not in the page; of it there is what tables of numbers need. The rest says so when it is used."""

from __future__ import annotations

import math
import struct

import absent
import torch
from numpy._files import load

__all__ = ["load", "random"]
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

    def __call__(self, value):
        """Give a number of this kind; in the page it is a number of Python."""
        return torch.tensor(value).to(self._of).item()

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
        usual = self._held.dtype.name in ("float64", "int64", "bool") and self._held.numel()
        kind = "" if usual else f", dtype={self._held.dtype.name}"
        return f"array({_text(self, ', ', len('array('))}{kind})"

    def __str__(self) -> str:
        return _text(self, " ", 0)

    def mean(self, axis=None):
        """Average, in float64."""
        held = self._held if self._held.dtype.is_floating_point else self._held.double()
        return _given(held.mean(axis))

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


def _number(x: float, kind: str) -> str:
    """Give the shortest text that is this number, as NumPy prints it."""
    if not math.isfinite(x):
        return repr(x)
    short = repr(x)
    if kind in ("float32", "float16"):
        letter = "f" if kind == "float32" else "e"
        same = lambda t: struct.unpack(letter, struct.pack(letter, float(t)))[0] == x  # noqa: E731
        short = next(t for k in range(1, 18) if same(t := f"{x:.{k}g}"))
    text = f"{float(short):.8f}".rstrip("0")
    return text if "." in text else f"{text}."


def _text(array: ndarray, between: str, indent: int) -> str:
    held = array._held
    flat, floating = held._flat(), held.dtype.is_floating_point
    finite = [abs(x) for x in flat if floating and math.isfinite(x) and x]
    if finite and (max(finite) >= 1e8 or min(finite) < 1e-4 or max(finite) / min(finite) > 1000):
        raw = [f"{float(f'{x:.8e}'):.8e}".split("e") if math.isfinite(x) else [repr(x), ""] for x in flat]
        digits = max(len(m.rstrip("0")) for m, _ in raw if "." in m)
        words = [f"{m[:digits]}e{e}" if e else m for m, e in raw]
    else:
        words = [_number(x, held.dtype.name) if floating else str(x) for x in flat]
        if floating:
            left = max((len(w.partition(".")[0]) for w in words if "." in w), default=0)
            right = max((len(w.partition(".")[2]) for w in words if "." in w), default=0)
            words = [
                w.partition(".")[0].rjust(left) + "." + w.partition(".")[2].ljust(right) if "." in w else w
                for w in words
            ]
    width = max(map(len, words), default=0)
    words = [w.rjust(width) for w in words]

    def block(shape: list, start: int, depth: int) -> str:
        if not shape:
            return words[start]
        size = math.prod(shape[1:])
        parts = [block(shape[1:], start + k * size, depth + 1) for k in range(shape[0])]
        if len(shape) > 1:
            gap = between.rstrip() + "\n" * (len(shape) - 1) + " " * (indent + depth + 1)
            return "[" + gap.join(parts) + "]"
        lines, room = [[]], 75 - indent - depth - 1
        for part in parts:
            if lines[-1] and sum(len(w) + len(between) for w in lines[-1]) + len(part) > room:
                lines.append([])
            lines[-1].append(part)
        return (
            "["
            + (between.rstrip() + "\n" + " " * (indent + depth + 1)).join(
                between.join(line) for line in lines
            )
            + "]"
        )

    return block(list(held.shape), 0, 0)


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
        if values.requires_grad:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        if values.dtype == torch.bfloat16:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return ndarray(values)
    values = [_plain(v) for v in values] if isinstance(values, list | tuple) else values
    made = torch.tensor(values)
    if made.dtype.is_floating_point:  # with all their digits
        made = torch.tensor(values, dtype=torch.float64)
    return ndarray(made)


array = asarray


def _kind(dtype, usual=torch.float64):
    return (
        usual
        if dtype is None
        else {int: torch.int64, float: torch.float64, bool: torch.bool}.get(dtype) or dtype._of
    )


def arange(*steps, dtype=None) -> ndarray:
    """Count."""
    made = torch.arange(
        *steps, dtype=torch.float64 if any(isinstance(s, float) for s in steps) else torch.int64
    )
    return ndarray(made if dtype is None else made.to(_kind(dtype)))


def zeros(shape, dtype=None) -> ndarray:
    """Make an array of 0."""
    return ndarray(torch.zeros(shape, dtype=_kind(dtype)))


def ones(shape, dtype=None) -> ndarray:
    """Make an array of 1."""
    return ndarray(torch.ones(shape, dtype=_kind(dtype)))


def full(shape, fill_value, dtype=None) -> ndarray:
    """Make an array of one number."""
    size = [shape] if isinstance(shape, int) else shape
    return ndarray(
        torch.full(
            size,
            fill_value,
            dtype=_kind(
                dtype, torch.tensor(fill_value).double().dtype if isinstance(fill_value, float) else None
            ),
        )
    )


def eye(N, M=None, k=0, dtype=None) -> ndarray:
    """Make a matrix with 1 on a diagonal."""
    found = torch.ones(N, N if M is None else M, dtype=torch.float64)
    return ndarray((found.tril(k) - found.tril(k - 1)).to(_kind(dtype)))


def tri(N, M=None, k=0, dtype=None) -> ndarray:
    """Make a matrix with 1 at and below a diagonal."""
    return ndarray(torch.ones(N, N if M is None else M, dtype=torch.float64).tril(k).to(_kind(dtype)))


def linspace(start, stop, num=50) -> ndarray:
    """Make numbers in equal steps."""
    return ndarray(torch.linspace(start, stop, num, dtype=torch.float64))


def _each(name: str):
    def act(x):
        held = asarray(x)._held
        return _given(
            getattr(
                held if held.dtype.is_floating_point or name in ("abs", "sign", "square") else held.double(),
                name,
            )()
        )

    act.__name__, act.__doc__ = name, f"Give the {name} of each number."
    return act


for _name in [
    "sqrt",
    "exp",
    "log",
    "log2",
    "log10",
    "log1p",
    "expm1",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "abs",
    "sign",
    "floor",
    "ceil",
    "trunc",
    "square",
    "isnan",
    "isinf",
]:
    globals()[_name] = _each(_name)
absolute = globals()["abs"]


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


from numpy import random  # noqa: E402 (it makes arrays; below, any name would be found, as one that is absent)


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    return absent.make(f"numpy.{name}")
