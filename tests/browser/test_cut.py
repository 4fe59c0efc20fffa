"""What is cut off on the pages: nothing in the header, and what scrolls sideways shows that it does."""

from __future__ import annotations

import pytest
from built_site import pages

# What scrolls sideways without a shade at its edge (figures are tests/browser/test_layout.py's).
UNSEEN = """() => [...document.querySelectorAll(".bd-article *:not(.livetorch *)")].filter((e) => {
  if (e.scrollWidth <= e.clientWidth + 2 || !e.clientWidth || !e.checkVisibility()) return false;
  const style = getComputedStyle(e);
  return /auto|scroll/.test(style.overflowX) && !style.backgroundAttachment.includes("local");
}).map((e) => `${e.tagName} ${e.className}: ${e.textContent.trim().slice(0, 40)}`)"""
HEADER = """() => {
  const ink = document.createElement("canvas").getContext("2d");
  const found = [];
  for (const e of document.querySelectorAll(".bd-header-article :is(button, a, select)")) {
    if (!e.checkVisibility()) continue;
    const { left, right } = e.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) found.push(`${e.className} leaves the window`);
    if (e.tagName !== "SELECT") continue;
    const style = getComputedStyle(e);
    ink.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const arrow = style.appearance === "none" ? 0 : 14;
    const room = e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
    const cut = [...e.options].filter(({ text }) => ink.measureText(text).width > room + 1);
    found.push(...cut.map(({ text }) => `"${text}" is cut`));
  }
  return found;
}"""
SHOW_ALL = """document.documentElement.dataset.restored = "";
for (const fold of document.querySelectorAll("details")) fold.open = true;"""


@pytest.mark.parametrize("name", pages())
def test_what_scrolls_sideways_shows_it_and_the_header_is_whole(open_page, name):
    page = open_page(name, width=360).page
    page.evaluate(SHOW_ALL)
    assert "\n".join(page.evaluate(UNSEEN)) == ""
    for width in (320, 360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(HEADER) == []
