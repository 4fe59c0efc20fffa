"""Narrower letters than those of this machine lay no name over another, cut nothing and draw the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from layout_faults import faults, names, overflow
from open_number import READY
from playwright.sync_api import Browser
from stored_figures import notebooks, write_page
from test_one_drawing import KEEP, WIDE, WORDS, differences

SIZES = (1280, 360)
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SHOWN = """(letters) => {
  const ink = document.createElement("canvas").getContext("2d");
  const wide = (weight) => {
    ink.font = `${weight} 100px ${getComputedStyle(document.querySelector("figure .lt-card")).fontFamily}`;
    return ink.measureText("attention").width;
  };
  return [wide(400), wide(700)];
}"""


@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_narrow_letters_leave_the_layout_whole(chromium: Browser, notebook: Path, tmp_path: Path) -> None:
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(KEEP)
    page.goto(write_page(notebook, tmp_path, WIDE, "narrow"))
    drawn = page.evaluate(WORDS, 14)
    assert drawn
    found = [f"{name}: {fault}" for name, one in drawn.items() for fault in differences(one, lines=1)]
    for width in SIZES:
        page.set_viewport_size({"width": width, "height": 740})
        page.evaluate(FRAMES)
        found += [f"{width} {fault}" for name in names(page) for fault in faults(page, name)]
        if (wider := overflow(page)) > 0:
            found.append(f"{width}: the page scrolls sideways by {wider} pixels")
    page.close()
    assert "\n".join(found) == ""


def test_letters_of_a_page_are_those_that_were_asked_for(chromium: Browser, tmp_path: Path) -> None:
    widths = {}
    for letters in ("wide", "narrow"):
        page = chromium.new_page()
        page.goto(write_page(notebooks()[0], tmp_path, WIDE, letters))
        page.evaluate(READY)
        page.evaluate("document.fonts.ready.then(() => 0)")
        widths[letters] = page.evaluate(SHOWN)
        page.close()
    assert widths["wide"] == pytest.approx([456, 524], abs=4)  # as their files say
    assert widths["narrow"] == pytest.approx([350, 383], abs=4)
