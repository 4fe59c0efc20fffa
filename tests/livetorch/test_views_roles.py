"""Whose colour bars and strips have: what their axis says, or what they are told."""

import pytest
import torch

from livetorch.views import Bars, Strip

OUTPUTS = {"row": torch.tensor([0.25, 0.75])}


@pytest.mark.parametrize("view", [Bars, Strip])
def test_a_role_is_told_where_the_axis_does_not_say_it(view: type[Bars | Strip]):
    assert "hue" not in view("row").to_spec(OUTPUTS, {})
    assert [view("row", role=role).to_spec(OUTPUTS, {})["hue"] for role in ("value", None)] == ["value", None]
    with pytest.raises(ValueError, match=r"role must be one of \('query', .*\), or None, got 'weights'"):
        view("row", role="weights").to_spec(OUTPUTS, {})
