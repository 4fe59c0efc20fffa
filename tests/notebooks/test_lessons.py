"""A lesson is one idea on one page: short, live first, a question after each section, one table of mistakes.

The notebooks of chapters that are not yet lessons (``05_...``) are left alone; a lesson has a letter
(``01a_...``). What is in view is counted as the page shows it (book/_ext/page_form.py): folded parts and the
code of figures are not.
"""

import itertools
import re
from pathlib import Path

import nbformat
import pytest
from built_site import ROOT

LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9][a-z]_*.ipynb"))
MOST_WORDS, MOST_LINES, MOST_BEFORE, LEAST_ASKED = 1200, 60, 60, 3
FOLDED = {"setup", "figure", "check", "deeper", "hide-cell", "hide-input", "remove-cell"}
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
CITED = r"\[[^\]]*\]\([^)]*references\.bib#[^)]*\)|"
MARKUP = re.compile(CITED + r"\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)|\{[\w:]+\}`[^`]*`|[#*|`\[\]_-]+", re.DOTALL)


def tags(cell) -> set[str]:
    return set(cell.metadata.get("tags", []))


def html(cell) -> str:
    return "".join(output.get("data", {}).get("text/html", "") for output in cell.get("outputs", ()))


def is_question(cell) -> bool:
    return "livetorch lt-question" in html(cell)


def is_live(cell) -> bool:
    return 'class="livetorch" data-name' in html(cell)


def unasked_veils(cells: list) -> list[str]:
    """Name the cells whose figure veils an answer that no question just before it asks for."""
    return [
        two.id
        for one, two in itertools.pairwise(cells)
        if " data-veil>" in html(two) and not is_question(one)
    ]


def words(cells: list) -> int:
    """Count the words of prose in view; a formula is none."""
    prose = [FOLD.sub("", c.source) for c in cells if c.cell_type == "markdown" and "deeper" not in tags(c)]
    return len(MARKUP.sub(" ", "\n".join(prose)).split())


def lines_in_view(cells: list) -> int:
    """Count the lines of code in view, empty ones left out."""
    shown = [
        c
        for c in cells
        if c.cell_type == "code" and not tags(c) & FOLDED and not is_live(c) and not is_question(c)
    ]
    return sum(bool(line.strip()) for c in shown for line in c.source.splitlines())


def sections(cells: list) -> list[list]:
    """Cut a notebook before each heading of the second level."""
    parts: list[list] = [[]]
    for cell in cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            parts.append([])
        parts[-1].append(cell)
    return parts


def unasked(cells: list) -> list[str]:
    """Name the sections that end without a graded question: not the table of mistakes, nor the last one."""
    names = [(part[0].source.splitlines()[0], part) for part in sections(cells)[1:]]
    ends = ("## Mistakes", "## What we have found")
    return [name for name, part in names if not name.startswith(ends) and not any(map(is_question, part))]


def nameless(cells: list) -> list[str]:
    """Name the folded cells that would be called "Show code cell content"."""
    return [
        c.id
        for c in cells
        if "hide-cell" in tags(c) and "code_prompt_show" not in c.metadata.get("mystnb", {})
    ]


def problems(cells: list) -> list[str]:
    """Say what a lesson lacks."""
    opening, *rest = sections(cells)
    live = next((at for at, cell in enumerate(opening) if is_live(cell)), None)
    tables = sum(len(re.findall(r"(?m)^\| the wrong line \|", c.source)) for c in cells)
    counted = {
        f"words in view: {words(cells)}": words(cells) <= MOST_WORDS,
        f"lines of code in view: {lines_in_view(cells)}": lines_in_view(cells) <= MOST_LINES,
        "no live figure before the second heading": live is not None,
        f"words before it: {words(opening[:live])}": words(opening[:live]) <= MOST_BEFORE,
        "no question in words as the title": opening[0].source.splitlines()[0].endswith("?"),
        "fewer than three graded questions": sum(map(is_question, cells)) >= LEAST_ASKED,
        f"tables of mistakes: {tables}": tables == 1,
        "no code to write": any('check("' in c.source and c.source.startswith("def ") for c in cells),
        "no end": bool(rest) and rest[-1][0].source.startswith("## What we have found"),
    }
    counted |= {f"a fold without words of its own: {name}": False for name in nameless(cells)}
    counted |= {f"a veil without a question: {name}": False for name in unasked_veils(cells)}
    ending = "\n".join(c.source for c in rest[-1]) if rest else ""
    for part in ("**Limits.**", "**Sources.**", "**Next.**", "**Problems for paper and pencil.**"):
        counted[f"no {part}"] = part in ending
    return [name for name, holds in counted.items() if not holds] + [
        f"no question in {s}" for s in unasked(cells)
    ]


def test_there_are_lessons():
    assert len(LESSONS) >= 3


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_keeps_the_form(path: Path) -> None:
    assert problems(nbformat.read(path, as_version=4).cells) == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_problem_on_paper_has_a_solution_for_teachers(path: Path) -> None:
    cell = nbformat.read(path, as_version=4).cells[-1]
    asked = re.findall(r"(?m)^(\d)\. ", cell.source)
    anchor = re.search(r"\(\.\./book/solutions\.md#([\w-]+)\)", cell.source)[1]
    page = (ROOT / "book/solutions.md").read_text(encoding="utf-8")
    parts = re.split(r"(?m)^## (.+)$", page)
    by_anchor = {
        head.lower().replace(" ", "-"): text for head, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    assert f"../notebooks/{path.name}" in by_anchor[anchor]
    assert 3 <= len(asked) <= 5
    assert re.findall(r"(?m)^(\d)\. ", by_anchor[anchor]) == asked


def _markdown(text: str, **metadata):
    return nbformat.v4.new_markdown_cell(text, metadata=metadata)


def _shows(text: str, more: str = ""):
    html = f'<figure class="{text}" data-name="a"{more}>'
    output = nbformat.v4.new_output("execute_result", {"text/html": html})
    return nbformat.v4.new_code_cell("explore(f)", outputs=[output])


def test_what_is_in_view_is_counted():
    cells = [
        _markdown(
            "## One *two* $x + y$ [three](four.md)\n\n<details>five</details>\n\n$$\na = b\n% (six)\n$$"
        ),
        _markdown("seven", tags=["deeper"]),
        nbformat.v4.new_code_cell("x = 1\n\ny = 2"),
        nbformat.v4.new_code_cell("assert x", metadata={"tags": ["check"]}),
        _shows("livetorch"),
        _shows("livetorch lt-question"),
    ]
    assert (words(cells), lines_in_view(cells)) == (3, 2)


def test_what_a_lesson_lacks_is_named():
    bare = [_markdown("# A title"), _markdown("## One"), _markdown("word " * 1201)]
    found = problems(bare)
    for part in (
        "no live figure",
        "words in view: 12",
        "fewer than three",
        "tables of mistakes: 0",
        "no **Limits.**",
    ):
        assert any(name.startswith(part) for name in found), part
    assert "no question in ## One" in found
    late = [_markdown("# Why?"), _markdown("## One"), _shows("livetorch")]
    assert any(name.startswith("no live figure") for name in problems(late))


def test_a_veil_stands_below_a_question():
    veiled = _shows("livetorch", " data-veil")
    assert unasked_veils([_shows("livetorch lt-question"), veiled]) == []
    assert unasked_veils([_markdown("Guess."), veiled]) == [veiled.id]
