"""The form of a page: question, figure, answer and code in one block; what opens and closes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from built_site import ROOT
from live_chapters import chapters

NAMES = [f"notebooks/{path.stem}" for path in chapters()]
NEAR = 24  # pixels between what is asked and the figure that answers it
BLOCKS = """() => [...document.querySelectorAll("figure.livetorch")].map((figure) => {
  const block = figure.closest(".figure-block");
  const asked = block?.querySelector(".figure-question");
  const told = block?.querySelector(".figure-told");
  const code = block?.querySelector(":scope > details.code-fold");
  const card = figure.querySelector(".lt-card") ?? figure;
  const box = (e) => e.getBoundingClientRect();
  return {
    name: figure.dataset.name,
    gap: asked ? box(card).top - box(asked.lastElementChild).bottom : null,
    told: Boolean(told), shown: told ? box(told).height > 0 : null,
    // inside of what is folded as a whole, code stands open
    code: code ? !code.open && Boolean(code.querySelector("pre")) : figure.closest("details.deeper") !== null,
  };
})"""


CUT = """(all) => all.filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
  .map((e) => e.innerText)"""


@pytest.fixture(params=NAMES)
def visit(request, visits, open_page):
    """Open a lesson once and note what the two tests below ask about."""
    name = request.param
    if name not in visits:
        page = open_page(name).page
        blocks = page.evaluate(BLOCKS)
        page.locator(".figure-reveal").first.click()
        revealed = page.evaluate(BLOCKS)
        page.evaluate("document.documentElement.dataset.restored = ''")
        code = page.locator(".bd-article div.cell > div.cell_input pre")
        visits[name] = SimpleNamespace(
            name=name, blocks=blocks, revealed=revealed, cut=code.evaluate_all(CUT)
        )
    return visits[name]


def test_question_figure_answer_and_code_are_one_block(visit):
    blocks = visit.blocks
    assert blocks
    assert [block["name"] for block in blocks if not block["code"]] == []
    far = {
        block["name"]: block["gap"] for block in blocks if block["gap"] is not None and block["gap"] > NEAR
    }
    assert far == {}
    assert [
        block["name"] for block in blocks if block["shown"]
    ] == []  # nobody predicts with the answer in view
    text = (ROOT / f"{visit.name}.ipynb").read_text(encoding="utf-8")
    assert [block["name"] for block in blocks if block["told"] and block["gap"] is None] == []
    assert len([block for block in blocks if block["told"]]) == text.count("**What to notice")
    assert visit.revealed[0]["shown"]


def test_code_in_view_is_whole_on_a_desktop(visit):
    assert visit.cut == []


@pytest.mark.parametrize("name", NAMES)
def test_without_javascript_answers_stand_open_and_code_opens(open_page, name):
    page = open_page(name, javascript=False).page
    told = page.locator(".figure-told")
    assert [told.nth(i).is_visible() for i in range(told.count())] == [True] * told.count()
    assert not page.locator(".figure-reveal").first.is_visible()
    fold = page.locator(".figure-block > details.code-fold").first
    assert not fold.locator("pre").first.is_visible()
    fold.locator("summary").first.click()
    assert fold.locator("pre").first.is_visible()


def test_one_fold_below_a_figure_holds_all_that_belongs_to_it_and_questions_show_none(open_page):
    page = open_page(NAMES[0]).page
    first = page.locator(".figure-block > details.under-figure").first
    assert first.locator("summary").inner_text() == "Code, setup and checks"
    assert not first.locator("pre").first.is_visible()
    assert page.locator(".cell-picture > details.under-figure").count() >= 4
    assert page.locator(".cell-picture > details:has(.figure-numbers)").count() >= 4
    # nothing that is folded by itself stands between them
    assert page.locator(":is(.cell-setup, .cell-check):not(details *)").count() == 0
    assert page.locator(".cell-question").count() >= 5
    assert page.locator(".cell-question :is(.cell_input, details:not(.lt-question *))").count() == 0


def test_the_switch_shows_or_hides_all_code_and_is_remembered(open_page):
    page = open_page(NAMES[0]).page
    formula = page.locator("div.cell > div.cell_input pre:not(details *)").first
    folds = page.locator("details.code-fold").count()
    opened = page.locator("details.code-fold[open]")
    assert (formula.is_visible(), opened.count()) == (True, 0)
    page.get_by_label("Code on the pages").select_option("all")
    assert opened.count() == folds > 5
    page.get_by_label("Code on the pages").select_option("none")
    assert (formula.is_visible(), page.locator("details.code-fold summary").first.is_visible()) == (
        False,
        False,
    )
    page.reload()
    assert page.get_by_label("Code on the pages").input_value() == "none"
    assert not formula.is_visible()


def test_tab_and_enter_lead_from_figure_to_figure(open_page):
    page = open_page(NAMES[0]).page
    figures = page.locator(".bd-article figure.livetorch:not(details *)")
    inside = "(figure) => figure === document.activeElement"
    at_top = "(figure) => { const y = figure.getBoundingClientRect().top; return y >= 0 && y < innerHeight; }"
    page.keyboard.press("Tab")  # to the main content
    page.keyboard.press("Tab")
    for number in range(figures.count()):
        assert "live figure" in page.evaluate("document.activeElement.textContent")
        page.keyboard.press("Enter")
        figure = figures.nth(number)
        assert figure.evaluate(inside)
        page.wait_for_function(at_top, arg=figure.element_handle())
        if number + 1 < figures.count():
            page.locator(".to-figure").nth(number + 1).focus()


def test_a_wide_picture_scrolls_on_a_phone_by_keyboard_too(open_page):
    page = open_page(NAMES[0], width=360).page
    page.wait_for_function("() => document.documentElement.dataset.marked === ''")
    wide = page.locator(".figure-inline:not(details *)").evaluate_all(
        "(all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.tabIndex)"
    )
    assert wide
    assert set(wide) == {0}
