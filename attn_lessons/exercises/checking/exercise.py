"""What an exercise is: a task, hints, a solution, and checks that name a mistake."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from attn_lessons.exercises.checking.answer import Answer
from attn_lessons.exercises.checking.mistake import Mistake

Check = Callable[[Answer], Mistake | None]


class Slip(NamedTuple):
    """A known mistake as a function like the solution: tried on the very inputs of the result."""

    what: str
    nudge: str
    function: Callable[..., Any]


def _unsolved(*_: Any) -> None:
    raise NotImplementedError("an exercise needs a solution below it")


@dataclass
class Exercise:
    """One exercise; its solution and checks are added by decorators below it in its file.

    The checks run in the order in which they are written: put first what explains most.
    """

    name: str  # in lower case with hyphens, the same in the notebook
    chapter: str  # file name in notebooks/, without its ending
    task: str  # one or two sentences, and what the function takes and returns
    hints: tuple[str, ...]
    result: str  # what the function returns, "weights (queries, keys)"; several between semicolons
    checks: list[Check] = field(default_factory=list)
    solved: Callable[..., Any] = _unsolved
    slips: list[Slip] = field(default_factory=list)

    def solution(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Take the function below as the solution; its argument names are used in replies."""
        self.solved = function
        return function

    def check(self, function: Check) -> Check:
        """Add a check; its docstring says in a few words what holds when it passes."""
        self.checks.append(function)
        return function

    def slip(self, what: str, nudge: str, function: Callable[..., Any]) -> None:
        """Add a known mistake; `function` takes what the solution takes and makes it."""
        self.slips.append(Slip(what, nudge, function))

    def also(self, inputs: Callable[[], Iterable[tuple[Any, ...]]]) -> Check:
        """Try the function on more inputs, which the generator below gives, and compare with the solution."""

        @functools.wraps(inputs)
        def compared(answer: Answer) -> None:
            for args in inputs():
                answer.gives(*args, wanted=self.solved(*args))

        return self.check(compared)

    def answer(self, function: Callable[..., Any], *, plain: bool = False) -> Answer:
        """Guard a reader's function; `plain`: only right or wrong counts."""
        return Answer(function, self.solved, () if plain else self.slips, result=self.result, plain=plain)
