"""What an exercise is: a task, hints, a solution, known mistakes, and checks."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch

from attn_lessons.exercises.checking.answer import Answer
from attn_lessons.exercises.checking.reply import Reply

Check = Callable[[Answer], Reply | None]


class Mistake(NamedTuple):
    """A function that makes a known mistake, what is wrong with it, and where to think on.

    Without a nudge it is only tried, not looked for: a check of its own finds what it does, in these words.
    """

    what: str
    nudge: str
    function: Callable[..., Any]

    @property
    def label(self) -> str:
        """The function's name, as the table of all mistakes has it."""
        return self.function.__name__.strip("_").replace("_", "-")


def _unsolved(*_: Any) -> None:
    raise NotImplementedError("an exercise needs a solution below it")


@dataclass
class Exercise:
    """One exercise; its solution, mistakes and checks are added by decorators below it in its file.

    The checks run in the order in which they are written: put first what explains most. Where several
    mistakes give the same wrong numbers, the first is named.
    """

    name: str  # in lower case with hyphens, the same in the notebook
    chapter: str  # file name in notebooks/, without its ending
    task: str  # one or two sentences, and what the function takes and returns
    hints: tuple[str, ...]
    result: str  # what the function returns, "weights (queries, keys)"; several between semicolons
    checks: list[Check] = field(default_factory=list)
    solved: Callable[..., Any] = _unsolved
    mistakes: list[Mistake] = field(default_factory=list)

    def solution(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Take the function below as the solution; its argument names are used in replies."""
        self.solved = function
        function.solves = True  # type: ignore[attr-defined]  # show_source keeps it closed in JupyterLab
        return function

    def check(self, function: Check) -> Check:
        """Add a check; its docstring says in a few words what holds when it passes."""
        self.checks.append(function)
        return function

    def mistake(self, what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Add the function below, called like the solution, as a known mistake; its docstring nudges."""

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            self.mistakes.append(Mistake(what, " ".join((function.__doc__ or "").split()), function))
            return function

        return add

    def also(self, inputs: Callable[[], Iterable[tuple[Any, ...]]]) -> Check:
        """Try the function on more inputs, which the generator below gives, and compare with the solution."""

        @functools.wraps(inputs)
        def compared(answer: Answer) -> None:
            for args in inputs():
                answer.gives(*args, wanted=self.solved(*args))

        return self.check(compared)

    @functools.cached_property
    def examples(self) -> list[tuple[Any, ...]]:
        """All arguments that the checks call a function with."""
        calls: list[tuple[Any, ...]] = []

        @functools.wraps(self.solved)
        def watched(*args: Any) -> Any:
            calls.append(args)
            return self.solved(*args)

        answer = self.answer(watched, plain=True)
        with torch.enable_grad():
            for test in self.checks:
                test(answer)
        return calls

    def answer(self, function: Callable[..., Any], *, plain: bool = False) -> Answer:
        """Guard a reader's function; `plain`: only right or wrong counts."""
        return Answer(
            function,
            self.solved,
            () if plain else self.mistakes,
            lambda: self.examples,
            result=self.result,
            plain=plain,
            any_float=not any(word in self.task for word in ("float16", "dtype", "int64")),
        )
