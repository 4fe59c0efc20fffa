"""What opens and closes on a page, and the way from figure to figure by keys; its form: test_pages.py."""

import changed
import pytest
from playwright.sync_api import expect
from sampling import sample
from waiting import wait_until

LESSON = "notebooks/01a_weighted_average"
BESIDE = [
    LESSON,
    "notebooks/09c_move_the_brackets",
    "notebooks/12b_looked_at_or_needed",
    "notebooks/13a_a_heads_name",
]
# each row of words and what is short: their boxes, and what in them scrolls
ROWS = """() => [...document.querySelectorAll(".beside:not(details *)")].map((row) => {
  const piece = row.querySelector(":scope > .beside-piece, .figure-question");
  const box = ({ left, right, top }) => [left, right, top].map(Math.round);
  const wide = (e) => e.scrollWidth > e.clientWidth + 1;
  const isOpen = (e) => !e.closest("details:not([open])"); // an open fold has the whole row
  const scrolls = (e) => isOpen(e) && wide(e) && /auto|scroll/.test(getComputedStyle(e).overflowX);
  const over = [...row.querySelectorAll("*:not(.livetorch *, .katex *)")].filter(scrolls);
  const boxes = [row.firstElementChild, piece, row].map((e) => box(e.getBoundingClientRect()));
  return [...boxes, piece.className, over.map((e) => e.className)];
})"""


def test_one_fold_below_a_figure_holds_all_that_belongs_to_it_and_a_switch_shows_or_hides_all(open_page):
    page = open_page(LESSON).page
    first = page.locator(".figure-block > details.under-figure").first
    assert first.locator("summary").inner_text() == "Code, setup and checks"
    assert not first.locator("pre").first.is_visible()
    assert page.locator(".cell-picture > details.under-figure").count() >= 3
    assert page.locator(".cell-picture > details:has(.figure-numbers)").count() >= 3
    # nothing that is folded by itself stands between them
    assert page.locator(":is(.cell-setup, .cell-check):not(details *)").count() == 0
    assert page.locator(".cell-question").count() >= 5
    assert page.locator(".cell-question :is(.cell_input, details:not(.lt-question *))").count() == 0
    # the switch shows or hides all code, and is remembered
    formula = page.locator("div.cell > div.cell_input pre:not(details *)").first
    folds = page.locator("details.code-fold").count()
    opened = page.locator("details.code-fold[open]")
    assert (formula.is_visible(), opened.count()) == (True, 0)
    page.get_by_label("Code on the pages").select_option("all")
    assert opened.count() == folds >= 5
    page.get_by_label("Code on the pages").select_option("none")
    assert (formula.is_visible(), page.locator("details.code-fold summary").first.is_visible()) == (
        False,
        False,
    )
    page.reload()
    expect(page.get_by_label("Code on the pages")).to_have_value("none")
    expect(formula).to_be_hidden()


def test_tab_and_enter_lead_from_figure_to_figure(open_page):
    page = open_page(LESSON).page
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


def test_a_link_to_a_folded_section_opens_it_alone(open_page):
    page = open_page("book/figures").page
    page.get_by_role("link", name="show it in a page of your own").click()
    named = page.locator("#show-a-figure-in-your-own-page-or-slides")
    wait_until(
        page, "(e) => Math.abs(e.getBoundingClientRect().top) < innerHeight / 3", named.element_handle()
    )
    assert page.locator(".section-fold[open]").count() == 1
    assert named.locator("table").is_visible()


@pytest.mark.parametrize("lesson", sample(BESIDE, 1, changed.pages()))
def test_what_is_short_stands_beside_its_words_where_there_is_room(open_page, lesson):
    opened = open_page(lesson, width=1280)
    page = opened.page
    page.evaluate("document.documentElement.dataset.restored = ''")
    rows = page.evaluate(ROWS)
    assert len(rows) >= 2
    for words, piece, row, name, over in rows:
        assert piece[0] - words[1] == 32, "two columns"
        assert piece[1] <= row[1]
        assert name == "figure-question" or abs(piece[2] - words[2]) <= 2, "tops aligned"
        assert over == []
    assert len({piece[0] for _, piece, *_ in rows}) == 1
    # with editors, and where it is narrow, one stands below the other
    for narrow in (
        "document.documentElement.dataset.editing = ''",
        "delete document.documentElement.dataset.editing",
    ):
        page.evaluate(narrow)
        assert all(piece[2] > words[2] and piece[0] == words[0] for words, piece, *_ in page.evaluate(ROWS))
        opened.resize(1100)


def test_the_code_of_a_picture_beside_words_has_the_whole_width(open_page):
    page = open_page(LESSON, width=1280).page
    row = page.locator(".beside", has=page.locator(".beside-piece > .cell-picture"))
    picture, fold = row.locator(".figure-inline"), row.locator("details.under-figure")
    place = picture.bounding_box()["x"]
    fold.locator("summary").click()
    assert picture.bounding_box()["x"] == place
    assert fold.bounding_box()["width"] == row.bounding_box()["width"]
