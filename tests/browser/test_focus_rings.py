"""What has the focus shows its whole ring: nothing that scrolls, folds or ends at the window cuts it off."""

from __future__ import annotations

from pathlib import Path

import pytest

CUT = Path(__file__).with_name("focus_rings.js").read_text(encoding="utf-8")
PAGES = ("book/intro", "notebooks/01a_weighted_average", "notebooks/13a_a_heads_name", "book/notation")


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", PAGES)
def test_no_ring_is_cut(open_page, name, width):
    page = open_page(name, width=width).page
    assert "\n".join(page.evaluate(CUT)) == ""


def test_no_ring_is_cut_where_figures_have_not_come(chromium, server):
    page = chromium.new_page(viewport={"width": 360, "height": 740})
    page.route("**/livetorch*.js*", lambda route: route.abort())
    page.goto(f"{server}/notebooks/13a_a_heads_name.html")
    assert page.locator("figure.livetorch > img").count() > 0
    found = page.evaluate(CUT)
    page.add_style_tag(
        content="div.cell { overflow: hidden } summary:focus-visible { outline-offset: 4px !important }"
    )
    cut = page.evaluate(CUT)
    page.close()
    assert "\n".join(found) == ""
    assert any("Numbers" in line for line in cut)
