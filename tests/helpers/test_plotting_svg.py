import gzip
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
import torch
from sampling import weekly

from attn_helpers import kernel_weights, new_axes, show_figure, show_heatmaps, show_lines
from attn_helpers.plotting import COLOURS
from attn_helpers.plotting.scales import steps
from attn_helpers.plotting.svg import clean


def test_the_bundle_of_a_notebook_is_numbers_and_svg():
    shown = show_heatmaps(torch.eye(2))
    bundle = shown._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/svg+xml"}
    assert bundle["text/plain"] == repr(shown)
    assert ElementTree.fromstring(bundle["image/svg+xml"]).tag == "{http://www.w3.org/2000/svg}svg"


def test_the_svg_takes_the_colours_of_its_page():
    svg = show_heatmaps(torch.eye(2), titles="T").svg()
    assert "currentColor" in svg
    assert not re.search(r"(?:fill|stroke): #000000", svg)
    assert svg.count("<style") == 1
    assert "<title>Heatmap, Queries by Keys: T</title>" in svg


def test_every_colour_of_the_scale_and_every_number_on_it_has_its_counterpart_in_the_dark():
    svg = show_heatmaps(torch.tensor([[0.0, 1.0], [0.4, 0.6]])).svg()
    light, dark = (COLOURS["sequential"][theme] for theme in ("light", "dark"))
    for end in (0, -1):
        assert f"fill: {light[end]}; fill: light-dark({light[end]}, {dark[end]})" in svg
    numbers = re.findall(r'<text[^>]*style="([^"]*)"[^>]*>(\d\.\d\d)<', svg)
    assert [number for _, number in numbers] == ["1.00", "0.40", "0.60"]  # 0.00 is left out
    assert numbers[0][0].endswith("light-dark(#ffffff, #000000)")  # on the darkest cell, on the lightest
    assert numbers[1][0].endswith("light-dark(#010101, #ffffff)")
    assert all("light-dark" in style for style in re.findall(r'style="[^"]*#[0-9a-f]{6}[^"]*"', svg))


def test_curves_follow_the_theme_with_the_colours_of_the_live_ones():
    svg = show_lines([0.0, 1.0], {"a": [0.0, 1.0], "b": [1.0, 0.0]}, points={"data": ([0.5], [0.5])}).svg()
    for place in (0, 1):
        pair = [COLOURS["series"][theme][place] for theme in ("light", "dark")]
        assert "stroke: light-dark({}, {})".format(*pair) in svg
    assert "fill: light-dark({light}, {dark})".format(**COLOURS["points"]) in svg


def drawn(draw):
    axes = new_axes()
    draw(axes)
    return show_figure(axes, "as drawn").svg()


def pair(light, dark):
    return f"light-dark({light}, {dark})"


def themed(part, name):
    return pair(*(COLOURS[part][theme][name] for theme in ("light", "dark")))


BOLD = 'font-weight="600"'


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (lambda axes: axes.plot([0, 1], color="C1"), [f"stroke: {themed('series', 1)}"]),
        (
            lambda axes: axes.annotate("", (0, 0), (1, 1), arrowprops={"color": "C1"}),
            [f"stroke: {themed('series', 1)}"],
        ),
        (
            lambda axes: axes.text(0, 0, "in a box", bbox={"edgecolor": "C0"}),
            [f"stroke: {themed('series', 0)}"],
        ),
        (lambda axes: axes.bar([0, 1], [1, -1]), [f"fill: {themed('series', 0)}"]),
        (lambda axes: axes.set(xlabel="Keys (towns)"), [f"fill: {themed('roles', 'key')}", BOLD]),
        (lambda axes: axes.set(ylabel="Query"), [f"fill: {themed('roles', 'query')}"]),
        (lambda axes: axes.set(title="A title"), ['font-size="9.75"', BOLD]),
        (lambda axes: axes.axhspan(0, 1), [f"fill: {themed('series', 0)}"]),
        (lambda axes: axes.text(0, 0, "-0.5"), [">−0.5</text>"]),
        (lambda axes: axes.text(0, 0, "-1e9 added"), [">−1e9 added</text>"]),
        (lambda axes: axes.text(0, 0, "-2.5th token"), [">-2.5th token</text>"]),
        (lambda axes: axes.set(xticks=[0, 1], xticklabels=["-1", "-5th"]), [">−1</text>", ">-5th</text>"]),
    ],
)
def test_what_a_lesson_draws_has_the_look_of_live_figures(draw, expected):
    svg = drawn(draw)
    for part in [
        *expected,
        f"fill: {themed('page', 'ink2')}",
        f"stroke: {themed('page', 'line')}",
        'font-size="9"',
    ]:
        assert part in svg


def test_a_new_name_of_an_axis_has_its_own_look_and_what_the_caller_says_of_it_stands():
    axes = new_axes()
    axes.set(xlabel="Keys")
    axes.set(xlabel="epochs")
    axes.set_ylabel("Weight", {"weight": "normal"}, c="#222222")
    for name, colour in ((axes.xaxis.label, "black"), (axes.yaxis.label, "#222222")):
        assert (name.get_color(), name.get_fontweight()) == (colour, "normal")


@pytest.mark.parametrize(("draw", "along"), [("bar", "x"), ("barh", "y")])
def test_bars_stand_on_a_line_at_0_and_no_lines_run_along_them(draw, along):
    axes = new_axes()
    getattr(axes, draw)(["a", "b"], [1.0, 2.0])
    (line,) = axes.lines
    assert set(getattr(line, f"get_{'y' if along == 'x' else 'x'}data")()) == {0}
    shown = {axis: getattr(axes, f"{axis}axis").get_gridlines()[0].get_visible() for axis in "xy"}
    assert shown == {along: False, "y" if along == "x" else "x": True}
    thick = {round(side, 6) for bar in axes.patches for side in (bar.get_width(), bar.get_height())}
    assert 0.75 in thick


def test_matrices_of_roles_are_tinted_in_their_colours():
    names = ["suppressed", "query", "key", "value"]
    shown = show_heatmaps([torch.eye(2)] * 4, scale=names, annotate=True)
    assert len(shown.figure.axes) == 4  # no bar: the numbers are written
    for name in names:
        (light, *_), (dark, *_) = (reversed(steps(name, theme)) for theme in ("light", "dark"))
        assert f"fill: {pair(light, dark)}" in shown.svg()


def test_lines_between_cells_are_those_of_live_maps():
    light, dark = (COLOURS["grid"][theme] for theme in ("light", "dark"))
    for size, lines in ((3, 8), (70, 4)):
        (found,) = re.findall(rf'<path d="([^"]*)"[^>]*stroke: {light}; stroke: ', drawn_map(size))
        assert found.count("M") == lines
    assert f"stroke: {pair(light, dark)}" in drawn_map(3)


def drawn_map(size):
    return show_heatmaps(torch.rand(size, size)).svg()


def test_two_pictures_share_no_id():
    first, second = (show_heatmaps(torch.rand(2, 2), mask=torch.eye(2) > 0).svg() for _ in range(2))
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (first, second)]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', first)) == ids[0]


@weekly
def test_the_svg_is_the_same_in_every_process():
    code = (
        "import torch; from attn_helpers import show_heatmaps; "
        "print(show_heatmaps(torch.eye(3), xticks=['我', 'b', 'c']).svg(), end='')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout == show_heatmaps(torch.eye(3), xticks=["我", "b", "c"]).svg()


def test_a_last_bit_changes_neither_text_nor_picture():
    weights = torch.softmax(torch.randn(3, 5, dtype=torch.float64), -1)
    first, second = show_heatmaps(weights), show_heatmaps(weights * (1 + 1e-7))
    assert repr(first) == repr(second)
    assert first.svg() == second.svg()


def test_the_svg_is_small():
    x = torch.linspace(0, 5, 133)
    for weights in (torch.rand(12, 12), kernel_weights(x, x, width=0.3)):
        assert len(gzip.compress(show_heatmaps(weights).svg().encode())) < 25_000


def test_cleaning_keeps_what_it_does_not_know():
    svg = clean('<svg viewBox="0 0 10 20">\n<path d="M 1.23456 2\nL 3 4.5"/>\n</svg>', "a < b")
    assert 'd="M 1.23 2 L 3 4.5"' in svg
    assert "<title>a &lt; b</title>" in svg
