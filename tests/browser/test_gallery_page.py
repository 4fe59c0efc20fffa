"""The page of all live figures at work: words, keyboard, a phone, no JavaScript, from disk."""

import gzip
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sampling import sample, weekly
from waiting import wait_for, wait_until

PAGE = "book/figures"
SHOWN = "ul.gallery > li:not([hidden])"
MOST_BYTES = 350_000
TOP = "document.querySelector('ul.gallery').getBoundingClientRect().top"


def _count(page) -> int:
    shown = "all => all.filter((each) => each.checkVisibility()).length"
    return page.locator("ul.gallery > li").evaluate_all(shown)


@pytest.mark.parametrize("scheme", sample(["http", "file"], 0, ["http"]))
def test_words_leave_the_figures_that_have_all_of_them(open_page, scheme):
    opened = open_page(PAGE, scheme=scheme)
    page, field = opened.page, opened.page.get_by_label("Find a figure by a word or an idea")
    every = _count(page)
    assert every > 50
    assert page.locator(".gallery-find output").inner_text() == f"{every} figures"
    field.fill("Mask")
    some = _count(page)
    assert 0 < some < every
    assert page.locator(".gallery-find output").inner_text() == f"{some} of {every} figures"
    headings = [each for each in page.locator("section:has(> ul.gallery) > h2").all() if each.is_visible()]
    assert 0 < len(headings) <= some
    field.fill("mask heads")
    assert _count(page) < some
    field.fill("nothing-of-this-name")
    assert _count(page) == 0
    assert page.locator(".gallery-find output").inner_text() == "No figure has this word."
    field.fill("how does it know the order?")  # an idea finds figures whose words lack it
    shown = page.locator(f"{SHOWN} > small").all_inner_texts()
    assert any(lesson.startswith("7a") for lesson in shown)
    field.fill("why do heads differ")
    assert _count(page) > 0
    field.fill("why mask")
    assert 0 < _count(page) < 30
    field.fill("flash attention zebra")
    assert page.locator(".gallery-find output").inner_text().endswith("with 2 of 3 words")
    field.fill("flash attention")
    assert all(lesson.startswith("9a") for lesson in page.locator(f"{SHOWN} > small").all_inner_texts())
    for slip in ("ordr", "oredr", "orderr"):
        field.fill(slip)
        assert _count(page) > 0
        assert page.locator(".gallery-find output").inner_text().endswith("with “order”")
    field.fill("kernel")
    some = _count(page)
    page.goto(page.url)  # the words stay in the address
    assert "q=kernel" in page.url
    assert _count(page) == some
    field.fill("")
    assert _count(page) == every
    assert (opened.errors, opened.foreign) == ([], [])


def test_a_found_figure_is_reached_by_keyboard_and_comes_alive(open_page):
    page = open_page(PAGE).page
    page.get_by_label("Find a figure by a word or an idea").focus()
    page.keyboard.type("date translator")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.matches('ul.gallery a')")
    page.keyboard.press("Enter")
    page.locator("figure[data-name=date-translator] .lt-card").wait_for()
    top = page.locator("figure[data-name=date-translator]").bounding_box()["y"]
    assert -5 <= top < 300


@weekly
def test_a_link_to_a_figure_in_a_fold_opens_the_fold_and_arrives_there(open_page, site):
    page = open_page(PAGE).page
    folded = """html => [...new DOMParser().parseFromString(html, "text/html")
      .querySelectorAll("details figure.livetorch")].map((each) => each.dataset.name)"""
    found = [
        (path.stem, name)
        for path in sorted((site / "notebooks").glob("*.html"))
        for name in page.evaluate(folded, path.read_text(encoding="utf-8"))
    ]
    assert ("06a_self_attention", "saturate") in found
    gallery = page.url
    for lesson, name in sample(found, 2, [("06a_self_attention", "saturate")]):
        address = gallery.replace(PAGE, f"notebooks/{lesson}")
        page.goto("about:blank")  # not a step within a page, and no place to be restored
        page.goto(f"{address}#lt:{name}=")
        figure = page.locator(f"figure[data-name={name}]")
        figure.locator(".lt-card").wait_for()
        wait_until(
            page, "(e) => Math.abs(e.getBoundingClientRect().y) < innerHeight / 2", figure.element_handle()
        )


@pytest.mark.parametrize(
    "figure",
    ["01a_", *sample(["08a_two_heads-minus", "08c_transformer_block-block", "12c_really_better-compare"], 1)],
)
def test_a_card_plays_while_a_mouse_rests_on_it(open_page, figure):
    opened = open_page(PAGE)
    page = opened.page
    card = page.locator(f"ul.gallery > li[data-plays*='{figure}']").first
    card.hover()
    figure = card.locator("iframe").content_frame.locator("html[data-plays] figure.livetorch")
    figure.wait_for()
    state = "(figure) => JSON.stringify(figure.livetorch.state())"
    before = figure.evaluate(state)
    wait_for(page, lambda: figure.evaluate(state) != before, "the figure plays")
    page.mouse.move(2, 2)
    wait_until(page, "!document.querySelector('.gallery iframe')")
    assert (opened.errors, opened.foreign) == ([], [])


def test_without_javascript_it_is_a_plain_list_whose_links_lead_to_the_figures(open_page):
    page = open_page(PAGE, javascript=False).page
    assert _count(page) > 50
    assert page.locator(".gallery-find").is_hidden()
    page.locator("ul.gallery a", has_text="A prediction is a weighted average").click()
    page.wait_for_load_state()
    assert -5 <= page.locator("figure[data-name=fit]").bounding_box()["y"] < 400


@pytest.mark.parametrize(
    ("width", "theme"),
    sample(
        [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")], 0, [(1280, "light"), (360, "dark")]
    ),
)
def test_the_page_is_light_fits_and_can_be_read(open_page, site, width, theme):
    opened = open_page(PAGE, width=width, theme=theme)
    page = opened.page
    page.evaluate("scrollTo(0, 0)")
    with_script = page.evaluate(TOP)
    assert opened.overflow() <= 0
    assert opened.axe() == []
    first = page.locator("ul.gallery img").first
    wait_until(page, "(e) => e.complete && e.naturalWidth > 0", first.element_handle())
    last = page.locator("ul.gallery img").last
    last.scroll_into_view_if_needed()
    wait_until(page, "(e) => e.complete && e.naturalWidth > 0", last.element_handle())
    files = {Path(f"{site}{urlsplit(url).path}") for url in opened.requests if url.startswith(opened.home)}
    assert sum(len(gzip.compress(file.read_bytes())) for file in files if file.is_file()) <= MOST_BYTES
    page.route("**/gallery.js*", lambda route: route.abort())
    page.evaluate("scrollTo(0, 0)")
    page.reload()  # the list stands where it will before the script comes
    assert not page.get_by_label("Find a figure by a word or an idea").is_visible()
    assert page.evaluate(TOP) == pytest.approx(with_script, abs=1)


DRAWN = """() => [...document.querySelectorAll("svg > g > g")].map((each) => each.getBoundingClientRect())
  .filter((box) => box.width).map(({ left, top, right, bottom }) => ({ left, top, right, bottom }))"""


def test_a_small_picture_shows_its_views_whole_and_large_enough_to_be_read(open_page, site):
    """What a card shows is not cut, held against what the browser measures, nor lost in an empty sheet."""
    opened = open_page(PAGE)
    page = opened.page
    for image in page.locator("ul.gallery img").all()[::9]:
        shown = image.evaluate("(e) => [getComputedStyle(e).objectFit, e.clientHeight / e.clientWidth]")
        assert shown == ["contain", pytest.approx(0.625, abs=0.02)]
    for file in sorted((site / "_static/pictures").glob("*.svg")):
        size = page.evaluate(
            """(text) => {
              document.body.innerHTML = text;
              Object.assign(document.body.style, { margin: 0, padding: 0 });
              const svg = document.querySelector("svg");
              Object.assign(svg.style, { position: "absolute", left: 0, top: 0 });
              return [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
            }""",
            file.read_text(encoding="utf-8"),
        )
        boxes = page.evaluate(DRAWN)
        assert boxes, file.name
        edges = [min(b["left"] for b in boxes), min(b["top"] for b in boxes)]
        far = [size[0] - max(b["right"] for b in boxes), size[1] - max(b["bottom"] for b in boxes)]
        empty = [each / whole for each, whole in zip([*edges, *far], size * 2, strict=True)]
        assert min(*edges, *far) >= -2, (file.name, edges, far)
        assert max(empty) <= 0.25, (file.name, empty)
        assert min(320 / size[0], 200 / size[1]) > 0.3, file.name
