"""Every page of the built book over http, under its policy, in a wide window and the light theme."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
from built_site import ROOT, pages
from layout_shifts import shifts, too_far

PAGES = [*pages(), "search", "genindex"]
REPORT = ROOT / "_build" / "reports" / "pages.json"
MOST_BYTES = 350_000  # of one page with all it loads, compressed
MOST_WEIGHTS = 300_000  # of trained weights besides, loaded when their figure is first used
MOST_ASKED = 1_550_000  # of those that come only when the reader presses a button
PROGRAMS = "figures => figures.map((figure) => figure.dataset.programs.split('/').at(-1))"
ASKED = "all => all.flatMap((figure) => figure.dataset.pool.split(' ')).map((path) => path.split('/').at(-1))"
SEARCH = ".search-button__button, form.bd-search"


def _compressed(files: Iterable[Path]) -> dict[str, int]:
    return {file.name: len(gzip.compress(file.read_bytes())) for file in files if file.is_file()}


@pytest.fixture(scope="module", autouse=True)
def report(visits) -> Iterator[None]:
    """Leave what the visits saw for tools/facts/facts.py."""
    yield
    seen = {
        name: {
            "kB": sum(visit.sizes.values()) / 1000,
            "weights_kB": sum(visit.weights.values()) / 1000,
            "console errors": len(visit.errors),
            "requests to other hosts": len(visit.foreign),
            "serious axe violations": len(visit.axe),
        }
        for name, visit in visits.items()
    }
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(json.dumps(seen, indent=1), encoding="utf-8")


@pytest.fixture(params=PAGES)
def visit(request, visits, open_page, site):
    """Open a page once and note what the tests below ask about."""
    name = request.param
    if name not in visits:
        opened = open_page(name)
        page = opened.page
        moved = shifts(page)
        paths = {unquote(urlsplit(url).path) for url in opened.requests if url.startswith(opened.home)}
        files = [Path(f"{site}{path}") for path in sorted(paths)]
        boxes = page.locator(SEARCH)
        accessibility = opened.axe()
        page.mouse.wheel(0, 4000)
        opened.come_alive()
        programs = set(page.locator("figure[data-programs]").evaluate_all(PROGRAMS))
        weights = {file for file in files if file.parent.name == "live" and file.name not in programs}
        asked = set(page.locator("figure[data-asked]").evaluate_all(ASKED))
        opened.resize(1600)
        visits[name] = SimpleNamespace(
            name=name,
            theme=page.evaluate("document.documentElement.dataset.theme"),
            language=page.evaluate("document.documentElement.lang"),
            description=page.locator("meta[name=description]").get_attribute("content"),
            search_boxes=sum(boxes.nth(place).is_visible() for place in range(boxes.count())),
            sizes=_compressed(file for file in files if file not in weights),
            weights=_compressed(weights),
            asked=asked,
            moved=moved,
            overflow=opened.overflow(),
            axe=accessibility,
            refused=page.evaluate("window.refused"),
            errors=opened.errors,
            foreign=opened.foreign,
        )
    return visits[name]


def test_a_page_opens_without_a_console_error(visit):
    assert visit.errors == []


def test_a_page_does_nothing_that_its_policy_refuses(visit):
    assert visit.refused == []


def test_a_page_keeps_still_while_it_comes(visit):
    assert too_far(visit.moved) == []


def test_a_page_does_not_scroll_sideways_in_a_wide_window(visit):
    assert visit.overflow <= 0


def test_a_page_asks_no_other_host_for_anything(visit):
    assert visit.foreign == []


def test_a_page_has_no_serious_accessibility_violation_in_the_light_theme(visit):
    assert visit.theme == "light"
    assert visit.axe == []


def test_a_page_has_one_search_box(visit):
    assert visit.search_boxes == (2 if visit.name == "search" else 1)  # the search page has its own field


def test_a_page_says_its_language_and_what_it_is_about(visit):
    assert visit.language == "en"
    assert 20 < len(visit.description) < 200


def test_a_page_with_all_it_loads_stays_within_its_weight(visit):
    assert len(visit.sizes) > 3
    heaviest = sorted(visit.sizes.items(), key=lambda item: -item[1])[:5]
    assert sum(visit.sizes.values()) <= MOST_BYTES, heaviest
    by_itself = {name: size for name, size in visit.weights.items() if name not in visit.asked}
    assert sum(by_itself.values()) <= MOST_WEIGHTS, by_itself
    assert sum(visit.weights.values()) - sum(by_itself.values()) <= MOST_ASKED
