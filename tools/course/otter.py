"""The homework once more, for Otter: a chapter's assignment with a test for each point.

`otter assign chapter_03.ipynb dist` makes of it the notebook to hand out and the grader's archive.
"""

import textwrap
from collections.abc import Iterator
from typing import Any

import nbformat

v4: Any = nbformat.v4

HEAD = "# ASSIGNMENT CONFIG\nname: {}\ncheck_all_cell: false\nexport_cell: false\ntests:\n  ok_format: false"
TEST = '""" # BEGIN TEST CONFIG\npoints: 1\nhidden: {}\n""" # END TEST CONFIG\ndef test_{}(env):\n{}'


def part(kind: str, *cells: Any) -> list[Any]:
    """Put cells between the raw cells that open and close them."""
    return [
        v4.new_raw_cell(f"# BEGIN {kind}"),
        *cells,
        v4.new_raw_cell(f"# END {kind.partition(chr(10))[0]}"),
    ]


def tests(cell: Any) -> Iterator[Any]:
    """Give a test for each point of a cell: hidden ones count the points that the checkers give."""
    lines = [line for line in cell.source.splitlines() if line and "HIDDEN TESTS" not in line]
    hidden = len(lines) < len([line for line in cell.source.splitlines() if line])
    for point in range(1, cell.metadata.nbgrader.points + 1):
        told = [*lines[:-1], f"assert {lines[-1]} >= {point}"] if hidden else [f"exec({cell.source!r}, env)"]
        body = textwrap.indent("\n".join(told).replace("globals()", "env"), "    ")
        yield v4.new_code_cell(TEST.format(str(hidden).lower(), point, body))


def question(place: Any, marks: list[Any]) -> list[Any]:
    """Give the cells of a question: the place for an answer with its solution, and the tests."""
    name, by_hand = place.metadata.nbgrader.grade_id.rpartition("-")[0], place.cell_type == "markdown"
    points = sum(cell.metadata.nbgrader.points for cell in ([place] if by_hand else marks))
    text = place.source.replace("### BEGIN SOLUTION", "# BEGIN SOLUTION")
    text = text.replace("### END SOLUTION", "# END SOLUTION")
    answer = v4.new_markdown_cell(text) if by_hand else v4.new_code_cell(text)
    made = part("SOLUTION", answer)
    if marks:
        made += part("TESTS", *(test for cell in marks for test in tests(cell)))
    return part(f"QUESTION\nname: {name}\nmanual: {str(by_hand).lower()}\npoints: {points}", *made)


def for_otter(book: Any, name: str) -> Any:
    """Make Otter's notebook of nbgrader's."""
    made, cells = [v4.new_raw_cell(HEAD.format(name))], [*book.cells]
    while cells:
        cell = cells.pop(0)
        if cell.metadata.nbgrader.solution:
            marks = []
            while cells and cells[0].metadata.nbgrader.grade and not cells[0].metadata.nbgrader.solution:
                marks.append(cells.pop(0))
            made += question(cell, marks)
        else:
            made.append((v4.new_code_cell if cell.cell_type == "code" else v4.new_markdown_cell)(cell.source))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return v4.new_notebook(cells=made, metadata={"kernelspec": kernel})
