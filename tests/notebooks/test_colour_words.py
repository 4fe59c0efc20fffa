"""No text calls a map's colours dark or pale: in the dark theme the strongest colour is the lightest one."""

import ast
import re

import nbformat
import pytest
from built_site import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PAGES = [ROOT / "book" / f"{name}.md" for name in ("intro", "glossary", "notation", "figures", "solutions")]
THEME = re.compile(
    r"\b(dark(er|est|ens?|ened)?|pale[rs]?|palest|white[rs]?|black(er)?|bright(er|est|ens?)?|"
    r"light(er|est)?(?! up))\b",
    re.IGNORECASE,
)


def said(cell) -> list[str]:
    """Return the prose of a cell: a text cell, or strings of several words in code (captions, replies)."""
    if cell.cell_type == "markdown":
        return [re.sub(r"`[^`]*`|\]\([^)]*\)", "", cell.source)]
    strings = (n.value for n in ast.walk(ast.parse(cell.source)) if isinstance(n, ast.Constant))
    return [text for text in strings if isinstance(text, str) and " " in text.strip()]


def found(texts: list[str]) -> list[str]:
    """Return what stands around each word that one theme makes wrong."""
    return [text[max(0, hit.start() - 30) : hit.end() + 20] for text in texts for hit in THEME.finditer(text)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_text_of_a_notebook_names_a_colour_of_one_theme(path):
    cells = nbformat.read(path, as_version=4).cells
    assert found([text for cell in cells for text in said(cell)]) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_no_page_names_a_colour_of_one_theme(path):
    assert found([path.read_text(encoding="utf-8")]) == []


def test_the_words_are_found_where_they_stand():
    cell = nbformat.v4.new_code_cell(
        'explore(f, caption="The dark " "line", color="black", name="pale-note")'
    )
    assert found(said(cell)) == ["The dark line"]
    assert len(found(["It darkens.", "a paler row", "White cells", "those that made it light up"])) == 3
