"""`x[mask]` with a mask that depends on an input: how many numbers that gives is not known when it is traced.

It stands for itself as long as each number stays at its place: arithmetic, and writing to the same places of
a tensor, which becomes a `where`. A sum, a mean, or the largest of what was chosen needs no count either.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from livetorch.program.errors import DataDependentError
from livetorch.tracing.graph import Value, leaves
from livetorch.tracing.recorder import Recorder

_SIGNS = """
    add sub mul truediv floordiv mod pow radd rsub rmul rtruediv rfloordiv rmod rpow
    and or xor rand ror rxor lt le gt ge eq ne neg abs invert
"""
_NAMES = """
    add sub subtract mul multiply div divide true_divide floor_divide remainder fmod pow neg negative
    abs absolute exp exp2 expm1 log log2 log10 log1p sqrt rsqrt square reciprocal
    sin cos tan tanh sinh cosh asin acos atan sigmoid erf relu gelu silu elu leaky_relu softplus
    clamp clamp_min clamp_max clip maximum minimum round floor ceil trunc frac sign lerp nan_to_num
    logical_not logical_and logical_or where isnan isinf isfinite
    to float double half int long bool clone detach type_as
"""
_LOSSES = {"mse_loss": torch.square, "l1_loss": torch.abs}
_ORD = ("ord", "dim", "keepdim")
_NORMS = {"norm": ("p", "dim", "keepdim"), "linalg_norm": _ORD, "linalg_vector_norm": _ORD}
_LARGEST = {"max": "amax", "min": "amin"}
_TOTALS = {  # and what changes nothing in them
    **dict.fromkeys(["sum", "mean", "any", *_NORMS], 0),
    **dict.fromkeys(["all", "prod"], 1),
    **dict.fromkeys(["logsumexp", "amax", "max"], -math.inf),
    **dict.fromkeys(["amin", "min"], math.inf),
}
_ARITHMETIC, _EACH = _SIGNS.split(), frozenset(_NAMES.split())


class Chosen:
    """The numbers of `whole` where a mask holds; the mask lies along its axes from `axis` on.

    Args:
        recorder: what writes the operators down.
        whole: all numbers, chosen or not.
        mask: of as many axes as it covers.
        axis: the first axis of `whole` that the mask covers.
        place: the mask as it was recorded, to be known again.
    """

    def __init__(self, recorder: Recorder, whole: Tensor, mask: Tensor, axis: int, place: Value) -> None:
        self._recorder, self.whole, self.mask, self.axis, self.place = recorder, whole, mask, axis, place

    @property
    def after(self) -> int:
        """How many axes follow those of the mask."""
        return self.whole.dim() - self.axis - self.mask.dim()

    @classmethod
    def __torch_function__(cls, func: Callable, types: tuple, args: tuple = (), kwargs: Any = None) -> Any:
        """Do to each number what is done to the chosen ones."""
        return _each(func.__name__.strip("_"), func, args, kwargs or {})

    def __getattr__(self, name: str) -> Any:
        if name in _EACH and hasattr(Tensor, name):
            return lambda *args, **kwargs: _each(name, getattr(Tensor, name), (self, *args), kwargs)
        if name in _TOTALS:
            return lambda *args, **kwargs: self.total(name, args, kwargs)
        if name == "dtype":
            return self.whole.dtype
        raise self.refusal(name)

    def __len__(self) -> int:
        raise self.refusal("len")

    def __iter__(self) -> Any:
        raise self.refusal("iter")

    def __getitem__(self, index: Any) -> Any:
        raise self.refusal("a part")

    def __setitem__(self, index: Any, value: Any) -> None:
        raise self.refusal("a part")

    def __bool__(self) -> bool:
        raise self.refusal("__bool__")

    def refusal(self, name: str, place: str = "") -> DataDependentError:
        """Explain that something needs to know how many were chosen."""
        names = " and ".join(f"'{name}'" for name in sorted(self.place.deps))
        error = DataDependentError(
            f"{name} of x[mask] cannot be traced, {place or self._recorder.place()}: how many numbers the "
            f"mask picks depends on the values of {names}. Arithmetic with x[mask], its sum, mean and "
            "extremes, and writing it back to the same places are possible; else use "
            "torch.where(mask, x, 0), or x.masked_scatter(mask, values).",
            self.place.deps,
        )
        self._recorder.refuse(error)
        return error

    def _filled(self, fill: float) -> Tensor:
        kind = self.whole.dtype
        if abs(fill) == torch.inf and not kind.is_floating_point:
            ends = (0, 1) if kind == torch.bool else (torch.iinfo(kind).min, torch.iinfo(kind).max)
            fill = ends[fill > 0]
        return torch.where(aligned(self.mask, self.after), self.whole, torch.tensor(fill, dtype=kind))

    def _with_gradients(self) -> Tensor:
        """Give all numbers, where gradients are taken with one of the chosen in the place of all others.

        What is infinite or NaN for a number that was not chosen would be NaN in the gradient of all.
        """
        needed = self.whole.requires_grad or _unwrapped(self.whole) is not self.whole
        if not needed or not torch.is_grad_enabled():
            return self.whole
        last = self.axis + self.mask.dim() - 1
        first = self.mask.reshape(-1).to(torch.int64).argmax()
        one = self.whole.detach().flatten(self.axis, last).index_select(self.axis, first.reshape(1))
        return torch.where(
            aligned(self.mask, self.after), self.whole, one.unflatten(self.axis, (1,) * self.mask.dim())
        )

    def total(self, name: str, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Do one of `_TOTALS` along the axes torch is asked for; those of the mask are one of them."""
        given, asked, name = self._arguments(name, args, kwargs), name, _LARGEST.get(name, name)
        first, last = self.axis, self.axis + self.mask.dim() - 1
        dims, count = given.get("dim", ()), self.whole.dim() - self.mask.dim() + 1
        gone = {axis % count for axis in ([dims] if isinstance(dims, int) else dims or range(count))}
        if first not in gone:  # each that is chosen for itself
            whole = _reduced(name, self._with_gradients().flatten(first, last), given)
            axis = first - sum(axis < first for axis in gone) * (not given.get("keepdim"))
            return Chosen(self._recorder, whole.unflatten(axis, self.mask.shape), self.mask, axis, self.place)
        fill = math.inf if given.get("p", 0) < 0 else _TOTALS[name]
        if name in _LARGEST.values() or given.get("p") == math.inf or given.get("p", 0) < 0:
            torch._assert_async(self.mask.any(), f"{asked} of x[mask]: the mask picks nothing")
        whole = self._filled(fill).flatten(first, last)
        if name != "mean":
            return _reduced(name, whole, given)
        others = math.prod(whole.shape[axis] for axis in gone - {first})
        return _reduced("sum", whole, given) / (self.mask.sum() * others)

    def _arguments(self, name: str, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Call the arguments of a total by torch's names; a norm always has its power, as p."""
        names = _NORMS.get(name, ("dim", "keepdim"))
        given = dict(zip(names, args, strict=False)) | {
            "dim" if key == "axis" else key: kwargs[key] for key in kwargs
        }
        given = {key: value for key, value in given.items() if value is not None}
        told = len(args) > len(names) or not given.keys() <= {*names, "dtype"}
        if told or leaves(given, Tensor) or (name in ("max", "min") and given):
            raise self.refusal(f"{name} with these arguments")
        if name in _NORMS:
            power = given.pop(names[0], None)
            if power == "nuc" or (name == "linalg_norm" and not self._by_entries(power, given.get("dim"))):
                raise self.refusal("the norm of a matrix")
            given["p"] = 2 if power in (None, "fro") else power
        return given

    def _by_entries(self, power: Any, dim: Any) -> bool:
        """Tell whether torch.linalg.norm takes numbers one by one: of two axes it takes a matrix."""
        axes = self.whole.dim() - self.mask.dim() + 1 if dim is None else 1 if type(dim) is int else len(dim)
        return power is None or axes == (2 if power == "fro" else 1)


def _reduced(name: str, tensor: Tensor, given: dict[str, Any]) -> Tensor:
    if name not in _NORMS:
        return getattr(tensor, name)(**given)
    return torch.linalg.vector_norm(tensor, given["p"], **{key: given[key] for key in given if key != "p"})


def _method(name: str) -> Callable:
    return lambda self, *args: _each(name, getattr(Tensor, f"__{name}__"), (self, *args), {})


for _name in (*_ARITHMETIC, "matmul", "rmatmul"):
    setattr(Chosen, f"__{_name}__", _method(_name))
Chosen.__hash__ = object.__hash__  # type: ignore[method-assign]


def _each(name: str, func: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Do something to every number, chosen or not, if that gives the same for those that are chosen."""
    parts = leaves((args, kwargs), Chosen)
    first = parts[0]
    if name in _TOTALS and args and args[0] is first:
        return first.total(name, args[1:], kwargs)
    if name in _LOSSES and kwargs.get("reduction", "mean") in ("mean", "sum") and len(args) == 2:
        sizes = _LOSSES[name](args[0] - args[1])
        return getattr(sizes, kwargs.get("reduction", "mean"))()
    if (
        name in ("matmul", "dot")
        and len(parts) == 2
        and all(part.whole.dim() == part.mask.dim() for part in parts)
    ):
        return (parts[0] * parts[1]).sum()
    known = name in _ARITHMETIC or name in _EACH
    alike = all(part.after == first.after and same(part.place, first.place) for part in parts)
    tensors = [arg for arg in (*args, *kwargs.values()) if isinstance(arg, Tensor)]
    if not known or not alike or any(t.numel() != 1 and t.dim() > first.after for t in tensors):
        raise first.refusal(name)

    def whole(arg: Any) -> Any:
        return arg._with_gradients() if isinstance(arg, Chosen) else arg

    out = func(*map(whole, args), **{key: whole(value) for key, value in kwargs.items()})
    return Chosen(first._recorder, out, first.mask, out.dim() - first.after - first.mask.dim(), first.place)


def aligned(mask: Tensor, after: int) -> Tensor:
    """Give a mask as many axes of length 1 at its end."""
    return mask.reshape(mask.shape + (1,) * after)


def same(one: Any, other: Any) -> bool:
    """Tell whether two recorded values were computed in the same way from the same values."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if not isinstance(one, Value) or not isinstance(other, Value):
        return type(one) is type(other) and one == other
    if one is other:
        return True
    a, b = one.node, other.node
    if a is None or b is None or a.random or one.index != other.index or a.op != b.op or a.kwargs != b.kwargs:
        return False
    return same(a.args, b.args)


def _unwrapped(tensor: Tensor) -> Tensor:
    while torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        tensor = torch._C._functorch.get_unwrapped(tensor)
    return tensor


def choose(recorder: Recorder, tensor: Tensor, index: Any) -> Chosen | None:
    """Copy `tensor[index]` where a part of the index is a mask that depends on an input; else None."""
    found = _window(recorder, tensor, index, least=1)
    if found is not None:
        found.whole, found.mask = found.whole.clone(), found.mask.clone()
    return found


def _window(recorder: Recorder, tensor: Tensor, index: Any, least: int = 0) -> Chosen | None:
    """Look at `tensor[index]` where one part of the index is a mask that depends on an input; else None.

    The mask has at least so many axes.
    """
    parts = list(index) if isinstance(index, tuple) else [index]
    masks = [part for part in parts if isinstance(part, Tensor)]
    if (
        len(masks) != 1
        or masks[0].dtype != torch.bool
        or masks[0].dim() < least
        or not recorder.memory.inputs_of(masks[0])
    ):
        return None
    (mask,) = masks
    if not all(part is mask or part is None or part is ... or type(part) in (slice, int) for part in parts):
        return None
    at = next(i for i, part in enumerate(parts) if part is mask)
    left = tensor.dim() - mask.dim() - sum(type(part) in (slice, int) for part in parts)
    axis = sum(left if part is ... else type(part) is not int for part in parts[:at])
    whole = tensor[(*parts[:at], *[slice(None)] * mask.dim(), *parts[at + 1 :])]
    covered = tuple(whole.shape[axis : axis + mask.dim()])
    if covered != tuple(mask.shape):
        raise IndexError(
            f"the shape of the mask {tuple(mask.shape)} does not match that of its axes, {covered}."
        )
    return Chosen(recorder, whole, mask, axis, recorder.memory.read(_unwrapped(mask)))


def put(recorder: Recorder, tensor: Tensor, index: Any, value: Any) -> bool:
    """Write `tensor[index] = value` where a part of the index is such a mask; tell whether that was so."""
    places = _window(recorder, tensor, index)
    if places is None:
        if isinstance(value, Chosen):
            raise value.refusal("index_put")
        return False
    if isinstance(value, Chosen):
        if value.after != places.after or not same(value.place, places.place):
            raise value.refusal("index_put")
        value = value.whole
    elif isinstance(value, Tensor) and value.dim() > places.after:
        at = value.dim() - places.after - 1  # the axis that counts what is chosen
        if value.shape[at] != 1:
            raise places.refusal("index_put")
        value = value.reshape(*value.shape[:at], *[1] * places.mask.dim(), *value.shape[at + 1 :])
    value = value.to(tensor.dtype) if isinstance(value, Tensor) else torch.tensor(value, dtype=tensor.dtype)
    places.whole.copy_(torch.where(aligned(places.mask, places.after), value, places.whole))
    return True
