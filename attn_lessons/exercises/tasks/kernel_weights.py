"""Exercise of lesson 1a: the weights of a Gaussian kernel."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers, softmax_rows

weights = Exercise(
    "kernel-weights",
    "01a_weighted_average",
    """Write f(queries, keys, width): queries (queries,) and keys (keys,) are plain numbers. Return the
    weights (queries, keys) of the Gaussian kernel with this width: each row sums to 1.""",
    (
        "`queries[:, None] - keys` holds every difference, as (queries, keys).",
        "The height is `exp(-u^2 / 2)` with `u = difference / width`.",
        "A row of heights divided by its sum is what `torch.softmax` gives for the exponents.",
    ),
    "weights (queries, keys)",
)


@weights.solution
def weigh_by_nearness(queries, keys, width):
    """Take the softmax of the exponents, so that far keys do not underflow to 0 / 0."""
    u = (queries[:, None] - keys) / width  # (queries, keys)
    return torch.softmax(-u.square() / 2, dim=-1)


QUERIES, KEYS = torch.tensor([0.0, 1.5]), torch.tensor([0.0, 1.0, 3.0])


def _bells(width: float) -> Tensor:
    """Weights of every pair, one height at a time."""
    rows = [[math.exp(-(((q - k) / width) ** 2) / 2) for k in KEYS.tolist()] for q in QUERIES.tolist()]
    return torch.tensor([[height / sum(row) for height in row] for row in rows])


@weights.check
def _worked_example(answer: Answer) -> None:
    """Three keys at distances 0, 1 and 3 get the right weights."""
    answer.gives(QUERIES, KEYS, 1.5, wanted=_bells(1.5))


@weights.check
def _far_away(answer: Answer) -> None:
    """a query far from all keys still has weights."""
    for queries in (torch.tensor([40.0]), torch.tensor([0.0, 40.0, -40.0])):
        answer.gives(queries, KEYS, 1.0, wanted=softmax_rows(-(queries[:, None] - KEYS).square() / 2))


@weights.also
def _more() -> Iterator[tuple]:
    """other sizes and widths."""
    yield numbers(4), numbers(3, seed=1), 0.3
    yield numbers(3, seed=2), numbers(5, seed=3), 4.0
    yield numbers(2, dtype=torch.float64), numbers(2, seed=4, dtype=torch.float64), 1.1


@weights.mistake("the width is not used")
def _no_width(queries, keys, width):
    """A wide kernel must give flatter rows: divide each difference by the width."""
    return torch.softmax(-((queries.unsqueeze(1) - keys) ** 2) / 2, dim=1)


@weights.mistake("the distance is multiplied by the width")
def _times_width(queries, keys, width):
    """Then a wider kernel would be a narrower one."""
    return weigh_by_nearness(queries, keys, 1 / width)


@weights.mistake("the width is not squared")
def _width_once(queries, keys, width):
    """u = difference / width, and u is squared as a whole."""
    return torch.softmax(-((queries[:, None] - keys) ** 2) / (2 * width), dim=-1)


@weights.mistake("the factor 1/2 is missing")
def _no_half(queries, keys, width):
    """The exponent of the Gaussian kernel is -u^2 / 2."""
    heights = torch.exp(-(((queries[:, None] - keys) / width) ** 2))
    return heights / heights.sum(1, keepdim=True)


@weights.mistake("the distance is not squared")
def _peak(queries, keys, width):
    """That is the Laplacian kernel, which has a peak."""
    return torch.softmax(-(queries[:, None] - keys).abs() / width, dim=-1)


@weights.mistake("far keys get more weight than near ones")
def _no_minus(queries, keys, width):
    """Which sign has the exponent?"""
    return torch.softmax(torch.cdist(queries[:, None], keys[:, None]).div(width).pow(2) / 2, dim=-1)


@weights.mistake("the rows do not sum to 1")
def _heights(queries, keys, width):
    """Divide each height by the sum of its row."""
    return torch.exp(-(((queries[:, None] - keys) / width) ** 2) / 2)


@weights.mistake("the rows do not sum to 1, though the area under the kernel is 1")
def _density(queries, keys, width):
    """The factor 1 / sqrt(2 pi) makes an area, not shares. Divide by the sum of the row."""
    return _heights(queries, keys, width) / (2 * torch.pi) ** 0.5


@weights.mistake("the columns sum to 1, not the rows")
def _columns(queries, keys, width):
    """The sum must run over the keys of one query: which axis is that?"""
    return torch.softmax(-(((queries[:, None] - keys) / width) ** 2) / 2, dim=0)


@weights.mistake("far from every key the weights are NaN")
def _underflow(queries, keys, width):
    """All heights underflow to 0, and 0 / 0 is NaN. A softmax of the exponents avoids it."""
    heights = _heights(queries, keys, width)
    return heights / heights.sum(dim=-1, keepdim=True)


@weights.mistake("far from every key all weights are 0")
def _underflow_hidden(queries, keys, width):
    """All heights underflow to 0, which a small number below the line hides. Use torch.softmax."""
    heights = _heights(queries, keys, width)
    return heights / (heights.sum(dim=-1, keepdim=True) + 1e-9)


@weights.mistake("the largest exponent of the whole table is taken away, not that of each row")
def _one_shift(queries, keys, width):
    """A row far below it underflows to 0 / 0. Each row needs its own: amax(dim=-1, keepdim=True)."""
    exponents = -(((queries[:, None] - keys) / width) ** 2) / 2
    heights = torch.exp(exponents - exponents.max())
    return heights / heights.sum(dim=-1, keepdim=True)


@weights.mistake("the query is not divided by the width")
def _query_not_divided_width(q, k, w):
    """u is the whole difference divided by it: mind the brackets."""
    return torch.softmax(-((q[:, None] - k / w) ** 2) / 2, dim=-1)


@weights.mistake("the heights are divided by the largest, not by their sum")
def _heights_divided_largest_not_their(q, k, w):
    """Then the nearest key weighs 1, and a row more than 1."""
    return torch.exp(-(((q[:, None] - k) / w) ** 2) / 2) / torch.exp(-(((q[:, None] - k) / w) ** 2) / 2).amax(
        1, True
    )


@weights.mistake("all weights of the map sum to 1, not each row")
def _all_weights_map_sum_1(q, k, w):
    """Each query shares out 1 of its own."""
    return (-(((q[:, None] - k) / w) ** 2) / 2).flatten().softmax(0).reshape(len(q), len(k))


@weights.mistake("the differences are not squared")
def _differences_not_squared(q, k, w):
    """u^2 / 2: a key on the other side of the query is as near."""
    return torch.softmax(-(q[:, None] - k) / w / 2, dim=-1)


@weights.mistake("another kernel: 1 / (1 + u^2)")
def _cauchy(queries, keys, width):
    """The Gaussian is exp(-u^2 / 2)."""
    heights = 1 / (1 + ((queries[:, None] - keys) / width) ** 2)
    return heights / heights.sum(-1, keepdim=True)


@weights.mistake("the distance is squared twice")
def _fourth_power(queries, keys, width):
    """u = difference / width, and u once squared."""
    distance = (queries[:, None] - keys) ** 2
    return torch.softmax(-((distance / width) ** 2) / 2, dim=-1)


@weights.mistake("only the nearest key counts")
def _nearest(queries, keys, width):
    """Near keys count more, but all of them count."""
    away = (queries[:, None] - keys).abs()
    return torch.zeros_like(away).scatter(1, away.argmin(1, keepdim=True), 1.0)


@weights.mistake("the axes of the weights are in the wrong order: (keys, queries)")
def _transposed(queries, keys, width):
    return weigh_by_nearness(queries, keys, width).T


@weights.mistake("far from every key the weights come out even")
def _even_when_far(queries, keys, width):
    """The nearest key should still weigh most: a softmax of the exponents sees how much nearer it is."""
    heights = _heights(queries, keys, width)
    sums = heights.sum(dim=-1, keepdim=True)
    return torch.where(sums > 0, heights / sums, 1 / len(keys))
