"""*Run all* pressed in Chromium on a lesson that nobody edited; tests/pagepython runs lessons in Node."""

from __future__ import annotations

import json

import pytest
from built_site import ROOT
from editing import press_switch
from waiting import wait_until

from pagepython.sphinx import KEPT

STATES = """() => [...document.querySelectorAll("[data-editing][data-run]")].map((cell) =>
  [cell.id, cell.dataset.run, cell.querySelector(".ed-note").textContent])"""
SECONDS = 240  # on a busy machine


def tagged(name: str) -> set[str]:
    """Give the ids of the cells whose tag says that a page does not run them."""
    cells = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return {
        f"in-{at}" for at, cell in enumerate(cells) if KEPT.keys() & set(cell["metadata"].get("tags", ()))
    }


@pytest.mark.parametrize("name", ["06a_self_attention"])
def test_all_cells_run_but_those_that_are_marked_before(opening, name):
    with opening(f"notebooks/{name}") as opened:
        page = opened.page
        press_switch(page)
        before = {cell: note for cell, run, note in page.evaluate(STATES) if run == "kept"}
        assert before.keys() >= tagged(name)
        assert all("output stays" in note for note in before.values())
        page.get_by_role("button", name="Run all", exact=True).click()
        wait_until(
            page, "document.querySelector('.ed-said').textContent.includes('cells ran')", seconds=SECONDS
        )
        after = page.evaluate(STATES)
        assert {cell for cell, run, _ in after if run == "kept"} == before.keys()
        assert [state for state in after if state[1] not in ("kept", "ran")] == []
        assert page.evaluate("document.querySelectorAll('figure.livetorch.lt-mounted').length") > 0
