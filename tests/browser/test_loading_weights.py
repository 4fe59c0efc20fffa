"""Trained weights are loaded when the reader comes to their figure, over http and from disk."""

from __future__ import annotations

import re

import live_weights
import pytest
from built_site import pages

ALIVE = "figure => figure.classList.contains('al-mounted')"


def heavy_pages(site) -> list[str]:
    """List the pages with a figure whose weights are in a file of their own."""
    texts = {name: (site / f"{name}.html").read_text(encoding="utf-8") for name in pages()}
    return [
        name for name, text in texts.items() if re.search(r'<figure class="attention-live" data-pool', text)
    ]


def loaded(requests: list[str]) -> list[str]:
    """Pick the files of weights out of what a page asked for."""
    return [url for url in requests if f"/_static/{live_weights.FOLDER}/" in url]


@pytest.fixture(params=["http", "file"])
def fresh(request, open_page, site, chromium):
    """Open a page with weights, without touching its figures."""
    (name, *_) = heavy_pages(site)
    home = request.getfixturevalue("server") if request.param == "http" else f"file://{site}"
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.goto(f"{home}/{name}.html", wait_until="load")
    yield page, page.locator("figure.attention-live[data-pool]").first, asked
    page.close()


def test_nothing_is_loaded_before_the_figure_is_near(fresh):
    page, figure, asked = fresh
    page.wait_for_function("'marked' in document.documentElement.dataset")  # the page has come to rest
    page.wait_for_timeout(300)
    assert loaded(asked) == []
    assert figure.evaluate(ALIVE) is False
    assert re.fullmatch(
        r"This picture comes alive with its trained weights \(\d+ kB\)\. ?Load them",
        figure.locator(".al-loading").text_content(),  # inner_text is empty far from the window
    )
    assert figure.locator("img").count() == 1


def test_scrolling_to_the_figure_brings_it_to_life(fresh):
    page, figure, asked = fresh
    figure.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('figure[data-pool]').classList.contains('al-mounted')")
    assert len(loaded(asked)) == 1
    outputs = figure.evaluate("figure => Object.keys(figure.attentionLive.outputs())")
    assert "weights" in outputs


@pytest.mark.parametrize("fresh", ["http"], indirect=True)  # what comes from disk cannot be held back here
def test_without_its_weights_the_picture_stays_and_offers_to_try_again(fresh):
    page, figure, asked = fresh
    page.route(f"**/_static/{live_weights.FOLDER}/*", lambda route: route.abort())
    figure.scroll_into_view_if_needed()
    again = figure.get_by_role("button", name="Try again")
    again.wait_for()
    assert figure.locator("img").is_visible()
    page.unroute(f"**/_static/{live_weights.FOLDER}/*")
    again.click()
    page.wait_for_function("document.querySelector('figure[data-pool]').classList.contains('al-mounted')")
    assert len(loaded(asked)) == 2


def test_a_typed_date_is_translated_in_the_page(fresh):
    _, figure, _ = fresh
    figure.scroll_into_view_if_needed()
    figure.get_by_label("Date", exact=True).fill("Sunday, 24 December 1995")
    written = figure.locator(".al-token-queries").inner_text().replace("\n", "")
    assert written == "1995-12-24"
    figure.get_by_role("button", name="2024年3月5日").click()
    assert figure.locator(".al-token-queries").inner_text().replace("\n", "") == "2024-03-05"
