"""Call a reader's function so that whatever happens becomes a reply, never a crash."""

import copy
import inspect
import traceback
from collections.abc import Callable

import torch
from torch import Tensor

from . import _text
from ._compare import Value, close, compare
from ._mistake import Found, Mistake, NotWritten


class Answer:
    """The reader's function, guarded: called with copies, its errors and changed arguments reported."""

    def __init__(self, function: Callable, solution: Callable) -> None:
        self.function = function
        self.names = tuple(inspect.signature(solution).parameters)
        self.inputs: dict[str, object] = {}  # those of the last call

    def __call__(self, *args: object) -> Value:
        """Call the function with copies of the arguments; report an error, None, or changed arguments."""
        given = copy.deepcopy(args)
        result = self._result(given, args)
        for name, before, after in zip(self.names, args, given, strict=False):
            if isinstance(before, Tensor) and not _same(before, after):
                raise Found(_changed(name, before, after))
        return result

    def error(self, *args: object) -> Exception | None:
        """Give the error that the function raises for these arguments, or None."""
        self.inputs = dict(zip(self.names, args, strict=True))
        try:
            self.function(*copy.deepcopy(args))
        except Exception as error:
            return error
        return None

    def varies(self, *args: object) -> bool:
        """Tell whether chance has a part: whether other random numbers give another result."""
        first, second = (self._result(copy.deepcopy(args), args, seed=seed) for seed in (0, 1))
        pairs = zip(*(one if isinstance(one, tuple) else (one,) for one in (first, second)), strict=False)
        return any(isinstance(one, Tensor) and not close(one, other) for one, other in pairs)

    def gradient(self, *args: object) -> Tensor:
        """Give the gradient of the (first) result for the first argument; every number of it counts."""
        given = copy.deepcopy(args)
        given[0].requires_grad_()
        result = self._result(given, args)
        result = result[0] if isinstance(result, tuple) else result
        factors = torch.linspace(1, 2, result.numel(), dtype=result.dtype).reshape(result.shape)
        if not result.requires_grad:
            nudge = "What cuts it off: .detach(), .data, .item(), a comparison, torch.tensor?"
            raise Found(
                Mistake("the result has no gradient", f"It does not depend on {self.names[0]}.", nudge)
            )
        (gradient,) = torch.autograd.grad((result * factors).sum(), given[0])
        return gradient

    def _result(self, given: tuple, args: tuple, *, seed: int = 0) -> Value:
        self.inputs = dict(zip(self.names, args, strict=True))
        try:
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(seed)
                result = self.function(*given)
        except NotImplementedError as error:
            raise NotWritten from error
        except Exception as error:
            raise Found(self._raised(error, args)) from error
        if result is None or result is ...:
            self._nothing_returned()
        return result

    def gives(self, *args: object, wanted: Value, axes: str, **options: object) -> None:
        """Report how the result differs from `wanted`; see `compare` for the options."""
        compare(self(*args), wanted, axes, **options)

    def _raised(self, error: Exception, args: tuple) -> Mistake:
        what = f"your function stopped with {type(error).__name__}: {_text.first_line(error)}"
        called = ", ".join(_text.argument(*pair) for pair in zip(self.names, args, strict=True))
        place = _line_of(error, self.function)
        if not place and isinstance(error, TypeError):
            return Mistake(what, f"It was called with {called}.", "Does it take these arguments?")
        where = f"{place} " if place else ""
        return Mistake(
            what, f"{where}It was called with {called}.", "Print the shapes just before that line."
        )

    def _nothing_returned(self) -> None:
        code = getattr(self.function, "__code__", None)
        if code is None or not code.co_names:  # a body of nothing but ..., pass or a docstring
            raise NotWritten
        raise Found(Mistake("your function returns nothing", "The result is None.", "Is there a `return`?"))


def _same(before: Tensor, after: Tensor) -> bool:
    return before.shape == after.shape and torch.equal(before.nan_to_num(), after.nan_to_num())


def _changed(name: str, before: Tensor, after: Tensor) -> Mistake:
    nudge = (
        "Make a new tensor (torch.where, an operator without `_` at its end): the caller keeps the old one."
    )
    if before.shape != after.shape:
        seen = f"Its shape was {_text.shape(before)} and is {_text.shape(after)} after the call."
    else:
        index = (before.nan_to_num() != after.nan_to_num()).nonzero()[0].tolist()
        then, now = (_text.number(x[tuple(index)]) for x in (before, after))
        seen = f"{name}{index} was {then} and is {now} after the call."
    return Mistake(f"`{name}` was changed in place", seen, nudge)


def _line_of(error: Exception, function: Callable) -> str:
    """Name the line of the reader's function that raised, as far as there is one."""
    code = getattr(function, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in frames if code and frame.filename == code.co_filename]
    if not frames:
        return ""
    frame = frames[-1]
    number = frame.lineno - code.co_firstlineno + 1
    return f"Line {number} of your function: `{frame.line}`." if frame.line else f"Line {number}."
