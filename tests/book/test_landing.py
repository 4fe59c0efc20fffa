"""The first page: figures lent by lessons, and the map of the lessons."""

from __future__ import annotations

import json
import re

import landing
from built_site import ROOT, pages

STILL = (
    '<svg viewBox="0 0 680 500" width="680" height="500"><g transform="translate(14 36)"><g/></g>'
    '<g transform="translate(14 300)"/></svg>'
)
DRAWN = STILL.replace("<", "%3C").replace(">", "%3E").replace('"', "%22")
FIGURE = (
    f'<figure class="livetorch" data-name="a"><img alt="" src="data:image/svg+xml,{DRAWN}">'
    '<script type="application/json">{"views":[1,2],"pool":["x"]}</script></figure>'
)


def _cell(kind: str, source: str, html: str = "") -> dict:
    output = [{"output_type": "execute_result", "data": {"text/html": html}}] if html else []
    return {"cell_type": kind, "source": source, "outputs": output}


def test_a_still_picture_is_cut_after_its_first_views():
    assert landing.BOX.search(landing.cut(STILL, 1)).groups() == ("680", "276")
    assert landing.cut(STILL, 2) == STILL


def test_a_lent_figure_keeps_its_numbers_and_has_the_first_views_only():
    made = landing.lent(FIGURE, 1)
    assert json.loads(landing.SPEC.search(made)[2]) == {"views": [1], "pool": ["x"], "caption": None}
    assert "viewBox=%220 0 680 276%22" in made
    assert landing.lent(FIGURE, None) == FIGURE


def test_rows_of_a_lent_figure_name_views_that_it_has():
    figure = FIGURE.replace('"pool":["x"]', '"rows":[[0],[1]]')
    made = json.loads(landing.SPEC.search(landing.lent(figure, 1))[2])
    assert (made["views"], made["rows"]) == ([1], [[0]])


def test_a_lesson_takes_longer_with_more_words_figures_and_questions():
    short = {"cells": [_cell("markdown", "# A `short` one?\n\n" + "word " * 300)]}
    long = {"cells": [*short["cells"], *[_cell("code", "", FIGURE)] * 4]}
    assert landing.title(short) == "A short one?"
    assert (landing.minutes(short), landing.minutes(long)) == (5, 5)  # the four are one figure by name
    asking = {"cells": [*short["cells"], *[_cell("code", "", '<figure class="livetorch lt-question">')] * 6]}
    assert landing.minutes(asking) == 10


def test_the_first_page_lends_figures_and_shows_every_lesson(site):
    page = (site / "book/intro.html").read_text(encoding="utf-8")
    lessons = [name for name in pages() if landing.NUMBERED.fullmatch(name)]
    assert len(lessons) >= 13
    linked = re.findall(
        r'<li><a href="\.\./(notebooks/[\w]+)\.html" data-asked="(\d+)" data-exercises="[1-3]">', page
    )
    assert [name for name, _ in linked] == sorted(lessons)
    assert all(int(asked) >= 3 for _, asked in linked)
    drawn = re.findall(r'<img src="\.\./(_static/pictures/[\w]+\.svg)"', page)
    assert [name for name in drawn if not (site / name).is_file()] == []
    assert len(drawn) == len(lessons)
    assert len(re.findall(r'<figure class="livetorch" data-', page)) == 5
    for notebook, name in re.findall(r'href="\.\./notebooks/(\w+)\.html#lt:([\w-]+)="', page):
        assert f'data-name="{name}"' in (site / f"notebooks/{notebook}.html").read_text(encoding="utf-8")


def test_weights_of_a_lent_figure_are_the_lessons_own_file(site):
    def files(name: str) -> set[str]:
        page = (site / f"{name}.html").read_text(encoding="utf-8")
        return set(re.findall(r"live/(\w+\.js)", page))

    lent = files("book/intro")
    assert lent
    lessons = set().union(*(files(name) for name in pages() if name.startswith("notebooks/")))
    assert lent <= lessons
    assert ROOT.joinpath("book/intro.md").stat().st_size < 10_000
