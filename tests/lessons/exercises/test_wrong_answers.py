"""Every checker accepts its solution and refuses each typical wrong answer by the name of its mistake."""

import copy
import functools
import re
from pathlib import Path

import pytest
import torch
from exercises.mechanical import mutants
from exercises.wrong_answers import wrong_answers

from attn_lessons.exercises import check, exercises, solution
from attn_lessons.exercises.checking.check import all_exercises

ALL = list(all_exercises().values())
PAIRS = [pytest.param(e, wrong, id=f"{e.name}-{wrong.label}") for e in ALL for wrong in wrong_answers(e.name)]
ROOT = Path(__file__).parents[3]


@functools.cache
def verdict_of(name, wrong):
    """Check a wrong answer once for the tests that read its reply."""
    return check(name, wrong.function)


@pytest.mark.parametrize("name", exercises())
def test_the_solution_is_accepted(name):
    verdict = check(name, solution(name))
    assert verdict.correct, verdict
    assert repr(verdict).startswith("Correct: ")


@pytest.mark.parametrize(("exercise", "wrong"), PAIRS)
def test_a_wrong_answer_is_refused_by_the_name_of_its_mistake(exercise, wrong):
    verdict = verdict_of(exercise.name, wrong)
    assert not verdict.correct
    assert wrong.names in verdict.mistake


@pytest.mark.parametrize(("exercise", "wrong"), PAIRS)
def test_the_reply_names_no_other_mistake(exercise, wrong):
    reply = " ".join(repr(verdict_of(exercise.name, wrong)).split())
    others = [other.names for other in wrong_answers(exercise.name) if other != wrong]
    assert [other for other in others if other in reply] == []


@pytest.mark.parametrize(("exercise", "wrong"), PAIRS)
def test_the_reply_shows_evidence_and_a_nudge(exercise, wrong):
    lines = repr(verdict_of(exercise.name, wrong)).splitlines()
    assert [line.split(":")[0] for line in lines if not line.startswith("  ")] == ["Not yet", "Seen", "Next"]
    assert max(map(len, lines)) <= 72
    assert re.search(r"\d|nan", next(line for line in lines if line.startswith("Seen")))


@pytest.mark.parametrize("exercise", ALL, ids=exercises())
def test_there_are_at_least_six_wrong_answers_with_different_names(exercise):
    names = [wrong.names for wrong in wrong_answers(exercise.name)]
    assert len(set(names)) == len(names) >= 6
    assert len({wrong.function for wrong in wrong_answers(exercise.name)}) == len(names)


@pytest.mark.parametrize(("exercise", "wrong"), PAIRS)
def test_the_same_answer_gets_the_same_reply_again(exercise, wrong):
    first = repr(verdict_of(exercise.name, wrong))
    torch.manual_seed(2)
    assert repr(check(exercise.name, wrong.function)) == first


@pytest.mark.parametrize("exercise", ALL, ids=exercises())
def test_a_function_that_is_not_written_gets_the_task(exercise):
    def empty(*args): ...

    def refuses(*args):
        raise NotImplementedError

    for function in (empty, refuses, lambda *args: ...):
        verdict = check(exercise.name, function)
        assert repr(verdict).startswith("Not written yet.")
        assert " ".join(exercise.task.split()) in " ".join(repr(verdict).split())


@pytest.mark.parametrize("exercise", ALL, ids=exercises())
def test_a_function_that_raises_is_reported_with_its_line(exercise):
    def broken(*args):
        first = args[0]
        return first[1000:2000, 3] @ first.nowhere

    reply = " ".join(repr(check(exercise.name, broken)).split())
    assert "your function stopped with" in reply
    assert "Line 3 of your function: `return first[1000:2000, 3] @ first.nowhere`." in reply
    assert f"It was called with {broken_name(exercise)}" in reply


def broken_name(exercise):
    return exercise.solved.__code__.co_varnames[0]


@pytest.mark.parametrize("exercise", ALL, ids=exercises())
@pytest.mark.parametrize(
    "result", [0, "text", (), [1, 2], float("nan"), torch.zeros(()), torch.zeros(0, 7), {}]
)
def test_whatever_a_function_returns_there_is_a_reply(exercise, result):
    verdict = check(exercise.name, lambda *args: copy.copy(result))
    assert repr(verdict).startswith("Not yet: ")


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
    ("top-p", "kept = torch.where(before <= share, values, 0)"),  # only where a sum meets the share exactly
}


@pytest.mark.parametrize("exercise", ALL, ids=exercises())
def test_a_slip_of_the_keyboard_in_the_solution_is_refused(exercise):
    slips = list(mutants(exercise.solved))
    accepted = {line for line, function in slips if check(exercise.name, function).correct}
    assert slips
    assert accepted - {line for name, line in EQUIVALENT if name == exercise.name} == set()
