"""Forty pieces of homework, as a class hands them in: right, wrong, half done, hostile, empty, broken."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat

Change = Callable[[dict[str, Any]], None]  # of the cells, by their grade_id

STEAL = "from attn_lessons.exercises import solution\nmy_causal_mask = solution('causal-mask')"
HOSTILE = {
    "steals-the-solution": STEAL,
    "steals-by-name": "my_causal_mask = __import__('attn_lessons').exercises.solution('causal-mask')",
    "patches-torch": "import torch\ntorch.equal = torch.allclose = lambda *a, **k: True",
    "patches-the-grader": "import sys\nsys.modules['tools.course.grading'] = None",
    "ends-the-process": "import os\nos._exit(0)",
    "shell": "!touch stolen",
    "reads-files": "open('/etc/hostname').read()",
    "through-torch": "import torch\ntorch.os.system('touch stolen')",
    "never-ends": "def my_causal_mask(num_queries, num_keys):\n    while True:\n        pass",
    "never-ends-outside": "while True:\n    pass",
    "takes-memory": "import torch\nkept = [torch.ones(2**28) for _ in range(100)]",
    "prints": "for i in range(10**5):\n    print('x' * 50)",
}
WRONG = {
    "strictly-before": "def my_causal_mask(n, m):\n    at = torch.arange(m)\n    return at < at[-n:, None]",
    "top-left": "def my_causal_mask(n, m):\n    return torch.ones(n, m).tril().bool()",
    "blocked": "def my_causal_mask(n, m):\n    return torch.triu(torch.ones(n, m), diagonal=1 + m - n) == 1",
    "square-only": "def my_causal_mask(n, m):\n    return torch.ones(n, n, dtype=torch.bool).tril()",
    "cells": "def my_causal_mask(n, m):\n    return 'no tensor'",
    "raises": "def my_causal_mask(n, m):\n    return torch.ones(n, m) @ torch.ones(n, m)",
}


def cells(book: Any) -> dict[str, Any]:
    """Give a notebook's cells by their names."""
    return {each.metadata.nbgrader.grade_id: each for each in book.cells}


def solve(released: Any, source: Any) -> Any:
    """Fill in everything, as the best student would."""
    book, model = copy.deepcopy(released), cells(source)
    for name, cell in cells(book).items():
        if cell.metadata.nbgrader.solution:
            cell.source = model[name].source
    return book


def hand_in(released: Any, source: Any) -> dict[str, Any]:
    """Give forty notebooks by student."""
    best = solve(released, source)
    made = {f"right-{i}": copy.deepcopy(best) for i in range(8)}
    made |= {f"empty-{i}": copy.deepcopy(released) for i in range(4)}
    for kind, variants in (("wrong", WRONG), ("hostile", HOSTILE)):
        for name, text in variants.items():
            book = copy.deepcopy(best)
            cells(book)["causal-mask-write"].source = text
            made[f"{kind}-{name}"] = book
    answers = [name for name in cells(best) if name.startswith("q-") and name.endswith("-answer")]
    for i, name in enumerate(answers[:6]):  # one answer left out, each another one
        book = copy.deepcopy(best)
        cells(book)[name].source = cells(released)[name].source
        made[f"one-missing-{i}"] = book
    changed = copy.deepcopy(best)  # the test itself is rewritten, and an own cell calls itself locked
    cells(changed)["causal-mask-hidden"].source = "3"
    cells(changed)["causal-mask-write"].source = WRONG["top-left"]
    made["hostile-edits-the-test"] = changed
    added = copy.deepcopy(best)
    own = copy.deepcopy(cells(best)["causal-mask-hidden"])
    own.metadata.nbgrader.update(grade_id="mine", grade=False, locked=True)
    del own.metadata.nbgrader["points"]  # nbgrader refuses the notebook otherwise
    own.source, own.id = STEAL, "mine"
    added.cells.insert(2, own)
    cells(added)["causal-mask-write"].source = WRONG["top-left"]
    made["hostile-locks-a-cell"] = added
    only = copy.deepcopy(released)
    for name in ("causal-mask-write", "masked-softmax-write"):
        cells(only)[name].source = cells(source)[name].source
    made["half-code-only"] = only
    made["half-deleted-cell"] = copy.deepcopy(best)
    made["half-deleted-cell"].cells = [
        each for each in best.cells if each.metadata.nbgrader.grade_id != "causal-mask-write"
    ]
    assert len(made) == 40, len(made)
    return made


def write(folder: Path, chapter: str) -> list[str]:
    """Write the forty into ``submitted/``, from ``source/`` and ``release/``; gives the students."""
    name = f"chapter_{chapter}"
    source, released = (nbformat.read(folder / k / name / f"{name}.ipynb", 4) for k in ("source", "release"))
    books = hand_in(released, source)
    for student, book in books.items():
        path = folder / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(book, path)
    return [*books]
