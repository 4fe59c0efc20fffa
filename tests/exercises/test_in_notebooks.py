"""Every exercise stands in its chapter: task, hints, a place to write, and its solution, checked."""

import ast
import json
from pathlib import Path

import pytest

from attn_helpers.exercises._core import all_exercises

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
ALL = list(all_exercises().values())
IDS = [exercise.name for exercise in ALL]


def cells_of(exercise):
    notebook = json.loads((NOTEBOOKS / f"{exercise.chapter}.ipynb").read_text(encoding="utf-8"))
    return notebook["cells"]


def text_of(cell):
    return "".join(cell["source"])


def shown(cell):
    outputs = [output.get("data", {}).get("text/plain", "") for output in cell["outputs"]]
    return "\n".join("".join(output) for output in outputs)


def the_cell(exercise, *parts):
    found = [
        cell
        for cell in cells_of(exercise)
        if cell["cell_type"] == "code" and all(part in text_of(cell) for part in parts)
    ]
    assert found, f"{exercise.chapter} has no cell with {parts}"
    return found[0]


@pytest.mark.parametrize("exercise", ALL, ids=IDS)
def test_there_is_a_place_to_write_that_says_what_to_do(exercise):
    cell = the_cell(exercise, f'check("{exercise.name}", ', ": ...")
    function = ast.parse(text_of(cell)).body[0]
    assert [arg.arg for arg in function.args.args] == list(exercise.solved.__code__.co_varnames)[
        : exercise.solved.__code__.co_argcount
    ]
    assert shown(cell).startswith("Not written yet.")


@pytest.mark.parametrize("exercise", ALL, ids=IDS)
def test_the_solution_is_folded_and_checked(exercise):
    shows = the_cell(exercise, f'show_source(solution("{exercise.name}"))')
    checks = the_cell(exercise, f'check("{exercise.name}", solution("{exercise.name}"))')
    assert "hide-cell" in shows["metadata"]["tags"]
    assert "hide-cell" in checks["metadata"]["tags"]
    assert f"def {exercise.solved.__name__}(" in shown(shows)
    assert "Correct: " in shown(checks)


@pytest.mark.parametrize("exercise", ALL, ids=IDS)
def test_the_hints_are_folded_in_the_page(exercise):
    text = "\n".join(text_of(cell) for cell in cells_of(exercise) if cell["cell_type"] == "markdown")
    folded = " ".join(part.partition("</details>")[0] for part in text.split("<details>")[1:])
    words = " ".join(folded.split())
    assert [hint for hint in exercise.hints if " ".join(hint.split()) not in words] == []


def test_every_chapter_that_teaches_a_method_has_a_code_exercise():
    chapters = {path.stem for path in NOTEBOOKS.glob("[01]*.ipynb")}
    assert chapters - {exercise.chapter for exercise in ALL} == set()
