"""The search page says what it found in words that help, quotes prose, and fits a phone."""

import re

import pytest
from sampling import sample
from waiting import wait_until

DONE = "/^(Pages found|No page)/.test(document.querySelector('.search-summary')?.innerText ?? '')"


def _ask(page, words: str) -> None:
    field = page.locator(".bd-search-container input[name=q]")
    field.fill(words)
    with page.expect_navigation():
        field.press("Enter")
    wait_until(page, DONE)


def _search(open_page, words: str, width: int = 360, scheme: str = "http"):
    opened = open_page("search", width=width, scheme=scheme)
    _ask(opened.page, words)
    return opened


@pytest.mark.parametrize("scheme", sample(["http", "file"], 0, ["file"]))
def test_nothing_found_is_said_and_nothing_is_offered(open_page, scheme):
    opened = _search(open_page, "zzxxqq", scheme=scheme)
    assert "Try fewer" in opened.page.locator(".search-summary").inner_text()
    assert opened.page.locator(".search-figures a, .search-near").count() == 0
    assert opened.overflow() <= 0
    _ask(opened.page, "softmx")
    opened.page.get_by_role("link", name="softmax", exact=True).wait_for()


def test_odd_words_and_long_names_do_not_widen_a_phone(open_page):
    opened = open_page("search", width=360)
    for words in ('"><b>x', "\u559c\u6b22", "reference_scaled_dot_product_attention", "%20&q=[("):
        _ask(opened.page, words)
        assert opened.overflow() <= 0, words
        assert opened.errors == [], words
        assert opened.page.locator(".search-figures b").count() == 0, words


def test_the_lines_around_a_word_are_whole_words_of_prose_with_each_formula_once(open_page):
    page = _search(open_page, "softmax", width=1280).page
    quoted = page.locator("ul.search p.context")
    wait_until(page, "document.querySelectorAll('ul.search p.context').length > 25")
    said = quoted.all_inner_texts()
    assert not [
        each for each in said if "Run this cell" in each or "\\frac" in each or "Attention, Live" in each
    ]
    scaling = next(each for each in said if "vector" in each and "mixture" in each)
    assert "ddd" not in scaling
    whole = [each for each in said if re.match(r"\u2026[\w(\[\u201c\u2212]", each)]
    assert len(whole) > 20


def test_the_books_own_words_lead_to_the_lessons_that_are_called_by_them(open_page):
    page = open_page("search").page
    wanted = {
        "self-attention": ["06a"],
        "mask": ["03a"],
        "positional encoding": ["07a"],
        "multi-head": ["08b"],
        "cache": ["09d"],
        "causal mask": ["03a"],
        "NaN": ["03b"],
    }
    for words, lessons in wanted.items():
        _ask(page, words)
        first = page.locator("ul.search li > a").evaluate_all(
            "all => all.slice(0, 3).map((each) => each.href)"
        )
        assert all(any(f"/{lesson}_" in each for each in first) for lesson in lessons), (words, first)


@pytest.mark.parametrize("scheme", sample(["http", "file"], 0, ["file"]))
def test_the_dialog_shows_the_first_hits_while_one_types_and_keys_lead_to_them(open_page, scheme):
    opened = open_page("notebooks/01a_weighted_average", scheme=scheme)
    page = opened.page
    wait_until(page, "'awake' in document.documentElement.dataset")
    page.keyboard.press("Control+k")
    page.keyboard.type("self-attention")
    hits, said = page.locator("#search-live > a"), page.locator(".search-live-said")
    hits.first.wait_for()
    assert "Self-attention" in hits.first.inner_text()
    assert re.fullmatch(r"Enter lists all \d+\.", said.inner_text())
    field = page.locator("#pst-search-dialog input")
    field.fill("zzxxqq")
    wait_until(page, "document.querySelector('.search-live-said').textContent.startsWith('No page has')")
    assert hits.count() == 0
    page.keyboard.press("Escape")
    assert not field.is_visible()
    page.keyboard.press("Control+k")
    field.fill("masked softmax")
    hits.nth(1).wait_for()
    wanted = hits.first.get_attribute("href")
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    assert field.get_attribute("aria-activedescendant") == hits.first.get_attribute("id")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url == wanted
    assert opened.errors == []


def test_what_is_typed_stays_while_the_search_comes_after_a_search_and_is_sent(open_page):
    page = open_page("notebooks/01a_weighted_average").page
    held = []
    page.route("**/searchtools.js*", lambda route: held.append(route), times=1)
    page.goto(f"{page.url}?highlight=mask")  # its words are marked by the script that starts Sphinx's search
    page.keyboard.press("Control+k")
    page.keyboard.type("soft")
    page.keyboard.press("ArrowLeft")
    wait_until(page, "document.querySelector('script[src*=searchtools]') !== null")
    held.pop().continue_()
    page.locator("#search-live > a").first.wait_for()
    field = page.locator("#pst-search-dialog input")
    assert field.evaluate("each => [each.value, each.selectionStart]") == ["soft", 3]
    page.keyboard.type("max")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith("search.html?q=sofmaxt")
