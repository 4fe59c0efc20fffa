"""Exercise of lesson 2b: scaled dot-product scores, in half precision too."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Reply, numbers

scaled = Exercise(
    "scaled-scores",
    "02b_scaling",
    """Write f(queries, keys): queries (..., queries, dim) and keys (..., keys, dim). Return the scaled
    dot-product scores (..., queries, keys), of size 1 for random vectors of any dim, for float16
    inputs too.""",
    (
        "Every query meets every key: a matrix product, with the last two axes of the keys swapped.",
        "The dot product adds dim products. If each has variance 1, what is the variance of the sum?",
        "In float16, a dot product above 65,504 becomes infinite before it can be divided. "
        "Scale the queries first.",
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
    answer.gives(queries, keys, wanted=_dots(queries, keys) / math.sqrt(7))


@scaled.check
def _more_axes(answer: Answer) -> None:
    """axes in front do not matter."""
    queries, keys = numbers(2, 3, 5, 4), numbers(2, 3, 7, 4, seed=1)
    wanted = torch.stack([_dots(q, k) for q, k in zip(queries, keys, strict=True)]) / 2
    answer.gives(queries, keys, wanted=wanted, axes="batch heads queries keys", named="scores of heads")


@scaled.check
def _half_precision(answer: Answer) -> Reply | None:
    """large float16 vectors do not overflow."""
    queries, keys = torch.full((1, 2, 64), 40.0), torch.full((1, 3, 64), 40.0)
    got = answer(queries.half(), keys.half())
    if isinstance(got, Tensor) and got.isinf().any():
        return Reply(
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


@scaled.mistake("the scores are not scaled")
def _unscaled(queries, keys):
    """Their size grows like sqrt(dim). Divide by it."""
    return torch.bmm(queries, keys.mT)


@scaled.mistake("the scores are divided by dim, not by its square root")
def _by_dim(queries, keys):
    """The variance of the sum is dim. What must a number be divided by for its variance to become 1?"""
    return queries @ keys.transpose(1, 2) / keys.size(-1)


@scaled.mistake("the scores are multiplied by sqrt(dim)")
def _multiplied(queries, keys):
    """They should shrink."""
    return queries @ keys.mT * queries.shape[-1] ** 0.5


@scaled.mistake("the scores are divided by the root of the number of keys")
def _by_keys(queries, keys):
    """Which size counts the products that are added up in one score?"""
    return queries @ keys.mT / math.sqrt(keys.shape[1])


@scaled.mistake("the scores are divided by the root of the number of queries")
def _by_queries(queries, keys):
    """Which size counts the products that are added up in one score?"""
    return queries @ keys.mT / math.sqrt(queries.shape[1])


@scaled.mistake("the scores are divided by the root of the batch size")
def _by_batch(queries, keys):
    """Which size counts the products that are added up in one score?"""
    return queries @ keys.mT / len(keys) ** 0.5


@scaled.mistake("a softmax is taken already")
def _weights(queries, keys):
    """Scores come before it: they may be negative and sum to anything."""
    return torch.softmax(queries @ keys.mT / queries.shape[-1] ** 0.5, dim=-1)


@scaled.mistake("vectors are made to length 1: that is the cosine")
def _cosine(queries, keys):
    """Long keys should score more than short ones."""
    return torch.nn.functional.normalize(queries, dim=-1) @ torch.nn.functional.normalize(keys, dim=-1).mT


@scaled.mistake("a half is multiplied in the place of a root")
def _half(q, k):
    """`x ** 1 / 2` is (x ** 1) / 2: write x ** 0.5 or x ** (1 / 2)."""
    return q @ k.mT / (q.shape[-1] / 2)


@scaled.mistake("distances are returned, not dot products")
def _distances(q, k):
    """Multiply and add: the scores of matching directions are large."""
    return torch.cdist(q, k)


@scaled.mistake("distances are returned, not dot products")
def _squared_distances(q, k):
    """Multiply and add: the scores of matching directions are large."""
    return -torch.cdist(q, k).square() / 2


@scaled.mistake("the root of dim is made a whole number")
def _whole_root(queries, keys):
    """int, round and // lose what stands behind the point: dim ** 0.5 is enough."""
    return queries / int(math.sqrt(queries.shape[-1])) @ keys.mT


@scaled.mistake("the root of dim is made a whole number")
def _whole_root_above(queries, keys):
    """int, round and // lose what stands behind the point: dim ** 0.5 is enough."""
    return queries / math.ceil(math.sqrt(queries.shape[-1])) @ keys.mT


@scaled.mistake("the scores are divided by their own spread")
def _by_spread(queries, keys):
    """Then a score hangs on all the others. The size of random scores is known beforehand: sqrt(dim)."""
    scores = queries @ keys.mT
    return scores / scores.std()


@scaled.mistake("the queries are divided by the fourth root of dim, the keys are not")
def _fourth_root(queries, keys):
    """Either both by the fourth root, or one of them by the root."""
    return queries / queries.shape[-1] ** 0.25 @ keys.mT


@scaled.mistake("the scores are cut off at the largest float16")
def _cut_off(queries, keys):
    """A score above it would have fitted after the division: scale the queries before the product."""
    return (queries @ keys.mT).clamp(max=65504) / queries.shape[-1] ** 0.5


@scaled.mistake("the axes of the scores are in the wrong order: (batch, keys, queries)")
def _transposed(queries, keys):
    return keys @ queries.mT / queries.shape[-1] ** 0.5


@scaled.mistake("float16 overflows before the division")
def _divided_too_late(queries, keys):
    return queries @ keys.mT / queries.shape[-1] ** 0.5


@scaled.mistake("the dtype of the float16 scores is wrong")
def _always_float32(queries, keys):
    return queries.float() @ keys.float().mT / queries.shape[-1] ** 0.5
