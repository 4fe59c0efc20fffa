"""The decks for a lecture: their length, nothing cut, a figure's keys its own, still figures on paper."""

import pytest
from playwright.sync_api import expect
from sampling import few, weekly
from waiting import wait_until

from tools.course import slides

FAULTS = """() => {
  const slide = document.querySelector("section.present");
  const edge = slide.getBoundingClientRect();
  const cut = [...slide.querySelectorAll(":not(aside, aside *, .katex *)")].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.width && (box.bottom > edge.bottom + 1 || box.right > edge.right + 1);
  });
  const raw = [...slide.querySelectorAll("p")].map((part) => {
    const copy = part.cloneNode(true);
    for (const formula of copy.querySelectorAll(".katex")) formula.remove();
    return copy.textContent;
  });
  const said = cut.map((part) => part.outerHTML.slice(0, 80));
  return [...said, ...raw.filter((text) => /[$][$]|\\\\[a-z]/.test(text))];
}"""
AT = "Reveal.getIndices().h"


@pytest.fixture(scope="module")
def decks(site, tmp_path_factory):
    return slides.write(site, tmp_path_factory.mktemp("slides"), few(1, 99))


def opened(chromium, path, query="", *, figures=True):
    """Open a deck from disk, its figures' rooms empty if need be; what it complains of is noted."""
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    if not figures:
        page.route("**/embed/**", lambda route: route.abort())
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto(f"file://{path}{query}")
    wait_until(page, "window.Reveal?.isReady?.()")
    return page


@weekly
def test_no_deck_has_more_than_15_slides_and_none_is_cut(chromium, decks):
    for path in decks:
        page = opened(chromium, path, figures=False)
        many = page.evaluate("Reveal.getTotalSlides()")
        assert 4 <= many <= slides.MOST, path.name
        for at in range(many):
            page.evaluate(f"Reveal.slide({at}, 0, 99)")
            assert page.evaluate(FAULTS) == [], (path.name, at)
        assert page.errors == []
        page.close()


def test_a_figure_fills_its_slide(chromium, decks):
    page = opened(chromium, decks[0])
    page.evaluate("Reveal.slide(2)")
    wait_until(page, "document.querySelector('section.present iframe').style.opacity === '1'")
    box = page.locator("section.present iframe").bounding_box()
    assert box["width"] > 1150 or box["height"] > 600
    inside = page.frame_locator("section.present iframe")
    assert not inside.locator(".lt-foot").is_visible()
    assert slides.CREDIT in page.locator("section.last").text_content()
    page.close()


def test_keys_and_touches_in_a_figure_do_not_turn_the_slide(chromium, decks):
    page = opened(chromium, decks[0], "?theme=dark")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    wait_until(page, f"{AT} === 2")
    frame = page.frame_locator("section.present iframe")
    slider = frame.locator("input[type=range]").first
    slider.wait_for()
    before = slider.input_value()
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(slider).not_to_have_value(before)
    assert page.evaluate(AT) == 2
    assert frame.locator("html").get_attribute("data-theme") == "dark"
    page.locator(".back").click()
    page.keyboard.press("ArrowRight")
    wait_until(page, f"{AT} === 3")
    page.close()


def test_on_paper_figures_are_still(chromium, decks):
    page = opened(chromium, decks[0], "?print-pdf")
    page.emulate_media(media="print")
    wait_until(page, "document.querySelectorAll('.pdf-page').length > 3")
    assert not page.locator(".figure iframe").first.is_visible()
    pictures = page.locator(".figure .still")
    assert pictures.count() > 1
    assert pictures.first.is_visible()
    paper = page.pdf(prefer_css_page_size=True, print_background=True)
    assert paper.count(b"/Type /Page\n") <= slides.MOST
    page.close()
