"""A cell of a map sets the controls that it stands for: by mouse, finger and keyboard, kept in the link."""

import pytest
from finger import PHONE, Hand
from waiting import wait_for

LESSON, FIGURE = "13a_a_heads_name", "score"
CELL = """(figure, [row, col]) => {
  const at = (axis, i, side, size) => {
    const ticks = [...figure.querySelectorAll(`.lt-view-heatmap ${axis} .tick line`)];
    const [a, b] = [ticks[i], ticks[0]].map((tick) => tick.getBoundingClientRect());
    return a[side];
  };
  figure.querySelector(".lt-view-heatmap .lt-stage").scrollIntoView({ block: "center", behavior: "instant" });
  return [at(".lt-x", col, "left"), at(".lt-y", row, "top")];
}"""
HEAD = "f => [f.livetorch.state().layer, f.livetorch.state().head]"
RINGS = "f => f.querySelectorAll('.lt-ring').length"


def opened(stored_page, **more):
    page = stored_page(LESSON, **more)
    return page, page.locator(f'figure[data-name="{FIGURE}"]')


def test_a_click_chooses_a_head_and_a_second_one_opens_its_number(stored_page):
    page, figure = opened(stored_page)
    at = figure.evaluate(CELL, [1, 6])
    page.mouse.click(*at)
    assert figure.evaluate(HEAD) == [2, 7]
    assert figure.locator(".lt-open:not([hidden])").count() == 0
    assert figure.evaluate("f => f.livetorch.link()").endswith("=layer:2,head:7")
    page.mouse.click(*at)
    figure.locator(".lt-open:not([hidden])").wait_for()
    assert figure.evaluate(HEAD) == [2, 7]


def test_a_tap_chooses_and_a_swipe_does_not(stored_page):
    page, figure = opened(stored_page, **PHONE)
    hand, at = Hand(page), figure.evaluate(CELL, [4, 2])
    before = figure.evaluate(HEAD)
    hand.move(tuple(at), (2, -120))
    assert figure.evaluate(HEAD) == before
    hand.tap(tuple(figure.evaluate(CELL, [4, 2])))  # the browser makes a click of it a moment later
    wait_for(page, lambda: figure.evaluate(HEAD) == [5, 3], "the head that was tapped is chosen")


def test_space_chooses_what_the_arrow_keys_have_led_to(stored_page):
    page, figure = opened(stored_page)
    page.keyboard.press("Tab")
    figure.locator(".lt-view-heatmap .lt-stage").focus()
    top = page.evaluate("scrollY")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Space"):
        page.keyboard.press(key)
    assert figure.evaluate(HEAD) == [2, 3]
    assert page.evaluate("scrollY") == top
    assert "Layer 2, Head 3" in "".join(figure.locator(".lt-spoken").all_text_contents())


@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_on_a_map_that_picks_nothing_space_and_enter_open_the_number(stored_page, key):
    page = stored_page("06c_what_it_costs")
    page.keyboard.press("Tab")
    figure = page.locator('figure[data-name="sentence"]')
    figure.locator(".lt-view-heatmap .lt-stage").focus()
    top = page.evaluate("scrollY")
    page.keyboard.press(key)
    figure.locator(".lt-open:not([hidden])").wait_for()
    assert abs(page.evaluate("scrollY") - top) < 300
