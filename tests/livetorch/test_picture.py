"""The static picture: it holds the numbers, is the same every time, and is small."""

import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest
import torch
from test_views import ALL, CONTROLS, OUTPUTS

from livetorch import explore, node
from livetorch.figure.still import picture
from livetorch.scripts import built
from livetorch.views import Bars, Heatmap, History, Lines, Plane, Table, Tokens

SVG = "{http://www.w3.org/2000/svg}"


def draw(*views, outputs=OUTPUTS, controls=CONTROLS):
    specs = [view.to_spec(outputs, controls) for view in views]
    return picture(specs, None, [{"length": 9, **control} for control in controls.values()], outputs)


@pytest.fixture
def no_artist(monkeypatch):
    """A process that has started no Node yet."""
    monkeypatch.setattr(node, "_artists", {})


def texts(svg):
    return [node.text for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("view", ALL, ids=lambda view: view.kind)
def test_every_view_is_drawn_as_well_formed_svg_twice_the_same(view):
    svg = draw(view)
    assert ElementTree.fromstring(svg).tag == f"{SVG}svg"
    assert draw(view) == svg
    assert "nan" not in svg


def test_the_numbers_stand_in_the_cells_but_those_that_would_read_zero():
    outputs = {"output": torch.tensor([[0.25, 0.75], [1.0, 0.0]])}
    shown = texts(draw(Heatmap(), outputs=outputs, controls={}))
    assert sorted(t for t in shown if "." in t) == ["0.25", "0.75", "1.00"]


def test_a_masked_cell_is_hatched_and_shows_a_number_only_if_it_has_weight_all_the_same():
    outputs = {"output": torch.tensor([[0.0, 0.7, 0.3]]), "mask": torch.tensor([[False, True, False]])}
    svg = draw(Heatmap(mask="mask"), outputs=outputs, controls={})
    assert "url(#no)" in svg
    assert "masked" in texts(svg)
    assert [t for t in texts(svg) if "." in t] == ["0.70", "0.30"]
    assert "url(#no)" not in draw(Heatmap(), outputs=outputs, controls={})


def test_masked_scores_are_left_out():
    outputs = {"output": torch.tensor([[1.5, -1e9]]), "mask": torch.tensor([[True, False]])}
    shown = texts(draw(Heatmap(mask="mask", scale="diverging"), outputs=outputs, controls={}))
    assert "1.50" in shown
    assert not any("e9" in t for t in shown)


def test_a_text_shorter_than_the_axis_is_filled_up():
    controls = {"text": CONTROLS["text"] | {"value": ""}}
    shown = texts(draw(Heatmap(xticks="text"), controls=controls))
    assert shown.count("·") == 5


def test_missing_and_infinite_numbers_are_named():
    outputs = {"output": torch.tensor([[float("nan"), -float("inf"), 1.0]])}
    shown = texts(draw(Heatmap(scale="diverging"), outputs=outputs, controls={}))
    assert {"NaN", "−∞", "1.00"} <= set(shown)


def test_a_picture_does_not_change_with_the_last_bit_of_its_numbers():
    weights = torch.softmax(torch.randn(6, 7, generator=torch.Generator().manual_seed(0)), -1)
    views = [Heatmap(), Bars(), Table()]
    one = draw(*views, outputs={"output": weights}, controls={})
    other = draw(*views, outputs={"output": torch.nextafter(weights, torch.tensor(2.0))}, controls={})
    assert one == other


@pytest.mark.parametrize(
    ("shape", "view"),
    [
        ((40, 40), Heatmap()),
        ((133, 60), Heatmap()),
        ((8, 24, 24), Heatmap()),
        ((12, 12), Heatmap(scale="diverging")),
        ((8, 12, 12), Heatmap(scale="diverging")),
        ((3, 200), Lines()),
        ((40,), Bars()),
        ((16, 8), Table()),
    ],
    ids=str,
)
def test_pictures_are_small(shape, view):
    numbers = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    svg = draw(view, outputs={"output": numbers}, controls={})
    assert len(svg.encode()) < 25_000


def test_texts_of_a_reader_stay_text():
    outputs = {"output": torch.ones(1, 2)}
    labels = ["<script>1", "注意力"]
    svg = draw(Heatmap(xticks=labels, title="a & b"), outputs=outputs, controls={})
    assert set(labels) <= set(texts(svg))
    assert "<script" not in svg
    assert "a & b" in texts(svg)


def test_the_tokens_of_a_text_control_label_the_axis():
    shown = texts(draw(Heatmap(xticks="text")))
    assert [t for t in shown if t in ("a", "b", "c")] == ["a", "b", "c"]


def test_spaces_are_shown_as_a_sign():
    controls = {"text": CONTROLS["text"] | {"value": "a b"}}
    assert {"a", "␣", "b", "·"} <= set(texts(draw(Heatmap(xticks="text"), controls=controls)))


def test_a_plane_has_equal_units_on_both_axes():
    outputs = {"keys": torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])}
    svg = draw(Plane({"keys": "keys"}, xlim=(-1, 2), ylim=(-1, 4)), outputs=outputs, controls={})
    drawn = ElementTree.fromstring(svg).iter(f"{SVG}rect")
    dots = [(float(dot.get("x")), float(dot.get("y"))) for dot in drawn if dot.get("class") == "lt-fixed"]
    assert dots[1][0] - dots[0][0] == pytest.approx(dots[0][1] - dots[2][1], abs=0.2)


def test_a_curve_breaks_where_a_number_is_missing():
    outputs = {"output": torch.tensor([1.0, float("nan"), 2.0, 3.0])}
    svg = draw(Lines(), outputs=outputs, controls={})
    path = re.search(r'class="lt-curve" [^>]*d="([^"]*)"', svg).group(1)
    assert re.sub(r"[^MLZ]", "", path) == "MZML"


def test_history_shows_where_it_starts():
    svg = draw(History("loss"))
    assert len(list(ElementTree.fromstring(svg).iter(f"{SVG}circle"))) == 1


def test_tokens_are_shaded_by_the_row_of_the_chosen_query():
    svg = draw(Tokens("square", tokens=list("abcde"), query=-1))
    fills = [r.get("fill") for r in ElementTree.fromstring(svg).iter(f"{SVG}rect") if r.get("rx") == "5"]
    assert fills == ["rgb(255 255 255)"] * 4 + ["rgb(65 26 135)"]


def test_one_node_draws_all_the_pictures_of_a_process(no_artist):
    draw(Bars("row"))
    (first,) = node._artists.values()
    draw(Heatmap())
    assert list(node._artists.values()) == [first]
    assert first.poll() is None
    first.kill()


def test_without_node_a_figure_keeps_its_numbers_in_sight(no_artist, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    html = explore(lambda x: x * torch.ones(2, 2), x=(0.0, 1.0)).to_html()
    assert "<img" not in html
    assert "<details open>" in html
    assert "0.5000" in html


def test_what_cannot_be_drawn_is_told(no_artist):
    with pytest.raises(RuntimeError, match="could not be drawn"):
        picture([{"kind": "heatmap", "source": {"output": "w"}}], None, [], {"w": torch.ones(2, 2)})
    (artist,) = node._artists.values()
    artist.kill()
    artist.wait()
    with pytest.raises((RuntimeError, BrokenPipeError)):
        draw(Bars("row"))


def test_the_artist_is_one_file_that_needs_no_package(tmp_path):
    script = shutil.copy(built("livetorch-still.mjs"), tmp_path)
    done = subprocess.run(["node", script], input="{}\n", capture_output=True, text=True, check=True)
    assert "error" in done.stdout
