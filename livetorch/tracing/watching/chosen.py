"""`x[mask]` with a mask that depends on an input: how many numbers that gives is not known when it is traced.

It stands for itself as long as each number stays at its place: arithmetic, and writing to the same places of
a tensor, which becomes a `where`. A sum, a mean, or the largest of what was chosen needs no count either.
"""

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
_SUMS = """
    sum mean amax amin max min any all prod logsumexp norm
"""
_TOTALS = frozenset(_SUMS.split())
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

    def _axes(self, dim: int | None, keepdim: bool, name: str) -> list[int]:
        if keepdim or dim not in (None, self.axis):
            raise self.refusal(name)
        return list(
            range(self.axis, self.axis + self.mask.dim()) if dim is not None else range(self.whole.dim())
        )

    def sum(self, dim: int | None = None, keepdim: bool = False) -> Tensor:
        """Add up what was chosen."""
        return self._filled(0).sum(self._axes(dim, keepdim, "sum"))

    def mean(self, dim: int | None = None, keepdim: bool = False) -> Tensor:
        """Give the mean of what was chosen; NaN if that is nothing."""
        axes = self._axes(dim, keepdim, "mean")
        others = self.whole.numel() // self.mask.numel() if dim is None else 1
        return self._filled(0).sum(axes) / (self.mask.sum() * others)

    def any(self) -> Tensor:
        """Tell whether one of what was chosen is not 0."""
        return self._filled(0).any()

    def all(self) -> Tensor:
        """Tell whether none of what was chosen is 0."""
        return self._filled(1).all()

    def prod(self) -> Tensor:
        """Multiply what was chosen."""
        return self._filled(1).prod()

    def logsumexp(self, dim: int) -> Tensor:
        """Give the logarithm of the sum of exponentials of what was chosen."""
        return self._filled(-torch.inf).logsumexp(self._axes(dim, False, "logsumexp"))

    def norm(self) -> Tensor:
        """Give the length of what was chosen."""
        return self._filled(0).norm()

    def amax(self, dim: int | None = None, keepdim: bool = False) -> Tensor:
        """Give the largest number that was chosen; of nothing there is none."""
        return self._of_one(self._filled(-torch.inf).amax(self._axes(dim, keepdim, "amax")))

    def amin(self, dim: int | None = None, keepdim: bool = False) -> Tensor:
        """Give the smallest number that was chosen; of nothing there is none."""
        return self._of_one(self._filled(torch.inf).amin(self._axes(dim, keepdim, "amin")))

    def _of_one(self, extreme: Tensor) -> Tensor:
        """Pick what is there once; where nothing was chosen the one behind it, an error as in torch."""
        return extreme.unsqueeze(0).index_select(0, (~self.mask.any()).long().reshape(1)).squeeze(0)

    def max(self, *args: Any, **kwargs: Any) -> Tensor:
        """Give the largest number that was chosen; along an axis torch would give places too."""
        if args or kwargs:
            raise self.refusal("max along an axis")
        return self.amax()

    def min(self, *args: Any, **kwargs: Any) -> Tensor:
        """Give the smallest number that was chosen."""
        if args or kwargs:
            raise self.refusal("min along an axis")
        return self.amin()


def _method(name: str) -> Callable:
    return lambda self, *args: _each(name, getattr(Tensor, f"__{name}__"), (self, *args), {})


for _name in _ARITHMETIC:
    setattr(Chosen, f"__{_name}__", _method(_name))
Chosen.__hash__ = object.__hash__  # type: ignore[method-assign]


def _each(name: str, func: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Do something to every number, chosen or not, if that gives the same for those that are chosen."""
    parts = leaves((args, kwargs), Chosen)
    first = parts[0]
    if name in _TOTALS and args[0] is first:
        return getattr(first, name)(*args[1:], **kwargs)
    if name in _LOSSES and kwargs.get("reduction", "mean") in ("mean", "sum") and len(args) == 2:
        sizes = _LOSSES[name](args[0] - args[1])
        return getattr(sizes, kwargs.get("reduction", "mean"))()
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
