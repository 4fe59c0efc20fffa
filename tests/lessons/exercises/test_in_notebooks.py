"""Every exercise stands in its chapter: task, hints, a place to write, and its solution, checked."""

import ast
import json
import re
from pathlib import Path

import pytest

from attn_lessons.exercises.checking.check import all_exercises

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"
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
    assert shown(cell).startswith("Your function is still empty.")


@pytest.mark.parametrize("exercise", ALL, ids=IDS)
def test_the_solution_is_folded_and_checked(exercise):
    shows = the_cell(exercise, f'show_source(solution("{exercise.name}"))')
    checks = the_cell(exercise, f'check("{exercise.name}", solution("{exercise.name}"))')
    folded = {"source_hidden": True, "outputs_hidden": True}
    for cell in (shows, checks):
        assert "hide-cell" in cell["metadata"]["tags"]
        assert cell["metadata"]["jupyter"] == folded
    assert f"def {exercise.solved.__name__}(" in shown(shows)
    assert "Correct: " in shown(checks)


@pytest.mark.parametrize("exercise", ALL, ids=IDS)
def test_the_hints_are_folded_in_the_page(exercise):
    text = "\n".join(text_of(cell) for cell in cells_of(exercise) if cell["cell_type"] == "markdown")
    folded = " ".join(part.partition("</details>")[0] for part in text.split("<details>")[1:])
    words = " ".join(folded.split())
    assert [hint for hint in exercise.hints if " ".join(hint.split()) not in words] == []


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_with_an_exercise_has_hint_at_hand_and_shows_no_secret(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    if any("check(" in text_of(cell) for cell in code):
        imports = [node for cell in code for node in ast.walk(ast.parse(text_of(cell)))]
        imports = [node for node in imports if isinstance(node, ast.ImportFrom)]
        assert "hint" in {alias.name for node in imports for alias in node.names}
    open_secrets = [
        cell["id"]
        for cell in code
        if re.search(r"^ask_|show_source\(solution\(", text_of(cell), re.MULTILINE)
        and not cell["metadata"].get("jupyter", {}).get("source_hidden")
    ]
    assert open_secrets == []


def test_every_chapter_that_teaches_a_method_has_a_code_exercise():
    chapters = {path.stem for path in NOTEBOOKS.glob("[01]*.ipynb")}
    assert chapters - {exercise.chapter for exercise in ALL} == set()
