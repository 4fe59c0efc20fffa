"""NumPy's arrays in the page: numbers in rows and columns, held by a tensor, and their text."""

import functools
import math
import operator
import re
import struct

import absent
import torch
from numpy._errors import INDICES, UFuncTypeError, spoken
from torch import _dtype, _index
from torch._form import axis_of

_OPERATORS = "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow neg pos abs matmul rmatmul"
_OPERATORS += " eq ne lt le gt ge and or invert rand ror xor rxor lshift rlshift rshift rrshift"
# methods that mean in PyTorch what they mean in NumPy
_ALIKE = "sum prod any all argmax argmin argsort tolist swapaxes diagonal trace conj"
# methods that NumPy has and the page has not
ABSENT = "argpartition base byteswap choose compress ctypes data device dump dumps flags flat getfield mT partition"
ABSENT += " put resize searchsorted setfield setflags to_device tofile view"
_KINDS = {0: ("b", bool), 1: ("i", int), 2: ("f", float), 3: ("c", complex)}
EDGE = 3  # of many numbers so many at the ends of each axis are printed
PRINT = {"precision": 8, "suppress": False, "threshold": 1000, "linewidth": 75}
_PYTHON = {int: torch.int64, float: torch.float64, bool: torch.bool, complex: torch.complex128}
_LETTERS = {"float": "float64", "int": "int64", "double": "float64", "single": "float32", "half": "float16", "f": "float32", "d": "float64",
            "i": "int32", "l": "int64", "?": "bool", "f2": "float16", "f4": "float32", "f8": "float64", "i1": "int8", "i2": "int16",
            "i4": "int32", "i8": "int64", "u1": "uint8", "complex": "complex128", "c8": "complex64", "c16": "complex128"}  # fmt: skip


class dtype:
    """The kind of an array's numbers."""

    def __init__(self, of) -> None:
        of = typed(of)
        self.name, self.kind, self._of = of.name, "u" if of.name == "uint8" else _KINDS[of.category][0], of
        self.itemsize, self.type = of.itemsize, SCALARS[of.name]
        self.str = f"{'<' if of.itemsize > 1 else '|'}{self.kind}{of.itemsize}"

    def __eq__(self, other) -> bool:
        if isinstance(other, str):
            return other == self.name
        return getattr(other, "_of", _PYTHON.get(other) if isinstance(other, type) else None) is self._of

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"dtype('{self.name}')"

    def __str__(self) -> str:
        return self.name

    def newbyteorder(self, order: str = "<") -> "dtype":
        """Give the type: its bytes are little endian."""
        return self


def typed(kind, usual=None):
    """Give PyTorch's type for one of Python, of NumPy, or its name; what is absent says so."""
    if kind is None or isinstance(kind, torch.dtype):
        return usual if kind is None else kind
    if isinstance(kind, str):
        name = kind.lstrip("<=|")
        if (name := _LETTERS.get(name, name)) not in SCALARS:
            if name.startswith(("uint", "str", "object", "U", "S", "O", "datetime")):
                raise absent.NotInPage(
                    f"numpy's type {kind} is not in the page; run this notebook in Jupyter."
                )
            raise TypeError(f"data type {kind!r} not understood")
        kind = SCALARS[name]
    if kind is str or kind is object:
        return typed(kind.__name__)
    kind = _PYTHON.get(kind) or getattr(kind, "__dict__", {}).get("_of", kind)
    if not isinstance(kind, torch.dtype) and not callable(kind):
        raise TypeError(f"Cannot interpret '{kind}' as a data type")
    return kind if isinstance(kind, torch.dtype) else kind()


class generic:
    """A number of NumPy: one of Python that knows its type; what is done with it is done with an array of one."""

    shape, ndim, size = (), 0, 1
    dtype = property(lambda self: dtype(self._of))
    _held = property(lambda self: torch.tensor(self.item(), dtype=self._of))

    def __new__(cls, value=0):
        if isinstance(value, list | tuple | ndarray):
            return asarray(value).astype(cls)
        value = float(value) if isinstance(value, str) else value
        exact = value if isinstance(value, cls._python) and cls._of.itemsize == 8 else None
        return cls._exactly(torch.as_tensor(value, dtype=cls._of).item() if exact is None else exact)

    @classmethod
    def _exactly(cls, value):
        return cls.__mro__[-2].__new__(cls, value)

    def item(self):
        return self._python(self)

    tolist = item

    def __repr__(self) -> str:
        return (
            f"np.{self!s}_" if self._python is bool else f"np.{type(self).__name__}({str(self).strip('()')})"
        )

    def __str__(self) -> str:
        if self._python is complex:
            return _complex(self.item(), self._of.name)
        return repr(
            self.item() if self._python is not float else float(_shortest(self.item(), self._of.name))
        )

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec)

    def __hash__(self) -> int:
        return hash(self.item())

    def __round__(self, digits=None):
        found = round(self.item(), digits)
        return found if digits is None else type(self)(found)

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        method = getattr(ndarray(self._held.reshape(1)), name)
        return lambda *args, **kwargs: _first(method(*args, **kwargs))


class number(generic):
    """A number that is no truth."""


class integer(number):
    """A whole number."""


class floating(number):
    """A number with a fraction."""


class complexfloating(number):
    """A number with an imaginary part."""


def _kinds():
    """Make the class of each type."""
    for name, of in _dtype._ALL.items():
        if name == "bfloat16":
            continue
        above, base = ((generic, int), (integer, int), (floating, float), (complexfloating, complex))[
            of.category
        ]
        yield (
            name,
            type(name, (above, base), {"__module__": "numpy", "_of": of, "_python": _KINDS[of.category][1]}),
        )


SCALARS = dict(_kinds())


class ndarray:
    """Numbers in rows and columns, held by a tensor."""

    def __init__(self, held) -> None:
        self._held = held

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._held.shape)

    @shape.setter
    def shape(self, lengths) -> None:
        self._held = self._held.view(lengths)

    ndim = property(lambda self: self._held.dim())
    size = property(lambda self: self._held.numel())
    dtype = property(lambda self: dtype(self._held.dtype))
    T = property(lambda self: ndarray(self._held.T))
    itemsize, nbytes = property(lambda self: self._held.itemsize), property(lambda self: self._held.nbytes)
    strides = property(lambda self: tuple(s * self.itemsize for s in self._held.stride()))

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self):
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[k] for k in range(len(self)))

    def __getitem__(self, place):
        if self._held.dtype.is_complex:  # which has its own way
            return _given(self._held[_place(place)])
        return _given(_index.get(self._held, _place(place), backwards=True))

    def __setitem__(self, place, value) -> None:
        value = _plain(asarray(value) if isinstance(value, list | tuple) else value)
        if not isinstance(value, torch.Tensor | generic | bool | int | float | complex):  # a text is read
            letter, read = _KINDS[self._held.dtype.category]
            value = math.nan if value is None and letter == "f" else read(value)
        if self._held.dtype.is_complex:
            self._held[_place(place)] = value
            return
        try:
            _index.put(self._held, _place(place), value, backwards=True)
        except RuntimeError:
            there = tuple(_index.get(self._held, _place(place), backwards=True).shape)
            if not isinstance(value, torch.Tensor) or there == tuple(value.shape):
                raise
            told = f"could not broadcast input array from shape {tuple(value.shape)} into shape {there}"
            raise ValueError(told.replace(", ", ",")) from None

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
                if self.size
                else "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is "
                "not empty."
            )
        return bool(self._held.item())

    def __float__(self) -> float:
        if self.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return float(self._held)

    def __int__(self) -> int:
        return int(float(self)) if self.ndim or self.dtype.kind == "f" else self.__index__()

    def __divmod__(self, other):
        return self // other, self % other

    def __index__(self) -> int:
        return self._held.__index__()

    def __repr__(self) -> str:
        usual = self._held.dtype.name in ("float64", "int64", "bool", "complex128") and self._held.numel()
        more = [f"shape={self.shape}"] * (
            self.size > PRINT["threshold"] or (not self.size and self.ndim > 1)
        ) + [f"dtype={self._held.dtype.name}"] * (not usual)
        text, more = f"array({_text(self, ', ', len('array('))}", ", ".join(more)
        if not more:
            return f"{text})"
        full = len(text) - text.rfind("\n") + len(more) + 2 > PRINT["linewidth"]
        return f"{text},{chr(10) + ' ' * len('array(') if full else ' '}{more})"

    def __str__(self) -> str:
        return _text(self, " ", 0) if self.ndim else str(_given(self._held))

    def mean(self, axis=None, keepdims=False):
        """Average, in float64."""
        held = self._held if self._held.dtype.category > 1 else self._held.double()
        return _given(held.mean(axis, keepdims) if axis is not None or keepdims else held.mean())

    def var(self, axis=None, ddof=0, keepdims=False):
        """Average the squares of the distances from the average; NumPy divides by the count."""
        held = self._held if self._held.dtype.category > 1 else self._held.double()
        axes = tuple(range(held.dim())) if axis is None else axis
        return _given(torch.var(held, axes, correction=ddof, keepdim=keepdims))

    def std(self, axis=None, ddof=0, keepdims=False):
        """Take the root of the variance."""
        kind = self._held.dtype if self._held.dtype.is_floating_point else torch.float64
        return _given(asarray(self.var(axis, ddof, keepdims))._held.to(kind).sqrt())

    def max(self, axis=None, keepdims=False):
        """Give the largest."""
        axis = [*range(self.ndim)] if axis is None and keepdims else axis
        return _given(self._held.max() if axis is None else self._held.amax(axis, keepdims))

    def min(self, axis=None, keepdims=False):
        """Give the smallest."""
        axis = [*range(self.ndim)] if axis is None and keepdims else axis
        return _given(self._held.min() if axis is None else self._held.amin(axis, keepdims))

    def cumsum(self, axis=None) -> "ndarray":
        """Add up, over all numbers in a row where there is no axis."""
        return ndarray(self._held.flatten().cumsum(0) if axis is None else self._held.cumsum(axis))

    def repeat(self, repeats, axis=None) -> "ndarray":
        """Give each number, or each part along an axis, several times."""
        held = self._held.flatten() if axis is None else self._held
        counts = repeats if isinstance(repeats, int) else asarray(repeats)._held
        if not isinstance(counts, int) and counts.numel() not in (1, held.shape[axis or 0]):
            told = f"operands could not be broadcast together with shape ({held.shape[axis or 0]},) ({len(counts)},)"
            raise ValueError(told)
        return ndarray(held.repeat_interleave(counts, axis or 0))

    def transpose(self, *axes) -> "ndarray":
        """Order the axes anew."""
        axes = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return ndarray(self._held.permute(axes or [*range(self.ndim)][::-1]))

    real = property(lambda self: ndarray(self._held.real) if self._held.dtype.is_complex else self)
    imag = property(lambda self: ndarray(self._held.imag if self._held.dtype.is_complex else self._held * 0))

    def conjugate(self) -> "ndarray":
        """Turn the imaginary parts round."""
        return self.conj() if self._held.dtype.is_complex else self

    def item(self, *place):
        """Give one number of Python: the only one, or the one at a place."""
        place = place[0] if len(place) == 1 and isinstance(place[0], tuple) else place
        return (
            self[place] if len(place) > 1 else self._held.reshape(-1)[place] if place else self._held
        ).item()

    def reshape(self, *shape, order="C") -> "ndarray":
        """Order the numbers in another shape: row by row, or ("F") column by column."""
        shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        if order != "F":
            return ndarray(self._held.reshape(tuple(shape)))
        return ndarray(self.transpose()._held.reshape(tuple(shape)[::-1])).transpose()

    def ravel(self, order="C") -> "ndarray":
        """Give all numbers in a row."""
        return self.reshape(-1, order=order)

    def copy(self, order="K") -> "ndarray":
        """Give an array of its own."""
        return ndarray(self._held.clone())

    def sort(self, axis: int = -1) -> None:
        """Sort in place."""
        self._held.copy_(self._held.sort(axis).values)

    def clip(self, min=None, max=None) -> "ndarray":
        """Keep the numbers between two."""
        return _given(self._held.clamp(_plain(min), _plain(max)))

    def dot(self, other):
        """Multiply as vectors or matrices."""
        other = asarray(other)
        if not (self.ndim and other.ndim):
            return self * other
        axis = max(other.ndim - 2, 0)
        length, rows = self.shape[-1], other.shape[axis]
        if length != rows:
            told = f"shapes {self.shape} and {other.shape} not aligned".replace(", ", ",")
            raise ValueError(f"{told}: {length} (dim {self.ndim - 1}) != {rows} (dim {axis})")
        return _given(torch.tensordot(*matched(self, other), ([-1], [axis])))

    def flatten(self, order="C") -> "ndarray":
        """Give all numbers in a row of their own."""
        return self.ravel(order).copy()

    def astype(self, kind) -> "ndarray":
        kind = typed(kind)
        return ndarray(self._held.clone() if kind == self._held.dtype else self._held.to(kind))

    def round(self, decimals: int = 0) -> "ndarray":
        whole = self._held.dtype.category < 2
        return _given(self._held if whole else torch.round(self._held, decimals=decimals))

    def squeeze(self, axis=None):
        """Leave axes of length 1 out."""
        if isinstance(axis, int) and self.shape[axis] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        return _given(self._held.squeeze() if axis is None else self._held.squeeze(axis))

    def nonzero(self) -> tuple:
        """Give the places of what is not 0, axis by axis."""
        return tuple(ndarray(places) for places in self._held.nonzero().unbind(-1))

    def fill(self, value) -> None:
        """Write one number everywhere."""
        self._held.fill_(value)

    def tobytes(self) -> bytes:
        return bytes(self._held.contiguous().reshape(-1).view(torch.uint8).tolist())

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in _ALIKE.split():
            if name not in ABSENT.split():
                raise AttributeError(f"'numpy.ndarray' object has no attribute {name!r}")
            raise AttributeError(f"numpy.ndarray.{name} is not in the page; run this notebook in Jupyter.")
        if name in ("sum", "prod", "any", "all"):
            return _total(self._held, name)
        method = getattr(self._held, name)
        return spoken(lambda *args, **kwargs: _given(method(*map(_plain, args), **kwargs)))


def _total(held, name: str):
    """Make what puts all numbers together, or those along axes."""

    def act(axis=None, dtype=None, keepdims=False):
        kind = {} if dtype is None else {"dtype": typed(dtype)}
        if axis is None and not keepdims:
            return _given(getattr(held, name)(**kind))
        axes = [*range(held.dim())] if axis is None else [axis] if isinstance(axis, int) else [*axis]
        axes = [axis_of(k, held.dim()) for k in axes]
        if len({*axes}) < len(axes):
            raise ValueError("duplicate value in 'axis'")
        found = held.to(typed(dtype)) if kind else held
        for one in sorted(axes, reverse=True):
            found = getattr(found, name)(one, keepdims)
        return _given(found)

    act.__name__ = act.__qualname__ = name
    return spoken(act)


def _shortest(x: float, kind: str) -> str:
    """Give the fewest digits that tell a number from all others of its type."""
    if kind == "float64" or not math.isfinite(x):
        return repr(x)
    letter = "f" if kind == "float32" else "e"
    same = lambda t: struct.unpack(letter, struct.pack(letter, float(t)))[0] == x  # noqa: E731
    return next(t for k in range(1, 18) if same(t := f"{x:.{k}g}"))


def set_printoptions(precision=None, threshold=None, linewidth=None, suppress=None, **others) -> None:
    """Say how arrays are printed."""
    if others:
        told = f"{next(iter(others))} of numpy.set_printoptions is not in the page; run this notebook in Jupyter."
        raise absent.NotInPage(told)
    given = {"precision": precision, "threshold": threshold, "linewidth": linewidth, "suppress": suppress}
    PRINT.update({key: value for key, value in given.items() if value is not None})


def _number(x: float, kind: str) -> str:
    """Give the shortest text that is this number, as NumPy prints it."""
    if not math.isfinite(x):
        return repr(x)
    text = f"{float(_shortest(x, kind)):.{PRINT['precision']}f}".rstrip("0")
    return text if "." in text else f"{text}."


def _complex(x: complex, kind: str) -> str:
    if kind == "complex128":
        return repr(x)
    real, imag = (_shortest(part, "float32").removesuffix(".0") for part in (x.real, x.imag))
    return f"({real}{'' if imag[0] in '-n' else '+'}{imag}j)" if x.real else f"{imag}j"


def _pairs(flat: list, kind: str) -> list[str]:
    """Give texts of complex numbers: their real and imaginary parts, each in a column."""
    kind = "float32" if kind == "complex64" else "float64"
    texts = (text.lstrip() for text in _floats([x.imag for x in flat], kind))
    imag = [text if text[0] == "-" else f"+{text}" for text in texts]
    wide = max(map(len, imag))
    parts = zip(_floats([x.real for x in flat], kind), (text.rjust(wide) for text in imag), strict=True)
    return [a + b.rstrip() + "j" + " " * (wide - len(b.rstrip())) for a, b in parts]


def _floats(flat: list, kind: str) -> list[str]:
    """Give texts of numbers with their points below one another, or with powers of ten where they lie far apart."""
    finite = [abs(x) for x in flat if math.isfinite(x) and x]
    far = finite and (max(finite) >= 1e8 or min(finite) < 1e-4 or max(finite) / min(finite) > 1000)
    if not far or PRINT["suppress"]:
        words = [_number(x, kind) for x in flat]
        left = max((len(w.partition(".")[0]) for w in words if "." in w), default=0)
        right = max((len(w.partition(".")[2]) for w in words if "." in w), default=0)
        split = ((w, *w.partition(".")) for w in words)
        return [a.rjust(left) + "." + b.ljust(right) if point else w for w, a, point, b in split]
    raw = [
        f"{float(_shortest(x, kind)):.{PRINT['precision']}e}".split("e")
        if math.isfinite(x)
        else [repr(x), ""]
        for x in flat
    ]
    digits, wide = (
        max(len(m.lstrip("-").rstrip("0")) for m, _ in raw if "." in m),
        max(len(e) for _, e in raw),
    )
    return [f"{m[: digits + (m[0] == '-')]}e{e[0]}{e[1:].rjust(wide - 1, '0')}" if e else m for m, e in raw]


def _text(array: ndarray, between: str, indent: int) -> str:
    if not array.size:
        return "[]"
    held, cut = array._held, array.size > PRINT["threshold"]
    for axis in range(held.dim() if cut else 0):
        if (length := held.shape[axis]) > 2 * EDGE:
            held = torch.cat([held.narrow(axis, 0, EDGE), held.narrow(axis, length - EDGE, EDGE)], axis)
    flat, kind = held._flat(), held.dtype
    if kind.category > 1:
        words = (_pairs if kind.is_complex else _floats)(flat, kind.name)
    else:
        words = [str(x).rjust(5 * (kind == torch.bool and held.dim() > 0)) for x in flat]
    width = max(map(len, words), default=0)
    words = [w.rjust(width) for w in words]

    def block(shape: list, start: int, depth: int) -> str:
        if not shape:
            return words[start]
        size = math.prod(shape[1:])
        parts = [block(shape[1:], start + k * size, depth + 1) for k in range(shape[0])]
        if cut and array.shape[depth] > 2 * EDGE:
            parts.insert(EDGE, "...")
        if len(shape) > 1:
            gap = between.rstrip() + "\n" * (len(shape) - 1) + " " * (indent + depth + 1)
            return "[" + gap.join(parts) + "]"
        lines, room = [[]], PRINT["linewidth"] - indent - depth - 1
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


def _place(place):
    if isinstance(place, str):
        raise IndexError(INDICES)
    return tuple(map(_plain, place)) if isinstance(place, tuple) else _plain(place)


def _first(value):
    return value[0] if isinstance(value, ndarray) else value


def _plain(value):
    return value._held if isinstance(value, ndarray) else value


def _given(value):
    if isinstance(value, torch.Tensor):
        if value.dim():
            return ndarray(value)
        kind = SCALARS.get(value.dtype.name)
        return value.item() if kind is None else kind._exactly(value.item())
    return value


def forwards(array: ndarray):
    """Give the tensor that an array holds, where PyTorch takes the array."""
    if min(array._held.stride(), default=0) < 0:
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
            "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
        )
    return array._held


def _strong(value):
    """Give a number of NumPy as an array of one, as its type counts, and a list as an array."""
    value = asarray(value) if isinstance(value, list | tuple) else value
    return value._held.reshape(1) if isinstance(value, generic) else _plain(value)


def _alike(values: list, divided: bool) -> list:
    """Give arrays the type that holds all their numbers: fractions beside whole numbers have the digits that these need."""
    kinds = [x.dtype for x in values if isinstance(x, torch.Tensor)]
    kind = functools.reduce(torch.promote_types, kinds)
    widest = max((k.itemsize for k in kinds if k.category == 1), default=0)
    if kind.is_floating_point and widest:
        kind = torch.promote_types(kind, {1: torch.float16, 2: torch.float32}.get(widest, torch.float64))
    elif kind.category < 2 and (divided or any(isinstance(x, float | complex) for x in values)):
        kind = torch.float64
    if any(isinstance(x, complex) for x in values) and not kind.is_complex:
        kind = torch.complex128 if kind is torch.float64 else torch.complex64
    return [x.to(kind) if isinstance(x, torch.Tensor) else x for x in values]


def _apart(name: str, one: tuple, other: tuple) -> str:
    """Say in NumPy's words that two shapes do not fit; nothing where they do."""
    if "matmul" not in name:
        if all(m == n or 1 in (m, n) for m, n in zip(reversed(one), reversed(other), strict=False)):
            return ""
        return f"operands could not be broadcast together with shapes {one} {other} ".replace(", ", ",")
    rows = other[-2] if len(other) > 1 else other[0]
    if rows == one[-1]:
        ways = (f"{s}->({''.join(f'{n},' for n in s[:-2])}newaxis,newaxis)" for s in (one, other))
        told = f"remapped shapes [original->remapped]: {' '.join(ways)}  and requested shape {(one[-2], other[-1])}"
        return f"operands could not be broadcast together with {told}".replace(", ", ",")
    return (
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
        f"(n?,k),(k,m?)->(n?,m?) (size {rows} is different from {one[-1]})"
    )


def _operator(name: str):
    turned = name[0] == "r" and name != "rshift"
    found = getattr(operator, name[turned:], None) or getattr(operator, f"{name[turned:]}_")

    def act(self, *others):
        if others and isinstance(
            others[0], torch.Tensor
        ):  # PyTorch leaves it to NumPy and makes a tensor of it
            if not turned and name not in ("truediv", "eq", "ne"):
                if name == "add":
                    raise TypeError(CONCATENATION)
                if sign := {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.get(name):
                    told = "not supported between instances of 'numpy.ndarray' and 'Tensor'"
                    raise TypeError(f"'{sign}' {told}")
                sign = SIGNS.get(name, name)
                raise TypeError(f"unsupported operand type(s) for {sign}: 'numpy.ndarray' and 'Tensor'")
            return torch.as_tensor(act(self, asarray(others[0])))
        if others and name in ("eq", "ne") and (others[0] is None or isinstance(others[0], str)):
            return ndarray(torch.full(self.shape, name == "ne"))
        if others and isinstance(others[0], str):
            told = f"(dtype('{self.dtype}'), dtype('<U{len(others[0])}'))"
            raise UFuncTypeError(
                f"ufunc '{UFUNCS.get(name, name)}' did not contain a loop with signature matching types {told} -> None"
            )
        if others and not isinstance(
            others[0], ndarray | generic | bool | int | float | complex | list | tuple
        ):
            return NotImplemented
        values = [self._held, *map(_strong, others)]
        values = _alike(values, "truediv" in name) if others else values
        given = (*reversed(values),) if turned else values
        single = [not getattr(x, "shape", ()) for x in given]
        if name[turned:] == "matmul" and any(single):
            told = "has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1"
            raise ValueError(
                f"matmul: Input operand {single.index(True)} does not have enough dimensions ({told})"
            )
        if name[turned:] in ("floordiv", "mod") and (found_whole := _by_nothing(*given, found)) is not None:
            return _given(found_whole)
        try:
            return _given(found(*given))
        except NotImplementedError:
            told = "not supported for the input types, and the inputs could not be safely coerced to any supported types"
            raise TypeError(
                f"ufunc '{UFUNCS.get(name, name)}' {told} according to the casting rule ''safe''"
            ) from None
        except RuntimeError:
            both = len(given) == 2 and all(isinstance(x, torch.Tensor) for x in given)
            told = _apart(name, *(tuple(x.shape) for x in given)) if both else ""
            if not told:
                raise
            raise ValueError(told) from None

    return act


SIGNS = {"sub": "-", "mul": "*", "floordiv": "//", "mod": "%", "pow": "** or pow()", "matmul": "@", "and": "&", "or": "|", "xor": "^"}  # fmt: skip
CONCATENATION = (
    "Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. Please do not rely on this "
    "error; it may not be given on all Python implementations."
)
UFUNCS = {"truediv": "divide", "sub": "subtract", "mul": "multiply", "pow": "power", "and": "bitwise_and", "or": "bitwise_or",
          "xor": "bitwise_xor", "floordiv": "floor_divide", "mod": "remainder"}  # fmt: skip


def _by_nothing(one, other, act):
    """Give what NumPy gives for whole numbers divided by 0: 0."""
    both = [torch.as_tensor(x) for x in (one, other)]
    if any(x.dtype.category != 1 for x in both) or bool((both[1] != 0).all()):
        return None
    nothing = both[1] == 0
    return torch.where(
        nothing,
        torch.zeros_like(both[1]),
        act(both[0], torch.where(nothing, torch.ones_like(both[1]), both[1])),
    )


def _written(name: str):
    """Make an operator that writes into the array: whoever else holds it sees it."""

    def write(self, other):
        found = _plain(getattr(self, f"__{name}__")(other))
        if isinstance(found, torch.Tensor) and found.dtype.category > self._held.dtype.category:
            told = f"Cannot cast ufunc '{UFUNCS.get(name, name)}' output from dtype('{found.dtype.name}') to dtype('{self.dtype}') with casting rule 'same_kind'"
            raise UFuncTypeError(told)
        self[...] = found
        return self

    return write


def _of_one(name: str):
    def act(self, *others):
        if others and not isinstance(others[0], int | float | complex):
            return NotImplemented
        return getattr(ndarray(self._held.reshape(1)), f"__{name}__")(*others)[0]

    return act


for _name in _OPERATORS.split():
    setattr(ndarray, f"__{_name}__", _operator(_name))
    setattr(generic, f"__{_name}__", _of_one(_name))
for _name in [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
    "matmul",
]:
    setattr(ndarray, f"__i{_name}__", _written(_name))
ndarray.__hash__ = None
for _name, _act in list(vars(ndarray).items()):
    if callable(_act) and _name not in ("__init__", "__getattr__"):
        setattr(ndarray, _name, spoken(_act))


def matched(*values) -> list:
    """Give tensors of the type that holds all their numbers; a number of Python brings none but its kind."""
    plain = not any(isinstance(x, ndarray | generic | list | tuple) for x in values)
    held = [x if not plain and type(x) in (int, float, bool, complex) else asarray(x)._held for x in values]
    held = _alike(held, False)
    kind = next(x.dtype for x in held if isinstance(x, torch.Tensor))
    return [x if isinstance(x, torch.Tensor) else torch.tensor(x, dtype=kind) for x in held]


def _uneven(values, axes: int) -> str:
    """Say in NumPy's words that lists of other lengths make no array."""
    lengths = []
    for _ in range(axes):
        lengths.append(len(values))
        values = values[0]
    return (
        "setting an array element with a sequence. The requested array has an inhomogeneous shape after "
        f"{axes} dimensions. The detected shape was {tuple(lengths)} + inhomogeneous part."
    )


def _arrays(values):
    """Give nested lists with arrays for their tensors; text is no number."""
    if isinstance(values, str):
        raise TypeError(values)
    if isinstance(values, list | tuple):
        return [_arrays(v) for v in values]
    return asarray(values) if isinstance(values, torch.Tensor) else values


def asarray(values, dtype=None) -> ndarray:
    """Make an array of numbers, nested lists, a tensor or an array."""
    if dtype is not None:
        made, kind = asarray(values), typed(dtype)
        if kind.category == 1 and isinstance(values, int | list | tuple) and not isinstance(values, generic):
            limits, found = _dtype.iinfo(kind), made._held._flat() if kind.itemsize < 8 else ()
            if wrong := [x for x in found if isinstance(x, int) and not limits.min <= x <= limits.max]:
                raise OverflowError(f"Python integer {wrong[0]} out of bounds for {kind.name}")
        return made.astype(kind)
    if isinstance(values, ndarray):
        return values
    if isinstance(values, torch.Tensor):
        if values.requires_grad and torch.is_grad_enabled():
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
            )
        if values.dtype == torch.bfloat16:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return ndarray(values)
    if isinstance(values, generic):
        return ndarray(values._held)
    if isinstance(values, list | tuple) and values and all(isinstance(x, ndarray) for x in values):
        return ndarray(torch.stack(matched(*values)))
    usual = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)  # a float of Python has all its digits
    try:
        return ndarray(torch.tensor(_arrays(values)))
    except ValueError as error:
        if not (ragged := re.search(r"at dim (\d+) \(got", str(error))):
            raise
        raise ValueError(_uneven(values, int(ragged[1]))) from None
    except (TypeError, RuntimeError) as error:
        told = f"an array of NumPy from {type(values).__name__} with other things than numbers is not in the page"
        raise absent.NotInPage(f"{told}; run this notebook in Jupyter.") from error
    finally:
        torch.set_default_dtype(usual)


ndarray.__module__ = "numpy"
