"""Check a reader's function, give hints, show solutions."""

import copy
import difflib
import functools
import importlib
import pkgutil
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from attn_helpers._folding import closed, in_lab
from attn_lessons.exercises import tasks
from attn_lessons.exercises.checking import words
from attn_lessons.exercises.checking.exercise import Exercise
from attn_lessons.exercises.checking.reply import Found, NotWritten, Reply
from attn_lessons.exercises.checking.source.closer import look_closer
from livetorch.tracing.reader.short_errors import short_errors


class Verdict:
    """The reply of `check`: its repr is what a reader sees.

    Args:
        parts: the paragraphs of the reply, each a label and a text.
        mistake: the name of the mistake that was found, or "".
        inputs: the arguments that showed it, by name.
        folded: in a running JupyterLab a line has to be opened first.

    >>> Verdict([("Correct:", "rows sum to 1.")], correct=True)
    Correct: rows sum to 1.
    """

    def __init__(
        self,
        parts: Sequence[tuple[str, str]],
        *,
        correct: bool,
        mistake: str = "",
        inputs: dict[str, object] | None = None,
        folded: bool = False,
    ) -> None:
        self.parts, self.correct, self.mistake, self.folded = tuple(parts), correct, mistake, folded
        self.inputs = inputs or {}

    def __repr__(self) -> str:
        return "\n".join(words.paragraph(*part) for part in self.parts)

    def _repr_html_(self) -> str:
        text = "".join(words.html_paragraph(*part) for part in self.parts)
        return closed(text, "Show the reply") if self.folded and in_lab() else text

    def __bool__(self) -> bool:
        return self.correct


class Note(str):
    """A text that shows without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@short_errors
def check(name: str, function: Callable[..., Any], *, folded: bool = False) -> Verdict:
    """Try a reader's function on an exercise and say which mistake it makes, if any.

    The function is called on copies of small inputs; whatever it does, the reply is a text.

    Args:
        folded: JupyterLab shows the reply only when its line is opened, for a bug that is to be found first.
    Returns: a `Verdict`; its repr names the mistake, the number that shows it, and where to think on.

    >>> check("masked-softmax", lambda scores, mask: torch.softmax(scores, dim=-1) * mask)
    Not yet: the mask is applied after the softmax.
    Seen: weights[query 0] is [0.2312, 0.6285, 0], expected [0.2689, 0.7311,
      0].
    Next: The row no longer sums to 1. Over which keys should the sum of the
      exponentials run?
    """
    if callable(name):
        raise TypeError('check takes the name first, then the function: check("masked-softmax", my_weights).')
    exercise = find(name)
    if not callable(function):
        raise TypeError(f"function must be a function, got {type(function).__name__}.")
    verdict = judge(exercise, function)
    verdict.folded = folded
    return verdict


def judge(exercise: Exercise, function: Callable[..., Any]) -> Verdict:
    """Try a function on an exercise, or on a part of one: some of its checks."""
    if not exercise.checks:
        said = "this edition of the book knows no answers. Hand your function in."
        return Verdict([("Not judged here:", said)], correct=False)
    answer = exercise.answer(function)
    try:
        found = next(filter(None, (test(answer) for test in exercise.checks)), None)
    except NotWritten:
        return _not_written(exercise)
    except Found as stop:
        found = stop.reply
    except AssertionError:
        raise  # a fault of the exercise
    except Exception as error:  # a result so odd that the check stumbled over it
        nudge = "Compare its type, shape and dtype with those that the task asks for."
        found = Reply("the result cannot be checked", words.first_line(error), nudge)
    if found and found.vague:
        inputs = dict(answer.inputs)
        try:
            found = look_closer(exercise, answer, found)
        except Exception as error:  # a fault of ours, which must not hide what is known already
            warnings.warn(f"a closer look at the answer failed: {error!r}", stacklevel=2)
        answer.inputs = inputs
    return _refusal(found, answer.inputs) if found else _praise(exercise, answer.notes)


@short_errors
def hint(name: str, step: int = 1) -> str:
    """Give a hint; later steps give more away.

    Args:
        step: 1 for the first hint.
    Returns: the hint, and how many there are.

    >>> hint("split-heads")
    Hint 1 of 3: Which numbers of one token belong to the first head, if
      `d_model = 6` and `num_heads = 3`?
    """
    hints = find(name).hints
    if not isinstance(step, int) or not 1 <= step <= len(hints):
        raise ValueError(f"step must be 1 to {len(hints)}, got {step!r}.")
    return Note(words.paragraph(f"Hint {step} of {len(hints)}:", hints[step - 1]))


@short_errors
def solution(name: str) -> Callable[..., Any]:
    """Give the function that solves an exercise; `show_source` shows it.

    >>> check("split-heads", solution("split-heads")).correct
    True
    """
    return find(name).solved


def exercises() -> list[str]:
    """List the exercises in the order of the book.

    >>> "masked-softmax" in exercises()
    True
    """
    return list(all_exercises())


@functools.cache
def all_exercises() -> dict[str, Exercise]:
    """Collect the exercises of all modules of `tasks`."""
    modules = [
        importlib.import_module(f"{tasks.__name__}.{module.name}")
        for module in pkgutil.iter_modules(tasks.__path__)
    ]
    found = [item for module in modules for item in vars(module).values() if isinstance(item, Exercise)]
    return {exercise.name: exercise for exercise in sorted(found, key=lambda item: item.chapter)}


def find(name: str) -> Exercise:
    """Look an exercise up by its name."""
    known = all_exercises()
    if name not in known:
        near = difflib.get_close_matches(str(name), known, n=1)
        names = near[0] if near else ", ".join(known)
        raise ValueError(f"name must be an exercise ({'perhaps ' if near else ''}{names}), got {name!r}.")
    return known[name]


def _not_written(exercise: Exercise) -> Verdict:
    parts = ("Your function is still empty.", exercise.task), ("Stuck?", f'`hint("{exercise.name}")` helps.')
    return Verdict(parts, correct=False)


def _refusal(reply: Reply, inputs: dict[str, object]) -> Verdict:
    parts = ("Not yet:", f"{reply.what.rstrip('.')}."), ("Seen:", reply.seen), ("Next:", reply.nudge)
    return Verdict(parts, correct=False, mistake=reply.what, inputs=copy.deepcopy(inputs))


def _praise(exercise: Exercise, notes: Iterable[str]) -> Verdict:
    passed = [(test.__doc__ or "").strip().rstrip(".") for test in exercise.checks]
    parts = ("Correct:", "; ".join(passed) + "."), *(("By the way:", note) for note in notes)
    return Verdict(parts, correct=True)
