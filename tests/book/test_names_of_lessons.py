"""A lesson that is named by its number is there, written as on its own page; links lead where they say."""

import json
import re
from pathlib import Path

import pytest
from built_site import ROOT, pages

NUMBERS = {
    re.match(r"notebooks/0?(\d+[a-z]?)_", name)[1] for name in pages() if re.match(r"notebooks/\d", name)
}
CHAPTERS = {number.rstrip("abc") for number in NUMBERS}  # a chapter is one lesson or several
NAMED = re.compile(r"\b[Ll]essons? 0?(\d+[a-z]?)\b")
WHOLE = re.compile(r"\b[Cc]hapters? (\d+)\b(?! (?:of|in) )")
WITH_ZERO = re.compile(r"\b(?:[Ll]essons?|[Cc]hapters?) 0\d[a-z]?")  # the page's title says 3b, not 03b
LINKED = re.compile(r"\[(?:(?:[Ll]esson|[Cc]hapter) )?0?(\d+[a-z]?)\]\((?:[\w./]*/)?0?(\d+[a-z]?)_\w+\.ipynb")
WRITTEN = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "book").glob("**/*.md")),
    *sorted((ROOT / "notebooks").glob("*.ipynb")),
    *(
        path
        for name in ("attn_helpers", "attn_lessons", "plain")
        for path in sorted((ROOT / name).rglob("*.py"))
    ),
]


def _text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def wrong(text: str) -> list[str]:
    """List the lessons that a text names and that are not there, and links whose number is another's."""
    found = [f"lesson {number}" for number in NAMED.findall(text) if number not in NUMBERS]
    found += [f"chapter {number}" for number in WHOLE.findall(text) if str(int(number)) not in CHAPTERS]
    found += [f"{each[0]} is written with a zero" for each in WITH_ZERO.finditer(text)]
    return found + [f"{said} leads to {there}" for said, there in LINKED.findall(text) if said != there]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_lesson_that_is_named_is_there(path):
    assert wrong(_text(path)) == []


def test_a_wrong_name_is_found():
    text = (
        "See lesson 2, chapter 99 and [lesson 3a](../notebooks/03b_minus_infinity.ipynb#x) after lesson 2a."
    )
    assert wrong(text) == ["lesson 2", "chapter 99", "3a leads to 3b"]
    assert wrong("See lesson 03b.") == ["lesson 03b is written with a zero"]
