"""A call whose result is wrong, and other calls on which a suspicion can be tried."""

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import torch
from torch import Tensor

from attn_lessons.exercises.checking.limit import TooLong, time_limit
from attn_lessons.exercises.checking.results.close import same

Parts = tuple[Tensor, ...]
_LARGEST = 20_000  # numbers in an argument: on larger ones nothing is tried twice


class Known(Protocol):
    """A known mistake: what is wrong, a nudge, and a function that makes it."""

    @property
    def what(self) -> str: ...  # noqa: D102
    @property
    def nudge(self) -> str: ...  # noqa: D102
    @property
    def function(self) -> Callable[..., Any]: ...  # noqa: D102


@contextmanager
def quiet() -> Iterator[None]:
    """Try functions without a gradient, a warning, a word on the screen, or a trace in the random numbers."""
    silent = contextlib.redirect_stdout(io.StringIO())
    with torch.no_grad(), torch.random.fork_rng(devices=[]), warnings.catch_warnings(), silent:
        warnings.simplefilter("ignore")
        yield


@dataclass(frozen=True)
class Case:
    """The reader's function, the solution, and the arguments on which the two differ."""

    function: Callable[..., Any]
    solved: Callable[..., Any]
    names: tuple[str, ...]
    args: tuple[Any, ...]
    mistakes: Sequence[Known]
    examples: Callable[[], Sequence[tuple[Any, ...]]]

    @cached_property
    def others(self) -> list[tuple[tuple[Any, ...], Parts, Parts]]:
        """Other arguments, with what the function and what the solution gives for them."""
        found = []
        for args in filter(small, (*_like(self.args), *self.examples())):
            got, want = results(self.function, args, limit=1), results(self.solved, args)
            if got is not None and want is not None and not _equal(args, self.args):
                found.append((args, got, want))
        return found

    @cached_property
    def right_elsewhere(self) -> bool:
        """Tell whether on most other calls of the checks nothing is wrong: then something special is."""
        calls = [results(self.function, args, limit=1) for args in self._small]
        pairs = [(got, results(self.solved, args)) for got, args in zip(calls, self._small, strict=True)]
        rights = [got is not None and want is not None and same(got, want) for got, want in pairs]
        return bool(rights) and 2 * sum(rights) >= len(rights)

    @property
    def _small(self) -> list[tuple[Any, ...]]:
        return [args for args in self.examples() if not _equal(args, self.args) and small(args)]


def small(args: tuple[Any, ...]) -> bool:
    """Tell whether a function may be tried on these arguments again and again."""
    return all(not isinstance(one, Tensor) or one.numel() <= _LARGEST for one in args)


def results(function: Callable[..., Any], args: tuple[Any, ...], *, limit: float = 0) -> Parts | None:
    """Give what a function returns for copies of these arguments; None if that is no tensor, or an error.

    A reader's function gets a limit, in seconds.
    """
    given = [value.clone() if isinstance(value, Tensor) else value for value in args]
    try:
        with time_limit(limit) if limit else nullcontext():
            torch.manual_seed(0)
            result = function(*given)
    except (Exception, SystemExit, TooLong):  # it does not take these arguments, and so explains nothing
        return None
    parts = tuple(result) if isinstance(result, tuple | list) else (result,)
    return parts if all(isinstance(part, Tensor) for part in parts) else None


def _like(args: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Give arguments of the same sizes with the numbers in other places."""
    yield tuple(x.flip(0) if isinstance(x, Tensor) and x.dim() else x for x in args)
    yield tuple(x.roll(1, -1) if isinstance(x, Tensor) and x.dim() else x for x in args)
    yield tuple(1 - x if isinstance(x, Tensor) and x.is_floating_point() else x for x in args)


def _equal(ones: tuple[Any, ...], others: tuple[Any, ...]) -> bool:
    return all(
        a.dtype == b.dtype and torch.equal(a, b) if isinstance(a, Tensor) else bool(a == b)
        for a, b in zip(ones, others, strict=True)
    )
