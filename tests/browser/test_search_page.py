"""The search page says what it found in words that help, quotes prose, and fits a phone."""

from __future__ import annotations

import re

import pytest
from waiting import wait_until

DONE = "/^(Pages found|No page)/.test(document.querySelector('.search-summary')?.innerText ?? '')"


def _search(open_page, words: str, width: int = 360, scheme: str = "http"):
    opened = open_page("search", width=width, scheme=scheme)
    field = opened.page.locator(".bd-search-container input[name=q]")
    field.fill(words)
    field.press("Enter")
    wait_until(opened.page, DONE)
    return opened


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_nothing_found_is_said_and_nothing_is_offered(open_page, scheme):
    opened = _search(open_page, "zzxxqq", scheme=scheme)
    assert "Try fewer" in opened.page.locator(".search-summary").inner_text()
    assert opened.page.locator(".search-figures a").count() == 0
    assert opened.overflow() <= 0


@pytest.mark.parametrize(
    "words", ['"><b>x', "\u559c\u6b22", "reference_scaled_dot_product_attention", "%20&q=[("]
)
def test_odd_words_and_long_names_do_not_widen_a_phone(open_page, words):
    opened = _search(open_page, words)
    assert opened.overflow() <= 0
    assert opened.errors == []
    assert opened.page.locator(".search-figures b").count() == 0


def test_the_lines_around_a_word_are_whole_words_of_prose_with_each_formula_once(open_page):
    page = _search(open_page, "softmax", width=1280).page
    quoted = page.locator("ul.search p.context")
    wait_until(page, "document.querySelectorAll('ul.search p.context').length > 25")
    said = quoted.all_inner_texts()
    assert not [each for each in said if "Run this cell" in each or "\\frac" in each]
    scaling = next(each for each in said if "vector" in each and "mixture" in each)
    assert "ddd" not in scaling
    whole = [each for each in said if re.match(r"\u2026[\w(\[\u201c\u2212]", each)]
    assert len(whole) > 20
