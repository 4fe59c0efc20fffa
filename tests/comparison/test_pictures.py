"""Which pictures count as the same: shapes and words equal, places to half a unit, colours to a shade."""

import bisect
import functools

import numpy as np
import pytest
import torch
from pictures import differences

from attn_helpers import show_heatmaps, show_lines
from livetorch.figure.still import picture
from livetorch.views import Heatmap, Lines


def _heatmap(weights) -> str:
    return show_heatmaps(weights).svg()


def _lines(heights) -> str:
    return show_lines(np.arange(len(heights)), {"loss": heights}).svg()


def _still(view, weights) -> str:
    outputs = {"output": torch.as_tensor(weights)}
    return picture([view.to_spec(outputs, {})], None, [], outputs)


@pytest.fixture
def weights():
    return torch.softmax(torch.arange(12.0).reshape(3, 4).sin() * 3, -1)


def _moved(weights, gap, row=1, column=2):
    out = weights.clone()
    out[row, column] += gap
    return out


def test_ids_that_are_hashes_of_the_content_do_not_count():
    one, two = _lines(np.arange(4.0)), _lines(np.arange(4.0))
    name = one.partition('id="p')[2][:6]
    assert name
    assert differences(one, two.replace(name, "123456")) == []


def test_a_drawn_number_follows_the_rule_of_printed_numbers():
    """0.6649 is drawn as 0.66, 0.6651 as 0.67."""
    low, high = torch.tensor([[0.6649, 0.3351]]), torch.tensor([[0.6651, 0.3349]])
    assert _heatmap(low) != _heatmap(high)
    assert differences(_heatmap(low), _heatmap(high)) == []
    (found, *_) = differences(_heatmap(low), _heatmap(torch.tensor([[0.6849, 0.3151]])))
    assert "0.66 stored, 0.68 computed: they differ by 0.02, allowed is 0.01" in found


def test_the_ink_of_a_number_may_turn_from_dark_to_light():
    @functools.cache
    def drawn(at):
        return _heatmap(torch.tensor([[0.40 + 0.005 * at, 0.0]]))

    def white(at):
        return drawn(at).count("#ffffff")

    turn = bisect.bisect(range(70), 0, key=lambda at: abs(white(at) - white(0)))
    assert white(turn) != white(turn - 1)
    assert differences(drawn(turn - 1), drawn(turn)) == []


def test_another_word_is_seen(weights):
    assert differences(_heatmap(weights), show_heatmaps(weights, xlabel="Kexs").svg())


def test_another_colour_is_seen(weights):
    assert any("colour" in fault for fault in differences(_heatmap(weights), _heatmap(_moved(weights, 0.1))))


def test_points_may_move_by_half_a_unit_and_no_more():
    heights = np.array([0.0, 1.0, 0.5, 2.0])
    near, far = heights + np.array([0, 0, 0.004, 0]), heights + np.array([0, 0, 0.02, 0])
    assert _lines(heights) != _lines(near)
    assert differences(_lines(heights), _lines(near)) == []
    (found, *_) = differences(_lines(heights), _lines(far))
    assert "allowed is 0.5" in found


def test_a_shape_more_is_seen():
    assert differences(_lines(np.array([0.0, 1.0])), show_lines([0, 1], {"a": [0, 1], "b": [1, 0]}).svg())


@pytest.mark.parametrize("rows", [6, 40], ids=["cells", "pixels"])
def test_a_cell_of_a_live_figure_may_take_the_next_shade_and_no_other(rows):
    weights = torch.linspace(0, 1, rows * rows).reshape(rows, rows)
    shades = [_still(Heatmap(annotate=False), _moved(weights, gap)) for gap in (0, 0.016, 0.1)]
    assert len(set(shades)) == 3
    assert differences(shades[0], shades[1]) == []
    assert differences(shades[0], shades[2])


def test_a_row_of_a_live_figure_that_turns_white_moves_no_other_row():
    low, high = ([[share, 0.0], [0.0, 0.9]] for share in (0.0, 0.012))
    drawn = [_still(Heatmap(annotate=False), torch.tensor(each)) for each in (low, high)]
    assert drawn[0].count("<path") < drawn[1].count("<path")
    assert differences(*drawn) == []
    assert differences(drawn[0], _still(Heatmap(annotate=False), torch.tensor([[0.5, 0.0], [0.0, 0.9]])))


def test_a_curve_of_a_live_figure_follows_the_same_rule():
    still = [_still(Lines(), torch.tensor([0.0, 1.0, 0.5 + gap])) for gap in (0, 0.001, 0.02)]
    assert len(set(still)) == 3
    assert differences(still[0], still[1]) == []
    assert differences(still[0], still[2])
