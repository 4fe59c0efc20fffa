"""A map may have more cells than the mask that a reader edits in it."""

import torch

from livetorch.views import Heatmap


def test_a_map_may_be_finer_than_the_mask_that_it_edits():
    def fine(rows, cols):
        outputs = {"output": torch.zeros(4, 6)}
        controls = {"mask": {"kind": "mask", "value": torch.ones(rows, cols, dtype=torch.bool).tolist()}}
        return Heatmap(edit="mask", mask="output").to_spec(outputs, controls).get("fine")

    assert [fine(2, 3), fine(4, 6), fine(2, 6), fine(1, 1)] == [2, None, None, None]
