"""Every live figure on a phone: control and effect on one screen, large targets, letters that can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from finger import PHONE
from open_number import PLACE, Panel
from playwright.sync_api import Browser, Page
from stored_figures import notebooks, write_page

LEAST = 24  # pixels of whatever a finger is meant for
SMALLEST = 12  # pixels of a letter, as it is shown
WIDTHS = (320, 360, 768, 1280)

# What a finger is meant for and could miss; a box with words is as large as its label.
SMALL = """(least) => [...document.querySelectorAll("figure.livetorch")].flatMap((figure) =>
  [...figure.querySelectorAll("button, input, select, summary, a, .lt-handle-touch, [role=radio]")]
    .filter((e) => !e.hidden && e.checkVisibility({ checkVisibilityCSS: true }) && e.getClientRects().length)
    .map((e) => [(/checkbox|radio/.test(e.type) ? e.closest("label") : e).getBoundingClientRect(), e])
    .filter(([box]) => Math.min(box.width, box.height) < least - 0.5)
    .map(([box, e]) => `${figure.dataset.name}: ${e.className.baseVal ?? e.className} is ` +
      `${box.width.toFixed()}x${box.height.toFixed()}`))"""
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
LETTERS = """(smallest) => [...document.querySelectorAll("figure.livetorch")].flatMap((figure) => {
  const found = new Set();
  const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const e = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || e.closest("script, style, .lt-spoken")) continue;
    if (!e.checkVisibility({ checkVisibilityCSS: true }) || !e.getClientRects().length) continue;
    const drawn = e.getScreenCTM?.();  // of an SVG, which may be shown smaller than it is
    const size = parseFloat(getComputedStyle(e).fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
    if (size < smallest - 0.01) found.add(`${e.getAttribute("class") ?? e.tagName} of ${size.toFixed(1)}`);
  }
  return [...found].map((one) => `${figure.dataset.name}: ${one}`);
})"""
BY = {"example"}  # 06a: three matrices under each other, too high a row to stay above four matrices of fields
# Controls from which nothing of the picture is seen that they change, in figures taller than the window.
APART = """async () => {
  const found = [];
  for (const figure of document.querySelectorAll("figure.livetorch")) {
    if (figure.offsetHeight <= innerHeight) continue;
    const led = figure.querySelector(".lt-leading");
    for (const control of figure.querySelectorAll(".lt-control, .lt-run")) {
      if (!control.getClientRects().length) continue;
      control.scrollIntoView({ block: "end", behavior: "instant" });
      await new Promise((done) => requestAnimationFrame(done));
      const { top, bottom } = led?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      const own = control.getBoundingClientRect();
      const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
      const what = `${figure.dataset.name}: ${control.textContent.slice(0, 30)}`;
      const enough = Math.min(100, led?.offsetHeight ?? 100) - 1;
      if (seen < enough) found.push(`${what}: ${seen} pixels of the picture`);
      else if (own.top < bottom - 1 && own.bottom > top) found.push(`${what} is behind the picture`);
    }
  }
  return found;
}"""


@pytest.fixture(params=notebooks(), ids=lambda path: path.stem)
def page(request, chromium: Browser, tmp_path: Path):
    context = chromium.new_context(**PHONE)
    page = context.new_page()
    page.goto(write_page(request.param, tmp_path))
    page.evaluate("Promise.all([...document.querySelectorAll('figure')].map((f) => f.livetorch.ready))")
    yield page
    context.close()


def test_what_a_control_changes_is_seen_beside_it(page: Page) -> None:
    apart = [line for line in page.evaluate(APART) if line.split(":")[0] not in BY]
    assert "\n".join(apart) == ""


def test_targets_are_large_enough_and_letters_too(page: Page) -> None:
    small = page.evaluate(SMALL, LEAST) + page.evaluate(CELLS, LEAST)
    page.evaluate("for (const fold of document.querySelectorAll('figure details')) fold.open = true")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found = page.evaluate(LETTERS, SMALLEST) + (page.evaluate(SMALL, LEAST) if width < 768 else [])
        small += [f"{width}: {fault}" for fault in found]
        if (wider := page.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0:
            small.append(f"{width}: the page scrolls sideways by {wider} pixels")
    page.set_viewport_size({"width": 360, "height": 740})
    for name in page.evaluate("[...document.querySelectorAll('figure')].map((f) => f.dataset.name)"):
        panel = Panel(page, name)
        at = panel.views()[0].evaluate(PLACE)
        page.keyboard.down("Alt")  # asks where a press edits, too
        page.mouse.click(at["x"], at["y"])
        page.keyboard.up("Alt")
        panel.settle()
        found = page.evaluate(SMALL, LEAST) + page.evaluate(LETTERS, SMALLEST)
        small += [f"opened: {fault}" for fault in found]
        panel.close()
    assert "\n".join(small) == ""
