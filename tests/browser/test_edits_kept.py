"""Edits of a lesson outlive a reload, a new edition and a way to another browser or to Jupyter."""

from __future__ import annotations

import nbformat
from editing import FORMULA, LESSON, press_switch, source
from nbclient import NotebookClient
from playwright.sync_api import expect
from sampling import weekly
from waiting import wait_until


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


def test_a_link_brings_the_edits_to_another_browser_and_runs_nothing(opening):
    with opening(LESSON) as first:
        lesson = press_switch(first.page, ready=False)
        lesson.write(FORMULA, "shared = 'an edit'\nprint(shared)")
        first.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
        first.page.locator(".ed-dock").get_by_role("button", name="More").click()
        first.page.get_by_role("button", name="Copy a link").click()
        wait_until(first.page, "location.hash.startsWith('#edits=')")
        address = first.page.url
    with opening(LESSON, query=address[address.index("#") :]) as second:
        assert (
            second.page.locator(".article-header-buttons .edit-switch").inner_text() == "Open the shared code"
        )
        lesson = press_switch(second.page)
        assert lesson.text(FORMULA) == "shared = 'an edit'\nprint(shared)"
        assert (
            "1 cell came with the link. Nothing of it has run" in second.page.locator(".ed-what").inner_text()
        )
        assert second.page.evaluate("document.querySelector('[data-run=ran], [data-run=running]')") is None
        edits = "Object.keys(localStorage).filter((key) => key.startsWith('attention-live edits'))"
        assert second.page.evaluate(edits) == []
        assert lesson.run(FORMULA) == "ran"
        assert "an edit" in lesson.output(FORMULA).inner_text()
        assert "run yet" not in second.page.locator(".ed-what").inner_text()
        second.page.get_by_role("button", name="Keep it as my edits").click()
        assert len(second.page.evaluate(edits)) == 1
        assert second.errors == []


@weekly
def test_the_downloaded_notebook_runs_in_jupyter(open_page, tmp_path):
    page = open_page(LESSON).page
    lesson = press_switch(page, ready=False)
    lesson.write(
        FORMULA,
        "m = torch.tensor([True] * 3 + [False] * 3)\nheights = m * row.exp()\nprint('from the page')",
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
