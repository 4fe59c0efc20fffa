"""Trained weights are loaded when a reader is there and near their figure, over http and from disk."""

import re

import pytest
from built_site import pages
from sampling import sample
from waiting import wait_for, wait_until

from livetorch import sphinx

# a busy browser without a window now and then says that its pointer has moved, in the corner where it is
NOBODY = """addEventListener("pointermove", (move) => {
  if (move.clientX === 0 && move.clientY === 0) move.stopImmediatePropagation();
}, true)"""
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
    """Count the files that hold a figure's weights (those of a large model are split) and its Programs."""
    names = (figure.get_attribute(f"data-{kind}") or "" for kind in ("pool", "programs"))
    return sum(len(each.split()) for each in names)


def loaded(requests: list[str]) -> list[str]:
    """Pick the files of weights out of what a page asked for."""
    return [url for url in requests if f"/_static/{sphinx.FOLDER}/" in url]


@pytest.fixture(params=sample(["http", "file"], 0, ["http"]))
def fresh(request, site, chromium):
    """Open a page with weights far below, without touching its figures."""
    yield from opened(request, site, chromium, "notebooks/10a_what_comes_next")


@pytest.fixture(params=sample(["http", "file"], 0, ["http"]))
def dates(request, site, chromium):
    """Open the page of the date translator, whose figure stands in the first screen."""
    yield from opened(request, site, chromium, "notebooks/05b_trained_translator")


def opened(request, site, chromium, name: str):
    """Open a page; give it, its first figure with weights, and what it asked for."""
    assert name in heavy_pages(site)
    home = request.getfixturevalue("server") if request.param == "http" else f"file://{site}"
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(NOBODY)
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.goto(f"{home}/{name}.html", wait_until="load")
    yield page, page.locator("figure.livetorch[data-pool]").first, asked
    page.close()


def come_near(page, figure) -> None:
    """Scroll to a figure as a reader does, and wait until it lives."""
    figure.evaluate("figure => figure.scrollIntoView({ block: 'center' })")
    wait_until(page, "document.querySelector('figure[data-pool]').classList.contains('lt-mounted')")


def test_nothing_is_loaded_before_the_figure_is_near(fresh):
    page, figure, asked = fresh
    page.mouse.move(300, 300)
    wait_until(page, "'marked' in document.documentElement.dataset")  # the page has come to rest
    page.wait_for_timeout(300)
    assert loaded(asked) == []
    assert figure.evaluate(ALIVE) is False
    assert figure.locator("img").count() == 1


def test_a_figure_in_sight_lives_without_its_weights_until_somebody_is_there(dates):
    page, figure, asked = dates
    wait_until(page, "document.querySelector('figure[data-pool]').classList.contains('lt-mounted')")
    wait_until(page, "'marked' in document.documentElement.dataset")
    page.wait_for_timeout(300)
    assert loaded(asked) == []
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", written(figure))
    page.mouse.move(300, 300)
    figure.evaluate(
        "async (figure) => { while (figure.livetorch.spec.pool.length === 0) await new Promise(setTimeout); }"
    )
    assert len(loaded(asked)) == weight_files(figure)


def test_scrolling_to_the_figure_brings_it_to_life(fresh):
    page, figure, asked = fresh
    come_near(page, figure)
    outputs = figure.evaluate("async (figure) => (await figure.livetorch.ready, figure.livetorch.outputs())")
    assert "shares" in outputs
    assert len(loaded(asked)) == len(set(loaded(asked))) == weight_files(figure)


@pytest.mark.parametrize("fresh", ["http"], indirect=True)  # what comes from disk cannot be held back here
def test_without_its_weights_the_picture_stays_and_offers_to_try_again(fresh):
    page, figure, asked = fresh
    files = weight_files(figure)
    page.route(f"**/_static/{sphinx.FOLDER}/*", lambda route: route.abort())
    page.goto(f"{page.url}?again#lt:write=temperature:0.5")  # other numbers than the page brings
    figure.scroll_into_view_if_needed()
    again = figure.get_by_role("button", name="Try again")
    again.wait_for()
    assert figure.locator("img").is_visible()
    page.unroute(f"**/_static/{sphinx.FOLDER}/*")
    assert len(set(loaded(asked))) == files
    asked.clear()
    again.click()
    wait_until(page, "document.querySelector('figure[data-pool]').classList.contains('lt-mounted')")
    assert len(loaded(asked)) == len(set(loaded(asked))) == files


@pytest.mark.parametrize("dates", ["http"], indirect=True)
def test_without_its_weights_a_figure_shows_its_first_numbers_and_offers_to_try_again(dates):
    page, figure, asked = dates
    weights = f"**/_static/{sphinx.FOLDER}/*"
    page.route(weights, lambda route: route.abort())
    page.reload()  # so that none has come, or is on its way, before it is refused
    asked.clear()
    come_near(page, figure)
    first = written(figure)
    type_date(page, figure, "Sunday, 24 December 1995")
    again = figure.get_by_role("button", name="Try again")
    again.wait_for()
    assert written(figure) == first
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", first)
    page.unroute(weights)
    again.click()
    wait_until(page, WRITTEN, "1995-12-24")  # what was typed is not forgotten
    assert figure.locator(".lt-loading").count() == 0
    assert len(set(loaded(asked))) == weight_files(figure)


# the ten characters of a written date, off the arcs: the queries stand before the keys
WRITTEN = """date => [...document.querySelectorAll("figure[data-pool] .lt-arc-text")].slice(0, 10)
  .map((each) => each.textContent).join("") === date"""


def written(figure) -> str:
    """Read the ten characters of a written date off the arcs, which write them one by one when first seen."""
    read: list[str] = []

    def whole() -> bool:
        read[:] = figure.locator(".lt-arc-text").all_text_contents()[: len("yyyy-mm-dd")]
        return len("".join(read)) == len("yyyy-mm-dd")

    wait_for(figure.page, whole, "the whole date is written")
    return "".join(read)


def type_date(page, figure, words: str) -> None:
    """Type a date, and see that it stands there."""
    field = figure.get_by_label("Date", exact=True)
    field.fill(words)
    wait_until(page, "words => document.activeElement.value === words", words)


def test_a_typed_date_is_translated_in_the_page(dates):
    page, figure, _ = dates
    figure.evaluate("figure => figure.scrollIntoView({ block: 'center' })")
    wait_until(page, "document.querySelector('figure[data-pool]').classList.contains('lt-mounted')")
    type_date(page, figure, "Sunday, 24 December 1995")
    wait_until(page, WRITTEN, "1995-12-24")
    figure.get_by_role("button", name="2024年3月5日").click()
    wait_until(page, WRITTEN, "2024-03-05")
