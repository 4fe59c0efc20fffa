"""What an exercise is: a task, hints, a solution, checks, and wrong answers that they must catch."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ._answer import Answer
from ._mistake import Mistake

Check = Callable[[Answer], Mistake | None]


@dataclass(frozen=True)
class Wrong:
    """A typical wrong answer, and the words that the reply to it, and to no other, must hold."""

    function: Callable
    names: str

    @property
    def label(self) -> str:
        """The function's name without its underscore."""
        return self.function.__name__.strip("_").replace("_", "-")


@dataclass
class Exercise:
    """One exercise; its solution, checks and wrong answers are added by decorators below it in its file.

    The checks run in the order in which they are written: put first what explains most.
    """

    name: str  # in lower case with hyphens, the same in the notebook
    chapter: str  # file name in notebooks/, without its ending
    task: str  # one or two sentences, and what the function takes and returns
    hints: tuple[str, ...]
    checks: list[Check] = field(default_factory=list)
    wrong_answers: list[Wrong] = field(default_factory=list)
    solved: Callable | None = None

    def solution(self, function: Callable) -> Callable:
        """Take the function below as the solution; its argument names are used in replies."""
        self.solved = function
        return function

    def check(self, function: Check) -> Check:
        """Add a check; its docstring says in a few words what holds when it passes."""
        self.checks.append(function)
        return function

    def wrong(self, names: str) -> Callable[[Callable], Callable]:
        """Add a typical wrong answer, whose reply must hold the words `names`."""

        def add(function: Callable) -> Callable:
            self.wrong_answers.append(Wrong(function, names))
            return function

        return add
