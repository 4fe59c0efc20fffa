"""Points along a curve, to pool over: one set made here, one measured.

Chapter: notebooks/01b_learn_the_width.ipynb
"""

import csv
from importlib.resources import files
from typing import NamedTuple

import torch
from torch import Tensor

from attn_helpers import _check


class Points(NamedTuple):
    """Positions `x` and heights `y`, both (points,), sorted by x.

    >>> points = Points(torch.tensor([0.0, 2.0]), torch.tensor([1.0, 3.0]))
    >>> x, y = points
    >>> y
    tensor([1., 3.])
    """

    x: Tensor
    y: Tensor


def curve(x: Tensor) -> Tensor:
    """Give the height of the made-up curve, without noise.

    Formula: f(x) = 2 sin(x) + x / 2

    Args:
        x: floating-point, any shape.

    >>> curve(torch.tensor([0.0, 2.0]))
    tensor([0.0000, 2.8186])
    """
    _check.floating(x=x)
    return 2 * torch.sin(x) + x / 2


def synthetic_curve(num_points: int = 50, *, noise: float = 0.5, seed: int = 0) -> Points:
    """Scatter points around `curve` at random places between 0 and 5.

    Formula: y_i = f(x_i) + noise * e_i, e_i from the standard normal distribution

    Args:
        noise: standard deviation of the errors, at least 0.
    Returns: x and y, both (num_points,), float32, sorted by x.

    >>> x, y = synthetic_curve(20)
    >>> x.shape, bool((x[1:] >= x[:-1]).all())
    (torch.Size([20]), True)
    """
    _check.count("num_points", num_points, least=1)
    if noise < 0:
        raise ValueError(f"noise must be at least 0, got noise={noise}.")
    generator = torch.Generator().manual_seed(seed)
    x = (5 * torch.rand(num_points, generator=generator)).sort().values
    return Points(x, curve(x) + noise * torch.randn(num_points, generator=generator))


def mcycle() -> Points:
    """Read the motorcycle data: acceleration of a dummy's head after a simulated crash.

    133 measured points.

    Source: Silverman 1985, Journal of the Royal Statistical Society B 47 (1), 1-52.

    Returns: x, the time in milliseconds after the impact, and y, the acceleration in g, both (133,), float32.

    >>> x, y = mcycle()
    >>> x.shape, float(x[0]), float(y.min())
    (torch.Size([133]), 2.4000000953674316, -134.0)
    """
    lines = files(__package__).joinpath("mcycle.csv").read_text(encoding="utf-8").splitlines()
    rows = [(float(row["times"]), float(row["accel"])) for row in csv.DictReader(lines)]
    x, y = torch.tensor(rows, dtype=torch.float32).T.contiguous()
    return Points(x, y)
