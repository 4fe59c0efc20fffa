"""What stands beside the present state in Chromium: curves along sliders, a pinned state, past steps."""

import re

import accessibility
import pytest
from playwright.sync_api import Locator, Page
from waiting import wait_until

CHAPTER, TRAINING = "01b_learn_the_width", "train-step"
MAPS, TURNED = "09c_move_the_brackets", "turn-up"
OUTPUT = "(f, name) => [...f.livetorch.outputs()[name].data]"
ASKED = """<script>
  window.asked = [];
  const list = (changes) => {
    for (const { addedNodes } of changes) for (const { src } of addedNodes) asked.push(src);
  };
  new MutationObserver(list).observe(document, { childList: true, subtree: true });
</script>"""
SAVING = "<script>Object.defineProperty(navigator, 'connection', { value: { saveData: true } })</script>"
CURVE = "document.querySelector('.lt-track path[d]') !== null"


def for_axe(text: str) -> str:
    return text.replace('data-theme="light"', 'data-theme="light" data-marked=""')


def figure_of(page: Page, name: str) -> Locator:
    figure = page.locator(f'figure[data-name="{name}"]')
    figure.scroll_into_view_if_needed()
    return figure


def described(slider: Locator) -> str:
    """What a screen reader says of a slider beyond its name."""
    said = (
        "each => document.getElementById(each.getAttribute('aria-describedby').split(' ').at(-1)).textContent"
    )
    return slider.evaluate(said)


def test_the_curve_is_what_the_figure_gives_at_each_place_of_the_thumb(stored_page):
    page = stored_page(CHAPTER)
    figure = figure_of(page, TRAINING)
    height = figure.bounding_box()["height"]
    wait_until(page, CURVE)
    assert figure.bounding_box()["height"] == height  # its room was kept from the start
    slider = figure.get_by_role("slider", name="w = 1 / width")
    told = re.search(
        r"least with ([\d.]+) at ([\d.]+), and most with ([\d.]+) at ([\d.]+)\.", described(slider)
    )
    least, low, most, high = map(float, told.groups())
    for wanted, w in ((least, low), (most, high)):
        figure.evaluate("(f, w) => f.livetorch.set('w', w)", w)
        assert figure.evaluate(OUTPUT, "loss")[0] == pytest.approx(wanted, rel=0.01)
    # the dot lies on the curve: at its lowest place the number is the least
    figure.evaluate("(f, w) => f.livetorch.set('w', w)", low)
    wait_until(page, "parseFloat(document.querySelector('.lt-track-dot').style.top) > 98")
    # another control draws it anew
    before = described(slider)
    figure.get_by_label("Leave one out").click()
    wait_until(page, "!document.querySelector('.lt-track.lt-stale')")
    assert described(slider) != before


def test_the_part_comes_only_where_a_slider_has_a_curve_and_not_to_those_who_save_data(stored_page):
    page = stored_page(CHAPTER, change=lambda text: text.replace("<meta", ASKED + "<meta", 1))
    figure_of(page, TRAINING)
    wait_until(page, CURVE)
    assert page.evaluate("window.asked.filter((url) => url?.includes('livetorch-curves')).length") == 1
    page = stored_page("06a_self_attention", change=lambda text: text.replace("<meta", ASKED + "<meta", 1))
    assert page.evaluate("window.asked.filter((url) => url?.includes('livetorch-curves')).length") == 0
    page = stored_page(CHAPTER, change=lambda text: text.replace("<meta", SAVING + ASKED + "<meta", 1))
    assert page.evaluate("window.asked.filter((url) => url?.includes('livetorch-curves')).length") == 0
    assert page.locator(".lt-track").count() == 0


def test_a_state_is_pinned_by_the_keyboard_and_the_maps_go_back_to_any_step(stored_page):
    page = stored_page(CHAPTER, change=for_axe)
    figure = figure_of(page, TRAINING)
    compare = figure.get_by_role("button", name="Compare")
    curve = figure.locator(".lt-view-lines .lt-curve").first
    old = curve.get_attribute("d")
    assert figure.locator(".lt-ghost").count() == 0
    compare.press("Enter")
    wait_until(page, "document.querySelectorAll('.lt-ghost').length > 0")
    figure.get_by_role("slider", name="w = 1 / width").press("End")
    ghost = figure.locator(".lt-view-lines .lt-ghost path").first
    assert numbers(ghost.get_attribute("d")) == pytest.approx(numbers(old), abs=0.2)
    assert numbers(curve.get_attribute("d")) != pytest.approx(numbers(old), abs=1)
    compare.press("Enter")
    assert (figure.locator(".lt-ghost").count(), compare.get_attribute("aria-pressed")) == (0, "false")
    weights = [figure.evaluate(OUTPUT, "weights")]
    for _ in range(3):
        figure.get_by_role("button", name="Step", exact=True).click()
        weights.append(figure.evaluate(OUTPUT, "weights"))
    scrub = figure.get_by_role("slider", name="Step that is shown")
    for step in (2, 1, 0):
        scrub.press("ArrowLeft")
        assert figure.evaluate(OUTPUT, "weights") == weights[step]
        assert scrub.get_attribute("aria-valuetext") == f"step {step} of 3"
        assert figure.locator(".lt-view-history .lt-rule").count() == 1
    figure.get_by_role("button", name="Step", exact=True).click()
    assert figure.locator(".lt-counter").inner_text() == "step 4"
    compare.press("Enter")  # what is judged has all of it
    assert accessibility.findings(page, ".lt-card") == []


def test_what_was_pointed_at_goes_while_a_hand_drags(stored_page):
    page = stored_page("01a_weighted_average")
    figure = page.locator("figure").filter(has=page.locator(".lt-line .lt-handle")).first
    view = figure.locator(".lt-view", has=page.locator(".lt-line"))
    dot = view.locator(".lt-line .lt-handle-ring")
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    page.mouse.move(box["x"] + 8, box["y"] + 8)
    assert view.locator(".lt-rule").count() == 1
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 8, steps=4)
    wait_until(page, "document.querySelector('.lt-rule') === null")
    assert view.locator(".lt-readout").inner_text() == ""
    page.mouse.up()
    page.mouse.move(box["x"] + 62, box["y"] + 8)
    said = float(re.search(r"Hour ([\d.]+)", view.locator(".lt-readout").inner_text())[1])
    assert said == pytest.approx(
        float(view.locator(".lt-line .lt-handle").get_attribute("aria-valuenow")), abs=0.2
    )


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"[\d.]+", path)]


def test_the_map_of_differences_is_white_where_nothing_has_changed(stored_page):
    page = stored_page(MAPS)
    figure = figure_of(page, TURNED)
    colours = """f => {
      const [canvas] = [...f.querySelectorAll("canvas.lt-ghost")].filter((each) => !each.hidden);
      const { width, height } = canvas;
      const copy = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(60, 10, 40, 40);
      return new Set(Array.from({ length: 1600 }, (_, i) => data.slice(4 * i, 4 * i + 3).join())).size;
    }"""
    figure.get_by_role("button", name="Compare").click()
    difference = figure.get_by_role("button", name="Difference in maps")
    difference.click()
    same = figure.evaluate(colours)
    figure.get_by_role("slider", name="Spread of the scores").press("End")
    assert figure.evaluate(colours) > same
    assert figure.locator(".lt-scale:visible").first.inner_text().startswith("now minus before")
    difference.click()
    assert figure.locator("canvas.lt-ghost:visible").count() == 0
