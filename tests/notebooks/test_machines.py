"""A whole machine that a lesson shows (tag ``machine``) is the one of a file in plain/, word for word."""

import ast
from pathlib import Path

import nbformat
import pytest
from built_site import ROOT

PLAIN = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "plain").glob("*.py"))}
WIDEST = 88  # columns that a page shows without scrolling


def machines(path: Path) -> list[str]:
    """Give the cells of a notebook that show a whole machine."""
    cells = nbformat.read(path, as_version=4).cells
    return [c.source for c in cells if "machine" in c.metadata.get("tags", ())]


def definitions(source: str) -> list[str]:
    """Give the functions and classes of a piece of code, as they are written."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [
        ast.get_source_segment(source, node) for node in ast.parse(source).body if isinstance(node, kinds)
    ]


SHOWN = [
    (path.stem, cell) for path in sorted((ROOT / "notebooks").glob("*.ipynb")) for cell in machines(path)
]


@pytest.mark.parametrize(("name", "cell"), SHOWN, ids=[name for name, _ in SHOWN])
def test_a_machine_in_view_is_the_one_of_its_plain_file(name, cell):
    shown = definitions(cell)
    assert shown, name
    homes = {stem for stem, text in PLAIN.items() if all(each in text for each in shown)}
    assert homes, f"{name}: no file of plain/ has {[each.splitlines()[0] for each in shown]} like this"
    assert max(map(len, cell.splitlines())) <= WIDEST


def test_a_changed_letter_is_found():
    shown = definitions(PLAIN["learned_width"])[0]
    assert shown.replace("self.w", "self.v", 1) not in PLAIN["learned_width"]
    assert len(SHOWN) >= 2
