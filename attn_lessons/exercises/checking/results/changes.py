"""Change an argument, or a right result, by one slip: what a wrong result may come from."""

import itertools
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

_BENDS = {
    "a softmax": lambda x: x.softmax(-1),
    "a log-softmax": lambda x: x.log_softmax(-1),
    "the tanh": torch.tanh,
    "a ReLU": torch.relu,
    "a sigmoid": torch.sigmoid,
    "the exponential": torch.exp,
    "the logarithm": torch.log,
    "the absolute value": torch.abs,
    "the square": torch.square,
    "the root": torch.sqrt,
}


def other_arguments(
    names: tuple[str, ...], args: tuple[Any, ...]
) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Give arguments that are one slip away, each with what was changed and where to look."""
    for i, (name, value) in enumerate(zip(names, args, strict=True)):
        where = f"Where does `{name}` come in, and what is done to it there?"
        for change, other in _changed(value):
            yield change.format(f"`{name}`"), where, (*args[:i], other, *args[i + 1 :])
    for i, j in itertools.permutations(range(len(args)), 2):
        if isinstance(args[i], Tensor) and isinstance(args[j], Tensor):
            other = (*args[:i], args[j], *args[i + 1 :])
            yield f"`{names[j]}` in the place of `{names[i]}`", f"`{names[i]}` has a part of its own.", other
        if i < j and type(args[i]) is type(args[j]):
            other = list(args)
            other[i], other[j] = args[j], args[i]
            yield (
                f"`{names[i]}` and `{names[j]}` in each other's place",
                "Which of them is which?",
                tuple(other),
            )


def _changed(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, bool):
        yield "the opposite of {}", not value
    elif isinstance(value, int):
        yield from (("{} + 1", value + 1), ("{} - 1", value - 1), ("{} = 0", 0), ("{} = 1", 1))
    elif isinstance(value, float):
        yield from (("twice {}", 2 * value), ("half of {}", value / 2), ("the square of {}", value**2))
        yield from (("the root of {}", value**0.5), ("1 / {}", 1 / value), ("1 - {}", 1 - value))
        yield from (("{} times sqrt(2)", value * 2**0.5), ("{} / sqrt(2)", value / 2**0.5), ("{} = 1", 1.0))
        yield "the root of {} / 2", (value / 2) ** 0.5
    elif isinstance(value, Tensor):
        yield from _changed_tensor(value)


def _changed_tensor(value: Tensor) -> Iterator[tuple[str, Tensor]]:
    if value.dtype == torch.bool:
        yield from (("the opposite of {}", ~value), ("{} without any False", torch.ones_like(value)))
        return
    if not value.is_floating_point():
        yield from (("{} + 1", value + 1), ("{} - 1", value - 1))
        yield "the largest of {} for all", value.amax().expand_as(value)
    else:
        yield from (("{} of nothing but 0", 0 * value), ("{} of nothing but 1", torch.ones_like(value)))
        yield from (("{} with the other sign", -value), ("twice {}", 2 * value), ("half of {}", value / 2))
        for bend in ("the tanh", "a ReLU", "a softmax", "the exponential", "the square"):
            yield f"{bend} of {{}}", _BENDS[bend](value)
        for axis in range(value.dim()):
            yield "{} with vectors of length 1", value / value.norm(dim=axis, keepdim=True)
            size = value.shape[axis]
            yield from (
                (f"{{}} * sqrt({size})", value * size**0.5),
                (f"{{}} / sqrt({size})", value / size**0.5),
            )
            yield from ((f"{{}} * {size}", value * size), (f"{{}} / {size}", value / size))
    for axis in range(value.dim()):
        yield "{} read backwards", value.flip(axis)
    if value.dim() > 1 and value.shape[-1] == value.shape[-2]:
        yield "{} transposed", value.mT
    if value.dim() == 2 and value.shape[0] == value.shape[1] and value.is_floating_point():
        yield "the identity in the place of {}", torch.eye(len(value), dtype=value.dtype)
    if value.dim() > 2 and value.shape[0] == value.shape[1]:
        yield "{} with its first two axes swapped", value.transpose(0, 1)


def other_results(right: Tensor, axes: list[str]) -> Iterator[tuple[str, Tensor]]:
    """Give results that are one slip away from a right one, each with what happened to it."""
    if right.dtype == torch.bool:
        yield "it says True where it should say False, and the other way round", ~right
        return
    yield "it has the wrong sign", -right
    if right.is_floating_point():
        bends = {k: f for k, f in _BENDS.items() if right.dim() or "softmax" not in k}  # of one number: 1
        yield from ((f"{name} is taken of it", bend(right)) for name, bend in bends.items())
    yield "numbers below 0 are cut off", right.clamp(min=0)
    yield "numbers above 0 are cut off", right.clamp(max=0)
    for axis, name in enumerate(axes if len(axes) == right.dim() else []):
        if right.is_floating_point():
            yield from _with_one_axis_less(right, axis, name)
        yield f"only the first of the {name} is kept", right.select(axis, 0)
        yield f"only the last of the {name} is kept", right.select(axis, -1)
        first = right.select(axis, 0).unsqueeze(axis).expand_as(right)
        yield f"the first of the {name} stands in the place of all", first
        yield f"the {name} stand in reverse order", right.flip(axis)
        yield f"the {name} are sorted by size", right.sort(axis).values
        yield f"the {name} are sorted by size", right.sort(axis, descending=True).values
        yield f"the numbers are added up along the {name}", right.cumsum(axis)
        for step in (1, -1):
            yield f"it is shifted by one along the {name}", right.roll(step, axis)
    for i, j in itertools.combinations(range(right.dim()), 2):
        if right.shape[i] == right.shape[j]:
            yield "two of its axes are swapped", right.transpose(i, j)
    if right.dim() > 1:
        yield "two of its axes are one", right.flatten(-2)
        yield "two of its axes are one", right.flatten(0, 1)


def _with_one_axis_less(right: Tensor, axis: int, name: str) -> Iterator[tuple[str, Tensor]]:
    total = right.sum(axis, keepdim=True)
    yield f"it is made to sum to 1 over the {name}", right / total
    yield f"it is divided by the largest of the {name}", right / right.amax(axis, keepdim=True)
    yield f"it is averaged over the {name}", right.mean(axis)
    yield f"it is averaged over the {name}", right.mean(axis, keepdim=True).expand_as(right)
    yield f"it is added up over the {name}", total.squeeze(axis)


def with_arguments(
    right: Tensor, names: tuple[str, ...], args: tuple[Any, ...]
) -> Iterator[tuple[str, Tensor]]:
    """Give results into which an argument was mixed that does not belong there."""
    for name, value in zip(names, args, strict=True):
        if isinstance(value, Tensor) and value.is_floating_point() and value.shape == right.shape:
            yield f"`{name}` is added to it", right + value
            yield f"`{name}` is subtracted from it", right - value
            yield f"it is subtracted from `{name}`", value - right
            yield f"it is multiplied by `{name}`", right * value
            yield f"it is `{name}` itself", value
    tensors = [
        (n, v) for n, v in zip(names, args, strict=True) if isinstance(v, Tensor) and v.is_floating_point()
    ]
    for (one, a), (two, b) in itertools.combinations(tensors, 2):
        if _fit(a, b) and torch.broadcast_shapes(a.shape, b.shape) == right.shape:
            for sign, both in (("+", a + b), ("-", a - b), ("*", a * b)):
                yield f"it is `{one} {sign} {two}`", both
            yield f"it is the larger of `{one}` and `{two}`", torch.maximum(a, b)
            yield f"it is the smaller of `{one}` and `{two}`", torch.minimum(a, b)


def _fit(one: Tensor, other: Tensor) -> bool:
    return all(
        a == b or 1 in (a, b) for a, b in zip(reversed(one.shape), reversed(other.shape), strict=False)
    )
