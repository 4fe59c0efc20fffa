"""A strip on the page: steps fill it and the others make room, the die falls on the piece that is told."""

import pytest
from open_number import FIGURE
from waiting import wait_until

WIDTHS = "strip => [...strip.querySelectorAll('.lt-piece')].map((piece) => +piece.getAttribute('width'))"

STRIP = "document.querySelector('[data-name=draw] .lt-view-strip')"
FALLEN = f"before => {STRIP}.querySelector('.lt-readout').innerText !== before"
BOXES = f"""() => [".lt-piece.lt-marked", ".lt-pointer-line"].map((part) => {{
  const {{ left, right }} = {STRIP}.querySelector(part).getBoundingClientRect();
  return [left, right];
}})"""


def test_each_step_fills_two_places_and_the_others_make_room(stored_page):
    page = stored_page("09a_same_answer_less_memory", reduced_motion="reduce")
    figure = page.locator(FIGURE.format("read-tile"))
    strip = figure.locator(".lt-view-strip")
    empty = [strip.locator(".lt-no-column").count()]
    firsts = []
    for step in range(3):
        widths = strip.evaluate(WIDTHS)
        shares = figure.evaluate("f => Array.from(f.livetorch.outputs()['so far'].data)")
        assert [width / sum(widths) for width in widths] == pytest.approx(shares, abs=1e-4)
        firsts.append(widths[0])
        if step < 2:
            figure.get_by_role("button", name="Step", exact=True).click()
            empty.append(strip.locator(".lt-no-column").count())
    assert empty == [4, 2, 0]
    assert firsts == sorted(firsts, reverse=True)
    assert firsts[0] > 2 * firsts[-1] > 0


def test_the_die_falls_on_the_piece_that_is_told(stored_page):
    page = stored_page("10a_what_comes_next")
    figure = page.locator(FIGURE.format("draw"))
    strip = figure.locator(".lt-view-strip")
    die = figure.get_by_label("The die shows", exact=True)
    said = [strip.locator(".lt-readout").inner_text()]
    for key in ("End", "Home"):
        die.press(key)
        wait_until(page, FALLEN, said[-1])  # the former piece is marked until the strip is drawn anew
        piece, line = page.evaluate(BOXES)
        assert piece[0] - 1 <= line[0] <= line[1] <= piece[1] + 1
        said.append(strip.locator(".lt-readout").inner_text())
    said.pop(0)
    assert all("falls on piece" in words for words in said)
    assert said[0] != said[1]
