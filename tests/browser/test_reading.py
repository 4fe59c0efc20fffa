"""Reading the built book as people do: without JavaScript, by search, on a phone, in the theme they like."""

from __future__ import annotations

import re

import pytest
from built_site import pages
from waiting import wait_until

CHAPTERS = [name for name in pages() if name.startswith("notebooks/") and name[10].isdigit()]

# what is folded away opens without JavaScript
ARE_SHOWN = """(elements) => elements.map((element) => {
  const { width, height } = element.getBoundingClientRect();
  return (width > 1 && height > 1) || element.closest("details, [class*=dropdown]") !== null;
})"""


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_reads_without_javascript(open_page, name):
    page = open_page(name, javascript=False).page
    for selector in (
        "article h1",
        "div.cell_input pre",
        "article .katex-html",  # elsewhere a table of contents for print repeats headings
        "svg.figure-svg, figure.livetorch > img",
    ):
        shown = page.locator(selector).evaluate_all(ARE_SHOWN)
        assert shown, f"no {selector}"
        hidden = [number for number, seen in enumerate(shown) if not seen]
        assert hidden == [], f"{selector} number {hidden} cannot be seen"


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_search_finds_a_word(open_page, scheme):
    opened = open_page("search", scheme=scheme, query="?q=softmax")
    first = opened.page.locator("#search-results li a").first
    first.wait_for(timeout=10_000)
    first.click()
    opened.page.wait_for_load_state()
    text = opened.page.locator("article").text_content()  # the inner text lacks what is far away
    assert "softmax" in text.lower()
    assert (opened.errors, opened.foreign) == ([], [])


def test_the_search_field_of_a_chapter_leads_to_the_results(open_page):
    opened = open_page("book/intro")
    opened.page.locator(".search-button__button:visible").first.click()
    opened.page.locator("#pst-search-dialog input").fill("kernel")
    opened.page.keyboard.press("Enter")
    opened.page.locator("#search-results li a").first.wait_for(timeout=10_000)
    assert opened.errors == []


def test_what_was_found_is_told_by_its_prose_and_leads_to_lessons_and_figures(open_page):
    page = open_page("search", query="?q=rotary").page
    found = page.locator("#search-results li")
    found.nth(3).wait_for(timeout=10_000)
    wait_until(page, "document.querySelectorAll('#search-results .context').length > 3")
    assert found.first.locator("a").inner_text().startswith("7b. ")
    told = found.first.locator(".context").inner_text()
    assert not re.search(r"minutes|Nothing done yet|Forget it|import ", told)
    page.get_by_role("link", name="Live figures with “rotary”").click()
    page.wait_for_load_state()
    assert page.get_by_label("Find a figure by a word").input_value() == "rotary"
    assert not page.locator(".highlight-link").is_visible()  # nothing is marked on this page


def test_on_paper_a_lesson_begins_with_its_title_and_its_first_words(open_page):
    page = open_page("notebooks/02a_scores").page
    page.emulate_media(media="print")
    assert page.locator("article h1").is_visible()
    for hidden in (
        "#jb-print-docs-body",
        ".lesson-done-here",
        ".figure-numbers >> nth=0",
        ".bd-header-article",
    ):
        assert not page.locator(hidden).is_visible(), hidden


@pytest.mark.parametrize("width", [1280, 320])
def test_the_theme_button_goes_through_light_and_dark(open_page, width):
    page = open_page("book/intro", width=width).page
    seen = set()
    for _ in range(3):
        page.locator(".theme-switch-button:visible").first.click()
        seen.add(page.evaluate("document.documentElement.dataset.mode"))
    assert seen == {"light", "dark", "auto"}


def test_a_phone_reader_can_open_the_table_of_contents(open_page):
    page = open_page("book/intro", width=320).page
    page.locator("button.primary-toggle:visible").first.click()
    link = page.locator("#pst-primary-sidebar-modal a.reference", has_text="Notation").first
    link.wait_for(state="visible", timeout=5_000)
    link.click()
    page.wait_for_load_state()
    assert page.url.endswith("book/notation.html")


def test_a_page_read_in_the_dark_theme_is_printed_light(open_page):
    page = open_page("book/intro", theme="dark").page
    theme = "document.documentElement.dataset.theme"
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(theme) == "light"
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(theme) == "dark"


@pytest.mark.parametrize("only_colours", [False, True])
def test_a_word_too_pale_to_read_is_found(open_page, only_colours):
    opened = open_page("book/intro")
    assert opened.axe(only_colours=only_colours) == []
    opened.page.locator("article p:visible").first.evaluate(
        "(paragraph) => { paragraph.style.color = '#bbbbbb'; }"
    )
    (found,) = opened.axe(only_colours=only_colours)
    assert found.startswith("color-contrast")
