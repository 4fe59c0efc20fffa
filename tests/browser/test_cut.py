"""Every page on a phone: nothing moves or is cut off, and what scrolls sideways shows that it does."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from built_site import pages
from layout_shifts import shifts, too_far

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


WIDTHS = (320, 360, 768, 1280)


@pytest.fixture(params=pages())
def visit(request, visits, open_page):
    """Open a page on a phone once and note what the tests below ask about."""
    name = request.param
    if name not in visits:
        opened = open_page(name, width=360)
        page = opened.page
        moved, overflow = shifts(page), opened.overflow()
        header = []
        for width in WIDTHS:  # before all is unfolded, which makes each other width dear
            page.set_viewport_size({"width": width, "height": 740})
            header += [f"{width}: {fault}" for fault in page.evaluate(HEADER)]
        opened.resize(360)
        page.evaluate(SHOW_ALL)
        visits[name] = SimpleNamespace(
            moved=moved, overflow=overflow, header=header, unseen=page.evaluate(UNSEEN)
        )
    return visits[name]


def test_a_page_keeps_still_while_it_comes_to_a_phone(visit):
    assert too_far(visit.moved) == []


def test_a_page_does_not_scroll_sideways_on_a_phone(visit):
    assert visit.overflow <= 0


def test_what_scrolls_sideways_shows_it(visit):
    assert "\n".join(visit.unseen) == ""


def test_the_header_is_whole(visit):
    assert visit.header == []
