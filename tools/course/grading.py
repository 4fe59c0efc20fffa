"""What the hidden tests of the homework call: points, and the book's reply as feedback."""

import contextlib
import dataclasses
import io
from collections.abc import Callable
from typing import Any

from attn_lessons.exercises.checking import inputs
from attn_lessons.exercises.checking.check import find, judge
from attn_lessons.exercises.checking.exercise import Check, Exercise
from attn_lessons.exercises.questions.pieces import usual_tolerance


def parts(name: str) -> list[Exercise]:
    """Cut an exercise into one for each of its checks: the parts that earn a point."""
    exercise = find(name)
    return [dataclasses.replace(exercise, checks=[one]) for one in exercise.checks]


@contextlib.contextmanager
def own_inputs(seed: int) -> Any:
    """Let checks draw other numbers than those of the book."""
    before = inputs.VARIANT
    inputs.VARIANT = seed
    try:
        yield
    finally:
        inputs.VARIANT = before


def graded(name: str, function: Callable[..., Any] | None, *, seed: int = 0) -> int:
    """Give the points of a function: one for each part of the exercise; print the replies to the rest.

    Inputs are the class's own where the part allows it: a part whose right answer was worked out by hand
    keeps the book's numbers.
    """
    earned = 0
    for number, part in enumerate(parts(name), 1):
        what = (part.checks[0].__doc__ or "").strip().rstrip(".")
        if not callable(function):
            print(f"Part {number}, {what}: nothing was handed in.")
            continue
        with own_inputs(seed if _holds(name, number - 1, part.checks[0], seed) else 0):
            heard = io.StringIO()
            with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
                verdict = judge(part, function)
        earned += bool(verdict)
        print(
            f"Part {number}, {what}: {'1 of 1 point.' if verdict else f'0 of 1 point.{chr(10)}{verdict!r}'}"
        )
    return earned


def answered(question: dict[str, Any], given: Any, points: int = 1) -> int:
    """Give the points of an answer to a question; print the book's reply to it.

    A choice is answered by the letter of an option, a number by a number, cells by a text of 0 and 1 a row.
    """
    if given is None or given is Ellipsis:
        print("Nothing was handed in.")
        return 0
    right, reply = _JUDGES[question["kind"]](question, given)
    print(f"{'Right.' if right else 'No.'} {reply}")
    return points if right else 0


def _holds(name: str, number: int, test: Check, seed: int) -> bool:
    """Does the solution pass a part with the class's own numbers?"""
    with own_inputs(seed):
        part = dataclasses.replace(find(name), checks=[test])
        return bool(judge(part, part.solved))


def _choice(question: dict[str, Any], given: Any) -> tuple[bool, str]:
    place = "abcdefghijkl".find(str(given).strip().lower()) if str(given).strip() else -1
    if not 0 <= place < len(question["options"]) or len(str(given).strip()) != 1:
        return False, f"The answer must be a letter from a to {'abcdefghijkl'[len(question['options']) - 1]}."
    return place == question["answer"], question["options"][place]["why"]


def _number(question: dict[str, Any], given: Any) -> tuple[bool, str]:
    try:
        number = float(given)
    except (TypeError, ValueError, RuntimeError):
        return False, f"The answer must be a number, and this is a {type(given).__name__}."

    def near(value: float, tolerance: float) -> bool:
        return abs(number - value) <= tolerance + 1e-9 * abs(number)

    if near(question["answer"], question["tolerance"]):
        return True, question["explain"]
    mistakes = [
        (abs(number - each["value"]), each["why"])
        for each in question["mistakes"]
        if near(each["value"], max(question["tolerance"], usual_tolerance(each["value"])))
    ]
    why = min(mistakes)[1] if mistakes else ""
    return False, why or ("Too large." if number > question["answer"] else "Too small.")


def _cells(question: dict[str, Any], given: Any) -> tuple[bool, str]:
    rows = [str(row) for row in given] if isinstance(given, list | tuple) else str(given).split("/")
    rows = [row.replace(" ", "") for row in rows]
    if rows == question["answer"]:
        return True, question["explain"]
    why = next((each["why"] for each in question["mistakes"] if each["cells"] == rows), "")
    return False, why or "Some cells differ from what was asked."


_JUDGES = {"choice": _choice, "number": _number, "cells": _cells}
