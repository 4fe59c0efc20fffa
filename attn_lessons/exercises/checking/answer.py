"""Call a reader's function so that whatever happens becomes a reply, never a crash."""

import copy
import dis
import inspect
import linecache
import re
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lessons.exercises.checking import words
from attn_lessons.exercises.checking.limit import TooLong, time_limit
from attn_lessons.exercises.checking.reply import Found, NotWritten, Reply
from attn_lessons.exercises.checking.results.case import Case, Known
from attn_lessons.exercises.checking.results.close import close
from attn_lessons.exercises.checking.results.compare import Value, compare

LIMIT = 10  # seconds for one call; a right answer takes thousandths
KINDS = (Tensor, int, float)  # what is shown of the names in a line that stops


class Answer:
    """The reader's function, guarded: called with copies, its errors and changed arguments reported."""

    def __init__(
        self,
        function: Callable[..., Any],
        solution: Callable[..., Any],
        mistakes: Sequence[Known] = (),
        examples: Callable[[], Sequence[tuple[Any, ...]]] = tuple,
        *,
        result: str = "result ()",
        plain: bool = False,
        any_float: bool = False,
    ) -> None:
        """Take `plain` where only right or wrong counts: no reason is looked for then.

        With `any_float` a float32 result where float64 came in is no mistake; `notes` says a word on it.
        """
        self.function, self.solved, self.mistakes, self.examples = function, solution, mistakes, examples
        self.plain, self.any_float = plain, any_float
        self.notes: dict[str, None] = {}  # what a right answer is told besides, each once
        parts = [part.strip().removesuffix(")").partition(" (") for part in result.split(";")]
        self.named = "; ".join(name for name, _, _ in parts)
        self.axes = "; ".join(axes.replace(",", "") for _, _, axes in parts)
        self.names = tuple(inspect.signature(solution).parameters)
        self.inputs: dict[str, Any] = {}  # those of the last call

    def __call__(self, *args: Any) -> Any:
        """Call the function with copies of the arguments; report an error, None, or changed arguments."""
        given = copy.deepcopy(args)
        result = self._result(given, args)
        for name, before, after in zip(self.names, args, given, strict=False):
            if isinstance(before, Tensor) and not _same(before, after):
                raise Found(_changed(name, before, after))
        return result

    def error(self, *args: Any) -> Exception | None:
        """Give the error that the function raises for these arguments, or None."""
        self.inputs = dict(zip(self.names, args, strict=True))
        try:
            with time_limit(LIMIT):
                self.function(*copy.deepcopy(args))
        except Exception as error:
            return error
        return None

    def varies(self, *args: Any) -> bool:
        """Tell whether chance has a part: whether other random numbers give another result."""
        first, second = (self._result(copy.deepcopy(args), args, seed=seed) for seed in (0, 1))
        pairs = zip(*(one if isinstance(one, tuple) else (one,) for one in (first, second)), strict=False)
        return any(isinstance(one, Tensor) and not close(one, other) for one, other in pairs)

    def draws(self, *args: Any, number: int) -> list[Value]:
        """Give the results for several states of chance."""
        return [self._result(copy.deepcopy(args), args, seed=seed) for seed in range(number)]

    def gradient(self, *args: Any) -> Tensor:
        """Give the gradient of the (first) result for the first argument; every number of it counts."""
        given = copy.deepcopy(args)
        given[0].requires_grad_()
        result = self._result(given, args)
        result = result[0] if isinstance(result, tuple) else result
        factors = torch.linspace(1, 2, result.numel(), dtype=result.dtype).reshape(result.shape)
        nudge = "What cuts it off: .detach(), .data, .item(), a comparison, torch.tensor?"
        cut_off = Reply("the result has no gradient", f"It does not depend on {self.names[0]}.", nudge)
        if not result.requires_grad:
            raise Found(cut_off)
        (gradient,) = torch.autograd.grad((result * factors).sum(), given[0], allow_unused=True)
        if gradient is None:
            raise Found(cut_off)
        return gradient

    def _result(self, given: tuple[Any, ...], args: tuple[Any, ...], *, seed: int = 0) -> Value:
        self.inputs = dict(zip(self.names, args, strict=True))
        try:
            with torch.random.fork_rng(devices=[]), time_limit(LIMIT):
                torch.manual_seed(seed)
                result = self.function(*given)
        except (Exception, SystemExit, TooLong) as error:
            if isinstance(error, NotImplementedError) and _left_open(error, self.function):
                raise NotWritten from error
            other = next(filter(_is_other_float, given), None)
            if self.any_float and other is not None and re.search("dtype|scalar type", str(error)):
                kind = str(other.dtype).removeprefix("torch.")
                self.notes[f"{kind} inputs meet float32 in it, and it stops; that is fine here."] = None
                found = self._result(tuple(map(_as_float32, given)), args, seed=seed)
                if isinstance(found, Tensor):
                    return found.to(other.dtype)
                return tuple(part.to(other.dtype) for part in found)
            raise Found(self._raised(error, args)) from error
        if result is None or result is ...:
            self._nothing_returned()
        return result

    def gives(self, *args: Any, wanted: Value, **options: Any) -> None:
        """Report how the result differs from `wanted`; `compare` says what the options are.

        Its axes and its name are those of the exercise, unless others are given.
        """
        case = Case(self.function, self.solved, self.names, args, self.mistakes, self.examples)
        options = {"axes": self.axes, "named": self.named} | options
        got = self(*args)
        compare(
            got,
            wanted,
            case=None if self.plain else case,
            notes=self.notes if self.any_float else None,
            **options,
        )

    def _raised(self, error: BaseException, args: tuple[Any, ...]) -> Reply:
        what = f"your function stopped with {type(error).__name__}: {words.first_line(error)}"
        if isinstance(error, TooLong):
            what = f"your function did not end within {LIMIT} seconds"
        called = ", ".join(words.argument(*pair) for pair in zip(self.names, args, strict=True))
        place = _line_of(error, self.function)
        if not place and isinstance(error, TypeError):
            return Reply(what, f"It was called with {called}.", "Does it take these arguments?")
        return Reply(what, place or f"It was called with {called}.", _nudge(error))

    def _nothing_returned(self) -> None:
        code = getattr(self.function, "__code__", None)
        if code is None or {one.opname for one in dis.get_instructions(code)} <= _EMPTY:
            raise NotWritten
        raise Found(Reply("your function returns nothing", "The result is None.", "Is there a `return`?"))


def _same(before: Tensor, after: Tensor) -> bool:
    return before.shape == after.shape and torch.equal(before.nan_to_num(), after.nan_to_num())


def _changed(name: str, before: Tensor, after: Tensor) -> Reply:
    nudge = (
        "Make a new tensor (torch.where, an operator without `_` at its end): the caller keeps the old one."
    )
    if before.shape != after.shape:
        seen = f"Its shape was {words.shape(before)} and is {words.shape(after)} after the call."
    else:
        index = (before.nan_to_num() != after.nan_to_num()).nonzero()[0].tolist()
        then, now = (words.number(x[tuple(index)]) for x in (before, after))
        seen = f"{name}{index} was {then} and is {now} after the call."
    return Reply(f"`{name}` was changed in place", seen, nudge)


# the operations of a body of nothing but ..., pass or a docstring
_EMPTY = {"RESUME", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "NOP", "COPY_FREE_VARS"}


def _nudge(error: BaseException) -> str:
    text = str(error)
    if isinstance(error, TooLong):
        return "Does the loop end? What must change in each round for its condition to become False?"
    if isinstance(error, NameError):
        return "Is the name made before this line, inside the function, and spelled alike?"
    if "view size is not compatible" in text:
        return "After a transpose the numbers do not lie in a row: use .reshape, or .contiguous() first."
    if isinstance(error, TypeError) and "float" in text and ("int" in text or "size" in text):
        return "A size must be a whole number: `//` divides so, `/` does not."
    if "page's torch" in text:
        return "The function may be right: write it without this part, or check it in Jupyter."
    if "ambiguous" in text:
        return "`if` and `max(a, b)` ask for one True or False. For tensors: torch.where, torch.maximum."
    if "bool" in text.lower() and "must match" not in text:
        return "True and False are no numbers here: .float() or .int() makes them 1 and 0."
    if isinstance(error, IndexError | ValueError):
        return "How many are there, and how many does this line ask for?"
    if isinstance(error, TypeError | AttributeError):
        return "Is it called as its documentation says? help(...) in a cell of its own shows what it takes."
    return "Which two shapes do not fit there?"


def _left_open(error: BaseException, function: Callable[..., Any]) -> bool:
    """Tell whether the reader's own lines raise the error, not an operator that lacks a dtype."""
    trace, code = error.__traceback__, getattr(inspect.unwrap(function), "__code__", None)
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None or code is None or trace.tb_frame.f_code.co_filename != code.co_filename:
        return False
    return dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"


def _line_of(error: BaseException, function: Callable[..., Any]) -> str:
    """Name the line of the reader's function that raised, or of what it called in the same place."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return ""
    frames = [
        pair
        for pair in traceback.walk_tb(error.__traceback__)
        if pair[0].f_code.co_filename == code.co_filename
    ]
    own = [pair for pair in frames if pair[0].f_code is code]
    if not frames:
        return ""
    frame, number = (own or frames)[-1]
    text = linecache.getline(code.co_filename, number, frame.f_globals).strip()
    inner = frames[-1][0].f_code
    name = f" (inside `{inner.co_name}`)" if own and inner is not code else ""
    first = number - frame.f_code.co_firstlineno + 1
    of = "your function" if own else f"`{frame.f_code.co_name}`"
    if not text:
        return f"Line {first} of {of}{name}."
    used = dict.fromkeys(re.findall(r"(?<![.\w])[A-Za-z_]\w*", text))
    held = [
        words.held(one, frame.f_locals[one]) for one in used if isinstance(frame.f_locals.get(one), KINDS)
    ]
    there = f" There: {', '.join(held)}." if held else ""
    return f"Line {first} of {of}{name}: `{text}`.{there}"


def _is_other_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point() and value.dtype != torch.float32


def _as_float32(value: Any) -> Any:
    return value.float() if _is_other_float(value) else value
