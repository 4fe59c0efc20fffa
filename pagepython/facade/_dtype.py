"""Number types: their names, what they promote to, and their limits."""

import math


class dtype:
    """A number type; the only ones are the constants of this module."""

    def __init__(self, name: str, category: int, itemsize: int) -> None:
        self.name, self.category, self.itemsize = name, category, itemsize
        self.is_floating_point, self.is_complex = category == 2, category == 3
        self.is_signed = name not in ("bool", "uint8")

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def to_real(self) -> "dtype":
        return {complex64: float32, complex128: float64}.get(self, self)

    def to_complex(self) -> "dtype":
        if self not in (float32, float64, complex64, complex128):
            raise NotImplementedError(f"a complex type of {self} is not in the page's torch.")
        return {float32: complex64, float64: complex128}.get(self, self)

    def __reduce__(self):
        return named, (self.name,)


dtype.__module__ = "torch"


_ALL = {
    name: dtype(name, category, size)
    for name, category, size in (
        ("bool", 0, 1),
        ("uint8", 1, 1),
        ("int8", 1, 1),
        ("int16", 1, 2),
        ("int32", 1, 4),
        ("int64", 1, 8),
        ("float16", 2, 2),
        ("bfloat16", 2, 2),
        ("float32", 2, 4),
        ("float64", 2, 8),
        ("complex64", 3, 8),
        ("complex128", 3, 16),
    )
}
bool_, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64, complex64, complex128 = (
    _ALL.values()
)
half, double, long, short, cfloat, cdouble = float16, float64, int64, int16, complex64, complex128
NAMES = {
    "bool": "Bool", "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long", "float16": "Half",
    "bfloat16": "BFloat16", "float32": "Float", "float64": "Double", "complex64": "ComplexFloat", "complex128": "ComplexDouble",
}  # fmt: skip
CNAMES = {
    "bool": "bool", "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int", "int64": "long int",
    "float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip
_ORDER = list(_ALL.values())
_default = [float32]


def named(name: str) -> dtype:
    """Give the type of a name."""
    return _ALL[name]


def of_python(kind: type) -> dtype:
    """Give the type that Python's bool, int and float stand for."""
    usual = complex128 if get_default_dtype() == float64 else complex64
    known = {bool: bool_, int: int64, float: get_default_dtype(), complex: usual}
    return next(known[k] for k in kind.__mro__ if k in known)  # a number of NumPy is one of Python


def get_default_dtype() -> dtype:
    """Give the type of floats that nothing else is said of."""
    return _default[0]


def set_default_dtype(d: dtype) -> None:
    """Set the type of floats that nothing else is said of."""
    if not isinstance(d, dtype):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default[0] = d


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """Give the smallest type that holds both."""
    low, high = sorted((type1, type2), key=_ORDER.index)
    if (low, high) == (uint8, int8):
        return int16
    if (low, high) == (float64, complex64):
        return complex128
    return float32 if (low, high) == (float16, bfloat16) else high


def can_cast(from_: dtype, to: dtype) -> bool:
    """Tell whether an in-place operator may write one type into the other."""
    return from_.category <= to.category


class finfo:
    """The limits of a float type."""

    def __init__(self, type: dtype | None = None) -> None:
        type = (type or get_default_dtype()).to_real()
        if not type.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        fraction, low, high = {
            "float16": (10, -14, 15),
            "bfloat16": (7, -126, 127),
            "float32": (23, -126, 127),
            "float64": (52, -1022, 1023),
        }[type.name]
        self.dtype, self.bits = type.name, type.itemsize * 8
        self.eps, self.tiny = 2.0**-fraction, 2.0**low
        self.smallest_normal = self.tiny
        self.max = (2 - self.eps) * 2.0**high
        self.min = -self.max
        self.resolution = 10.0 ** -math.floor(fraction * math.log10(2))

    def __repr__(self) -> str:
        values = ", ".join(
            f"{name}={getattr(self, name):g}"
            for name in ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        )
        return f"finfo({values}, dtype={self.dtype})"


class iinfo:
    """The limits of an integer type."""

    def __init__(self, type: dtype) -> None:
        if type.category != 1:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'"
            )
        self.dtype, self.bits = type.name, type.itemsize * 8
        self.min = -(2 ** (self.bits - 1)) if type.is_signed else 0
        self.max = 2 ** (self.bits - type.is_signed) - 1

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
