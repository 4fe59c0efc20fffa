"""Write the homework: one assignment a chapter in nbgrader's format.

    python -m tools.course.homework FOLDER --seed 7

Another seed gives other words, sizes and numbers and another order of the options: two groups of a class, or
two years, have different answers.
"""

import argparse
import ast
import inspect
import json
import random
import shutil
import textwrap
from pathlib import Path
from typing import Any

import nbformat
import torch
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from attn_lessons.exercises.checking.check import find
from tools.course import otter, rubrics, word_tasks
from tools.course.grading import own_inputs, parts
from tools.course.lessons import DATA, ROOT, Lesson, chapters

KERNEL = {"name": "attention-course", "display_name": "Attention, homework", "language": "python"}
POINTS_ON_PAPER = 4
FIRST = (
    "import math\n\nimport torch\nfrom torch import Tensor\n\n# Cells that import other modules are not run."
)


def cell(make: Any, source: str, name: str, *, points: int | None = None, solution: bool = False) -> Any:
    """Make a cell as nbgrader knows it: a task, a place for an answer (solution), or a test (points)."""
    kind = {"grade": points is not None, "solution": solution, "locked": not solution, "task": False}
    more = {} if points is None else {"points": points}
    made = make(source, metadata={"nbgrader": {"grade_id": name, "schema_version": 3, **kind, **more}})
    made["id"] = name[:64]
    return made


def hidden(source: str, before: str = "") -> str:
    """Wrap what the released homework does not show."""
    return f"{before}### BEGIN HIDDEN TESTS\n{source}\n### END HIDDEN TESTS"


def variable(name: str) -> str:
    """Make a variable of a name with hyphens."""
    return f"answer_{name.replace('-', '_')}"


def solution_cell(name: str) -> tuple[str, str]:
    """Give the name of the function to write, and its source with the body as the region to solve."""
    exercise = find(name)
    function = ast.parse(textwrap.dedent(inspect.getsource(exercise.solved))).body[0]
    assert isinstance(function, ast.FunctionDef)
    for argument in function.args.args:
        argument.annotation = None
    called = f"my_{name.replace('-', '_')}"
    lines = textwrap.dedent(inspect.getsource(exercise.solved)).splitlines()
    body = "\n".join(lines[function.body[0].lineno - 1 :])
    near = vars(inspect.getmodule(exercise.solved))
    for used in sorted({node.id for node in ast.walk(function) if isinstance(node, ast.Name)} & near.keys()):
        if inspect.isfunction(near[used]) and near[used].__module__ == exercise.solved.__module__:
            body = textwrap.indent(inspect.getsource(near[used]), "    ") + body  # a helper of the solution
    head = f"def {called}({ast.unparse(function.args)}):"
    return called, f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"


def literal(value: Any) -> str | None:
    """Write an argument as one types it, if that fits in a few lines."""
    if isinstance(value, torch.Tensor):
        if value.numel() > 36 or (
            not value.is_floating_point() and value.dtype not in (torch.bool, torch.int64)
        ):
            return None
        kind = "" if value.dtype in (torch.float32, torch.bool, torch.int64) else f", dtype={value.dtype}"
        rounded = [
            round(number, 4) if isinstance(number, float) else number for number in value.flatten().tolist()
        ]
        text = f"torch.tensor({rounded}{kind})"
        return text if value.dim() == 1 else f"{text}.reshape({', '.join(map(str, value.shape))})"
    return repr(value) if isinstance(value, bool | int | float | str) else None


def example(name: str, seed: int) -> tuple[list[str], Any] | None:
    """Give arguments that can be typed, drawn with the seed, and what the solution makes of them."""
    exercise = find(name)
    with own_inputs(seed):
        for part in parts(name):
            for args in part.examples:
                texts = [literal(each) for each in args]
                if None not in texts:
                    return texts, exercise.solved(*args)  # type: ignore[return-value]
    return None


def exercise_cells(name: str, seed: int) -> list[Any]:
    """Make the cells of one function to write: task, place, visible check, hidden parts, a number."""
    exercise, called = find(name), f"my_{name.replace('-', '_')}"
    called, source = solution_cell(name)
    listed = "\n".join(f"- {(each.__doc__ or '').strip().rstrip('.')}" for each in exercise.checks)
    task = " ".join(exercise.task.split()).replace("Write f(", f"Write `{called}(", 1)
    task = task.replace(")", ")`", 1) if f"`{called}(" in task else f"{task} Call it `{called}`."
    points = len(exercise.checks)
    made = [
        cell(
            new_markdown_cell,
            f"### Write `{name}`\n\n{task}\n\n{points} points, one for each:\n\n{listed}",
            f"{name}-task",
        ),
        cell(new_code_cell, source, f"{name}-write", solution=True),
    ]
    test = (
        f'from tools.course.grading import graded\n\ngraded("{name}", globals().get("{called}"), seed={seed})'
    )
    tried = example(name, seed)
    shows = "# These lines run when you press Restart and Run All; more are run when this is graded.\n"
    if tried and isinstance(tried[1], torch.Tensor):
        shape = tuple(tried[1].shape)
        shows += f"tried = {called}({', '.join(tried[0])})\n"
        shows += (
            f'assert tuple(tried.shape) == {shape}, f"expected shape {shape}, got {{tuple(tried.shape)}}"\n'
        )
    shows += f"assert callable({called})\n"
    made.append(cell(new_code_cell, shows, f"{name}-visible", points=1))
    made.append(cell(new_code_cell, hidden(test), f"{name}-hidden", points=points))
    return made


def answer_cells(name: str, called: str, ask: str, right: str, spec: dict[str, Any]) -> list[Any]:
    """Make the cells of an answer that is a value: question, place, hidden test."""
    test = f"from tools.course.grading import answered\n\nanswered({spec!r}, globals().get({called!r}))"
    place = f"### BEGIN SOLUTION\n{called} = {right}\n### END SOLUTION"
    return [
        cell(new_markdown_cell, ask, f"{name}-ask"),
        cell(new_code_cell, place, f"{name}-answer", solution=True),
        cell(new_code_cell, hidden(test), f"{name}-test", points=1),
    ]


def word_cells(chapter: str, seed: int) -> list[Any]:
    """Make the cells of the task whose words, sizes and numbers are the class's own."""
    text, spec = word_tasks.drawn(chapter, seed)
    called, right = variable(f"own-{chapter}"), f"{spec['answer']:.6g}"
    ask = (
        f"## A task of your own\n\n{text}\n\nThree digits are enough. Answer with a number: `{called} = 0.25`"
    )
    return answer_cells(f"own-{chapter}", called, ask, right, spec)


def question_cells(lesson: Lesson, question: dict[str, Any], draw: random.Random) -> list[Any]:
    """Make the cells of a question; the options stand in an order of their own."""
    name, spec = (
        f"q-{lesson.number}-{question['name']}",
        {k: question[k] for k in question if k not in {"format", "version"}},
    )
    called = variable(f"{lesson.number}-{question['name']}")
    text = question["question"]
    if spec["kind"] == "choice":
        order = draw.sample(range(len(spec["options"])), len(spec["options"]))
        spec |= {"options": [spec["options"][i] for i in order], "answer": order.index(spec["answer"])}
        text += "\n\n" + "\n".join(
            f"- **{'abcdefghijkl'[i]}** {each['text']}" for i, each in enumerate(spec["options"])
        )
        right, how = repr("abcdefghijkl"[spec["answer"]]), f'a letter: `{called} = "a"`'
    elif spec["kind"] == "number":
        right, how = repr(spec["answer"]), f"a number: `{called} = 0.25`"
    else:
        right, how = (
            repr(spec["answer"]),
            f"a text of 0 and 1 for each row: `{called} = {['0' * len(spec['cols'])] * len(spec['rows'])}`",
        )
        text += f"\n\nRows ({spec['axes'][0]}): {', '.join(spec['rows'])}."
        text += f" Columns ({spec['axes'][1]}): {', '.join(spec['cols'])}."
    return answer_cells(name, called, f"{text}\n\nAnswer with {how}.", right, spec)


def problem_cells(lesson: Lesson) -> list[Any]:
    """Make the cells of the problems on paper, which a person marks by the rubric."""
    made = []
    for number, (problem, solution, points) in enumerate(rubrics.solved(lesson), 1):
        name = f"p-{lesson.number}-{number}"
        rubric = "\n".join(f"- 1 point: {point}" for point in points)
        made += [
            cell(
                new_markdown_cell,
                f"**Problem {lesson.number}.{number}** ({POINTS_ON_PAPER} points) {problem}",
                f"{name}-ask",
            ),
            cell(
                new_markdown_cell,
                f"{solution}\n\n### BEGIN MARK SCHEME\n{rubric}\n### END MARK SCHEME",
                f"{name}-answer",
                points=POINTS_ON_PAPER,
                solution=True,
            ),
        ]
    return made


def assignment(chapter: str, seed: int) -> Any:
    """Make the notebook of one chapter."""
    draw = random.Random(f"{chapter} {seed}")
    titles = "\n".join(f"- {lesson.number}. {lesson.title}" for lesson in chapters()[chapter])
    cells = [
        cell(
            new_markdown_cell,
            f"# Homework, chapter {int(chapter)}\n\nVariant {seed}. For the lessons\n\n{titles}",
            "title",
        ),
        cell(new_code_cell, FIRST, "first"),
    ]
    done: set[str] = set()
    for lesson in chapters()[chapter]:
        cells.append(
            cell(new_markdown_cell, f"## {lesson.number}. {lesson.title}", f"lesson-{lesson.number}")
        )
        for question in lesson.questions:
            cells += question_cells(lesson, question, draw)
        for name in lesson.exercises:
            if name not in done:
                cells += exercise_cells(name, seed)
                done.add(name)
        cells += problem_cells(lesson)
    cells += word_cells(chapter, seed)
    book = new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
    nbformat.validate(book)
    return book


def write(folder: Path, seed: int, only: list[str] | None = None) -> list[Path]:
    """Write source/, the configuration and the kernel's description; gives the assignments."""
    written_files = []
    for chapter in only or chapters():
        name = f"chapter_{chapter}"
        path = folder / "source" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        made = assignment(chapter, seed)
        nbformat.write(made, path)
        (folder / "otter").mkdir(exist_ok=True)
        nbformat.write(otter.for_otter(made, name), folder / "otter" / f"{name}.ipynb")
        text = "\n".join(rubrics.written(lesson) for lesson in chapters()[chapter])
        (folder / "rubrics").mkdir(exist_ok=True)
        (folder / "rubrics" / f"{name}.md").write_text(text, encoding="utf-8")
        written_files.append(path)
    shutil.copy(DATA / "nbgrader_config.py", folder)
    kernel = folder / "kernels" / "kernels" / KERNEL["name"]
    kernel.mkdir(parents=True, exist_ok=True)
    argv = [str(ROOT / ".venv" / "bin" / "python"), "-m", "tools.course.kernel", "-f", "{connection_file}"]
    spec = {
        "argv": argv,
        "display_name": KERNEL["display_name"],
        "language": "python",
        "env": {"PYTHONPATH": str(ROOT)},
    }
    (kernel / "kernel.json").write_text(json.dumps(spec, indent=1), encoding="utf-8")
    return written_files


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chapter", action="append")
    given = parser.parse_args()
    for each in write(given.folder, given.seed, given.chapter):
        print(each)
