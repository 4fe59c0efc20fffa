"""The typical wrong answers that a checker must refuse: one file an exercise in `wrong/`, called like it."""

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Wrong:
    """A wrong answer, and the words that the reply to it, and to no other, must hold."""

    function: Callable
    names: str

    @property
    def label(self) -> str:
        """The function's name without its underscore."""
        return self.function.__name__.strip("_").replace("_", "-")


def wrong(names: str) -> Callable[[Callable], Callable]:
    """Mark the function below as a typical wrong answer, whose reply must hold the words `names`."""

    def mark(function: Callable) -> Callable:
        function.names = names
        return function

    return mark


def wrong_answers(exercise: str) -> list[Wrong]:
    """Give the wrong answers to an exercise in the order of their file."""
    module = importlib.import_module(f"exercises.wrong.{exercise.replace('-', '_')}")
    functions = filter(inspect.isfunction, vars(module).values())
    return [Wrong(function, function.names) for function in functions if hasattr(function, "names")]
