"""A finger on every live figure of the book: points drag, a tap paints, a swipe scrolls and changes nothing.

One visit a notebook, with real touch events (Chromium turns them into scrolling as a phone does).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page
from stored_figures import notebooks, write_page

THUMBS = ".lt-range:not([hidden])"  # the one over past steps comes with the first step

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
LEAST = 24  # pixels of whatever a finger is meant for

STATE = """name => { const f = document.querySelector(`figure[data-name="${name}"]`).livetorch;
  return JSON.stringify(f.state(), (_, v) => ArrayBuffer.isView(v) ? Array.from(v) : v); }"""
# Brings the n-th element into the middle of the window; gives its box, and the place of a slider's thumb.
PLACE = """([name, css, n]) => {
  const element = document.querySelectorAll(`figure[data-name="${name}"] ${css}`)[n];
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const share = (element.value - element.min) / (element.max - element.min) || 0;
  return { x, y, width, height, share,
    line: Boolean(element.closest(".lt-line")) };
}"""
SMALL = """(least) => [...document.querySelectorAll("figure.livetorch")].flatMap((figure) =>
  [...figure.querySelectorAll("button, input, select, summary, .lt-handle-touch, .lt-token[role=radio]")]
    .filter((e) => e.type !== "checkbox" && !e.hidden && e.getClientRects().length)
    .map((e) => [e.getBoundingClientRect(), e])
    .filter(([box]) => Math.min(box.width, box.height) < least - 0.5)
    .map(([box, e]) => `${figure.dataset.name}: ${e.className.baseVal ?? e.className} is ` +
      `${box.width.toFixed()}x${box.height.toFixed()}`))"""


class Hand:
    """A finger on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touches: CDPSession = page.context.new_cdp_session(page)

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": x, "y": y} for x, y in points]
        self.touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    def move(self, start: tuple[float, float], by: tuple[float, float], steps: int = 8) -> None:
        """Put the finger down, move it, lift it."""
        self._send("touchStart", start)
        for step in range(1, steps + 1):
            part = step / steps
            self._send("touchMove", (start[0] + part * by[0], start[1] + part * by[1]))
            self.page.evaluate("new Promise((done) => requestAnimationFrame(done))")
        self.page.wait_for_timeout(80)  # a finger that rests before it is lifted leaves no momentum
        self._send("touchEnd")
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def tap(self, at: tuple[float, float]) -> None:
        """Touch one place."""
        self.move(at, (0, 0), 1)


class Figure:
    """One live figure under a finger."""

    def __init__(self, hand: Hand, name: str) -> None:
        self.hand, self.page, self.name = hand, hand.page, name

    def count(self, css: str) -> int:
        return self.page.locator(f'figure[data-name="{self.name}"] {css}').count()

    def place(self, css: str, n: int) -> dict[str, Any]:
        return self.page.evaluate(PLACE, [self.name, css, n])

    def state(self) -> dict[str, Any]:
        return json.loads(self.page.evaluate(STATE, self.name))

    def scrolled(self) -> float:
        return self.page.evaluate("scrollY")

    def faults(self) -> Iterator[str]:
        """What a finger does wrong on this figure."""
        yield from self.faults_of_swipes()
        for n in range(self.count(".lt-handle")):
            yield from self.faults_of_a_point(n)
        for n in range(self.count(THUMBS)):
            yield from self.faults_of_a_thumb(n)
        for n in range(self.count(".lt-editable")):
            yield from self.faults_of_a_tap(n)

    def faults_of_swipes(self) -> Iterator[str]:
        for css in (THUMBS, ".lt-stage:not(.lt-drawn-on)", ".lt-token-row", ".lt-wide"):
            for n in range(self.count(css)):
                box = self.place(css, n)
                spots = {"middle": 0.5, "start": 0.12} | ({"thumb": box["share"]} if css == THUMBS else {})
                for spot, share in spots.items():
                    box = self.place(css, n)
                    before, top = self.state(), self.scrolled()
                    inset = 10 if spot == "thumb" else 0
                    x = box["x"] + inset + share * (box["width"] - 2 * inset)
                    self.hand.move((x, box["y"] + box["height"] / 2), (3, -150))
                    if self.scrolled() - top < 60:
                        yield f"a swipe over {css} {n} ({spot}) scrolls by {self.scrolled() - top} pixels"
                    if self.state() != before:
                        yield f"a swipe over {css} {n} ({spot}) changes the figure"

    def faults_of_a_point(self, n: int) -> Iterator[str]:
        box = self.place(".lt-handle", n)
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        line = box["line"]  # it moves along its axis only, and stands at the foot of a long line
        start = (middle[0], box["y"] + box["height"] - 17) if line else middle
        for by in ((40, 0), (0, -60)):
            before, top = self.state(), self.scrolled()
            self.hand.move(start, by)
            moved = self.state() != before
            if self.scrolled() != top:
                yield f"a drag of point {n} by {by} scrolls the page"
            if not moved and not (line and by[0] == 0):
                yield f"a drag of point {n} by {by} does not move it"
            self.page.evaluate(
                'n => document.querySelector(`figure[data-name="${n}"]`).livetorch.reset()', self.name
            )

    def faults_of_a_thumb(self, n: int) -> Iterator[str]:
        box = self.place(THUMBS, n)
        at = (box["x"] + 10 + box["share"] * (box["width"] - 20), box["y"] + box["height"] / 2)
        before, top = self.state(), self.scrolled()
        way = -0.6 if box["share"] > 0.5 else 0.6
        self.hand.move(at, (way * box["width"], 2))
        if self.state() == before:
            yield f"thumb {n} does not follow the finger"
        if abs(self.scrolled() - top) > 3:
            yield f"thumb {n} scrolls the page by {self.scrolled() - top} pixels"

    def faults_of_a_tap(self, n: int) -> Iterator[str]:
        box = self.place(".lt-editable", n)
        before = self.state()
        self.hand.tap((box["x"] + 0.6 * box["width"], box["y"] + 0.4 * box["height"]))
        if self.state() == before:
            yield f"a tap on map {n} paints nothing"


# How far the numbers of neighbouring cells stand apart, in maps that a finger paints.
CELLS = """(least) => {
  const at = (tick, side) => tick.querySelector("line").getBoundingClientRect()[side];
  const gaps = (map, axis, side) => [...map.querySelectorAll(`${axis} .tick`)].slice(1)
    .map((tick) => at(tick, side) - at(tick.previousElementSibling, side));
  return [...document.querySelectorAll(".lt-editable")]
    .map((map) => [map, Math.min(...gaps(map, ".lt-x", "left"), ...gaps(map, ".lt-y", "top"))])
    .filter(([, gap]) => gap < least)
    .map(([map, gap]) => `${map.closest("figure").dataset.name}: cells of ${gap.toFixed(1)} pixels`);
}"""


@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_a_finger_drags_taps_and_scrolls(chromium: Browser, notebook: Path, tmp_path: Path) -> None:
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    page.goto(write_page(notebook, tmp_path))
    names = page.evaluate("[...document.querySelectorAll('figure.livetorch')].map((f) => f.dataset.name)")
    page.evaluate("Promise.all([...document.querySelectorAll('figure')].map((f) => f.livetorch.ready))")
    assert names
    small = page.evaluate(SMALL, LEAST) + page.evaluate(CELLS, LEAST)
    faults = [f"{name}: {fault}" for name in names for fault in Figure(Hand(page), name).faults()]
    context.close()
    assert "\n".join(small + faults) == ""
