"""Numbers that torch wants from Python (`alpha`, `eps`, a slope), given as a tensor that depends on an input.

Torch would read the number out; here the operator is written by ones that take a tensor there.
"""

import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

aten = torch.ops.aten
Sizes = tuple[int, ...]


def _add(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    return self + other * alpha


def _sub(self: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    return self - other * alpha


def _addcmul(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    return self + value * tensor1 * tensor2


def _addcdiv(self: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Tensor:
    return self + value * tensor1 / tensor2


def _addmm(self: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    kept = torch.where(torch.as_tensor(beta) == 0, 0, self)  # torch does not look at self then, were it NaN
    return beta * kept + alpha * (mat1 @ mat2)


# what has inplace is copied into its input by `rewritten`
def _leaky_relu(input: Tensor, negative_slope: Any = 0.01, inplace: bool = False) -> Tensor:
    return torch.where(input > 0, input, input * negative_slope)


def _elu(input: Tensor, alpha: Any = 1.0, inplace: bool = False) -> Tensor:
    return torch.where(input > 0, input, alpha * torch.expm1(input.clamp(max=0)))


def _celu(input: Tensor, alpha: Any = 1.0, inplace: bool = False) -> Tensor:
    return torch.where(input > 0, input, alpha * torch.expm1(input.clamp(max=0) / alpha))


def _softplus(input: Tensor, beta: Any = 1, threshold: Any = 20) -> Tensor:
    wide = input.float() if input.dtype in (torch.float16, torch.bfloat16) else input  # as torch does
    scaled = wide * beta
    large = scaled > threshold
    soft = torch.log1p(torch.exp(torch.where(large, 0, scaled))) / beta
    return torch.where(large, wide, soft).to(input.dtype)


def _hardshrink(input: Tensor, lambd: Any = 0.5) -> Tensor:
    return torch.where((input >= -lambd) & (input <= lambd), 0, input)


def _softshrink(input: Tensor, lambd: Any = 0.5) -> Tensor:
    return torch.sign(input) * torch.relu(input.abs() - lambd)


def _threshold(input: Tensor, threshold: Any, value: Any, inplace: bool = False) -> Tensor:
    return torch.where(input <= threshold, torch.as_tensor(value, dtype=input.dtype), input)


def _hardtanh(input: Tensor, min_val: Any = -1.0, max_val: Any = 1.0, inplace: bool = False) -> Tensor:
    least, most = _as(min_val, input), _as(max_val, input)
    beyond = ~((input > least) & (input < most)) & ~input.isnan()  # no gradient at the bounds themselves
    return torch.where(beyond, torch.minimum(torch.maximum(input.detach(), least), most), input)


def _as(number: Any, like: Tensor) -> Tensor:
    return torch.as_tensor(number).to(like.dtype)


def _layer_norm(
    input: Tensor, normalized_shape: Sizes, weight: Any = None, bias: Any = None, eps: Any = 1e-5
) -> Tensor:
    axes = list(range(-len(normalized_shape), 0))
    centred = input - input.mean(axes, keepdim=True)
    out = centred * torch.rsqrt((centred**2).mean(axes, keepdim=True) + eps)
    out = out if weight is None else out * weight
    return out if bias is None else out + bias


def _rms_norm(input: Tensor, normalized_shape: Sizes, weight: Any = None, eps: Any = None) -> Tensor:
    axes = list(range(-len(normalized_shape), 0))
    out = input * torch.rsqrt((input**2).mean(axes, keepdim=True) + eps)
    return out if weight is None else out * weight


def _pad(input: Tensor, pad: Sizes, mode: str = "constant", value: Any = None) -> Tensor:
    inside = functional.pad(torch.ones(input.shape, dtype=torch.bool), pad)
    return torch.where(inside, functional.pad(input, pad), value.to(input.dtype))


def _vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    x = (x if dtype is None else x.to(dtype)).abs()
    axes = list(range(x.dim())) if dim is None else dim
    ord = _as(ord, x)
    some = torch.where((ord == 0) | ord.isinf(), 1, ord)
    out = (x**some).sum(axes, keepdim=keepdim) ** (1 / some)
    out = torch.where(ord == 0, (x != 0).to(x.dtype).sum(axes, keepdim=keepdim), out)
    out = torch.where(ord == torch.inf, x.amax(axes, keepdim=keepdim), out)
    return torch.where(ord == -torch.inf, x.amin(axes, keepdim=keepdim), out)


def _linalg_norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, out: None = None, dtype: Any = None
) -> Tensor:
    if A.dim() != 1 if dim is None else not isinstance(dim, int):
        return NotImplemented  # the norm of a matrix
    return _vector_norm(A, ord, dim, keepdim, dtype=dtype)


def _norm(
    self: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: None = None, dtype: Any = None
) -> Tensor:
    return _vector_norm(self, p, dim, keepdim, dtype=dtype)


def _cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: Any = 0.0,
) -> Tensor:
    if weight is not None or target.is_floating_point():
        return NotImplemented
    plain = functional.cross_entropy(input, target, ignore_index=ignore_index, reduction="none")
    even = -torch.log_softmax(input, 1 if input.dim() > 1 else 0).mean(1 if input.dim() > 1 else 0)
    counted = target != ignore_index
    label_smoothing = torch.as_tensor(label_smoothing).clamp(min=0)  # torch smooths from 0 on
    loss = (1 - label_smoothing) * plain + label_smoothing * torch.where(counted, even, 0)
    return loss if reduction == "none" else loss.sum() / (counted.sum() if reduction == "mean" else 1)


def _huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: Any = 1.0, weight: Any = None
) -> Tensor:
    size = (input - target).abs()
    loss = torch.where(size <= delta, 0.5 * size**2, delta * (size - 0.5 * delta))
    return _reduced(loss if weight is None else loss * weight, reduction)


def _smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: Any = 1.0,
) -> Tensor:
    size = (input - target).abs()
    return _reduced(torch.where(size < beta, 0.5 * size**2 / beta, size - 0.5 * beta), reduction)


def _reduced(loss: Tensor, reduction: str) -> Tensor:
    return loss if reduction == "none" else loss.sum() if reduction == "sum" else loss.mean()


def _nan_to_num(input: Tensor, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    if not input.dtype.is_floating_point:
        return NotImplemented if input.is_complex() else input.clone()
    limits = torch.finfo(input.dtype)
    out = torch.where(input.isnan(), _as(0.0 if nan is None else nan, input), input)
    out = torch.where(input == torch.inf, _as(limits.max if posinf is None else posinf, input), out)
    return torch.where(input == -torch.inf, _as(limits.min if neginf is None else neginf, input), out)


def _roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    if isinstance(shifts, tuple | list) or (isinstance(dims, tuple | list) and len(dims) != 1):
        return NotImplemented
    axis = dims[0] if isinstance(dims, tuple | list) else dims
    flat, along = (input.reshape(-1), 0) if axis is None else (input, axis)
    places = (torch.arange(flat.shape[along]) - shifts) % max(flat.shape[along], 1)
    return flat.index_select(along, places).reshape(input.shape)


def _distances(input: Tensor) -> Tensor:
    rows, cols = input.shape[-2:]
    return torch.arange(cols) - torch.arange(rows)[:, None]


def _tril(input: Tensor, diagonal: Any = 0) -> Tensor:
    return input.masked_fill(_distances(input) > diagonal, 0)


def _triu(input: Tensor, diagonal: Any = 0) -> Tensor:
    return input.masked_fill(_distances(input) < diagonal, 0)


def _same(formula: Callable, *functions: Callable) -> dict[Callable, Callable]:
    return dict.fromkeys(functions, formula)


_FORMULAS: dict[Callable, Callable] = {
    **_same(_add, torch.add, Tensor.add),
    **_same(_sub, torch.sub, Tensor.sub, torch.subtract, Tensor.subtract),
    **_same(_addcmul, torch.addcmul, Tensor.addcmul),
    **_same(_addcdiv, torch.addcdiv, Tensor.addcdiv),
    **_same(_addmm, torch.addmm, Tensor.addmm, torch.baddbmm, Tensor.baddbmm),
    **_same(_leaky_relu, functional.leaky_relu),
    **_same(_elu, functional.elu),
    **_same(_celu, functional.celu, torch.celu),
    **_same(_softplus, functional.softplus),
    **_same(_hardshrink, functional.hardshrink, Tensor.hardshrink),
    **_same(_softshrink, functional.softshrink),
    **_same(_threshold, functional.threshold),
    **_same(_hardtanh, functional.hardtanh),
    **_same(_layer_norm, functional.layer_norm),
    **_same(_rms_norm, functional.rms_norm),
    **_same(_pad, functional.pad),
    **_same(_vector_norm, torch.linalg.vector_norm),
    **_same(_linalg_norm, torch.linalg.norm),
    **_same(_norm, torch.norm, Tensor.norm),
    **_same(_cross_entropy, functional.cross_entropy),
    **_same(_huber_loss, functional.huber_loss),
    **_same(_smooth_l1_loss, functional.smooth_l1_loss),
    **_same(_nan_to_num, torch.nan_to_num, Tensor.nan_to_num),
    **_same(_roll, torch.roll, Tensor.roll),
    **_same(_tril, torch.tril, Tensor.tril),
    **_same(_triu, torch.triu, Tensor.triu),
}
# what torch asks of such a number itself, and what it says else
_ASKED: dict[Callable, tuple[Callable[..., Any], str]] = {
    _hardtanh: (
        lambda given: torch.as_tensor(given["min_val"]) <= given["max_val"],
        "hardtanh: min_val cannot be greater than max_val",
    ),
    _celu: (lambda given: given["alpha"] != 0, "celu: alpha cannot be 0"),
    _softshrink: (
        lambda given: (given["lambd"] >= 0) & (given["lambd"] <= torch.finfo(given["input"].dtype).max),
        "softshrink: lambda must not be negative or infinite",
    ),
    _huber_loss: (lambda given: given["delta"] > 0, "huber_loss: delta must be positive"),
    _smooth_l1_loss: (lambda given: given["beta"] >= 0, "smooth_l1_loss: beta must not be negative"),
    _cross_entropy: (
        lambda given: given["label_smoothing"] <= 1,
        "cross_entropy: label_smoothing must be between 0.0 and 1.0",
    ),
}
_NUMBERS = """
    alpha beta value eps negative_slope threshold lambd min_val max_val ord p label_smoothing delta nan posinf
    neginf shifts diagonal
"""
_SCALARS = frozenset(_NUMBERS.split())


def rewritten(func: Callable, args: tuple, kwargs: dict[str, Any], depends: Callable[[Any], bool]) -> Any:
    """Do what `func` does where one of its numbers depends on an input, else give NotImplemented."""
    formula = _FORMULAS.get(func)
    if formula is None:
        return NotImplemented
    try:
        bound = inspect.signature(formula).bind(*args, **kwargs)
    except TypeError:
        return NotImplemented
    bound.apply_defaults()
    given = bound.arguments
    if not any(depends(given.get(name)) for name in _SCALARS):
        return NotImplemented
    asked, said = _ASKED.get(formula, (None, ""))
    if asked is not None:
        torch._assert_async(torch.as_tensor(asked(given)), said)
    if not given.get("inplace"):
        return formula(*args, **kwargs)
    target = given["input"]
    return target.copy_(formula(**given | {"input": target.clone()}))
