"""Arcs: what they check, and the JSON that they give."""

import pytest
import torch

from livetorch.views import (
    Arcs,
)


def test_arcs_join_tokens_and_say_so():
    spec = Arcs(tokens=["a", "b", "c"], query_tokens=["x", "y"], names=("written", "read")).to_spec(
        {"output": torch.ones(2, 3) / 3}, {}
    )
    assert (spec["names"], spec["rows"], spec["query"]) == (["written", "read"], 2, 0)
    assert spec["query_tokens"] == {"values": ["x", "y"]}


def test_arcs_name_the_mask_that_a_press_switches_and_what_is_said_of_doubts():
    kept = {"kind": "mask", "value": [[True] * 3]}
    reasons = ["Unsure of {count} of {all}.", "No."]
    view = Arcs(query_tokens=["x", "y"], mutes="kept", doubts="d", reasons=reasons)
    outputs = {"output": torch.ones(2, 3), "d": torch.tensor([0, 3])}
    spec = view.to_spec(outputs, {"kept": kept})
    assert (spec["muting"]["name"], spec["doubting"]["source"]) == ("kept", {"output": "d"})
    with pytest.raises(ValueError, match=r"mutes must name a mask of shape \(1, 3\), got \(1, 2\)"):
        view.to_spec(outputs, {"kept": kept | {"value": [[True] * 2]}})


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (Arcs(), "query_tokens must be given, got queries=2, keys=3"),
        (
            Arcs(query_tokens=["x", "y"], rows=1),
            "rows=1 needs as many queries as keys, got queries=2, keys=3",
        ),
        (Arcs(query_tokens=["x", "y"], rows=3), "rows must be 1 or 2, got rows=3"),
        (Arcs(query_tokens=["x", "y"], query=2), r"query must be in -2\.\.1, got query=2"),
        (
            Arcs(query_tokens=["x", "y"], sentences=("{query} reads.", "{key} {queries}")),
            "a sentence must have the gaps",
        ),
        (Arcs(query_tokens=["x", "y"], mutes="kept"), "mutes='kept' must name a mask control"),
        (Arcs(query_tokens=["x", "y"], doubts="output"), r"must have shape \(queries\), got \(2, 3\)"),
    ],
)
def test_arcs_that_cannot_be_drawn_are_refused(view, message):
    with pytest.raises(ValueError, match=message):
        view.to_spec({"output": torch.ones(2, 3)}, {})
