"""The static picture: it holds the numbers, is the same every time, and is small."""

import json
import re
import struct
import subprocess
import zlib
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from test_views import ALL, CONTROLS, OUTPUTS

from attn_helpers.live.picture import picture
from attn_helpers.live.picture_heatmap import nice_ceil
from attn_helpers.live.picture_parts import cells, number, ramp, thin, ticks
from attn_helpers.live.views import Bars, Heatmap, History, Lines, Plane, Table, Tokens

ROOT = Path(__file__).resolve().parents[2]
STATE = {name: control["value"] for name, control in CONTROLS.items()}
SVG = "{http://www.w3.org/2000/svg}"


def draw(*views, outputs=OUTPUTS, controls=CONTROLS):
    state = {name: control["value"] for name, control in controls.items()}
    return picture([view.to_spec(outputs, controls) for view in views], outputs, state)


def texts(svg):
    return [node.text for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("view", ALL, ids=lambda view: view.kind)
def test_every_view_is_drawn_as_well_formed_svg_twice_the_same(view):
    svg = draw(view)
    assert ElementTree.fromstring(svg).tag == f"{SVG}svg"
    assert draw(view) == svg
    assert "nan" not in svg


def test_the_numbers_stand_in_the_cells():
    outputs = {"output": torch.tensor([[0.25, 0.75], [1.0, 0.0]])}
    shown = texts(draw(Heatmap(), outputs=outputs, controls={}))
    assert [t for t in shown if "." in t] == ["0.25", "0.75", "1.00", "0.00"]


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
    labels = ["<script>alert(1)</script>", "注意力"]
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
    dots = [
        (float(c.get("cx")), float(c.get("cy"))) for c in ElementTree.fromstring(svg).iter(f"{SVG}circle")
    ]
    assert dots[1][0] - dots[0][0] == pytest.approx(dots[0][1] - dots[2][1], abs=0.2)


def test_a_curve_breaks_where_a_number_is_missing():
    outputs = {"output": torch.tensor([1.0, float("nan"), 2.0, 3.0])}
    svg = draw(Lines(), outputs=outputs, controls={})
    path = re.search(r'stroke-width="2.2" d="([^"]*)"', svg).group(1)
    assert re.sub(r"[^ML]", "", path) == "MML"


def test_history_shows_where_it_starts():
    svg = draw(History("loss"))
    assert len(list(ElementTree.fromstring(svg).iter(f"{SVG}circle"))) == 1


def test_tokens_are_shaded_by_the_row_of_the_chosen_query():
    svg = draw(Tokens("square", tokens=list("abcde"), query=-1))
    fills = [r.get("fill") for r in ElementTree.fromstring(svg).iter(f"{SVG}rect") if r.get("rx") == "4"]
    assert fills == [ramp("sequential")[0]] * 4 + [ramp("sequential")[-1]]


def png_indices(text):
    data = b64decode(re.search(r"base64,([^\"]*)", text).group(1))
    cols, rows = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[start - 4 : start])
    lines = zlib.decompress(data[start + 4 : start + 4 + length])
    return np.frombuffer(lines, np.uint8).reshape(rows, cols + 1)[:, 1:]


def test_a_large_matrix_is_a_png_that_holds_its_levels():
    levels = np.arange(300 * 300).reshape(300, 300) % 64  # longer than one block of stored bytes
    drawn = cells(levels, ramp("sequential"), np.zeros((300, 300), bool))
    assert (png_indices(drawn) == levels).all()


def runs(path):
    for left, row, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", path):
        yield int(row), int(left), int(width)


@given(st.data())
def test_each_cell_of_a_small_matrix_is_drawn_once_in_its_colour(data):
    rows, cols = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    flat = data.draw(st.lists(st.integers(-1, 3), min_size=rows * cols, max_size=rows * cols))
    levels = np.array(flat).reshape(rows, cols)
    drawn = cells(levels, ["#000000", "#000001", "#000002", "#000003"], np.zeros((rows, cols), bool))
    seen = np.zeros((rows, cols), int)
    for fill, path in re.findall(r'fill="#([0-9a-f]*)" d="([^"]*)"', drawn):
        for row, left, width in runs(path):
            seen[row, left : left + width] += -1 if fill == "eef0f3" else int(fill, 16)
    assert (seen == levels).all()
    assert ("#000000" in drawn) == (0 in levels)


def test_ticks_lie_within_the_axis_and_thin_out():
    assert [label for _, label in ticks(0, 1, 5)] == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert thin(12, 5, 20, True) == [0, 4, 9]
    assert thin(7, 6, 15, False) == [0, 5]


def test_numbers_have_a_real_minus_and_no_negative_zero():
    assert [number(v) for v in (-1.5, -0.001, 1e9)] == ["−1.50", "0.00", "1.0e9"]


def test_python_and_javascript_have_the_same_colours_and_limits():
    code = """
      import { colourTable, niceCeil } from "./attn_helpers/live/js/views/colour.mjs";
      const rgb = (name) => Array.from({ length: 64 }, (_, i) => {
        const at = 3 * Math.round(i / 63 * 255);
        return [...colourTable(name, "light").rgb.slice(at, at + 3)];
      });
      console.log(JSON.stringify({ sequential: rgb("sequential"), diverging: rgb("diverging"),
        nice: [0.3, 0.31, 7.6, 1, 0].map(niceCeil) }));
    """
    done = subprocess.run(
        ["node", "--no-warnings", "--input-type=module", "-e", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout)
    for name in ("sequential", "diverging"):
        mine = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in ramp(name)]
        assert np.abs(np.array(mine) - np.array(told[name])).max() <= 2  # 64 steps against 256
    assert told["nice"] == [nice_ceil(v) for v in (0.3, 0.31, 7.6, 1, 0)]
