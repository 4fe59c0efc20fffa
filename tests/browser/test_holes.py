"""Cards are as wide as what they hold: nowhere in the pictures of a figure is there a hole of a third."""

from __future__ import annotations

from pathlib import Path

import pytest
from stored_figures import notebooks, write_page

HOLES = Path(__file__).with_name("holes.js").read_text(encoding="utf-8")
MOST = 1 / 3  # of the area of a figure's views
COLUMN = 1000  # pixels that a figure may take on a page of the book
DRAWN = """async () => {
  await Promise.all([...document.querySelectorAll("figure")].map((figure) => figure.livetorch.ready));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_no_figure_has_a_hole_of_a_third(chromium, notebook, tmp_path):
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(write_page(notebook, tmp_path, COLUMN))
    page.evaluate(DRAWN)
    found = page.evaluate(HOLES)
    page.close()
    assert found
    shares = {each["name"]: round(each["share"], 2) for each in found}
    assert {name: share for name, share in shares.items() if share > MOST} == {}


def test_a_hole_is_found_where_a_picture_takes_half_of_its_card(chromium):
    stage = (
        '<div class="lt-view" style="float: left"><div class="lt-stage" style="width: {}px; height: 120px">'
    )
    views = '<div class="lt-views" style="width: 600px; height: 120px">'
    shares = {}
    page = chromium.new_page()
    for width in (600, 360, 300):
        card = f'<div class="lt-card">{views}{stage.format(width)}</div></div></div></div>'
        page.set_content(f'<figure class="livetorch" data-name="one">{card}</figure>')
        shares[width] = page.evaluate(HOLES)[0]["share"]
    page.close()
    assert shares == {600: 0, 360: 0.4, 300: 0.5}
