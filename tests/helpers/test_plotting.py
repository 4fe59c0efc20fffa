import matplotlib
import numpy as np
import pytest
import torch
from torch.testing import assert_close

from attn_helpers import causal_mask, show_heatmaps
from attn_helpers.plotting import COLOURS

TOKENS = ["我", "喜欢", "学习", "<PAD>"]


def colour_bars(figure):
    return [ax for ax in figure.axes if ax.get_label() == "<colorbar>"]


def tick_texts(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_the_repr_is_the_numbers_with_their_names():
    shown = show_heatmaps(
        torch.tensor([[0.5, 0.25, 0.25, 0.0]]), xticks=TOKENS, yticks=["学习"], ylabel="Query"
    )
    assert repr(shown) == (
        "Query \\ Keys     我   喜欢   学习  <PAD>\n"
        "        学习  0.500  0.250  0.250  0.000"
    )  # fmt: skip


def test_titles_stand_above_their_numbers():
    assert repr(show_heatmaps(torch.eye(2).expand(2, 2, 2), titles=["one", "two"])).split("\n\n") == [
        "one\nQueries \\ Keys      1      2\n             1  1.000  0.000\n             2  0.000  1.000",
        "two\nQueries \\ Keys      1      2\n             1  1.000  0.000\n             2  0.000  1.000",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [(-1e-9, "0.000"), (0.0625, "0.062"), (0.06250000001, "0.062"), (float("nan"), "nan"), (-np.inf, "-inf")],
)
def test_numbers_do_not_show_last_bits_or_minus_zero(value, text):
    assert repr(show_heatmaps(torch.tensor([[value]], dtype=torch.float64))).split()[-1] == text


def test_decimals_can_be_chosen_and_masks_are_whole_numbers():
    assert repr(show_heatmaps(torch.tensor([[1 / 3]]), decimals=4)).endswith("0.3333")
    assert repr(show_heatmaps(causal_mask(2))).split()[-3:] == ["2", "1", "1"]


@pytest.mark.parametrize(
    ("decimals", "written"), [(0, ["1"]), (1, ["1.0", "0.2"]), (2, ["1.00", "0.24"]), (5, ["1.00", "0.24"])]
)
def test_the_picture_has_as_many_decimals_as_the_numbers_and_at_most_two(decimals, written):
    (axes,) = show_heatmaps(torch.tensor([[1.0, 0.24, 0.0]]), decimals=decimals).axes
    assert [text.get_text() for text in axes.texts] == written


def test_a_long_matrix_is_thinned_and_says_so():
    text = repr(show_heatmaps(torch.rand(133, 5)))
    assert text.endswith("(every 6th of 133 queries)")
    assert len(text.splitlines()) == 1 + 22 + 1
    assert [line.split()[0] for line in text.splitlines()[1:4]] == ["6", "12", "18"]


@pytest.mark.parametrize(
    ("shape", "panels"), [((3, 5), 1), ((2, 3, 5), 2), ((7, 3, 5), 7), ((2, 3, 5, 7), 6), ((1, 1), 1)]
)
def test_one_or_many_matrices_get_a_panel_each_and_one_colour_bar(shape, panels):
    shown = show_heatmaps(torch.rand(shape))
    assert len(shown.axes) == len(shown.panels) == panels
    assert len(colour_bars(shown.figure)) == 1
    assert len(shown.figure.axes) == panels + 1


@pytest.mark.parametrize(
    ("size", "options", "bars"),
    [
        (2, {}, 1),
        (2, {"scale": "query"}, 0),  # the numbers are written
        (2, {"scale": "query", "label": "number of the query"}, 1),
        (2, {"scale": "query", "annotate": False}, 1),
        (20, {"scale": "query"}, 1),
        (2, {"scale": ["sequential", "query"]}, 0),
        (20, {"scale": ["sequential", "query"], "annotate": True}, 0),
    ],
)
def test_a_bar_stands_where_the_colours_or_a_label_need_one(size, options, bars):
    shown = show_heatmaps(torch.rand(2, size, size), **options)
    assert [bar.get_ylabel() for bar in colour_bars(shown.figure)] == [options.get("label", "")] * bars


def test_all_panels_share_one_scale():
    shown = show_heatmaps(torch.stack([torch.full((2, 3), 0.1), torch.full((2, 3), 7.0)]))
    limits = {ax.collections[0].get_clim() for ax in shown.axes}
    assert len(limits) == 1
    assert limits.pop() == pytest.approx((0.1, 7.0))


def test_a_title_wider_than_its_panel_is_broken_and_the_picture_is_higher():
    one, two = (show_heatmaps(torch.rand(2, 2), titles=title) for title in ("short", "a title in words " * 3))
    assert "\n" in two.axes[0].get_title()
    assert two.figure.get_figheight() > one.figure.get_figheight()


def test_four_axes_are_rows_and_columns_of_panels():
    weights = torch.rand(2, 3, 5, 7)
    shown = show_heatmaps(weights)
    assert shown.axes[0].get_subplotspec().get_gridspec().get_geometry() == (2, 3)
    assert_close(torch.tensor(np.array(shown.panels)).float(), weights.reshape(6, 5, 7))


def test_the_first_query_is_on_top_and_the_first_key_on_the_left_and_both_are_called_1():
    ax = show_heatmaps(torch.rand(3, 5)).axes[0]
    assert ax.yaxis_inverted()
    assert not ax.xaxis_inverted()
    assert tick_texts(ax.yaxis) == ["1", "2", "3"]
    assert tick_texts(ax.xaxis) == ["1", "2", "3", "4", "5"]


def test_the_cells_hold_the_numbers_in_the_colours_of_the_scale():
    weights = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    mesh = show_heatmaps(weights).axes[0].collections[0]
    mesh.update_scalarmappable()
    assert_close(torch.tensor(mesh.get_array().reshape(2, 2)).float(), weights)
    stops = COLOURS["sequential"]["light"]
    colours = [matplotlib.colors.to_hex(colour) for colour in mesh.get_facecolors().reshape(-1, 4)]
    assert colours == [stops[0], stops[-1], stops[-1], stops[0]]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([[0.2, 0.8]], (0, 1)),
        ([[0.0, 5.0]], (0, 5)),
        ([[3.0, 3.0]], (3, 4)),
        ([[-1.0, 4.0]], (-4, 4)),
        ([[-1.0, float("-inf")]], (-1, 1)),
        ([[float("nan")]], (0, 1)),
    ],
)
def test_the_scale_fits_the_numbers(numbers, expected):
    mesh = show_heatmaps(torch.tensor(numbers)).axes[0].collections[0]
    assert mesh.get_clim() == pytest.approx(expected)


def test_the_limits_can_be_given():
    mesh = show_heatmaps(torch.rand(2, 2), vmin=-1, vmax=2).axes[0].collections[0]
    assert mesh.get_clim() == (-1, 2)


def test_cells_that_are_not_finite_say_what_they_hold():
    ax = show_heatmaps(torch.tensor([[float("nan"), float("-inf"), 0.5]])).axes[0]
    assert [text.get_text() for text in ax.texts] == ["nan", "-inf", "0.50"]


@pytest.mark.parametrize(("size", "written"), [(3, 9), (30, 0)])
def test_numbers_are_written_into_few_cells_only(size, written):
    assert len(show_heatmaps(torch.rand(size, size)).axes[0].texts) == written


@pytest.mark.parametrize(
    "weights",
    [
        torch.rand(2, 3, requires_grad=True),
        torch.rand(2, 3).half(),
        torch.rand(2, 3).bfloat16(),
        np.ones((2, 3)),
    ],
)
def test_every_kind_of_number_is_drawn(weights):
    assert show_heatmaps(weights).panels[0].shape == (2, 3)


def test_a_list_may_hold_matrices_of_different_sizes():
    shown = show_heatmaps([torch.rand(2, 3), torch.rand(5, 7)], xticks=[list("abc"), list("abcdefg")])
    assert [panel.shape for panel in shown.panels] == [(2, 3), (5, 7)]
    assert tick_texts(shown.axes[1].xaxis) == list("abcdefg")


def test_token_names_stand_at_the_cells_of_each_panel():
    shown = show_heatmaps(
        torch.rand(2, 2, 4), xticks=[TOKENS, ["今天", "是", "晴天", "<PAD>"]], yticks=["a", "b"]
    )
    assert tick_texts(shown.axes[0].xaxis) == TOKENS
    assert tick_texts(shown.axes[1].xaxis) == ["今天", "是", "晴天", "<PAD>"]
    assert shown.axes[0].get_xlabel() == "Keys"
    assert shown.axes[0].get_ylabel() == "Queries"


@pytest.mark.parametrize(
    ("weights", "options", "error", "expected"),
    [
        (torch.rand(3), {}, ValueError, r"weights must have shape \(queries, keys\), .* got \(3,\)"),
        (torch.rand(1, 1, 1, 1, 1), {}, ValueError, r"got \(1, 1, 1, 1, 1\)"),
        (torch.rand(2, 0), {}, ValueError, r"at least one cell, got shape \(2, 0\)"),
        (
            torch.zeros(2, 2, dtype=torch.complex64),
            {},
            TypeError,
            r"numbers to show must be real, got complex64",
        ),
        (torch.rand(2, 2), {"titles": ["a", "b"]}, ValueError, r"got titles=2, panels=1"),
        (torch.rand(2, 3), {"xticks": ["a"]}, ValueError, r"xticks must name .* got names=1, keys=3"),
        (
            torch.rand(2, 3),
            {"yticks": list("abc")},
            ValueError,
            r"yticks must name .* got names=3, queries=2",
        ),
        (
            torch.rand(2, 2),
            {"xticks": [["a", "b"]] * 2},
            ValueError,
            r"xticks must be one list, or one per panel",
        ),
        (
            torch.rand(2, 2),
            {"scale": "jet"},
            ValueError,
            r"unknown scale 'jet'; choose one of sequential, diverging",
        ),
        (torch.rand(2, 2), {"scale": ["query", "key"]}, ValueError, "one per panel, got 2 scales"),
        (torch.eye(2).expand(2, 2, 2), {"scale": ["diverging", "key"]}, ValueError, "to all or none"),
        (torch.rand(2, 20, 20), {"scale": ["query", "key"]}, ValueError, "label=None, .* written=False"),
        (
            torch.rand(2, 2, 2),
            {"scale": ["query", "key"], "label": "n"},
            ValueError,
            "no colour bar: leave label out, .* got label='n', numbers written=True",
        ),
        (
            torch.rand(2, 2),
            {"vmin": 2, "vmax": 1},
            ValueError,
            r"vmin must be below vmax, got vmin=2, vmax=1",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(weights, options, error, expected):
    with pytest.raises(error, match=expected):
        show_heatmaps(weights, **options)
