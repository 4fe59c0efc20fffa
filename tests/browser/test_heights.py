"""A figure keeps its height when a list or a tick chooses something else: the page stays under the hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from stored_figures import notebooks, write_page

NEAR = 8  # pixels: names of rows and columns are a little longer or shorter
MOVING = {"look"}  # arcs turn upright where a longer sentence has no room (13a)
HEIGHTS = """async () => {
  const found = [];
  for (const figure of document.querySelectorAll("figure.livetorch")) {
    const { spec, set, reset, outputs } = figure.livetorch;
    const card = figure.querySelector(".lt-card");
    const settled = async () => {
      outputs();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return card.offsetHeight;
    };
    const own = await settled();
    for (const { name, kind, options } of spec.controls) {
      const ticks = kind === "checkbox" ? [false, true] : [];
      const values = kind === "dropdown" ? options.map((_, i) => i) : ticks;
      for (const value of values) {
        set(name, value);
        found.push([spec.name, `${name} ${value}`, own, await settled()]);
      }
      reset();
    }
  }
  return found;
}"""


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_no_option_moves_what_stands_below(
    chromium: Browser, notebook: Path, tmp_path: Path, width: int
) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 740})
    page.goto(write_page(notebook, tmp_path, 1000))
    page.evaluate("Promise.all([...document.querySelectorAll('figure')].map((f) => f.livetorch.ready))")
    found = page.evaluate(HEIGHTS)
    page.close()
    jumps = [
        f"{name}, {option}: {own} pixels become {now}"
        for name, option, own, now in found
        if abs(own - now) > NEAR and name not in MOVING
    ]
    assert "\n".join(jumps) == ""
