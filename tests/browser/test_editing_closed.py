"""*Edit and run* switched off and on: the page is the book's, and opens again as the reader left it."""

import pytest
from editing import FIGURE, FORMULA, LESSON, press_switch
from playwright.sync_api import expect
from sampling import weekly
from waiting import wait_until

FIGURE_ALIVE = f"document.querySelector('#out-{FIGURE} figure.lt-mounted')?.livetorch"
BESIDE = f"""() => {{
  const box = (e) => e.getBoundingClientRect();
  const code = document.getElementById("in-{FIGURE}");
  const [figure, editor] = [box(document.querySelector("#out-{FIGURE} figure")), box(code)];
  const [fold, dock] = [code.closest("details"), document.querySelector(".ed-dock")];
  return {{
    apart: editor.left - figure.right, level: box(fold).top - figure.top, right: innerWidth - editor.right,
    cut: document.documentElement.scrollWidth - innerWidth, foot: box(fold).bottom - box(dock).top,
    unseen: Math.max(box(fold).top - editor.bottom, editor.top - box(fold).bottom),
  }};
}}"""


@weekly
def test_closing_loses_nothing(open_page):
    opened = open_page(LESSON)
    page = opened.page
    stored = page.locator(f"#out-{FORMULA}").inner_text()
    lesson = press_switch(page)
    lesson.write(FORMULA, "mine = 6 * 7\nmine")
    assert lesson.run(FORMULA) == "ran"
    page.evaluate(f"{FIGURE_ALIVE}.set('words_only', true); window.same = true")
    switch = page.locator(".article-header-buttons .edit-switch")
    page.wait_for_timeout(1000)  # a double click is one press
    assert (switch.inner_text(), switch.get_attribute("aria-label")) == ("Close editors", "Close editors")
    switch.click()
    assert switch.inner_text() == "Edit and run"
    assert page.locator(".ed-dock, .ed-head, .cm-editor").count() == 0
    assert page.locator(f"#in-{FORMULA} pre").first.is_visible()
    assert page.locator(f"#out-{FORMULA}").inner_text() == stored
    assert page.get_by_role("button", name="Write and check it here").first.is_visible()
    lesson = press_switch(page)
    assert lesson.text(FORMULA) == "mine = 6 * 7\nmine"
    assert lesson.output(FORMULA).inner_text().strip() == "42"
    assert page.evaluate(f"{FIGURE_ALIVE}.state().words_only") is True
    lesson.write(FORMULA, "mine + 1")  # Python kept its variables, and the page was not loaded again
    assert lesson.run(FORMULA) == "ran"
    assert lesson.output(FORMULA).inner_text().strip() == "43"
    assert page.evaluate("window.same") is True
    assert opened.errors == []


@weekly
def test_the_menu_closes_the_editors_too_and_an_error_waits_with_its_mark(open_page):
    page = open_page(LESSON).page
    lesson = press_switch(page)
    lesson.write(FORMULA, "1 / 0")
    assert lesson.run(FORMULA) == "failed"
    page.locator(".ed-dock").get_by_role("button", name="More").click()
    page.get_by_role("button", name="Close the editors").click()
    assert page.locator(".ed-error").count() == 0
    press_switch(page)
    assert "ZeroDivisionError" in lesson.output(FORMULA).inner_text()


def test_on_a_wide_screen_a_figure_and_its_open_code_stand_side_by_side(open_page):
    opened = open_page(LESSON)
    page = opened.page
    wait_until(page, f"{FIGURE_ALIVE} !== undefined")
    page.locator(f"#out-{FIGURE} figure .edit-code").click()
    wait_until(
        page, "getSelection().anchorNode?.parentElement.closest('.cm-line')?.textContent.startsWith('def ')"
    )
    for width in (1280, 1440, 1600, 1920):
        opened.resize(width, 800)
        page.evaluate(f"document.querySelector('#out-{FIGURE} figure').scrollIntoView()")
        seen = page.evaluate(BESIDE)
        assert seen["apart"] >= 12, width
        assert seen["right"] >= 12, width
        assert seen["cut"] <= 0, width
        assert seen["foot"] <= 0, width  # the bar at the foot covers no code
        assert abs(seen["level"]) < 200, width
        assert seen["unseen"] < 0, width  # the fold scrolls by itself: setup and checks wait below the code


@pytest.mark.parametrize(
    ("size", "far", "opens"), [((1280, 800), 0, 1), ((1100, 800), 0, 0), ((1280, 800), 2000, 0)]
)
def test_the_switch_opens_the_figures_code_where_it_stands_beside_and_the_reader_is_there(
    open_page, size, far, opens
):
    opened = open_page(LESSON)
    opened.resize(*size)
    page = opened.page
    wait_until(page, f"{FIGURE_ALIVE} !== undefined")
    page.evaluate(f"scrollTo({{ top: {far}, behavior: 'instant' }})")
    stood = page.evaluate("scrollY")
    # Playwright's own click scrolls to a sticky header
    page.locator(".article-header-buttons .edit-switch").evaluate("button => button.click()")
    page.locator(".ed-dock").wait_for()
    assert page.locator(f"details.code-fold[open]:has(#in-{FIGURE})").count() == opens
    expect(page.get_by_role("button", name="Open the figure\u2019s code")).to_have_count(1 - opens)
    assert opens or abs(page.evaluate("scrollY") - stood) < 100  # heads of cells above
    assert page.evaluate("document.activeElement.matches('.ed-dock')"), "a screen reader is in the bar"


def test_on_a_phone_the_code_of_a_veiled_figure_leaves_in_sight_what_lifts_the_veil(open_page):
    opened = open_page("notebooks/02a_scores")
    opened.resize(390, 844)
    page = opened.page
    press_switch(page, ready=False)
    page.locator("figure.lt-mounted .lt-veil").first.wait_for()
    page.get_by_role("button", name="Open the figure\u2019s code").click()
    wait_until(
        page,
        """(() => {
          const button = document.querySelector(".lt-veil .lt-button").getBoundingClientRect();
          const box = document.querySelector(".lt-veil").closest(".cell_output").getBoundingClientRect();
          return button.top >= box.top && button.bottom <= box.bottom && box.bottom < 400;
        })()""",
    )
