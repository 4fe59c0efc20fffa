"""Exercise of lesson 2b: scaled dot-product scores, in half precision too."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Mistake, Suspect, numbers

scaled = Exercise(
    "scaled-scores",
    "02b_scaling",
    """Write f(queries, keys): queries (..., queries, dim) and keys (..., keys, dim). Return the scaled
    dot-product scores (..., queries, keys), of size 1 for random vectors of any dim, for float16
    inputs too.""",
    (
        "Every query meets every key: a matrix product, with the last two axes of the keys swapped.",
        "The dot product adds dim products. If each has variance 1, what is the variance of the sum?",
        "In float16 a dot product above 65504 is lost before it can be divided: scale the queries first.",
    ),
    "scores (batch, queries, keys)",
)


@scaled.solution
def scores_of_size_one(queries, keys):
    """Divide the queries first, so that large products stay inside the range of float16."""
    dim = queries.shape[-1]
    return (queries / dim**0.5) @ keys.mT  # (..., queries, keys)


def _dots(queries: Tensor, keys: Tensor) -> Tensor:
    """Dot products of a batch, one pair and one product at a time."""
    pairs = [
        [[sum(a * b for a, b in zip(q, k, strict=True)) for k in some_keys] for q in some_queries]
        for some_queries, some_keys in zip(queries.tolist(), keys.tolist(), strict=True)
    ]
    return torch.tensor(pairs)


@scaled.check
def _every_pair(answer: Answer) -> None:
    """Every query meets every key, divided by sqrt(dim)."""
    queries, keys = numbers(2, 3, 7), numbers(2, 5, 7, seed=1)
    dots, sqrt = _dots(queries, keys), math.sqrt
    what_size = "Which size counts the products that are added up in one score?"
    suspects = [
        Suspect("the scores are not scaled", "Their size grows like sqrt(dim). Divide by it.", dots),
        Suspect(
            "the scores are divided by dim, not by its square root",
            "The variance of the sum is dim. What must a number be divided by for its variance to become 1?",
            dots / 7,
        ),
        Suspect("the scores are multiplied by sqrt(dim)", "They should shrink.", dots * sqrt(7)),
        Suspect("the scores are divided by the root of the number of keys", what_size, dots / sqrt(5)),
        Suspect("the scores are divided by the root of the number of queries", what_size, dots / sqrt(3)),
        Suspect("the scores are divided by the root of the batch size", what_size, dots / sqrt(2)),
        Suspect(
            "a softmax is taken already",
            "Scores come before it: they may be negative and sum to anything.",
            torch.softmax(dots / sqrt(7), dim=-1),
        ),
        Suspect(
            "vectors are made to length 1: that is the cosine",
            "Long keys should score more than short ones.",
            dots / queries.norm(dim=-1)[:, :, None] / keys.norm(dim=-1)[:, None],
        ),
    ]
    answer.gives(queries, keys, wanted=dots / sqrt(7), suspects=suspects)


@scaled.check
def _more_axes(answer: Answer) -> None:
    """axes in front do not matter."""
    queries, keys = numbers(2, 3, 5, 4), numbers(2, 3, 7, 4, seed=1)
    wanted = torch.stack([_dots(q, k) for q, k in zip(queries, keys, strict=True)]) / 2
    answer.gives(queries, keys, wanted=wanted, axes="batch heads queries keys", named="scores of heads")


@scaled.check
def _half_precision(answer: Answer) -> Mistake | None:
    """large float16 vectors do not overflow."""
    queries, keys = torch.full((1, 2, 64), 40.0), torch.full((1, 3, 64), 40.0)
    got = answer(queries.half(), keys.half())
    if isinstance(got, Tensor) and got.isinf().any():
        return Mistake(
            "float16 overflows before the division",
            "40 * 40 * 64 = 102400, above 65504, the largest float16; a score of 12800 would fit.",
            "Divide before the sum grows: scale the queries, then multiply.",
        )
    wanted = (_dots(queries, keys) / 8).half()
    answer.gives(queries.half(), keys.half(), wanted=wanted, named="float16 scores")
    return None


@scaled.also
def _more() -> Iterator[tuple]:
    """other sizes, without a batch too."""
    yield numbers(1, 2, 11), numbers(1, 4, 11, seed=1)
    yield numbers(3, 1, 3, dtype=torch.float64), numbers(3, 2, 3, seed=2, dtype=torch.float64)


scaled.slip(
    "a half is multiplied in the place of a root",
    "`x ** 1 / 2` is (x ** 1) / 2: write x ** 0.5 or x ** (1 / 2).",
    lambda q, k: q @ k.mT / (q.shape[-1] / 2),
)
scaled.slip(
    "distances are returned, not dot products",
    "Multiply and add: the scores of matching directions are large.",
    lambda q, k: torch.cdist(q, k),
)
scaled.slip(
    "distances are returned, not dot products",
    "Multiply and add: the scores of matching directions are large.",
    lambda q, k: -torch.cdist(q, k).square() / 2,
)
for whole in (math.floor, math.ceil):
    scaled.slip(
        "the root of dim is made a whole number",
        "int, round and // lose what stands behind the point: dim ** 0.5 is enough.",
        lambda q, k, whole=whole: q @ k.mT / whole(q.shape[-1] ** 0.5),
    )
