"""Complex numbers that depend on an input, as pairs of real ones: rotary positions, Fourier transforms.

A page has no complex numbers. A complex tensor is the view of a real one with a last axis (real, imaginary),
so each operator on it is done on the two halves and the result is viewed as complex again.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._C import DispatchKey
from torch._ops import OpOverload

from livetorch.program.operators import operator
from livetorch.tracing.graph import leaves
from livetorch.tracing.reader.refusals import Refusal
from livetorch.tracing.rules import fourier

Pair = tuple[Any, Any]
ADVICE = "Compute with .real and .imag, or with cos and sin of the angle."
_EIGENVALUES = (
    "the eigenvalues of a matrix that is not symmetric may be complex, and a page cannot compute them",
    "Use torch.linalg.eigh or eigvalsh if the matrix is symmetric; else compute them outside the function.",
)
_VIEWS = {
    "view_as_complex",
    "view_as_real",
    "view",
    "reshape",
    "unsqueeze",
    "squeeze",
    "permute",
    "transpose",
    "t",
}
_VIEWS |= {"expand", "slice", "select", "detach", "alias", "_unsafe_view", "unbind", "split", "resolve_conj"}


def rule(func: OpOverload, args: tuple, kwargs: dict) -> Callable | None:
    """Find how an operator is done on pairs; None where nothing is complex."""
    found = leaves((args, kwargs), (Tensor, complex))
    takes = any(isinstance(leaf, complex) or leaf.is_complex() for leaf in found)
    gives = isinstance(kwargs.get("dtype"), torch.dtype) and kwargs["dtype"].is_complex
    name = func._schema.name.partition("::")[2]
    if not takes and not gives and name not in _MAKES:
        return None
    if name in _VIEWS or func._schema.is_mutable:
        return None
    if name not in _PAIRS and name not in _MOVED:
        if func.has_kernel_for_dispatch_key(DispatchKey.CompositeImplicitAutograd):
            return func.decompose
        raise refusal(func)

    def pairwise(*args: Any, **kwargs: Any) -> Tensor:
        if name in _MOVED:  # the same move for both halves
            halves = zip(*map(_pair, leaves(args[0], Tensor)), strict=True)
            lists = isinstance(args[0], list | tuple)
            moved = [
                operator(str(func))(list(half) if lists else half[0].contiguous(), *args[1:], **kwargs)
                for half in halves
            ]
            return _joined(*moved)
        given = (_pair(arg) if isinstance(arg, Tensor | complex) else arg for arg in args)
        out = _PAIRS[name](*given, **{key: kwargs[key] for key in kwargs if key in ("alpha", "dtype")})
        return _joined(*out) if isinstance(out, tuple) else out

    return pairwise


def _zeros(self: Tensor, size: list[int], **_: Any) -> Tensor:
    return torch.view_as_complex(_real(self).new_zeros([*size, 2]))


def _copied(self: Tensor, source: Tensor, *_: Any) -> Tensor:
    torch.view_as_real(self).copy_(_real(source) if source.is_complex() else _real(source + 0j))
    return self


def memory_rule(func: OpOverload, args: tuple) -> Callable | None:
    """Find how new complex memory is made, or written to: as the real memory below it."""
    if not args or not isinstance(args[0], Tensor) or not args[0].is_complex():
        return None
    rules: dict[str, Callable] = {"new_zeros": _zeros, "copy_": _copied}
    return rules.get(func._schema.name.partition("::")[2])


def refusal(func: OpOverload) -> Refusal:
    """Explain that an operator has no form for pairs."""
    if "linalg_eig" in str(func):
        return Refusal(*_EIGENVALUES)
    return Refusal(f"{func} of complex numbers cannot be traced: a page has real numbers only", ADVICE)


def _real(tensor: Tensor) -> Tensor:
    return torch.view_as_real(tensor.resolve_conj() if tensor.is_conj() else tensor)


def _pair(item: Tensor | complex) -> Pair:
    if isinstance(item, Tensor) and item.is_complex():
        real = _real(item)
        return real[..., 0], real[..., 1]
    return (item.real, item.imag) if isinstance(item, complex | float | int) else (item, 0.0)


def _joined(real: Tensor, imaginary: Tensor | float) -> Tensor:
    imaginary = imaginary if isinstance(imaginary, Tensor) else torch.full_like(real, imaginary)
    return torch.view_as_complex(torch.stack(torch.broadcast_tensors(real, imaginary), -1))


def _of_two(formula: Callable[[Pair, Pair], Pair]) -> Callable[[Any, Any], Pair]:
    """Let either of two operands be a Python number."""
    return lambda a, b: formula(*(part if isinstance(part, tuple) else _pair(part) for part in (a, b)))


def _added(sign: int) -> Callable:
    def added(a: Any, b: Any, alpha: float = 1) -> Pair:
        factor = sign * alpha
        return _of_two(lambda a, b: (a[0] + factor * b[0], a[1] + factor * b[1]))(a, b)

    return added


def _mul(a: Pair, b: Pair) -> Pair:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _matmul(a: Pair, b: Pair) -> Pair:
    return a[0] @ b[0] - a[1] @ b[1], a[0] @ b[1] + a[1] @ b[0]


def _conj(a: Pair) -> Pair:
    return a[0], -a[1]


def _div(a: Pair, b: Pair) -> Pair:
    """Divide by the larger part first: the square of a divisor may be beyond its type."""
    c, d = b
    if not isinstance(d, Tensor):  # a Python number, or real
        return (a[0] / c, a[1] / c) if d == 0 else _mul(a, _pair(1 / complex(c, d)))
    real = c.abs() >= d.abs()
    large, small = torch.where(real, c, d), torch.where(real, d, c)
    rate = small / large
    scale = large + small * rate
    first, second = (torch.where(real, x, y) for x, y in ((a[0], a[1]), (a[1], -a[0])))
    third, fourth = (torch.where(real, x, y) for x, y in ((a[1], a[0]), (-a[0], a[1])))
    return (first + third * rate) / scale, (second + fourth * rate) / scale


def _pow(a: Pair, exponent: Any) -> Pair:
    if not isinstance(exponent, int) or not 1 <= exponent <= _LARGEST_POWER:
        raise Refusal(
            "a power of complex numbers cannot be traced",
            "Use a whole exponent, or torch.polar of the angle.",
        )
    out = a
    for _ in range(exponent - 1):
        out = _mul(out, a)
    return out


def _exp(a: Pair) -> Pair:
    size = torch.exp(a[0])
    return size * torch.cos(a[1]), size * torch.sin(a[1])


def _padded(a: Pair, pad: list[int], value: Any = 0) -> Pair:
    real, imaginary = value if isinstance(value, tuple) else _pair(value)
    fill = torch.ops.aten.constant_pad_nd.default
    return fill(a[0].contiguous(), pad, real), fill(a[1].contiguous(), pad, imaginary)


def _abs(a: Pair) -> Tensor:
    return torch.hypot(*torch.broadcast_tensors(*map(torch.as_tensor, a)))


def _sgn(a: Pair) -> Pair:
    size = _abs(a)
    real, imaginary = (torch.where(size == 0, 0, part / size) for part in a)
    return real, imaginary


def _angle(a: Pair) -> Tensor:
    return torch.atan2(a[1], a[0])


def _cast(a: Pair, dtype: torch.dtype | None = None) -> Pair | Tensor:
    real, imaginary = a
    if dtype is None or not dtype.is_complex:
        return a if dtype is None else real.to(dtype)
    like = torch.zeros((), dtype=dtype).real.dtype
    return real.to(like), imaginary.to(like) if isinstance(imaginary, Tensor) else imaginary


_LARGEST_POWER = 16
_MAKES = {"complex", "polar", "_fft_r2c"}
_PAIRS: dict[str, Callable] = {
    "complex": lambda a, b: (a[0], b[0]),
    "polar": lambda size, angle: (size[0] * torch.cos(angle[0]), size[0] * torch.sin(angle[0])),
    "mul": _of_two(_mul),
    "div": _of_two(_div),
    "add": _added(1),
    "sub": _added(-1),
    "rsub": lambda a, b, alpha=1: _added(-1)(b, a, alpha),
    "eq": _of_two(lambda a, b: (a[0] == b[0]) & (a[1] == b[1])),
    "ne": _of_two(lambda a, b: (a[0] != b[0]) | (a[1] != b[1])),
    "pow": _pow,
    "reciprocal": lambda a: _div((1.0, 0.0), a),
    "neg": lambda a: (-a[0], -a[1]),
    "exp": _exp,
    "log": lambda a: (torch.log(_abs(a)), _angle(a)),
    "abs": _abs,
    "sgn": _sgn,
    "angle": _angle,
    "_conj": _conj,
    "_conj_physical": _conj,
    "conj_physical": _conj,
    "mm": _matmul,
    "bmm": _matmul,
    "mv": _matmul,
    "dot": _matmul,
    "vdot": lambda a, b: _matmul(_conj(a), b),
    "where": lambda mask, a, b: (torch.where(mask[0], a[0], b[0]), torch.where(mask[0], a[1], b[1])),
    "constant_pad_nd": _padded,
    "_to_copy": _cast,
    "to": _cast,
    "_fft_r2c": fourier.real_to_complex,
    "_fft_c2c": fourier.complex_to_complex,
    "_fft_c2r": fourier.complex_to_real,
}
_MOVED = {"clone", "sum", "mean", "flip", "roll", "index_select", "cumsum", "cat", "stack"}
