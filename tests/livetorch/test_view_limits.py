"""What views refuse because it would be drawn wrongly: masks that are no bools, logarithms of 0."""

import pytest
import torch

from livetorch.views import Flow, Heatmap, Lines

OUTPUTS = {"output": torch.eye(2), "row": torch.ones(2), "cells": torch.eye(2, dtype=torch.bool)}
CONTROLS = {
    "mask": {"name": "mask", "label": "mask", "kind": "mask", "value": [[True, False], [False, True]]},
    "places": {"name": "places", "kind": "points", "value": [[1.0], [2.0]], "domain": [[0, 3]]},
}
ADDED = torch.tensor([[0.0, -torch.inf], [0.0, 0.0]])  # the other way to write a mask: 0 is kept
ABOVE = [1.0, 2.0]
WRONG = [
    (Heatmap(mask=ADDED), "Heatmap: mask must be a bool tensor, got one of torch.float32"),
    (Flow(["output", "row"], masks={"output": ADDED}), "Flow: the mask of output must be a bool tensor"),
    (Lines(x=ABOVE, y="row", xlog=True, xlim=(0, 3)), "Lines: xlog needs an x of numbers above 0"),
    (Lines(x=ABOVE, y="row", xlog=True, points=([0.0], [1.0])), "xlog needs .* above 0, in points, drag"),
    (Lines(x=ABOVE, y="row", xlog=True, drag="places"), "xlog needs .* above 0, in points, drag and xlim"),
    (Lines(x=ABOVE, y="row", ylog=True), "Lines: ylog needs a ylim above 0"),
    (Lines(x=ABOVE, y="row", ylog=True, ylim=(0, 3)), "Lines: ylog needs a ylim above 0"),
]


@pytest.mark.parametrize(("view", "message"), WRONG, ids=lambda part: getattr(part, "kind", None))
def test_what_would_be_drawn_wrongly_is_refused(view, message):
    with pytest.raises(ValueError, match=message):
        view.to_spec(OUTPUTS, CONTROLS)


def test_points_above_0_stand_over_a_logarithm():
    view = Lines(x=ABOVE, y="row", xlog=True, xlim=(0.5, 3), points=([0.5], [1.0]))
    assert view.to_spec(OUTPUTS, CONTROLS)["xlog"] is True


def test_curves_above_0_stand_over_a_logarithm():
    spec = Lines(x=ABOVE, y="row", ylog=True, ylim=(0.001, 1000)).to_spec(OUTPUTS, CONTROLS)
    assert spec["ylog"] is True
    assert "xlog" not in spec


def test_only_a_map_of_its_own_mask_hatches_what_is_not_kept():
    """Hatching goes by the mask that stays, so what is off in the map needs a word of its own."""
    stays = torch.ones(2, 2, dtype=torch.bool).tril()
    outputs = OUTPUTS | {"mask": OUTPUTS["cells"]}

    def levels(view):
        return view.to_spec(outputs, CONTROLS)["levels"]

    assert levels(Heatmap("mask", edit="mask")) == [[1.0, "kept"]]
    assert levels(Heatmap("mask", edit="mask", mask=stays)) == [[1.0, "yes"], [0.0, "no"]]
    assert levels(Heatmap("mask", edit="mask", mask="cells")) == [[1.0, "yes"], [0.0, "no"]]
    assert levels(Heatmap("cells", edit="mask", mask="cells")) == [[1.0, "kept"]]
