"""Letters twice as large, paper, and a phone without scripts: nothing is cut off, lost or left to press."""

from __future__ import annotations

import pytest
from waiting import wait_until

WIDE_NOTES = """[...document.querySelectorAll(".margin-note > p")]
  .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth
    || each.getBoundingClientRect().width < 160).length"""
CUT = """[...document.querySelectorAll("span.math")].filter((each) => each.checkVisibility() &&
  (each.getBoundingClientRect().right > document.documentElement.clientWidth + 1 ||
  (getComputedStyle(each).overflowX !== "visible" && each.scrollWidth > each.clientWidth + 1))).length"""
# How far views go beyond their card when the page becomes narrower and no script may place them again.
BEYOND = """(width) => {
  const card = document.querySelector("figure.livetorch .lt-card");
  card.parentElement.style.width = width;
  const end = (e) => e.getBoundingClientRect().right;
  const beyond = Math.max(...[...card.querySelectorAll(".lt-stage svg, .lt-grid")].map(end)) - end(card);
  card.parentElement.style.width = "";
  return beyond;
}"""
ICONS = """[...document.querySelectorAll(".bd-header-article [class*='fa-']")]
  .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().width)"""


def _large(open_page, name: str, width: int = 1280):
    opened = open_page(name, width=width)
    opened.page.evaluate("document.documentElement.dataset.restored = ''")
    opened.page.evaluate("document.documentElement.style.fontSize = '200%'")
    return opened


@pytest.mark.parametrize("name", ["notebooks/06a_self_attention", "notebooks/09b_another_answer_cheaper"])
def test_notes_beside_the_text_go_below_it_and_icons_keep_their_size(open_page, name):
    opened = _large(open_page, name)
    assert opened.page.locator(".margin-note").count() > 0
    assert opened.page.evaluate(WIDE_NOTES) == 0
    assert min(opened.page.evaluate(ICONS)) > 20
    assert opened.overflow() <= 0


@pytest.mark.parametrize("name", ["notebooks/01a_weighted_average", "book/solutions"])
def test_no_formula_in_a_sentence_is_cut_on_a_phone(open_page, name):
    page = open_page(name, width=360).page
    page.evaluate("document.documentElement.dataset.restored = ''")
    assert page.locator("span.math").count() > 10
    assert page.evaluate(CUT) == 0


def test_paper_has_no_folded_box_and_nothing_to_press(open_page):
    page = open_page("notebooks/01a_weighted_average").page
    page.evaluate("document.documentElement.dataset.restored = ''")
    hint = "[...document.querySelectorAll('details > summary')].filter((e) => e.textContent === 'Hint 1')"
    assert page.evaluate(f"{hint}.length") == 1
    page.emulate_media(media="print")
    wait_until(page, f"!{hint}[0].checkVisibility()")
    assert page.locator("details.deeper > summary").first.is_visible()
    pressed = page.locator(".livetorch .lt-range:visible, .lt-tools:visible, .bd-header-article:visible")
    assert pressed.count() == 0


def test_on_paper_views_that_were_placed_for_a_window_are_whole_and_say_what_is_chosen(open_page):
    page = open_page("notebooks/06b_attention_or_convolution").page
    page.evaluate("document.documentElement.dataset.restored = ''")
    page.evaluate("figure => document.querySelector(figure).livetorch.ready", "figure.livetorch")
    assert page.evaluate(BEYOND, "980px") <= 1
    assert page.evaluate(BEYOND, "640px") > 100  # without a word of paper
    page.emulate_media(media="print")
    assert page.evaluate(BEYOND, "640px") <= 1
    page = open_page("notebooks/03b_minus_infinity").page
    page.evaluate("document.documentElement.dataset.restored = ''")
    page.locator(".lt-segments").first.wait_for()
    page.emulate_media(media="print")
    assert page.locator(".lt-segments").first.inner_text().split() == ["float32"]


def test_without_scripts_a_picture_on_a_phone_can_be_read(open_page):
    opened = open_page("notebooks/03a_masked_softmax", width=360, javascript=False)
    picture = opened.page.locator("figure.livetorch > img").first
    assert picture.bounding_box()["width"] >= 600
    assert opened.page.locator(".lt-title, .lt-do").first.bounding_box()["x"] >= 12
    assert opened.page.get_by_text("Answer", exact=True).first.is_visible()
