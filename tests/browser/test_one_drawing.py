"""The still picture of a figure and the live one at its start: the same words in the same places."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from stored_figures import notebooks, write_page

WIDE = 736  # of a card whose views have the width that pictures are drawn for
NEAR = 3  # pixels

# The words that views draw as shapes, each with its middle, seen from the corner of the views.
WORDS = """async (pad) => {
  const all = {};
  const words = (svgs, x0, y0) => svgs.flatMap((svg) => [...svg.querySelectorAll("text")]).map((text) => {
    const { x, y, width, height } = text.getBoundingClientRect();
    return [text.textContent, x + width / 2 - x0, y + height / 2 - y0];
  });
  for (const figure of document.querySelectorAll("figure.livetorch")) {
    const src = figure.dataset.still;
    await figure.livetorch.ready;
    const views = figure.querySelector(".lt-views");
    await new Promise((done) => setTimeout(done, 250));  // columns settle
    const corner = views.getBoundingClientRect();
    const live = words([...views.querySelectorAll("svg")], corner.x, corner.y);
    const svg = decodeURIComponent(src.slice(src.indexOf(",") + 1));
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    const still = document.body.appendChild(document.importNode(parsed.documentElement, true));
    const place = still.getBoundingClientRect();
    all[figure.dataset.name] = { live, still: words([still], place.x + pad, place.y + pad),
      heights: [corner.height, place.height - 2 * pad] };
    still.remove();
  }
  return all;
}"""
KEEP = """addEventListener("DOMContentLoaded", () => {
  for (const figure of document.querySelectorAll("figure.livetorch"))
    figure.dataset.still = figure.querySelector("img").src;
});"""


@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_the_still_picture_is_the_live_figure(chromium: Browser, notebook: Path, tmp_path: Path) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(KEEP)
    page.goto(write_page(notebook, tmp_path, WIDE))
    found = page.evaluate(WORDS, 14)
    page.close()
    assert found
    faults = []
    for name, drawn in found.items():
        left = list(drawn["still"])
        for word, x, y in drawn["live"]:
            near = [w for w in left if w[0] == word and max(abs(w[1] - x), abs(w[2] - y)) <= NEAR]
            if near:
                left.remove(near[0])
            else:
                faults.append(f"{name}: {word!r} at {x:.0f}, {y:.0f} is not in the picture")
        live, still = drawn["heights"]
        if abs(live - still) > NEAR * 3:
            faults.append(f"{name}: {live:.0f} pixels high, its picture {still:.0f}")
    assert "\n".join(faults) == ""
