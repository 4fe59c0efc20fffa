"""Trained weights are loaded when the reader comes to their figure, over http and from disk."""

from __future__ import annotations

import re

import pytest
from built_site import pages
from waiting import wait_until

from livetorch import sphinx

ALIVE = "figure => figure.classList.contains('lt-mounted')"


def heavy_pages(site) -> list[str]:
    """List the lessons with weights in a file of their own; the first page loads its own at once."""
    texts = {
        name: (site / f"{name}.html").read_text(encoding="utf-8") for name in pages() if "notebooks/" in name
    }
    return [
        name for name, text in texts.items() if re.search(r'<figure class="livetorch"[^>]* data-pool=', text)
    ]


def weight_files(figure) -> int:
    """Count the files that hold a figure's weights: those of a large model are split."""
    return len(figure.get_attribute("data-pool").split())


def loaded(requests: list[str]) -> list[str]:
    """Pick the files of weights out of what a page asked for."""
    return [url for url in requests if f"/_static/{sphinx.FOLDER}/" in url]


@pytest.fixture(params=["http", "file"])
def fresh(request, site, chromium):
    """Open a page with weights far below, without touching its figures."""
    yield from opened(request, site, chromium, "notebooks/10a_what_comes_next")


@pytest.fixture(params=["http", "file"])
def dates(request, site, chromium):
    """Open the page of the date translator, whose figure stands in the first screen."""
    yield from opened(request, site, chromium, "notebooks/05b_trained_translator")


def opened(request, site, chromium, name: str):
    """Open a page; give it, its first figure with weights, and what it asked for."""
    assert name in heavy_pages(site)
    home = request.getfixturevalue("server") if request.param == "http" else f"file://{site}"
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.goto(f"{home}/{name}.html", wait_until="load")
    yield page, page.locator("figure.livetorch[data-pool]").first, asked
    page.close()


def test_nothing_is_loaded_before_the_figure_is_near(fresh):
    page, figure, asked = fresh
    wait_until(page, "'marked' in document.documentElement.dataset")  # the page has come to rest
    page.wait_for_timeout(300)
    assert loaded(asked) == []
    assert figure.evaluate(ALIVE) is False
    assert re.fullmatch(
        r"This picture comes alive with its trained weights \(\d+ kB\)\. ?Load them",
        figure.locator(".lt-loading").text_content(),  # inner_text is empty far from the window
    )
    assert figure.locator("img").count() == 1


def test_scrolling_to_the_figure_brings_it_to_life(fresh):
    page, figure, asked = fresh
    files = weight_files(figure)
    figure.scroll_into_view_if_needed()
    wait_until(page, "document.querySelector('figure[data-pool]').classList.contains('lt-mounted')")
    assert len(loaded(asked)) == len(set(loaded(asked))) == files
    outputs = figure.evaluate("figure => Object.keys(figure.livetorch.outputs())")
    assert "shares" in outputs


@pytest.mark.parametrize("fresh", ["http"], indirect=True)  # what comes from disk cannot be held back here
def test_without_its_weights_the_picture_stays_and_offers_to_try_again(fresh):
    page, figure, asked = fresh
    files = weight_files(figure)
    page.route(f"**/_static/{sphinx.FOLDER}/*", lambda route: route.abort())
    figure.scroll_into_view_if_needed()
    again = figure.get_by_role("button", name="Try again")
    again.wait_for()
    assert figure.locator("img").is_visible()
    page.unroute(f"**/_static/{sphinx.FOLDER}/*")
    again.click()
    wait_until(page, "document.querySelector('figure[data-pool]').classList.contains('lt-mounted')")
    assert len(loaded(asked)) == 2 * files
    assert len(set(loaded(asked))) == files


def written(figure) -> str:
    """Read the ten characters of a written date off the arcs: the queries stand before the keys."""
    return "".join(figure.locator(".lt-arc-text").all_text_contents()[: len("yyyy-mm-dd")])


def test_a_typed_date_is_translated_in_the_page(dates):
    page, figure, _ = dates
    figure.scroll_into_view_if_needed()
    wait_until(page, "document.querySelector('figure[data-pool]').classList.contains('lt-mounted')")
    figure.get_by_label("Date", exact=True).fill("Sunday, 24 December 1995")
    page.wait_for_timeout(300)  # one frame later
    assert written(figure) == "1995-12-24"
    figure.get_by_role("button", name="2024年3月5日").click()
    page.wait_for_timeout(300)
    assert written(figure) == "2024-03-05"
