"""Exercises of chapter 01: the weights of a Gaussian kernel."""

import math

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise
from ._inputs import softmax_rows

__all__ = ["weights"]

weights = Exercise(
    "kernel-weights",
    "01_kernel_pooling",
    "Write f(queries, keys, width): queries (queries,) and keys (keys,) are plain numbers. Return the "
    "weights (queries, keys) of the Gaussian kernel with this width: each row sums to 1.",
    (
        "`queries[:, None] - keys` holds every difference, as (queries, keys).",
        "The height is `exp(-u^2 / 2)` with `u = difference / width`. Its constant cancels: why?",
        "A row of heights divided by its sum is what `torch.softmax` gives for the exponents.",
    ),
)


@weights.solution
def weigh_by_nearness(queries, keys, width):
    """Take the softmax of the exponents, so that far keys do not underflow to 0 / 0."""
    u = (queries[:, None] - keys) / width  # (queries, keys)
    return torch.softmax(-u.square() / 2, dim=-1)


QUERIES, KEYS = torch.tensor([0.0, 1.5]), torch.tensor([0.0, 1.0, 3.0])


def _rows(height: object, queries: Tensor = QUERIES, keys: Tensor = KEYS) -> Tensor:
    """Heights of every pair, one pair at a time."""
    return torch.tensor([[height(q - k) for k in keys.tolist()] for q in queries.tolist()])


def _shares(heights: Tensor, dim: int = -1) -> Tensor:
    return heights / heights.sum(dim=dim, keepdim=True)


@weights.check
def _worked_example(answer: Answer) -> None:
    """Three keys at distances 0, 1 and 3 get the right weights."""
    width = 1.5
    bell = _rows(lambda d: math.exp(-((d / width) ** 2) / 2))
    suspects = [
        Suspect(
            "the width is not used",
            "A wide kernel must give flatter rows: divide each difference by the width.",
            _shares(_rows(lambda d: math.exp(-(d**2) / 2))),
        ),
        Suspect(
            "the distance is multiplied by the width",
            "Then a wider kernel would be a narrower one.",
            _shares(_rows(lambda d: math.exp(-((d * width) ** 2) / 2))),
        ),
        Suspect(
            "the width is not squared",
            "u = difference / width, and u is squared as a whole.",
            _shares(_rows(lambda d: math.exp(-(d**2) / width / 2))),
        ),
        Suspect(
            "the factor 1/2 is missing",
            "The exponent of the Gaussian kernel is -u^2 / 2.",
            _shares(_rows(lambda d: math.exp(-((d / width) ** 2)))),
        ),
        Suspect(
            "the distance is not squared",
            "That is the Laplacian kernel, which has a peak.",
            _shares(_rows(lambda d: math.exp(-abs(d / width)))),
        ),
        Suspect(
            "far keys get more weight than near ones",
            "Which sign has the exponent?",
            _shares(_rows(lambda d: math.exp((d / width) ** 2 / 2))),
        ),
        Suspect("the rows do not sum to 1", "Divide each height by the sum of its row.", bell),
        Suspect(
            "the rows do not sum to 1, though the area under the kernel is 1",
            "The factor 1 / sqrt(2 pi) makes an area, not shares. Divide by the sum of the row.",
            bell / math.sqrt(2 * math.pi),
        ),
        Suspect(
            "the columns sum to 1, not the rows",
            "The sum must run over the keys of one query: which axis is that?",
            _shares(bell, dim=0),
        ),
    ]
    answer.gives(
        QUERIES,
        KEYS,
        width,
        wanted=_shares(bell),
        axes="queries keys",
        suspects=suspects,
        named="weights",
    )


@weights.check
def _far_away(answer: Answer) -> None:
    """a query far from all keys still has weights."""
    queries = torch.tensor([40.0])
    wanted = softmax_rows(-(queries[:, None] - KEYS).square() / 2)
    unknown = Suspect(
        "far from every key the weights are NaN",
        "All heights underflow to 0, and 0 / 0 is NaN. A softmax of the exponents avoids it.",
        torch.full((1, 3), float("nan")),
    )
    answer.gives(queries, KEYS, 1.0, wanted=wanted, axes="queries keys", suspects=[unknown], named="weights")


@weights.wrong("the width is not used")
def _no_width(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(-((queries.unsqueeze(1) - keys) ** 2) / 2, dim=1)


@weights.wrong("the distance is multiplied by the width")
def _times_width(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return weigh_by_nearness(queries, keys, 1 / width)


@weights.wrong("the width is not squared")
def _width_once(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(-((queries[:, None] - keys) ** 2) / (2 * width), dim=-1)


@weights.wrong("the factor 1/2 is missing")
def _no_half(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    heights = torch.exp(-(((queries[:, None] - keys) / width) ** 2))
    return heights / heights.sum(1, keepdim=True)


@weights.wrong("the distance is not squared")
def _peak(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(-(queries[:, None] - keys).abs() / width, dim=-1)


@weights.wrong("far keys get more weight than near ones")
def _no_minus(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(torch.cdist(queries[:, None], keys[:, None]).div(width).pow(2) / 2, dim=-1)


@weights.wrong("the area under the kernel is 1")
def _density(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    u = (queries[:, None] - keys) / width
    return torch.exp(-(u**2) / 2) / (2 * torch.pi) ** 0.5


@weights.wrong("the columns sum to 1, not the rows")
def _columns(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return torch.softmax(-(((queries[:, None] - keys) / width) ** 2) / 2, dim=0)


@weights.wrong("the axes of the weights are in the wrong order: (keys, queries)")
def _transposed(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    return weigh_by_nearness(queries, keys, width).T


@weights.wrong("far from every key the weights are NaN")
def _underflow(queries: Tensor, keys: Tensor, width: float) -> Tensor:
    heights = torch.exp(-(((queries[:, None] - keys) / width) ** 2) / 2)
    return heights / heights.sum(dim=-1, keepdim=True)
