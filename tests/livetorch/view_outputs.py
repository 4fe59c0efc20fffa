"""Outputs and controls of a figure, for the tests of views."""

import torch

WEIGHTS = torch.softmax(torch.arange(15.0).reshape(3, 5), -1)
OUTPUTS = {
    "output": WEIGHTS,
    "heads": torch.ones(2, 3, 5),
    "row": torch.ones(5),
    "loss": torch.tensor(0.5),
    "batch": torch.ones(7, 2, 3, 5),
    "empty": torch.ones(0, 5),
    "ids": torch.tensor([1, 0, 1, 1, 0]),
    "square": torch.eye(5),
}
CONTROLS = {
    "queries": {
        "name": "queries",
        "label": "queries",
        "kind": "points",
        "value": [[0.0, 1.0]] * 3,
        "domain": [[-2, 2], [-2, 2]],
    },
    "keys": {"name": "keys", "kind": "points", "value": [[1.0, 0.0]] * 5, "domain": [[-2, 2], [-2, 2]]},
    "places": {"name": "places", "kind": "points", "value": [[0.0]] * 5, "domain": [[0, 1]]},
    "mask": {"name": "mask", "kind": "mask", "value": [[True] * 5] * 3},
    "text": {"name": "text", "kind": "text", "value": "a b c", "unit": "character"},
    "width": {"name": "width", "kind": "slider", "value": 1.0},
}
