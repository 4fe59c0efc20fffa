"""Some lessons in the page's Python, every cell: all of them are run by benchmarks/page_cells.py."""

from __future__ import annotations

import pytest
from conformance import ROOT, Cell, judge, run
from sampling import sample

# what these lessons have that the page has not: cell -> why
KNOWN = {
    "03a_masked_softmax": {},
    "06a_self_attention": {},
}


@pytest.mark.parametrize("name", sample([*KNOWN], 1))
def test_a_lesson_says_in_the_page_what_it_stores(name):
    cells = run(ROOT / "notebooks" / f"{name}.ipynb")
    assert len(cells) > 20
    wrong = [cell for cell in cells if cell.outcome != "same" and cell.number not in KNOWN[name]]
    assert wrong == []


def test_a_number_or_an_error_that_differs_is_seen():
    line = {
        "cell": 1,
        "text": "0.5\n",
        "error": None,
        "absent": False,
        "wanted": "0.25\n",
        "wanted_error": None,
    }
    assert judge("x", line, []).outcome == "differs"
    assert judge("x", {**line, "wanted": "0.5\n"}, []) == Cell("x", 1, "same", "")
    assert judge("x", {**line, "error": "ValueError: no"}, []).outcome == "error"
    assert judge("x", {**line, "wanted_error": "ValueError"}, []).outcome == "error"
