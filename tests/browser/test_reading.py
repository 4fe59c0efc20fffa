"""Reading the built book as people do: by search, on a phone, in the theme they like."""

import re

import pytest
from sampling import sample
from waiting import wait_until


@pytest.mark.parametrize("scheme", sample(["http", "file"], 0, ["http"]))
def test_search_finds_a_word(open_page, scheme):
    opened = open_page("search", scheme=scheme, query="?q=softmax")
    first = opened.page.locator("#search-results li a").first
    first.wait_for()
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
    opened.page.locator("#search-results li a").first.wait_for()
    assert opened.errors == []


def test_what_was_found_is_told_by_its_prose_and_leads_to_lessons_and_figures(open_page):
    page = open_page("search", query="?q=rotary").page
    found = page.locator("#search-results li")
    found.nth(3).wait_for()
    wait_until(page, "document.querySelectorAll('#search-results .context').length > 3")
    assert found.first.locator("a").inner_text().startswith("7b. ")
    told = found.first.locator(".context").inner_text()
    assert not re.search(r"minutes|Clear|import ", told)
    page.get_by_role("link", name=re.compile("live figures? with “rotary”")).click()
    page.wait_for_load_state()
    assert page.get_by_label("Find a figure by a word or an idea").input_value() == "rotary"
    assert not page.locator(".highlight-link").is_visible()  # nothing is marked on this page


@pytest.mark.parametrize("width", [1280, 320])
def test_the_theme_button_goes_through_light_and_dark(open_page, width):
    page = open_page("book/intro", width=width).page
    seen = set()
    for _ in range(3):
        page.locator(".theme-switch-button:visible").first.click()
        seen.add(page.evaluate("document.documentElement.dataset.mode"))
    assert seen == {"light", "dark", "auto"}


def test_a_phone_reader_can_open_the_table_of_contents(open_page):
    page = open_page("notebooks/08c_transformer_block", width=320).page
    page.get_by_role("button", name="Contents of the book").click()
    contents = page.locator("#pst-primary-sidebar-modal")
    here = contents.locator("a.current").last.bounding_box()
    assert 0 < here["y"] < page.viewport_size["height"] - here["height"]  # it begins where the reader is
    link = contents.locator("a.reference", has_text="Notation").first
    link.click()
    page.wait_for_load_state()
    assert page.url.endswith("book/notation.html")


@pytest.mark.parametrize(
    ("width", "said"), [(768, "whereabouts"), (1280, "bd-sidebar-primary"), (1600, "bd-sidebar-primary")]
)
def test_book_part_and_lesson_stay_in_view(open_page, width, said):
    page = open_page("notebooks/06a_self_attention", width=width).page
    page.evaluate("scrollTo(0, 2000)")
    seen = """([css, text]) => {
      const found = [...document.querySelectorAll(css)].find((each) => each.innerText.includes(text));
      const { left, top, width, height } = found.getBoundingClientRect();
      return found.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }"""
    assert page.evaluate(seen, [f".{said} :is(.logo__title, .book-name)", "Attention, Live"])
    assert page.evaluate(seen, [".bd-header-article .book-place", "Part II"])
    assert page.locator(".whereabouts .book-part").get_attribute("href").endswith("intro.html#part-ii")
    assert page.locator(".search-button-field:visible, .search-button:visible").count() == 1


def test_a_page_read_in_the_dark_theme_is_printed_light(open_page):
    page = open_page("book/intro", theme="dark").page
    theme = "document.documentElement.dataset.theme"
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(theme) == "light"
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(theme) == "dark"


def test_the_contents_mark_the_section_that_is_read(open_page):
    page = open_page("notebooks/04b_ten_or_eight", width=1600).page
    marked = "[...document.querySelectorAll('.page-toc a.active')].map((each) => each.hash).join()"
    assert page.evaluate(marked) == ""
    for place in ("what-must-come-out", "where-the-8-comes-from", "mistakes-to-know"):
        # as a wheel does: a little past the heading, and through what is laid out on the way
        page.evaluate("place => document.getElementById(place).scrollIntoView()", place)
        page.mouse.wheel(0, 40)
        wait_until(page, f"{marked} === '#{place}'", seconds=20)
    page.evaluate("scrollTo(0, 0)")
    wait_until(page, f"{marked} === ''", seconds=20)


@pytest.mark.parametrize("lesson", ["06a_self_attention", "13a_a_heads_name", "05c_look_back"])
def test_on_a_phone_no_number_of_a_table_or_a_line_is_behind_the_edge(open_page, lesson):
    page = open_page(f"notebooks/{lesson}", width=390).page
    hidden = """(css) => [...document.querySelectorAll(css)]
      .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.innerText)"""
    shown = ".bd-article :is(table, .cell_output .highlight pre):not(.livetorch *, .figure-numbers)"
    assert page.evaluate(hidden, shown) == []


def test_on_a_phone_a_sign_stays_with_its_formula_and_both_roads_are_seen_whole(open_page):
    page = open_page("notebooks/09c_move_the_brackets", width=390).page
    page.evaluate("document.documentElement.dataset.restored = ''")
    alone = """[...document.querySelectorAll(".tied")].filter(({ lastChild }) => {
      const [sign, formula] = [document.createRange(), lastChild.previousElementSibling];
      if (!formula || lastChild.nodeType !== Node.TEXT_NODE) return false;
      sign.selectNodeContents(lastChild);
      const end = [...formula.querySelectorAll(".katex-html .base")].at(-1).getBoundingClientRect();
      return sign.getBoundingClientRect().top > end.bottom;
    }).map(({ textContent }) => textContent)"""
    assert page.evaluate(alone) == []
    roads = page.get_by_role("img", name="The same three matrices, bracketed in two ways")
    assert roads.evaluate("e => e.parentElement.scrollWidth <= e.parentElement.clientWidth")
