"""The small pictures on cards show something whole: drawn again, as much as can be read."""

import doctest
import re

import pytest
import redrawn
import torch
from sphinx.errors import ExtensionError

from livetorch import explore
from livetorch.views import Heatmap, Number
from livetorch.views.base import View


def _spec(*views: View) -> dict:
    def outputs(n: torch.Tensor) -> dict[str, torch.Tensor]:
        return {
            "map": n * torch.ones(4, 4),
            "other": n * torch.ones(4, 4),
            "high": n * torch.ones(20, 4),
            "n": n,
        }

    return explore(outputs, n=(0.0, 2.0), view=list(views)).spec


def _titles(svg: str) -> list[str]:
    return re.findall(r'<text class="lt-title-word"[^>]*>([^<]*)<', svg)


MAP, OTHER, HIGH = (Heatmap(name, title=name.title()) for name in ("map", "other", "high"))
NUMBER = Number("n", title="N")


def test_examples():
    assert doctest.testmod(redrawn).failed == 0


def test_a_picture_drawn_again_is_the_stored_one():
    figure = explore(lambda n: {"map": n * torch.ones(4, 4)}, n=(0.0, 2.0), view=MAP)
    stored = figure.to_html().partition('src="data:image/svg+xml,')[2].partition('"')[0]
    drawn = redrawn.redraw(figure.spec)
    assert re.findall(r"%3Ctext.*?%3E(.*?)%3C", stored)[:4] == re.findall(r"<text.*?>(.*?)<", drawn)[:4]
    assert redrawn.size(drawn)[0] > redrawn.size(redrawn.redraw(figure.spec, 600))[0]


def test_a_small_figure_is_shown_whole_a_high_one_by_one_view():
    assert _titles(redrawn.thumbnail(_spec(MAP, OTHER))) == ["Map", "Other"]
    assert _titles(redrawn.thumbnail(_spec(MAP, HIGH))) == ["Map"]


def test_a_view_that_says_little_gives_way_to_one_that_says_more():
    assert _titles(redrawn.thumbnail(_spec(NUMBER, HIGH))) == ["High"]
    width, height = redrawn.size(redrawn.thumbnail(_spec(NUMBER, HIGH)))
    assert width < 400 < height  # narrower, where it would be too high


def test_rows_name_the_views_that_are_left():
    spec = _spec(NUMBER, MAP, OTHER) | {"rows": [[0], [1, 2]]}
    assert redrawn.fewer(spec, [1, 2])["rows"] == [[0, 1]]
    assert redrawn.fewer(spec | {"rows": None}, [1])["rows"] is None


def test_a_figure_that_cannot_be_drawn_stops_the_build():
    with pytest.raises(ExtensionError, match=r"'outputs' cannot be drawn.*no view of kind no-such.*[^.]\.$"):
        redrawn.redraw(_spec(MAP) | {"views": [{"kind": "no-such", "title": None}]})
