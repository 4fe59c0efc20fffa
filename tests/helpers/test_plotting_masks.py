"""Masked cells of static heatmaps: hatched, without a number, in the colours of live maps."""

import numpy as np
import pytest
import torch
from matplotlib.colors import to_hex

from attn_helpers import causal_mask, masked_softmax, show_heatmaps
from attn_helpers.plotting import COLOURS

MASK = causal_mask(3)
MIDDLES = [(column + 0.5, row + 0.5) for row in range(3) for column in range(3)]
WEIGHTS = masked_softmax(torch.arange(18.0).reshape(2, 3, 3) / 9, MASK)


def hatched(ax):
    """Tell of each cell whether a hatched one lies over its middle."""
    grounds = [p for p in ax.patches if to_hex(p.get_facecolor()) == COLOURS["hatch"]["light"][0]]
    covered = [p.get_path().contains_points(MIDDLES) for p in grounds]
    return np.any([np.zeros(9, bool), *covered], axis=0).reshape(3, 3)


@pytest.mark.parametrize("mask", [MASK, MASK[None], [MASK, MASK], torch.stack([MASK, MASK]), MASK.numpy()])
def test_cells_that_are_not_allowed_are_hatched_and_have_no_number(mask):
    for ax in show_heatmaps(WEIGHTS, mask=mask, annotate=True).axes:
        assert (hatched(ax) == ~MASK.numpy()).all()
        written = {
            (round(text.get_position()[1] - 0.5), round(text.get_position()[0] - 0.5)) for text in ax.texts
        }
        assert written == {(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)}


def test_one_row_of_a_mask_holds_for_all_queries_and_each_panel_may_have_its_own():
    last = torch.tensor([True, True, False])
    first, second = show_heatmaps(WEIGHTS, mask=[torch.ones_like(last), last]).axes
    assert not hatched(first).any()
    assert (hatched(second) == ~last.numpy()).all()


def test_hatching_follows_the_theme():
    svg = show_heatmaps(WEIGHTS, mask=MASK)._repr_mimebundle_()["image/svg+xml"]
    for light, dark in zip(COLOURS["hatch"]["light"], COLOURS["hatch"]["dark"], strict=True):
        assert f"light-dark({light}, {dark})" in svg


def test_without_a_mask_nothing_is_hatched():
    assert not hatched(show_heatmaps(WEIGHTS).axes[0]).any()


@pytest.mark.parametrize("mask", [causal_mask(4), [MASK] * 3, torch.ones(3, 2, dtype=torch.bool)])
def test_a_mask_that_does_not_fit_is_refused(mask):
    with pytest.raises(
        ValueError, match=r"mask must be one for all panels, .* panels=\[\(3, 3\), \(3, 3\)\]"
    ):
        show_heatmaps(WEIGHTS, mask=mask)


@pytest.mark.parametrize("mask", [torch.zeros(3, 3).masked_fill(~MASK, -torch.inf), [MASK.int()] * 2])
def test_a_mask_that_is_added_to_scores_is_refused(mask):
    with pytest.raises(TypeError, match=r"mask must hold bools, True = may attend, got torch\.(float|int)32"):
        show_heatmaps(WEIGHTS, mask=mask)


def test_zeros_are_written_where_all_numbers_are_asked_for():
    told = [
        [len(ax.texts) for ax in show_heatmaps(torch.eye(3), annotate=how).axes]
        for how in (None, True, False)
    ]
    assert told == [[3], [9], [0]]
