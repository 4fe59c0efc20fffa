"""A checker takes its solution and refuses a listed mistake by its name (tools/facts tries all of them)."""

import re
from pathlib import Path

import pytest
import torch
from exercises.mechanical import accepts, mutants
from sampling import sample

from attn_lessons.exercises import check, exercises
from attn_lessons.exercises.checking.check import all_exercises

ALL = list(all_exercises().values())
ROOT = Path(__file__).parents[3]
LEAST = 3


def faults_of_reply(exercise, mistake):
    """Say what is wrong with the reply to a listed mistake."""
    verdict = check(exercise.name, mistake.function)
    text, lines = " ".join(repr(verdict).split()), repr(verdict).splitlines()
    if verdict.correct or mistake.what not in verdict.mistake:
        return f"{mistake.label} is not refused by '{mistake.what}': {text}"
    others = {other.what for other in exercise.mistakes if other.what not in mistake.what}
    if other := next((what for what in others if what in text and mistake.what not in what), ""):
        return f"{mistake.label} gets the name of another mistake too, '{other}': {text}"
    if [line.split(":")[0] for line in lines if not line.startswith("  ")] != ["Not yet", "Seen", "Next"]:
        return f"{mistake.label}: the reply has not three parts: {text}"
    if max(map(len, lines)) > 72 or not re.search(r"\d|nan", text.partition("Seen:")[2]):
        return f"{mistake.label}: the reply is too wide, or shows no number: {text}"
    return ""


@pytest.mark.parametrize("exercise", ALL, ids=exercises())
def test_the_solution_is_accepted_and_a_mistake_refused_by_its_name(exercise):
    verdict = check(exercise.name, exercise.solved)
    assert repr(verdict).startswith("Correct: "), verdict
    assert [fault for one in sample(exercise.mistakes, 2) if (fault := faults_of_reply(exercise, one))] == []
    assert len({one.label for one in exercise.mistakes}) == len(exercise.mistakes) >= LEAST


@pytest.mark.parametrize("exercise", sample(ALL, 8), ids=lambda exercise: exercise.name)
def test_the_same_answer_gets_the_same_reply_again(exercise):
    for mistake in sample(exercise.mistakes, 4):
        first = repr(check(exercise.name, mistake.function))
        torch.manual_seed(2)
        assert repr(check(exercise.name, mistake.function)) == first


@pytest.mark.parametrize("exercise", ALL, ids=exercises())
def test_a_function_that_is_not_written_gets_the_task(exercise):
    def empty(*args): ...

    def refuses(*args):
        raise NotImplementedError

    for function in (empty, refuses, lambda *args: ...):
        verdict = check(exercise.name, function)
        assert repr(verdict).startswith("Your function is still empty.")
        assert " ".join(exercise.task.split()) in " ".join(repr(verdict).split())


@pytest.mark.parametrize("exercise", ALL, ids=exercises())
def test_a_function_that_raises_is_reported_with_its_line(exercise):
    def broken(*args):
        first = args[0]
        return first[1000:2000, 3] @ first.nowhere

    reply = " ".join(repr(check(exercise.name, broken)).split())
    assert "your function stopped with" in reply
    assert "Line 3 of your function: `return first[1000:2000, 3] @ first.nowhere`." in reply
    assert "There: first" in reply


@pytest.mark.parametrize("exercise", ALL, ids=exercises())
def test_an_exercise_is_complete(exercise):
    assert (ROOT / "notebooks" / f"{exercise.chapter}.ipynb").is_file()
    assert len(exercise.hints) >= 2
    assert exercise.task.startswith("Write f(")
    assert all(test.__doc__ for test in exercise.checks)
    assert exercise.solved.__doc__


def test_names_are_unique():
    functions = [exercise.solved for exercise in ALL]
    assert len(set(functions)) == len(functions) == len(exercises())


# changes that change nothing a checker could see, by exercise and changed line
EQUIVALENT = {
    ("masked-softmax", "scores = torch.where(has_key, scores, 1.0)"),  # any finite number will do
    ("merge-tiles", "finite = torch.where(m == -torch.inf, 1.0, m)"),  # likewise
    ("heaviest-word", "return weights[:, query].masked_fill(~others, -2).argmax(dim=-1)"),  # any below 0
    ("weight-dropout", "kept = torch.rand_like(weights) > p"),  # a draw equals p once in millions
}


@pytest.mark.parametrize("exercise", sample(ALL, 16), ids=lambda exercise: exercise.name)
def test_a_slip_of_the_keyboard_in_the_solution_is_refused(exercise):
    slips = list(mutants(exercise.solved))
    accepted = {line for line, function in slips if accepts(exercise, function)}
    assert slips
    assert accepted - {line for name, line in EQUIVALENT if name == exercise.name} == set()
