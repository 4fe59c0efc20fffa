"""A large map comes nearer by wheel, fingers and keys; each cell keeps its name and number."""

import pytest
import torch

from livetorch import Slider, explore
from livetorch.views import Heatmap

MANY = 120
NUMBERS = torch.arange(MANY * MANY).reshape(MANY, MANY) / MANY**2


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    def scaled(by):
        return NUMBERS * by

    names = [f"word{i}" for i in range(MANY)]
    figure = explore(scaled, by=Slider(0.5, 1.0, 0.5, 1.0), view=Heatmap(xticks=names))
    return figure.save(tmp_path_factory.mktemp("zoom") / "page.html")


@pytest.fixture
def page(chromium, path):
    context = chromium.new_context(has_touch=True, bypass_csp=True, viewport={"width": 1000, "height": 700})
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("figure.lt-mounted")
    yield page
    context.close()


def names(page, side):
    return [int(text.removeprefix("word")) for text in page.locator(f".lt-{side} text").all_text_contents()]


def said(page):
    return page.locator(".lt-view-heatmap .lt-readout").inner_text()


def middle(page):
    box = page.locator(".lt-view-heatmap canvas").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_ctrl_and_the_wheel_zoom_where_the_pointer_is_and_the_bare_wheel_scrolls(page):
    few = names(page, "x")
    assert len(few) < MANY / 2  # thinned out
    page.evaluate("document.body.style.minHeight = '3000px'")
    page.mouse.move(*middle(page))
    page.wait_for_function("document.querySelector('.lt-readout').textContent !== ''")
    before = said(page)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -1200)
    page.keyboard.up("Control")
    page.wait_for_function("document.querySelectorAll('.lt-x text').length < 20")
    assert page.evaluate("scrollY") == 0
    page.mouse.move(*[at + 1 for at in middle(page)])
    assert said(page).split(",")[0].split()[0] == before.split()[0]
    row = int(said(page).split(",")[0].split()[1])
    assert abs(row - int(before.split(",")[0].split()[1])) <= 1  # the cell under the pointer stays there
    near = names(page, "x")
    assert near == list(range(near[0], near[0] + len(near)))  # every name is back
    page.mouse.wheel(0, 300)
    page.wait_for_function("scrollY > 0")


def test_keys_zoom_walk_beyond_the_window_and_come_back(page):
    stage = page.locator(".lt-view-heatmap .lt-stage")
    stage.focus()
    page.keyboard.press("ArrowRight")
    for _ in range(6):
        page.keyboard.press("+")
    assert len(names(page, "x")) < 15
    for _ in range(30):
        page.keyboard.press("ArrowDown")
    assert said(page).startswith("query 31, key 2 (word1): 0.2")
    page.keyboard.press("Control+End")
    assert said(page).startswith(f"query {MANY}, key {MANY} (word{MANY - 1}): 1.00")
    page.keyboard.press("Enter")
    page.wait_for_selector(".lt-open, .lt-panel")
    assert f"“word{MANY - 1}” for query {MANY}" in page.locator("figure").inner_text()
    page.keyboard.press("Escape")
    stage.focus()
    page.keyboard.press("0")
    assert page.get_by_role("button", name="Show the whole map").is_disabled()
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keys of a live figure").is_visible()
    assert "make a map larger" in page.locator("dialog.lt-keys").inner_text()


def test_two_fingers_zoom_and_the_page_keeps_its_size(page):
    x, y = middle(page)
    hand = page.context.new_cdp_session(page)

    def touch(kind, apart):
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if apart else []})

    touch("touchStart", 20)
    for apart in (40, 80, 120):
        touch("touchMove", apart)
    touch("touchEnd", 0)
    page.wait_for_function("document.querySelectorAll('.lt-x text').length > 12")
    near = names(page, "x")
    assert max(near) - min(near) < MANY / 4
    assert page.evaluate("visualViewport.scale") == 1
