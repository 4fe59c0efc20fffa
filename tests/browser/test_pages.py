"""Every page of the built book in a real browser: over http and from disk, light, dark, wide, narrow."""

from __future__ import annotations

import gzip
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from built_site import pages

PAGES = [*pages(), "search", "genindex"]
CHAPTERS = [name for name in PAGES if name.startswith("notebooks/")]
MOST_BYTES = 400_000  # of one page with everything it loads, compressed

VISIBLE = """selector => {
  const boxes = [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect());
  return [boxes.length, boxes.filter((box) => box.width > 4 && box.height > 4).length];
}"""


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_console_error_or_request_to_another_host(open_page, name, scheme):
    opened = open_page(name, scheme=scheme)
    opened.page.wait_for_timeout(200)  # what starts late may fail late
    assert (opened.errors, opened.foreign) == ([], [])


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_on_a_phone_320_pixels_wide(open_page, name):
    opened = open_page(name, width=320)
    assert opened.overflow() <= 0


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_serious_accessibility_violation(open_page, name, theme):
    opened = open_page(name, theme=theme)
    assert opened.page.evaluate("document.documentElement.dataset.theme") == theme
    assert opened.axe() == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_one_search_box_a_language_and_a_description(open_page, name):
    page = open_page(name).page
    boxes = page.locator(".search-button__button, form.bd-search")
    assert sum(boxes.nth(i).is_visible() for i in range(boxes.count())) == (2 if name == "search" else 1)
    assert page.evaluate("document.documentElement.lang") == "en"
    assert len(page.locator("meta[name=description]").get_attribute("content")) > 20


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_reads_without_javascript(open_page, name):
    page = open_page(name, javascript=False).page
    page.emulate_media()
    for selector in (
        "h1",
        "div.cell_input pre",
        ".katex-html",
        "svg.figure-svg, figure.attention-live > img",
    ):
        present = page.locator(selector)
        assert present.count() > 0, f"no {selector}"
        hidden = [i for i in range(present.count()) if not _is_shown(present.nth(i))]
        assert hidden == [], f"{selector} number {hidden} cannot be seen"


def _is_shown(element) -> bool:
    if element.locator("xpath=ancestor::details | ancestor::*[contains(@class, 'dropdown')]").count():
        return True  # folded away, and opened without JavaScript or left open
    box = element.bounding_box()
    return box is not None and box["width"] > 1 and box["height"] > 1


@pytest.mark.parametrize("name", PAGES)
def test_a_page_with_all_it_loads_stays_within_its_weight(open_page, site, name):
    opened = open_page(name)
    paths = {unquote(urlsplit(url).path) for url in opened.requests if url.startswith("http")}
    files = [Path(f"{site}{path}") for path in sorted(paths)]
    assert len(files) > 3
    sizes = {file.name: len(gzip.compress(file.read_bytes())) for file in files if file.is_file()}
    assert sum(sizes.values()) <= MOST_BYTES, sorted(sizes.items(), key=lambda item: -item[1])[:8]


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_search_finds_a_word(open_page, scheme):
    opened = open_page("search", scheme=scheme, query="?q=softmax")
    first = opened.page.locator("#search-results li a").first
    first.wait_for(timeout=10_000)
    first.click()
    opened.page.wait_for_load_state()
    assert "softmax" in opened.page.locator("article").inner_text().lower()
    assert (opened.errors, opened.foreign) == ([], [])


def test_the_search_field_of_a_chapter_leads_to_the_results(open_page):
    opened = open_page("book/intro")
    opened.page.locator(".search-button__button:visible").first.click()
    opened.page.locator("#pst-search-dialog input").fill("kernel")
    opened.page.keyboard.press("Enter")
    opened.page.locator("#search-results li a").first.wait_for(timeout=10_000)
    assert opened.errors == []


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
