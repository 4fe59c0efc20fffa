"""*Run all* on a lesson's page: code that nobody touched runs, in time, and says what the book stores.

Each `make test` runs one lesson, SAMPLE_SEED=all every one.
"""

import json
import resource

import pytest
from conformance import ROOT, Cell, judge, kept, run
from sampling import sample, weekly

LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
FEW = ["11a_induction_by_hand"]  # another one runs in Chromium: tests/browser/test_edits_kept.py
SECONDS = 60  # of a processor: how long a quiet machine takes
# lesson -> cells that say something else in the page, and why they may
DIFFERENT: dict[str, dict[int, str]] = {}


def processor() -> float:
    """Give the seconds that the programs which this one has called have worked."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@weekly
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", sample(LESSONS, 0, always=FEW))
def test_run_all_ends_without_an_error_and_says_what_is_stored(name):
    began = processor()
    cells = run(ROOT / "notebooks" / f"{name}.ipynb", seconds=800)
    worked = processor() - began
    ran = [cell for cell in cells if cell.outcome != "kept"]
    assert len(ran) > len(cells) / 2
    other = [cell for cell in ran if cell.outcome != "same" and cell.number not in DIFFERENT.get(name, ())]
    assert not other, "\n".join(f"cell {cell.number}, {cell.outcome}: {cell.said}" for cell in other)
    slowest = sorted(ran, key=lambda cell: -cell.seconds)[:3]
    assert worked < SECONDS, f"tag a cell page-keeps; the slowest are {slowest}"


def test_what_reads_from_a_cell_that_is_not_run_is_marked_too():
    texts = ["a = 1; b = 2", "a = 3", "a", "b", "def f():\n    return a", "a = 4", "a"]
    cells = [{"cell_type": "code", "source": text, "metadata": {}} for text in texts]
    cells[1]["metadata"] = {"tags": ["needs-jupyter"]}
    found = kept({"cells": cells, "metadata": {}})
    assert [*found] == [1, 2, 4]
    assert "cell 2" in found[2]


def test_a_number_or_an_error_that_differs_is_seen():
    line = json.loads('{"cell": 1, "text": "0.5\\n", "error": null, "absent": false, "milliseconds": 0}')
    line |= {"wanted": "0.25\n", "wanted_error": None}
    assert judge("x", line, []).outcome == "differs"
    assert judge("x", {**line, "wanted": "0.5\n"}, []) == Cell("x", 1, "same", "")
    assert judge("x", {**line, "error": "ValueError: no"}, []).outcome == "error"
    assert judge("x", {**line, "error": "NotInPage: no", "absent": True}, []).outcome == "absent"
    assert judge("x", {**line, "wanted_error": "ValueError"}, []).outcome == "error"
