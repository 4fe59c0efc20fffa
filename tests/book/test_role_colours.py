"""Roles have one hue everywhere: in figures, in formulas, in prose."""

import json
import re

import pytest
import role_colours
from built_site import ROOT

COLOURS = json.loads((ROOT / "livetorch/colours.json").read_text("utf-8"))["roles"]
SHEET = (ROOT / "book/book_static/book.css").read_text("utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_the_hues_of_the_figures(theme):
    rules = re.search(rf'html\[data-theme="{theme}"\] {{(.*?)\n}}', SHEET, re.DOTALL)[1]
    found = dict(re.findall(r"--book-(query|key|value|weight): (#\w+)", rules))
    assert found == {name: COLOURS[theme][name] for name in ("query", "key", "value", "weight")}


def test_a_letter_with_another_meaning_stays_as_it_is():
    letters = "".join(f'<span class="mord mathnormal">{letter}</span>' for letter in "qkVx")
    made = role_colours.coloured(letters, role_colours.OTHERWISE["10a_what_comes_next"])
    assert made == letters
    assert role_colours.coloured(letters).count(" of-") == 3


def test_the_lessons_with_other_meanings_are_there():
    assert all((ROOT / f"notebooks/{name}.ipynb").exists() for name in role_colours.OTHERWISE)
