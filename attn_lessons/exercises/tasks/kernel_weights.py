"""Exercise of lesson 1a: the weights of a Gaussian kernel."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers, softmax_rows

weights = Exercise(
    "kernel-weights",
    "01a_weighted_average",
    """Write f(queries, keys, width): queries (queries,) and keys (keys,) are plain numbers. Return the
    weights (queries, keys) of the Gaussian kernel with this width: each row sums to 1.""",
    (
        "`queries[:, None] - keys` holds every difference, as (queries, keys).",
        "The height is `exp(-u^2 / 2)` with `u = difference / width`. Its constant cancels: why?",
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
    answer.gives(QUERIES, KEYS, width, wanted=_shares(bell), suspects=suspects)


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
    empty = Suspect(
        "far from every key all weights are 0",
        "All heights underflow to 0, which a small number below the line hides. Use torch.softmax.",
        torch.zeros(1, 3),
    )
    suspects = [unknown, empty]
    answer.gives(queries, KEYS, 1.0, wanted=wanted, suspects=suspects)


@weights.also
def _more() -> Iterator[tuple]:
    """other sizes and widths."""
    yield numbers(4), numbers(3, seed=1), 0.3
    yield numbers(3, seed=2), numbers(5, seed=3), 4.0
    yield numbers(2, dtype=torch.float64), numbers(2, seed=4, dtype=torch.float64), 1.1


weights.slip(
    "the query is not divided by the width",
    "u is the whole difference divided by it: mind the brackets.",
    lambda q, k, w: torch.softmax(-((q[:, None] - k / w) ** 2) / 2, dim=-1),
)
weights.slip(
    "the heights are divided by the largest, not by their sum",
    "Then the nearest key weighs 1, and a row more than 1.",
    lambda q, k, w: (
        torch.exp(-(((q[:, None] - k) / w) ** 2) / 2)
        / torch.exp(-(((q[:, None] - k) / w) ** 2) / 2).amax(1, True)
    ),
)
weights.slip(
    "all weights of the map sum to 1, not each row",
    "Each query shares out 1 of its own.",
    lambda q, k, w: (-(((q[:, None] - k) / w) ** 2) / 2).flatten().softmax(0).reshape(len(q), len(k)),
)
weights.slip(
    "the differences are not squared",
    "u^2 / 2: a key on the other side of the query is as near.",
    lambda q, k, w: torch.softmax(-(q[:, None] - k) / w / 2, dim=-1),
)
weights.slip(
    "another kernel: 1 / (1 + u^2)",
    "The Gaussian is exp(-u^2 / 2).",
    lambda q, k, w: _shares(1 / (1 + ((q[:, None] - k) / w) ** 2)),
)
weights.slip(
    "the distance is squared twice",
    "u = difference / width, and u once squared.",
    lambda q, k, w: torch.softmax(-(((q[:, None] - k) ** 2 / w) ** 2) / 2, dim=-1),
)
weights.slip(
    "only the nearest key counts",
    "Near keys count more, but all of them count.",
    lambda q, k, w: torch.nn.functional.one_hot((q[:, None] - k).abs().argmin(-1), len(k)).to(q.dtype),
)
