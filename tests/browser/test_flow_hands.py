"""A flow under real hands: a number lights up the cells that made it, and the walk fills matrices."""

import re

import accessibility
import pytest
from finger import PHONE, Hand
from open_number import Panel
from sampling import sample
from waiting import wait_until

CELL = """(flow, [part, i]) => {
  const group = [...flow.querySelectorAll("svg > g")].filter((g) => g.querySelector(".lt-flow-cell"))[part];
  const cell = group.querySelectorAll(".lt-flow-cell")[i];
  cell.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = cell.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}"""
SCORES = 4  # X, Q, K, V, scores
MIDDLE = 4  # the second row and column


def place(flow, part: int, i: int) -> dict[str, float]:
    return flow.evaluate(CELL, [part, i])


def reads(page, count: int) -> None:
    wait_until(page, f"document.querySelectorAll('.lt-flow-read').length === {count}")


def test_pointing_lights_up_row_and_column_and_writes_the_sum(stored_page):
    page = stored_page("06a_self_attention")
    panel = Panel(page, "path")
    flow = panel.figure.locator(".lt-view-flow")
    at = place(flow, SCORES, MIDDLE)
    page.mouse.move(at["x"], at["y"])
    reads(page, 6)
    said = flow.locator(".lt-flow-said")
    assert said.inner_text() == "2·4 + 2·4 + 2·0 = 16"
    numbers = [float(text.replace("−", "-")) for text in re.findall(r"\d+(?=·)", said.inner_text())]
    q = panel.figure.evaluate("f => Array.from(f.livetorch.outputs().Q.data)")[3:6]
    assert numbers == q
    page.mouse.move(2, 2)
    assert flow.locator(".lt-flow-read").count() == 0
    assert not panel.is_open()


def test_a_tap_on_a_cell_opens_its_number_at_once(stored_page):
    page = stored_page("06a_self_attention", **PHONE)
    panel = Panel(page, "path")
    flow, hand = panel.figure.locator(".lt-view-flow"), Hand(page)
    at = place(flow, SCORES, MIDDLE)
    hand.tap((at["x"], at["y"]))
    reads(page, 6)
    panel.settle()
    assert panel.is_open()


def test_keys_walk_from_matrix_to_matrix_and_say_the_sum(stored_page):
    page = stored_page("06a_self_attention")
    panel = Panel(page, "path")
    flow = panel.figure.locator(".lt-view-flow")
    flow.locator(".lt-stage").focus()
    for key in ("End", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    reads(page, 4)
    spoken = panel.figure.locator(".lt-spoken")
    wait_until(page, "[...document.querySelectorAll('.lt-spoken')].some((e) => /times/.test(e.textContent))")
    text = "".join(spoken.all_text_contents())
    assert text.startswith("queries Q, query 2 (like), number 1: ")
    assert "0 times 1 plus 2 times 1" in text


def test_the_walk_fills_what_was_empty_and_moves_nothing_on_the_page(stored_page):
    page = stored_page("06a_self_attention", reduced_motion="reduce")
    panel = Panel(page, "path")
    flow = panel.figure.locator(".lt-view-flow")
    button, height = flow.locator(".lt-flow-button"), flow.bounding_box()["height"]
    left = []
    for _ in range(6):
        button.press("Enter")
        wait_until(page, "document.querySelectorAll('.lt-flow-made').length === 1")
        left.append(flow.locator(".lt-flow-empty").count())
        assert flow.bounding_box()["height"] == pytest.approx(height, abs=1)
    assert left == [45, 36, 27, 18, 9, 0]
    assert not panel.is_open(), "the button is pressed, no number is asked for"


@pytest.mark.parametrize("theme", sample(["light", "dark"], 1))
def test_axe_finds_nothing_while_a_cell_is_lit(stored_page, theme):
    page = stored_page(
        "06a_self_attention",
        change=lambda text: text.replace('data-theme="light"', f'data-theme="{theme}" data-marked=""'),
    )
    flow = Panel(page, "path").figure.locator(".lt-view-flow")
    at = place(flow, SCORES, MIDDLE)
    page.mouse.move(at["x"], at["y"])
    reads(page, 6)
    assert accessibility.findings(page, ".lt-card") == []
