"""Edits of a lesson outlive a reload, a new edition and a way to another browser or to Jupyter.

*Run all* is pressed on a lesson that came by a link; tests/pagepython runs lessons in Node.
"""

import json
import re

import nbformat
import pytest
from built_site import ROOT
from editing import FORMULA, LESSON, press_switch, source, wait_ready
from nbclient import NotebookClient
from playwright.sync_api import expect
from sampling import sample, weekly
from waiting import wait_until

from pagepython.sphinx import KEPT

SENT, EDITED = "notebooks/09c_move_the_brackets", 16  # a lesson with a cell that its page keeps
STATES = """() => [...document.querySelectorAll("[data-editing][data-run]")].map((cell) =>
  [cell.id, cell.dataset.run, cell.querySelector(".ed-note").textContent])"""
SECONDS = 240  # on a busy machine
LESSONS = sorted(f"notebooks/{path.stem}" for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))


def tagged(name: str) -> set[str]:
    """Give the ids of the cells whose tag says that a page does not run them."""
    cells = json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return {
        f"in-{at}" for at, cell in enumerate(cells) if KEPT.keys() & set(cell["metadata"].get("tags", ()))
    }


@weekly
def test_edits_are_there_after_a_reload_and_can_be_forgotten_all_at_once(open_page):
    page = open_page(LESSON).page
    lesson = press_switch(page, ready=False)
    lesson.write(FORMULA, "kept = 1")
    page.reload()
    switch = page.locator(".article-header-buttons .edit-switch")
    expect(switch).to_have_text("Edit and run (1 edit)", use_inner_text=True)
    lesson = press_switch(page, ready=False)
    assert lesson.text(FORMULA) == "kept = 1"
    page.locator(".ed-dock").get_by_role("button", name="More").click()
    page.get_by_role("button", name="Back to the book\u2019s version").click()
    assert lesson.text(FORMULA) == source(FORMULA)
    page.reload()
    expect(switch).to_have_text("Edit and run", use_inner_text=True)


def test_an_edit_of_an_older_edition_is_offered_and_not_mixed_in(open_page):
    page = open_page(LESSON).page
    page.evaluate(
        """() => localStorage.setItem(`attention-live edits ${location.pathname}`,
          JSON.stringify({ "by-hand": { was: "another text", text: "mine = 1" } }))"""
    )
    page.reload()
    lesson = press_switch(page, ready=False)
    assert lesson.text(FORMULA) == source(FORMULA)
    lesson.code(FORMULA).get_by_role("button", name="Use my edit").click()
    assert lesson.text(FORMULA) == "mine = 1"


def test_a_link_brings_edits_that_run_when_it_is_opened_and_run_all_runs_what_is_not_kept(opening):
    edit = "print('an edit')"
    with opening(SENT) as first:
        lesson = press_switch(first.page, ready=False)
        lesson.write(EDITED, f"{source(EDITED, SENT)}\n{edit}")
        first.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
        first.page.locator(".ed-dock").get_by_role("button", name="More").click()
        first.page.get_by_role("button", name="Copy a link").click()
        wait_until(first.page, "location.hash.startsWith('#edits=')")
        address = first.page.url
    with opening(SENT, query=address[address.index("#") :]) as second:
        page = second.page
        assert page.locator(".article-header-buttons .edit-switch").inner_text() == "Open the shared code"
        expect(page.locator(".edit-note")).to_contain_text(re.compile(r"changed code in cell \d+, which"))
        expect(page.locator(".edit-note ins")).to_have_text([f"+ {edit}"])
        wide = page.evaluate("document.querySelector('.edit-note').getBoundingClientRect().toJSON()")
        assert (wide["left"], wide["right"], wide["bottom"]) == (0, 1280, 800), "a bar at the foot"
        assert second.axe(".edit-note") == []
        page.get_by_role("button", name="Not now").click()
        assert page.locator(".edit-note").count() == 0
        lesson = press_switch(page)
        assert page.locator(".article-header-buttons .edit-switch").inner_text() == "Close editors"
        assert lesson.text(EDITED).endswith(edit)
        assert lesson.code(EDITED).locator(".ed-changed-line").all_inner_texts() == [edit]
        number = lesson.code(EDITED).locator(".ed-name").inner_text()
        said = f"{number.capitalize()} came with the link."
        assert page.locator(".ed-said").inner_text().startswith(said)
        lesson.wait(EDITED, "ran")
        wait_ready(page)
        before = {cell: note for cell, run, note in page.evaluate(STATES) if run == "kept"}
        assert before.keys() >= tagged(SENT) != set()
        assert all("output stays" in note for note in before.values())
        assert "an edit" in lesson.output(EDITED).inner_text()
        edits = "Object.keys(localStorage).filter((key) => key.startsWith('attention-live edits'))"
        assert page.evaluate(edits) == []
        stood = page.evaluate("scrollY")
        page.get_by_role("button", name="Run all", exact=True).click()
        wait_until(
            page, "document.querySelector('.ed-said').textContent.includes('cells ran')", seconds=SECONDS
        )
        after = page.evaluate(STATES)
        assert {cell for cell, run, _ in after if run == "kept"} == before.keys()
        assert [
            state for state in after if state[1] not in ("kept", "ran") and state[2] != "waits for you"
        ] == []
        assert page.evaluate("scrollY") == stood, "a cell that ends calls nobody to it"
        assert page.evaluate("document.querySelectorAll('figure.livetorch.lt-mounted').length") > 0
        assert "an edit" in lesson.output(EDITED).inner_text()
        page.locator(".ed-dock").get_by_role("button", name="More").click()
        page.get_by_role("button", name="Keep it as my edits").click()
        assert len(page.evaluate(edits)) == 1
        assert page.get_by_role("button", name="Keep it as my edits").count() == 0
        assert second.errors == []


@pytest.mark.parametrize("name", sample(LESSONS, 1))
def test_run_all_comes_to_its_end_on_a_fresh_page(open_page, name):
    opened = open_page(name)
    press_switch(opened.page)
    opened.page.get_by_role("button", name="Run all", exact=True).click()
    ended = "document.querySelector('.ed-said').textContent.includes('cells ran')"
    wait_until(opened.page, ended, seconds=SECONDS)
    assert opened.errors == []


@weekly
def test_the_downloaded_notebook_runs_in_jupyter(open_page, tmp_path):
    page = open_page(LESSON).page
    lesson = press_switch(page, ready=False)
    lesson.write(
        FORMULA,
        "s, m = row, torch.tensor([True] * 3 + [False] * 3)\nheights = m * s.exp()\n"
        "alpha = heights / heights.sum()\nprint('from the page')",
    )
    page.locator(".ed-dock").get_by_role("button", name="More").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download as a notebook").click()
    assert waiting.value.suggested_filename == "03a_masked_softmax.ipynb"
    file = tmp_path / "lesson.ipynb"
    waiting.value.save_as(file)
    notebook = nbformat.read(file, 4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute(cwd=str(tmp_path))
    assert notebook.cells[FORMULA].outputs[0].text == "from the page\n"
