"""What the lessons hold, read from the stored notebooks: questions, exercises, problems, mistakes, minutes.

Nothing is executed and no torch is needed, so that the site's pages are written from here as well.
"""

import ast
import json
import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "attn_lessons" / "exercises" / "tasks"
DATA = Path(__file__).parent

WORDS_A_MINUTE, A_FIGURE, A_PICTURE, A_QUESTION = 140, 2.5, 1.5, 1.5  # minutes for the last three
A_LINE, AN_EXERCISE = 7 / 60, 10  # minutes for a line of code in view, and for a function to write

FIGURE = re.compile(r'<figure class="livetorch" data-name="([^"]+)"')
SPEC = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)
TRIED = re.compile(r'^check\("([\w-]+)", (?!solution\()', re.MULTILINE)  # check("top-p", top_p)
FOLDED = {"setup", "check", "figure", "deeper", "experiment", "hide-input", "hide-cell"}


def source(cell: dict[str, Any]) -> str:
    """Give a cell's text."""
    return "".join(cell["source"])


def shown(cell: dict[str, Any]) -> str:
    """Give the HTML that a cell's outputs hold."""
    return "".join("".join(one.get("data", {}).get("text/html", "")) for one in cell.get("outputs", ()))


def pictures(cell: dict[str, Any]) -> int:
    """Count the printed pictures of a cell that is not folded away."""
    folded = "deeper" in cell["metadata"].get("tags", ())
    return 0 if folded else sum("image/svg+xml" in one.get("data", {}) for one in cell.get("outputs", ()))


def asked(cell: dict[str, Any]) -> dict[str, Any] | None:
    """Give the question that a cell asks, as stored."""
    text = shown(cell)
    return json.loads(SPEC.search(text)[1]) if "lt-question" in text else None  # type: ignore[index]


def wrong_answers(question: dict[str, Any]) -> list[tuple[str, str]]:
    """Give the wrong answers that a question knows, each with its reply."""
    if question["kind"] == "choice":
        wrong = [option for i, option in enumerate(question["options"]) if i != question["answer"]]
        return [(option["text"], option["why"]) for option in wrong]
    what = "value" if question["kind"] == "number" else "cells"
    return [(written(each[what]), each["why"]) for each in question["mistakes"]]


def written(answer: Any) -> str:
    """Write a number or the cells of a map as one types them."""
    return " / ".join(answer) if isinstance(answer, list) else f"{answer:.6g}"


def minutes(cells: list[dict[str, Any]]) -> dict[str, float]:
    """Count the minutes for reading, figures and questions, and for code beside these."""
    prose = sum(len(source(cell).split()) for cell in cells if cell["cell_type"] == "markdown")
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    plain = [cell for cell in code if not FOLDED & {*cell["metadata"].get("tags", ())} and not shown(cell)]
    lines = sum(bool(line.strip()) for cell in plain for line in source(cell).splitlines())
    tried = {name for cell in code for name in TRIED.findall(source(cell))}
    return {
        "reading": prose / WORDS_A_MINUTE,
        "figures": A_FIGURE * len({name for cell in code for name in FIGURE.findall(shown(cell))})
        + A_PICTURE * sum(map(pictures, code)),
        "questions": A_QUESTION * sum("lt-question" in shown(cell) for cell in code),
        "code": A_LINE * lines + AN_EXERCISE * len(tried),
    }


@dataclass(frozen=True)
class Lesson:
    """One numbered notebook."""

    name: str
    cells: list[dict[str, Any]] = field(repr=False)

    @cached_property
    def number(self) -> str:
        """Its number as readers see it: 3a."""
        return self.name.partition("_")[0].lstrip("0")

    @cached_property
    def chapter(self) -> str:
        """The chapter that it belongs to: 03."""
        return self.name[:2]

    @cached_property
    def title(self) -> str:
        """The question in its title."""
        return source(self.cells[0]).splitlines()[0].lstrip("# ")

    @cached_property
    def questions(self) -> list[dict[str, Any]]:
        """The graded questions, in order."""
        return [spec for spec in map(asked, self.cells) if spec]

    @cached_property
    def exercises(self) -> list[str]:
        """The names of what is to be written in code, each once."""
        return list(dict.fromkeys(name for cell in self.cells for name in TRIED.findall(source(cell))))

    @cached_property
    def figures(self) -> list[str]:
        """The names of the live figures, in order."""
        return [name for cell in self.cells for name in FIGURE.findall(shown(cell))]

    @cached_property
    def opening(self) -> tuple[dict[str, Any], str]:
        """The question before the first figure, and that figure: the prediction that opens a class."""
        before: dict[str, Any] = self.questions[0]
        for cell in self.cells:
            if found := FIGURE.search(shown(cell)):
                return before, found[1]
            before = asked(cell) or before
        raise ValueError(f"{self.name} has no live figure to open a class with.")

    @cached_property
    def problems(self) -> list[str]:
        """The problems for paper and pencil, as Markdown."""
        text = next((source(c) for c in self.cells if source(c).startswith("**Problems for paper")), "")
        return [part.strip() for part in re.split(r"^\d+\. ", text, flags=re.MULTILINE)[1:]]

    @cached_property
    def mistakes(self) -> str:
        """The table of mistakes, as Markdown."""
        text = next((source(c) for c in self.cells if "## Mistakes to know" in source(c)), "")
        return "\n".join(line for line in text.splitlines() if line.startswith("|"))

    @cached_property
    def formula(self) -> str:
        """The first displayed formula that has a label, as LaTeX; one without is an example."""
        text = "\n".join(map(source, self.cells))
        found = re.search(r"^\$\$\n([^$]*?)\n%[^\n]*\n\$\$$", text, re.MULTILINE)
        return found[1].strip() if found else ""


@cache
def lessons() -> dict[str, Lesson]:
    """Read the numbered lessons of the table of contents, in its order."""
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    names = re.findall(r"file: notebooks/(\d\d[a-z]?_\w+)", toc)
    read = ((name, ROOT / "notebooks" / f"{name}.ipynb") for name in names)
    return {name: Lesson(name, json.loads(path.read_text(encoding="utf-8"))["cells"]) for name, path in read}


@cache
def chapters() -> dict[str, list[Lesson]]:
    """Group the lessons by chapter."""
    found: dict[str, list[Lesson]] = {}
    for lesson in lessons().values():
        found.setdefault(lesson.chapter, []).append(lesson)
    return found


@cache
def data(name: str) -> Any:
    """Read one of the teacher's data files."""
    return yaml.safe_load((DATA / f"{name}.yml").read_text(encoding="utf-8"))


@cache
def known_mistakes() -> dict[str, dict[str, tuple[str, str]]]:
    """Read the known mistakes from their sources: exercise, label -> what is wrong, what to say."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for path in sorted(TASKS.glob("*.py")):
        names: dict[str, str] = {}  # of the variable -> of the exercise
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("Exercise("):
                names[ast.unparse(node.targets[0])] = ast.literal_eval(node.value.args[0])  # type: ignore[attr-defined]
            for decorator in getattr(node, "decorator_list", ()):
                called = ast.unparse(getattr(decorator, "func", decorator))
                variable, _, kind = called.partition(".")
                if kind == "mistake" and variable in names:
                    label = node.name.strip("_").replace("_", "-")  # type: ignore[attr-defined]
                    say = " ".join((ast.get_docstring(node) or "").split())  # type: ignore[arg-type]
                    what = ast.literal_eval(decorator.args[0])
                    found.setdefault(names[variable], {})[label] = (what, say)
    return found


def solved_problems() -> dict[str, list[str]]:
    """Read the solutions of the problems, lesson name -> a text for each, as Markdown."""
    text = (ROOT / "book" / "solutions.md").read_text(encoding="utf-8")
    found = {}
    for section in text.split("\n## ")[1:]:
        if name := re.search(r"\(\.\./notebooks/(\w+)\.ipynb\)", section):
            parts = re.split(r"^\d+\. ", section, flags=re.MULTILINE)[1:]
            found[name[1]] = ["\n".join(line.strip() for line in part.strip().splitlines()) for part in parts]
    return found
