"""Functions that tests of `explore` explore."""

import torch

from livetorch import State

KEYS = torch.tensor([0.0, 1.0, 2.5, 4.0])
QUERIES = torch.tensor([0.5, 1.5, 3.0])


def weights(width, kernel="gaussian"):
    distances = QUERIES[:, None] - KEYS
    if kernel == "boxcar":
        near = (distances.abs() < width).float()
        return near / near.sum(-1, keepdim=True).clamp(min=1)
    return torch.softmax(-((distances / width) ** 2) / 2, dim=-1)


def doubled(x):
    return 2 * x


def carrying(m, x):
    return {"next": m + x, "wide": torch.stack([m, x]), "whole": m.long()}


M = {"m": State(torch.tensor(1.0)), "x": (0.0, 1.0)}


def two(width):
    return {"w": torch.ones(2) * width, "inner": torch.ones(2)}
