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
    ],
)
def test_arcs_that_cannot_be_drawn_are_refused(view, message):
    with pytest.raises(ValueError, match=message):
        view.to_spec({"output": torch.ones(2, 3)}, {})
