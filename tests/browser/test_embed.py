"""Figures shown by pages of another origin, in slides, and from disk: alive, as high as they are."""

import contextlib
import gzip
import json
import re
import shutil

import pytest
import site_server
from accessibility import findings
from built_site import ROOT
from waiting import FRAMES, wait_until

from livetorch.embed import FIGURE, SPEC
from livetorch.pools import compact

LESSON, NAME = "notebooks/01a_weighted_average", "fit"
FIT = "embed/01a_weighted_average-fit.html"
HEAVY = "embed/05b_trained_translator-date-translator.html"  # with trained weights
MOST_BYTES = 250_000  # compressed, without constants; 70,000 are a vocabulary, 28,000 a worker
REVEAL = ROOT / "node_modules" / "reveal.js" / "dist"
ICON = '<link rel="icon" href="data:,">'  # or the browser asks the host for one
HEAD = f'<!doctype html><html lang="en"><meta charset="utf-8">{ICON}<title>A course</title>'
PLAIN = HEAD + "<body>{}</body></html>"
DECK = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Slides</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="dist/reveal.css"><link rel="stylesheet" href="dist/theme/white.css"></head><body>
<div class="reveal"><div class="slides"><section><h2>First</h2></section><section>{}</section></div></div>
<script src="dist/reveal.js"></script>
<script>Reveal.initialize({{ width: 1100, height: 900, transition: "none" }});</script></body></html>"""
WIDTH = "async (e) => { await e.livetorch.ready; return e.livetorch.state().width; }"
DRAWN = "(e) => [...e.querySelectorAll('.lt-bar, rect')].map((each) => each.getAttribute('height')).join()"
FITS = """(frame) => Number(frame.height) > 300 && frame.clientHeight === Number(frame.height)"""
INNER = "Math.ceil(document.body.getBoundingClientRect().height)"


@pytest.fixture
def elsewhere(tmp_path, server):
    """Serve a folder on a port of its own, another origin than the book's; gives folder and address."""
    with site_server.serving(tmp_path) as address:
        assert address != server
        yield tmp_path, address


@pytest.fixture
def visit(chromium):
    """Give a function that opens an address; whatever a page or its frames complain of fails the test."""
    faults: list[str] = []
    with contextlib.ExitStack() as stack:

        def open_one(url: str, *, width: int = 1280, theme: str = "light", bypass_csp: bool = False):
            context = chromium.new_context(
                viewport={"width": width, "height": 900}, color_scheme=theme, bypass_csp=bypass_csp
            )
            stack.callback(context.close)
            page = context.new_page()
            page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(url)
            return page

        yield open_one
    assert faults == []


@pytest.fixture(scope="module")
def snippet(opening):
    """What the button Embed hands over once the kernel's width is 2."""
    with opening(LESSON) as opened:
        page = opened.page
        figure = page.locator(f'figure.livetorch[data-name="{NAME}"]')
        figure.evaluate(
            "(e) => { for (let f = e; f; f = f.parentElement) if (f.tagName === 'DETAILS') f.open = true; }"
        )
        figure.evaluate("async (e) => { await e.livetorch.ready; e.livetorch.set('width', 2); }")
        page.evaluate("() => Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        figure.get_by_role("button", name="Embed").click()
        field = figure.get_by_label("Code for another page")
        field.wait_for()
        assert page.evaluate("window.refused") == []
        return field.evaluate("(e) => e.value")


def _frame(page):
    """The frame of a page, once its figure lives."""
    element = page.locator("iframe")
    element.wait_for()
    frame = element.element_handle().content_frame()
    frame.wait_for_selector(".lt-card")
    return frame


def _as_high_as_it_is(page, frame) -> bool:
    wait_until(page, FITS, page.locator("iframe").element_handle())
    return int(page.locator("iframe").get_attribute("height")) == frame.evaluate(INNER)


def test_a_figure_on_a_slow_machine_asks_for_no_script_that_its_page_lacks(visit, server):
    page = visit(f"{server}/{FIT}")
    figure = page.locator("figure.livetorch")
    figure.evaluate(WIDTH)
    page.evaluate("() => { let now = performance.now(); performance.now = () => (now += 50); }")
    for width in (0.6, 0.7, 0.8, 0.9, 1.0):  # each run takes too long now
        figure.evaluate("(e, width) => (e.livetorch.set('width', width), e.livetorch.outputs())", width)


def test_a_page_of_another_origin_shows_the_figure_as_it_was_when_copied(snippet, elsewhere, visit, server):
    folder, address = elsewhere
    assert f'src="{server}/{FIT}#lt:fit=width:2"' in snippet
    (folder / "course.html").write_text(PLAIN.format(snippet.replace('height="', 'height="1')), "utf-8")
    page = visit(f"{address}/course.html")
    frame = _frame(page)
    assert frame.locator("figure").evaluate(WIDTH) == 2
    wait_until(page, "(n) => document.querySelector('iframe').height == n", frame.evaluate(INNER))
    before = page.locator("iframe").get_attribute("height")
    frame.get_by_text("Numbers").first.click()
    wait_until(page, "(h) => Number(document.querySelector('iframe').height) > h + 40", int(before))
    assert _as_high_as_it_is(page, frame)
    slider = frame.get_by_label("Width", exact=True)
    drawn = frame.locator("figure").evaluate(DRAWN)
    slider.focus()
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    assert frame.locator("figure").evaluate(WIDTH) < 2
    assert frame.locator("figure").evaluate(DRAWN) != drawn


def test_messages_of_other_frames_change_nothing(snippet, elsewhere, visit):
    folder, address = elsewhere
    (folder / "course.html").write_text(PLAIN.format(snippet), "utf-8")
    page = visit(f"{address}/course.html")
    frame = _frame(page)
    assert _as_high_as_it_is(page, frame)
    height = page.locator("iframe").get_attribute("height")
    page.evaluate("postMessage({livetorch: 'size', height: 9999}, '*')")
    page.evaluate("postMessage('size', '*')")
    frame.evaluate("postMessage({livetorch: 'theme', theme: 'dark'}, '*')")  # from itself, not from around it
    assert page.locator("iframe").get_attribute("height") == height
    assert frame.evaluate("document.documentElement.dataset.theme") is None


def test_a_slide_shows_the_figure_once_it_is_turned_to(snippet, elsewhere, visit):
    folder, address = elsewhere
    shutil.copytree(REVEAL, folder / "dist")
    (folder / "slides.html").write_text(DECK.format(snippet), "utf-8")
    page = visit(f"{address}/slides.html")
    wait_until(page, "globalThis.Reveal?.isReady()")
    page.keyboard.press("ArrowRight")
    frame = _frame(page)
    assert _as_high_as_it_is(page, frame)
    box = page.locator("iframe").bounding_box()
    assert box["width"] > 500
    frame.get_by_label("Width", exact=True).focus()
    page.keyboard.press("ArrowLeft")
    assert frame.locator("figure").evaluate(WIDTH) < 2
    assert page.evaluate("Reveal.getIndices().h") == 1  # the arrow key was the slider's


@pytest.mark.parametrize(
    ("query", "system", "seen"),
    [
        ("", "light", "light"),
        ("", "dark", "dark"),
        ("?theme=dark", "light", "dark"),
        ("?theme=light", "dark", "light"),
    ],
)
def test_a_frame_is_light_or_dark_as_asked_or_as_the_system(visit, server, query, system, seen):
    page = visit(f"{server}/{FIT}{query}", theme=system)
    page.locator(".lt-card").wait_for()
    assert page.locator("figure").get_attribute("data-lt-theme") == seen
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (seen == "light")


def test_the_page_around_a_frame_may_change_its_theme(snippet, elsewhere, visit):
    folder, address = elsewhere
    (folder / "course.html").write_text(PLAIN.format(snippet), "utf-8")
    page = visit(f"{address}/course.html")
    frame = _frame(page)
    for theme in ("dark", "light"):
        page.evaluate("(theme) => frames[0].postMessage({livetorch: 'theme', theme}, '*')", theme)
        wait_until(frame, f"document.querySelector('figure').dataset.ltTheme === '{theme}'")


def test_one_file_alone_works_from_disk_with_its_weights(visit, site, tmp_path):
    shutil.copy(site / HEAVY, tmp_path / "alone.html")
    asked: list[str] = []
    page = visit(f"file://{tmp_path}/alone.html")
    page.on("request", lambda request: asked.append(request.url))
    page.locator(".lt-card").wait_for()
    before = page.locator(".lt-views").inner_text()
    page.locator("figure input").first.fill("March 5, 2024")
    wait_until(page, "(old) => document.querySelector('.lt-views').innerText !== old", before)
    page.get_by_role("button", name="Open a number").click()
    assert asked == []


def test_a_file_has_no_serious_violation_and_fits_a_phone(visit, server):
    page = visit(f"{server}/{FIT}", width=360, bypass_csp=True)  # axe is a script that no policy names
    page.locator(".lt-card").wait_for()
    page.evaluate("document.documentElement.dataset.marked = ''")  # the book's own script would, when done
    assert findings(page, "html") == []
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(FRAMES)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_file_credits_the_book_and_leads_back_to_the_state_that_it_shows(visit, server):
    page = visit(f"{server}/{FIT}#lt:fit=width:2")
    page.locator(".lt-card").wait_for()
    credit = page.locator(".lt-credit")
    assert credit.inner_text().endswith("in Attention, Live by The Attention, Live authors, CC BY 4.0.")
    with page.context.expect_page() as opened:
        credit.locator("a").click()
    wait_until(opened.value, "document.readyState === 'complete'")
    assert opened.value.url.endswith(f"/{LESSON}.html#lt:fit=width:2")


def test_every_figure_of_the_book_has_a_file_and_none_is_heavy(site):
    named = set()
    for path in site.glob("notebooks/*.html"):
        for match in FIGURE.finditer(path.read_text(encoding="utf-8")):
            named.add(re.search(r'data-embed="\.\./(embed/[\w.-]+)"', match["attributes"])[1])
    assert len(named) > 50
    heavy = {}
    for file in named:
        text = (site / file).read_text(encoding="utf-8")
        constants = compact(json.loads(SPEC.search(text)[1])["pool"])
        assert constants in text
        text = text.replace(constants, "")
        heavy[file] = len(gzip.compress(text.encode()))
    assert {file: size for file, size in heavy.items() if size > MOST_BYTES} == {}
