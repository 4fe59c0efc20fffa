"""Find how far a reader's function computes what the solution computes on its way."""

import inspect
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from attn_lessons.exercises.checking.source.repair import quietly
from attn_lessons.exercises.checking.watch import Hear, operators

_SIGNS = {
    "add": "+",
    "sub": "-",
    "rsub": "-",
    "mul": "*",
    "div": "/",
    "truediv": "/",
    "matmul": "@",
    "pow": "**",
}
_SIGNS |= {"mm": "@", "bmm": "@", "mv": "@", "dot": "@", "baddbmm": "@"}  # as the page's torch calls them
_SIGNS |= {"rdiv": "/", "neg": "-", "getitem": "[...]", "setitem": "[...] =", "iadd": "+=", "rtruediv": "/"}
_TENSOR_ATTRIBUTES = {"__get__", "__set__", "size", "dim", "__len__", "numel"}


class Step(NamedTuple):
    """One operation: its line, its name, what goes in, what comes out.

    All tensors are kept alive, so that the identity of each stays its own.
    """

    line: int
    name: str
    inputs: tuple[Tensor, ...]
    value: Tensor
    made: Tensor  # the very tensor, not a copy
    whole: bool = True  # whether nothing that goes in is known to be wrong


class _Functions(TorchFunctionMode):
    """Hear of torch's functions under the names that a reader writes."""

    def __init__(self, hear: Hear) -> None:
        super().__init__()
        self.hear = hear

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func.__name__ not in _TENSOR_ATTRIBUTES:
            self.hear(func.__name__, args, result)
        return result


def _computed(function: Callable[..., Any], args: tuple[Any, ...]) -> list[Step]:
    """Keep every tensor that a function computes, the line that does, and what goes in."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    given = [value.clone() if isinstance(value, Tensor) else value for value in args]
    seen: list[Step] = []

    def hear(full: str, inputs: tuple[Any, ...], result: Any) -> None:
        if type(result) is not Tensor or len(seen) >= 400:
            return
        frame: Any = sys._getframe(1)
        while frame and frame.f_code is not code:
            frame = frame.f_back
        if frame:
            flat = [one for arg in inputs for one in (arg if isinstance(arg, tuple | list) else (arg,))]
            known = tuple(one for one in flat if isinstance(one, Tensor))
            line = frame.f_lineno - frame.f_code.co_firstlineno + 1
            name = full.split(".")[0].strip("_")
            seen.append(Step(line, _SIGNS.get(name, name), known, result.detach().clone(), result))

    def run(called: Callable[..., Any]) -> bool:
        with operators(hear) if sys.platform == "emscripten" else _Functions(hear):
            called(*given)
        return True

    quietly(run, function)
    return seen


def _identity(value: Tensor) -> int:
    """Name a tensor; in the page by its memory, since its torch does not tell of views."""
    return id(getattr(value, "_store", value))


def last_right_step(
    function: Callable[..., Any],
    solved: Callable[..., Any],
    args: tuple[Any, ...],
    same: Callable[[Tensor, Tensor], bool],
) -> Step | None:
    """Give the step after the last numbers that the solution computes too; None if there are none."""
    given = [value for value in args if isinstance(value, Tensor)]
    rights = [step.value for step in _computed(solved, args) if _telling(step.value, given)]
    steps = _computed(function, args)
    right = [any(_alike(step.value, one, same) for one in rights) for step in steps]
    off = {
        _identity(step.made)
        for step, fits in zip(steps, right, strict=True)
        if not fits and _telling(step.value, given)
    }
    goes_in = [set(map(_identity, step.inputs)) for step in steps]
    found: list[Step] = []
    for i, step in enumerate(steps):
        later = (j for j in range(i + 1, len(steps)) if _identity(step.made) in goes_in[j])
        j = next(later, None) if right[i] else None
        if j is not None and not right[j]:
            found.append(steps[j]._replace(whole=not goes_in[j] & off))
    return max(reversed(found), key=lambda step: step.whole, default=None)


def _telling(value: Tensor, given: list[Tensor]) -> bool:
    """Whether a step says something: a few different numbers that are no numbers of an argument."""
    if not value.is_floating_point() or value.numel() < 3 or not value.isfinite().any():
        return False
    if len(value.unique()) < 3 or torch.equal(value, value.round()):
        return False
    return not any(one.is_floating_point() and _numbers_of(value, one) for one in given)


def _numbers_of(value: Tensor, given: Tensor) -> bool:
    """Whether all numbers of a step are numbers of an argument: a view, a copy, a part of it."""
    return bool(
        torch.isin(value.abs().flatten(), torch.cat([given.abs().flatten(), given.new_zeros(1)])).all()
    )


def _alike(one: Tensor, other: Tensor, same: Callable[[Tensor, Tensor], bool]) -> bool:
    """Whether two steps hold the same numbers, in this order or with two axes swapped, axes of 1 aside."""
    one, other = one.squeeze(), other.squeeze()
    turned = one.transpose(-1, -2) if one.dim() > 1 else one
    return one.dtype == other.dtype and (same(one, other) or same(turned, other))
