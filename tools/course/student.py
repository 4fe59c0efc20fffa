"""Write a copy of the book for students, without any answer: python -m tools.course.student FOLDER

Questions are asked and what is answered is kept, to be handed in; nothing is judged. The solutions' page, the
table of wrong answers and the page for teachers are left out, and the exercises keep their tasks and hints.
`make book EDITION=student` builds the site from the copy.
"""

import ast
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from attn_lessons.exercises.questions.stored import question_html, question_text
from tools.course.lessons import ROOT, asked, known_mistakes, shown, source

FOLDERS = (
    "book",
    "notebooks",
    "attn_helpers",
    "attn_lessons",
    "livetorch",
    "pagepython",
    "plain",
)
FILES = (
    "_config.yml",
    "_toc.yml",
    "package.json",
    "LICENSE",
    "LICENSE-text",
    "README.md",
    "tools/course/lessons.py",
    "tools/course/plans.py",
)
FOR_TEACHERS = ("solutions", "mutation_table", "how_to_teach")
KEPT = ("format", "version", "kind", "name", "question", "options", "rows", "cols", "axes")
TEACHERS = "|".join(FOR_TEACHERS)
LINK = re.compile(rf"\[([^\]]*)\]\((?:\.\./)?(?:book/)?(?:{TEACHERS})\.(?:md|html)[^)]*\)")
ANCHOR = re.compile(rf'<a [^>]*href="[^"]*(?:{TEACHERS})\.html[^"]*"[^>]*>(.*?)</a>', re.DOTALL)
SOLVED = re.compile(r'\bsolution\("')
EXAMPLE = re.compile(r'^    >>> check\("masked-softmax", lambda.*?(?=^    """)', re.DOTALL | re.MULTILINE)
SENTENCE = re.compile(r" ?The solutions are in \[[^\]]*\]\([^)]*\)\.")


def without_answer(question: dict[str, Any]) -> dict[str, Any]:
    """Give what is asked, and nothing that answers it."""
    spec = {key: question[key] for key in KEPT if key in question}
    if "options" in spec:
        spec["options"] = [{"text": option["text"]} for option in spec["options"]]
    return spec


def only_asks(cell: dict[str, Any]) -> None:
    """Let a cell ask without the answer; what it computes besides stays, as later cells need it."""
    question = asked(cell)
    assert question is not None
    spec = without_answer(question)
    tree = ast.parse(source(cell))
    rest = [ast.unparse(node) for node in tree.body if not _asks(node)]
    call = f"Question({json.dumps(spec, ensure_ascii=False)})"
    cell["source"] = "\n".join([*rest, "from attn_lessons.exercises import Question", call])
    for output in cell["outputs"]:
        if "text/html" in output.get("data", {}):
            output["data"] |= {"text/html": question_html(spec), "text/plain": question_text(spec)}


def _asks(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and ast.unparse(node).startswith("ask_")


def notebook_for_students(book: dict[str, Any]) -> dict[str, Any]:
    """Take the answers out of a notebook."""
    cells = []
    for cell in book["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = unlinked(SENTENCE.sub("", source(cell)))
        elif asked(cell):
            only_asks(cell)
        elif SOLVED.search(source(cell)) or "Not yet:" in shown(cell):
            continue  # the solution, or a wrong answer and the reply to it
        cells.append(cell)
    return {**book, "cells": cells}


def unlinked(text: str) -> str:
    """Give text without links to the pages that are left out."""
    return ANCHOR.sub(r"\1", LINK.sub(r"\1", text))


def task_for_students(text: str) -> str:
    """Keep of an exercise's file what is asked and hinted."""
    kept = [
        node
        for node in ast.parse(text).body
        if (isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("Exercise("))
        or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    head, *rest = map(ast.unparse, kept)
    return "\n\n".join([head, "from attn_lessons.exercises.checking import Exercise", *rest]) + "\n"


def checker_for_students(text: str) -> str:
    """Take what mistakes are called, and the example of a reply, out of the checkers' own code."""
    for mistakes in known_mistakes().values():
        for what, _ in mistakes.values():
            text = text.replace(f'"{what}"', '""')
    return EXAMPLE.sub("", text)


def copy(folder: Path) -> None:
    """Write the copy."""
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("node_modules", "__pycache__", ".ready")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for name in ("node_modules", "pagepython/node_modules"):
        if (ROOT / name).exists():
            (folder / name).symlink_to((ROOT / name).resolve())
    for name in FOR_TEACHERS:
        (folder / "book" / f"{name}.md").unlink()
    toc = (folder / "_toc.yml").read_text(encoding="utf-8").splitlines(keepends=True)
    left = [line for line in toc if not line.strip().endswith(tuple(f"book/{name}" for name in FOR_TEACHERS))]
    (folder / "_toc.yml").write_text("".join(left), encoding="utf-8")
    for path in folder.glob("book/**/*.md"):
        path.write_text(unlinked(path.read_text(encoding="utf-8")), encoding="utf-8")
    for path in folder.glob("notebooks/*.ipynb"):
        book = notebook_for_students(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(book, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for path in (folder / "attn_lessons" / "exercises" / "tasks").glob("[a-z]*.py"):
        path.write_text(task_for_students(path.read_text(encoding="utf-8")), encoding="utf-8")
    for path in (folder / "attn_lessons" / "exercises" / "checking").rglob("*.py"):
        path.write_text(checker_for_students(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    copy(Path(sys.argv[1]))
