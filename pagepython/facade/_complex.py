"""Complex numbers: pairs of real ones, (..., 2), so that every rule for real tensors holds for them too."""

import math
import warnings

from torch import _create, _dtype, _views
from torch._absent import missing
from torch._call import call
from torch._form import Size
from torch._tensor import Tensor, TensorBase

KINDS = {"float32": _dtype.complex64, "float64": _dtype.complex128}


class Complex(Tensor):
    """A tensor of complex numbers; ``_pair`` holds the real parts and the imaginary ones beside each other."""

    _turned = False
    grad_fn = property(lambda self: self._pair.grad_fn)
    is_leaf = property(lambda self: self._pair.is_leaf)
    real = property(
        lambda self: self._pair.select(-1, 0), lambda self, value: self.real.copy_(_create.as_tensor(value))
    )
    imag = property(
        lambda self: self._pair.select(-1, 1), lambda self, value: self.imag.copy_(_create.as_tensor(value))
    )
    T = property(lambda self: transpose(self, *range(self.dim())[::-1]) if self.dim() == 2 else self)
    mT = property(lambda self: transpose(self, -2, -1))  # noqa: N815
    H = property(lambda self: transpose(conj(self), -2, -1))
    mH = H  # noqa: N815
    requires_grad = property(
        lambda self: self._pair.requires_grad,
        lambda self, wanted: setattr(self._pair, "requires_grad", wanted),
    )

    @property
    def grad(self):
        return None if self._pair.grad is None else of(self._pair.grad)

    @grad.setter
    def grad(self, value) -> None:
        if value is None and hasattr(self, "_pair"):
            self._pair.grad = None

    def _flat(self) -> list:
        numbers = self._pair._flat()
        return [complex(a, b) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]

    def is_complex(self) -> bool:
        return True

    def detach(self):
        return of(self._pair.detach())

    def backward(self, gradient=None, **more) -> None:
        if gradient is None:
            raise RuntimeError(
                "grad can be implicitly created only for real scalar outputs but got torch." + self.dtype.name
            )
        self._pair.backward(
            gradient._pair if isinstance(gradient, Complex) else pair(gradient, self.dtype), **more
        )

    def __getitem__(self, place):
        place = place if isinstance(place, tuple) else (place,)
        return of(
            self._pair[(*place, slice(None))]
            if any(p is ... for p in place)
            else self._pair[(*place, ..., slice(None))]
        )

    def __setitem__(self, place, value) -> None:
        place = place if isinstance(place, tuple) else (place,)
        self._pair[(*place, slice(None)) if any(p is ... for p in place) else (*place, ..., slice(None))] = (
            pair(value, self.dtype)
        )

    def __hash__(self) -> int:
        return id(self)


def of(parts: Tensor) -> Complex:
    """See pairs of real numbers as complex ones."""
    made = object.__new__(Complex)
    made._pair, made._type, made._size = parts, KINDS[parts.dtype.name], Size(parts.shape[:-1])
    made._handle, made._store = parts._handle, parts._store
    made._node, made._number, made._wants = None, 0, False
    strides = tuple(s // 2 for s in parts.stride()[:-1])
    made._rest = [strides, parts.storage_offset() // 2, parts.is_contiguous()]
    return made


def of_numbers(flat: list, shape: list, dtype) -> Complex:
    """Make a complex tensor of Python's numbers."""
    kind = _dtype.float64 if dtype == _dtype.complex128 else _dtype.float32
    numbers = [part for x in flat for part in (complex(x).real, complex(x).imag)]
    return of(_create.tensor(numbers, dtype=kind).reshape([*shape, 2]))


def pair(value, dtype=None) -> Tensor:
    """Give the pairs of what is complex, real, or a number of Python."""
    kind = _dtype.float64 if dtype == _dtype.complex128 else _dtype.float32
    if isinstance(value, Complex):
        return value._pair
    if isinstance(value, complex):
        return _create.tensor([value.real, value.imag], dtype=kind)
    real = value if isinstance(value, Tensor) else _create.tensor(float(value), dtype=kind)
    if real.dtype == _dtype.float16:
        raise missing("torch.complex32")
    real = real if real.dtype.is_floating_point else real.to(kind)
    return call("stack", [real, call("zeros_like", real.detach())], -1)


def _both(one, two):
    """Give two operands as pairs of the same type."""
    kinds = [x.dtype for x in (one, two) if isinstance(x, Complex)]
    kind = (
        _dtype.complex128
        if _dtype.complex128 in kinds
        or any(getattr(x, "dtype", 0) == _dtype.float64 and getattr(x, "shape", ()) for x in (one, two))
        else kinds[0]
        if kinds
        else _dtype.complex64
    )
    real = _dtype.float64 if kind == _dtype.complex128 else _dtype.float32
    return [pair(x, kind).to(real) for x in (one, two)]


def _parts(pairs: Tensor) -> tuple[Tensor, Tensor]:
    return pairs.select(-1, 0), pairs.select(-1, 1)


def joined(real: Tensor, imag: Tensor) -> Complex:
    real, imag = _create.call_broadcast(real, imag)
    return of(call("stack", [real, imag], -1))


def polar(abs, angle):
    _alike(abs, angle)
    return joined(abs * angle.cos(), abs * angle.sin())


def complex_(real, imag):
    _alike(real, imag)
    return joined(real, imag)


def _alike(*parts) -> None:
    one, two = (_dtype.NAMES[t.dtype.name] for t in parts)
    if not all(t.is_floating_point() for t in parts):
        raise RuntimeError(
            f"Expected both inputs to be Half, Float or Double tensors but got {one} and {two}"
        )
    if one != two:
        raise RuntimeError(
            f"Expected object of scalar type {one} but got scalar type {two} for second argument"
        )


def view_as_complex(self):
    if self.dtype.name == "float16":
        raise missing("torch.complex32")
    if self.dtype.name not in KINDS:
        raise RuntimeError(
            f"view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {_dtype.NAMES[self.dtype.name]}"
        )
    if not self.dim() or self.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if self.stride()[-1] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    return of(self)


def view_as_real(self):
    if not isinstance(self, Complex):
        raise RuntimeError("view_as_real is only supported for complex tensors")
    if self._turned:
        raise RuntimeError(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as "
            "real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original."
        )
    return self._pair


def add(self, other, *, alpha=1):
    one, two = _both(self, other)
    return of(one + two * alpha)


def sub(self, other, *, alpha=1):
    one, two = _both(self, other)
    return of(one - two * alpha)


def mul(self, other):
    (a, b), (c, d) = map(_parts, _both(self, other))
    return joined(a * c - b * d, a * d + b * c)


def _quotient(top, under):
    """Divide, by the larger part first, so that no square overflows; by 0 each part is divided by 0."""
    (a, b), (c, d) = _parts(top), _parts(under)
    size = call("maximum", c.detach().abs(), d.detach().abs())
    size = call("where", (size > 0) & (size < math.inf), size, call("ones_like", size))
    c, d = c / size, d / size
    square = (c * c + d * d) * size
    real, imag = (a * c + b * d) / square, (b * c - a * d) / square
    zero = (square == 0).detach()
    if not any(zero._flat()):
        return joined(real, imag)
    return joined(*(call("where", zero, x.detach() / 0.0, y) for x, y in ((a, real), (b, imag))))


def reciprocal(self):
    return _quotient(pair(1.0, self.dtype), self._pair)


def div(self, other):
    if not isinstance(other, Complex | complex):
        return of(pair(self) / (other.unsqueeze(-1) if isinstance(other, Tensor) else other))
    return _quotient(*_both(self, other))


def matmul(self, other):
    if self.dtype != other.dtype:
        from torch._checks import CHECKS

        for check in CHECKS["matmul"]:
            check("matmul", {"self": self, "other": other})
    (a, b), (c, d) = map(_parts, _both(self, other))
    return joined(a @ c - b @ d, a @ d + b @ c)


def pow(self, exponent):
    if not isinstance(self, Complex):
        self = of(pair(self, getattr(exponent, "dtype", None)))
    if not isinstance(exponent, Tensor) and exponent == 0.5:
        return sqrt(self)
    if isinstance(exponent, int) and 0 < exponent < 9:
        made = self
        for _ in range(exponent - 1):
            made = mul(made, self)
        return made
    return exp(mul(log(self), exponent))


def exp(self):
    a, b = _parts(self._pair)
    return polar(a.exp(), b)


def log(self):
    return joined(abs_(self).log(), angle(self))


def sqrt(self):
    """Take the root: its digits without angles, which would miss the axes, its gradient by them."""
    turned, (a, b), zero = polar(abs_(self).sqrt(), angle(self) / 2), _parts(self._pair.detach()), 0.0
    long = ((call("hypot", a, b) + a.abs()) / 2).sqrt()
    short = call("where", long == 0, zero, b.abs() / (2 * long))
    real = call("where", a < 0, short, long)
    found = joined(real, call("copysign", call("where", a < 0, long, short), b))
    return of(found._pair + (turned._pair - turned._pair.detach()))


def abs_(self):
    a, b = _parts(self._pair)
    return call("hypot", a, b)


def angle(self):
    a, b = _parts(self._pair)
    return call("atan2", b, a)


def conj(self):
    a, b = _parts(self._pair)
    made = joined(a, -b)
    made._turned = not self._turned  # PyTorch only notes it
    return made


def neg(self):
    return of(-self._pair)


def eq(self, other):
    one, two = _both(self, other)
    return (one == two).all(-1)


def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    gap = abs_(sub(self, other))
    return bool((gap <= atol + rtol * abs_(other if isinstance(other, Complex) else of(pair(other)))).all())


def _along(name: str):
    """Make a sum, a mean or the like: each part by itself."""

    def act(self, dim=None, keepdim=False, *, dtype=None):
        dims = list(range(self.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
        return (
            of(getattr(self._pair, name)([d % max(self.dim(), 1) for d in dims], keepdim)) if dims else self
        )

    return act


def cumsum(self, dim):
    return of(self._pair.cumsum(dim % self.dim()))


def prod(self):
    made = self.reshape(-1)
    found = made[0]
    for k in range(1, made.shape[0]):
        found = mul(found, made[k])
    return found


def typed(name: str, args, kwargs):
    """Make what an operator makes of a complex type: real numbers of half its size, and no imaginary part."""
    kind = kwargs["dtype"]
    if name not in ("_to_copy", "zeros", "ones", "full", "eye", "zeros_like", "ones_like"):
        raise missing(f"{kind} in torch.{name}")
    real = _dtype.float64 if kind == _dtype.complex128 else _dtype.float32
    return of(pair(call(name, *args, **kwargs | {"dtype": real})))


def to(self, *kinds, device=None, dtype=None, other=None, non_blocking=False, copy=False):
    found = [k.dtype if isinstance(k, TensorBase) else k for k in (*kinds, dtype, other)]
    kind = next((k for k in found if isinstance(k, _dtype.dtype)), self.dtype)
    if not isinstance(self, Complex):
        return self.to(kind)
    if kind == self.dtype:
        return of(self._pair.clone()) if copy else self
    if kind.is_complex:
        return of(self._pair.to(_dtype.float64 if kind == _dtype.complex128 else _dtype.float32))
    if kind == _dtype.bool_:
        return (self._pair != 0).any(-1)
    warnings.warn("Casting complex values to real discards the imaginary part", UserWarning, stacklevel=2)
    return self.real.to(kind)


def _typed(name: str):
    return lambda self: to(self, _dtype.named(name))


def _unordered(name: str):
    def refuse(self, other):
        kind = next(x.dtype for x in (self, other) if isinstance(x, Complex))
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{_dtype.NAMES[kind.name]}'")

    return refuse


def full(size, fill_value, *, dtype=None):
    numbers = _create.tensor([fill_value], dtype=dtype or _dtype.of_python(complex))
    return of(numbers._pair.expand([*size, 2]).clone())


def _axis(self, dim: int) -> int:
    return _views.axis_of(dim, self.dim())


def transpose(self, dim0, dim1):
    return of(self._pair.transpose(_axis(self, dim0), _axis(self, dim1)))


def _shaped(name: str):
    def act(self, *size):
        size = size[0] if isinstance(size[0], tuple | list) else size
        if any(isinstance(n, _dtype.dtype) for n in size):
            raise missing(f"Tensor.{name}({size[0]}) of complex numbers")
        return of(getattr(self._pair, name)([*size, 2]))

    return act


def stack(tensors, dim=0):
    return of(call("stack", [pair(t) for t in tensors], dim if dim >= 0 else dim - 1))


def cat(tensors, dim=0):
    return of(call("cat", [pair(t) for t in tensors], dim if dim >= 0 else dim - 1))


CASTS = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float64", "char": "int8", "byte": "uint8", "short": "int16",
         "int": "int32", "long": "int64", "bool": "bool", "cfloat": "complex64", "cdouble": "complex128"}  # fmt: skip
OWN = {
    "add": add, "sub": sub, "mul": mul, "div": div, "matmul": matmul, "mm": matmul, "bmm": matmul, "pow": pow, "exp": exp, "log": log, "sqrt": sqrt,
    "abs": abs_, "absolute": abs_, "angle": angle, "conj": conj, "conj_physical": lambda self: of(conj(self)._pair),
    "resolve_conj": lambda self: of(self._pair), "is_conj": lambda self: self._turned, "neg": neg, "eq": eq,
    "ne": lambda self, other: ~eq(self, other), "reciprocal": reciprocal, "sum": _along("sum"), "mean": _along("mean"), "cumsum": cumsum,
    "prod": prod, "to": to, "clone": lambda self: of(self._pair.clone()), "contiguous": lambda self: of(self._pair.contiguous()),
    "transpose": transpose, "swapaxes": transpose, "reshape": _shaped("reshape"), "view": _shaped("view"), "expand": _shaped("expand"),
    "broadcast_to": _shaped("expand"), "permute": lambda self, dims: of(self._pair.permute([*(_axis(self, d) for d in dims), self.dim()])),
    "unsqueeze": lambda self, dim: of(self._pair.unsqueeze(_views.axis_of(dim, self.dim() + 1))),
    "squeeze": lambda self, dim=None: of(self._pair.squeeze(_axis(self, dim)) if dim is not None else self._pair.reshape([*(n for n in self.shape if n != 1), 2])),
    "flatten": lambda self, start_dim=0, end_dim=-1: of(self._pair.flatten(_axis(self, start_dim), _axis(self, end_dim))),
    "select": lambda self, dim, index: of(self._pair.select(_axis(self, dim), index)),
    "unbind": lambda self, dim=0: tuple(map(of, self._pair.unbind(_axis(self, dim)))),
    "view_as_real": view_as_real, "real": lambda self: self.real, "imag": lambda self: self.imag, "stack": stack, "cat": cat,
    "is_complex": lambda self: True, "numel": lambda self: math.prod(self.shape), "allclose": allclose, "view_as": lambda self, other: self.view(other.shape),
    "zeros_like": lambda self: of(call("zeros_like", self._pair)), "ones_like": lambda self: typed("ones_like", (self.real,), {"dtype": self.dtype}),
    "square": lambda self: mul(self, self), "dot": matmul, "vdot": lambda self, other: matmul(conj(self), other),
    "outer": lambda self, other: mul(self.unsqueeze(1), other), "isnan": lambda self: self._pair.isnan().any(-1),
    "flip": lambda self, dims: of(self._pair.flip([_axis(self, d) for d in ([dims] if isinstance(dims, int) else dims)])),
    "type": lambda self, dtype=None: self.to(dtype) if dtype else f"torch.{_dtype.NAMES[self.dtype.name]}Tensor",
    "full": full, "type_as": lambda self, other: to(self, other.dtype), "result_type": lambda self, other: KINDS[_both(self, other)[0].dtype.name],
    **{name: _typed(kind) for name, kind in CASTS.items()}, **{name: _unordered(name) for name in ("lt", "le", "gt", "ge")},
    "isclose": lambda self, other: abs_(sub(self, other)) <= 1e-8 + 1e-5 * abs_(other), "is_floating_point": lambda self: False,
}  # fmt: skip


def held(path: str, args, kwargs):
    """Call a function that was given complex numbers."""
    short = path.rpartition(".")[2]
    if short not in OWN:
        raise missing(f"torch.{path} of complex numbers in torch.{path}")
    return OWN[short](*args, **{k: v for k, v in kwargs.items() if v is not None})


def _operator(name: str, *, turned: bool = False):
    def act(self, other):
        if not isinstance(other, Tensor | int | float | complex):
            return NotImplemented
        return OWN[name](*((other, self) if turned else (self, other)))

    return act


for _python, _name in {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "matmul": "matmul", "pow": "pow", "eq": "eq", "ne": "ne",
}.items():  # fmt: skip
    setattr(Complex, f"__{_python}__", _operator(_name))
    setattr(Complex, f"__r{_python}__", _operator(_name, turned=True))
Complex.__neg__, Complex.__abs__ = neg, abs_
Complex.__rtruediv__ = lambda self, other: mul(reciprocal(self), other)
TensorBase.real = property(lambda self: self)


def _real_only(self):
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


TensorBase.imag = property(_real_only)


Complex.__module__, Complex.__name__ = "torch", "Tensor"
