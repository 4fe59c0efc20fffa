import pytest
import torch
from matplotlib import pyplot as plt

from attn_helpers import new_axes, show_figure, show_lines
from attn_helpers.plotting import draw_with
from attn_helpers.plotting.drawer import Drawer


def test_any_figure_can_be_shown_with_its_numbers():
    axes = new_axes(columns=2)
    axes[0].plot([0, 1], [1, 2])
    shown = show_figure(axes, {"x": [0, 1], "y": [1.0, 2.0]}, title="two points")
    assert repr(shown) == "   x      y\n1  0  1.000\n2  1  2.000"
    assert "<title>two points</title>" in shown.svg()


def test_a_pyplot_figure_can_be_shown_too():
    figure, _ = plt.subplots()
    assert "<svg" in show_figure(figure, "nothing to see").svg()


def test_another_drawer_draws_from_then_on():
    class Words(Drawer):
        def forms(self, figure, title):
            return {"text/html": f"<p>{title}</p>"}

    draw_with(Words())
    try:
        shown = show_figure(new_axes(), {"x": [1.0]}, title="in words")
        assert "<p>in words</p>" in str(shown._repr_mimebundle_())
        assert shown.svg() == ""
    finally:
        draw_with(Drawer())
    assert "<svg" in show_figure(new_axes(), {"x": [1.0]}).svg()


def test_numbers_of_several_kinds_are_written_one_after_the_other():
    text = repr(show_figure(new_axes(), {"n": 3, "loss": torch.tensor([0.5]), "w": torch.eye(2)}))
    assert text == "n: 3\n    loss\n1  0.500\nw \\       1      2\n   1  1.000  0.000\n   2  0.000  1.000"


@pytest.mark.parametrize(
    ("numbers", "expected"), [({}, "numbers must say"), ({"x": torch.zeros(1, 1, 1)}, r"got x \(1, 1, 1\)")]
)
def test_a_figure_without_readable_numbers_is_refused(numbers, expected):
    with pytest.raises(ValueError, match=expected):
        show_figure(new_axes(), numbers)


def test_lines_and_points_are_drawn_with_their_names():
    shown = show_lines(
        [0.0, 1.0], {"fit": [0.0, 1.0]}, points={"data": ([0.5], [0.25])}, xlabel="时间", title="T"
    )
    (axes,) = shown.figure.axes
    assert [line.get_label() for line in axes.lines] == ["data", "fit"]
    assert axes.get_xlabel() == "时间"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["data", "fit"]


def test_lines_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"line 'y' must have one height per x, got x \(2,\), y \(3,\)"):
        show_lines([0.0, 1.0], {"y": [0.0, 1.0, 2.0]})
    with pytest.raises(ValueError, match=r"points 'p' must have as many x as y, got \(1,\) and \(2,\)"):
        show_lines([0.0], {"y": [0.0]}, points={"p": ([0.0], [0.0, 1.0])})


@pytest.mark.parametrize("sizes", [(0, 1), (1, -1)])
def test_axes_need_a_panel(sizes):
    with pytest.raises(ValueError, match="columns and rows must be at least 1, got columns="):
        new_axes(*sizes)
