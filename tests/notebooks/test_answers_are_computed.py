"""What a lesson says about a live figure is computed: behind each answer a folded cell asserts it."""

import ast
from pathlib import Path

import nbformat
import pytest
from built_site import ROOT

LESSONS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
ANSWER = "**What to notice"


def unheld(cells: list) -> list[str]:
    """Name the answers that are followed by no cell of assertions before the next prose."""
    without = []
    for at, cell in enumerate(cells):
        if cell.cell_type == "markdown" and ANSWER in cell.source:
            behind = []
            for follower in cells[at + 1 :]:
                if follower.cell_type != "code":
                    break
                behind.append(follower)
            if not any(asserts(follower) for follower in behind):
                without.append(cell.id)
    return without


def asserts(cell) -> bool:
    """Say whether a cell is marked as assertions (the page folds it) and asserts something."""
    if "check" not in cell.metadata.get("tags", []):
        return False
    tree = ast.walk(ast.parse(cell.source))
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("assert_close"))
        for node in tree
    )


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_answer_below_a_figure_is_held_by_a_cell(path: Path) -> None:
    assert unheld(nbformat.read(path, as_version=4).cells) == []


def test_an_answer_without_a_cell_or_with_an_empty_one_is_found() -> None:
    answer = nbformat.v4.new_markdown_cell("**What to notice.** It grows.", id="answer")
    empty = nbformat.v4.new_code_cell("1 + 1", metadata={"tags": ["check"]})
    good = nbformat.v4.new_code_cell("assert 1 < 2", metadata={"tags": ["check"]})
    assert unheld([answer]) == ["answer"]
    assert unheld([answer, empty]) == ["answer"]
    assert unheld([answer, empty, good]) == []
