"""Exercise of lesson 4a: the additive score, a small network for every pair."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

additive = Exercise(
    "additive-scores",
    "04a_additive_attention",
    """Write f(queries, keys, W_q, W_k, w_v): queries (queries, query_size), keys (keys, key_size), W_q
    (hidden, query_size), W_k (hidden, key_size), w_v (hidden,). Return the scores w_v . tanh(W_q q + W_k k)
    as (queries, keys).""",
    (
        "`queries @ W_q.T` has shape (queries, hidden). What has `keys @ W_k.T`?",
        """Every pair needs a sum of its own: put axes of size 1, so that (queries, 1, hidden) + (1, keys,
        hidden) broadcasts.""",
        "The product with `w_v` takes the last axis away.",
    ),
    "scores (queries, keys)",
)


@additive.solution
def score_by_a_small_network(queries, keys, W_q, W_k, w_v):
    """Add the projections of every pair by broadcasting."""
    q = (queries @ W_q.T)[:, None]  # (queries, 1, hidden)
    k = keys @ W_k.T  # (keys, hidden)
    return torch.tanh(q + k) @ w_v  # (queries, keys)


def _slowly(inputs: tuple[Tensor, ...], *, bend: object = math.tanh, late: bool = False) -> Tensor:
    """Score one pair, one hidden unit at a time."""
    queries, keys, weights_q, weights_k, last = (tensor.tolist() for tensor in inputs)

    def dot(a: list[Any], b: list[Any]) -> float:
        return sum(x * y for x, y in zip(a, b, strict=True))

    def pair(q: list[Any], k: list[Any]) -> float:
        hidden = [(dot(a, q), dot(b, k)) for a, b in zip(weights_q, weights_k, strict=True)]
        if late:
            return dot(last, [bend(x) + bend(y) for x, y in hidden])
        return dot(last, [bend(x + y) for x, y in hidden])

    return torch.tensor([[pair(q, k) for k in keys] for q in queries])


def _suspects(inputs: tuple[Tensor, ...]) -> list[Suspect]:
    right, linear = _slowly(inputs), _slowly(inputs, bend=lambda x: x)
    return [
        Suspect(
            "the tanh is missing",
            """Without it the score is a number of the query plus a number of the key: every query then has
            the same weights.""",
            linear,
        ),
        Suspect(
            "the tanh is taken of query and key apart",
            "tanh(a) + tanh(b) falls apart into two numbers. Add first.",
            _slowly(inputs, late=True),
        ),
        Suspect("the tanh comes after w_v", "It belongs inside, on the hidden units.", linear.tanh()),
        Suspect(
            "ReLU stands in the place of tanh",
            "A fine idea, but another score.",
            _slowly(inputs, bend=lambda x: max(x, 0.0)),
        ),
        Suspect(
            "the hidden units are added up without w_v",
            "Which weights does w_v give them?",
            _slowly((*inputs[:4], torch.ones_like(inputs[4]))),
        ),
        Suspect("a softmax is taken already", "Return scores.", right.softmax(dim=-1)),
        Suspect(
            "the query has no part in the score",
            "Every row is the same.",
            _slowly((torch.zeros_like(inputs[0]), *inputs[1:])),
        ),
    ]


@additive.check
def _as_many_queries_as_keys(answer: Answer) -> None:
    """Every query meets every key, also when there are as many of each."""
    inputs = numbers(3, 2), numbers(3, 2, seed=1), numbers(5, 2, seed=2), numbers(5, 2, seed=3), numbers(5)
    right = _slowly(inputs)
    suspects = [
        Suspect(
            "query i is added to key i only",
            "Every query meets every key: which axis of size 1 is missing?",
            right.diagonal(),
        ),
        Suspect("rows are keys and columns queries", "Which of the two gets the axis of 1 first?", right.T),
        *_suspects(inputs),
    ]
    answer.gives(*inputs, wanted=right, suspects=suspects)


@additive.check
def _other_sizes(answer: Answer) -> None:
    """queries and keys may have other sizes."""
    sizes = (3, 2), (5, 7), (11, 2), (11, 7), (11,)
    inputs = tuple(numbers(*size, seed=seed) / 2 for seed, size in enumerate(sizes))
    wanted, suspects = _slowly(inputs), _suspects(inputs)
    answer.gives(*inputs, wanted=wanted, suspects=suspects)


@additive.also
def _more() -> Iterator[tuple]:
    """one query, one key, one hidden unit."""
    yield tuple(numbers(*size, seed=9) for size in ((1, 4), (2, 3), (5, 4), (5, 3), (5,)))
    yield tuple(numbers(*size, seed=8) for size in ((4, 2), (1, 5), (1, 2), (1, 5), (1,)))


def _pairs(q: Tensor, k: Tensor, W_q: Tensor, W_k: Tensor) -> tuple[Tensor, Tensor]:
    return (q @ W_q.T)[:, None], k @ W_k.T


additive.slip(
    "a sigmoid stands in the place of tanh",
    "A sigmoid gives 0 to 1, the tanh -1 to 1.",
    lambda q, k, a, b, v: sum(_pairs(q, k, a, b)).sigmoid() @ v,
)
additive.slip(
    "query and key are multiplied, not added",
    "That is nearer to a dot product. The additive score adds the two projections.",
    lambda q, k, a, b, v: torch.tanh(torch.mul(*_pairs(q, k, a, b))) @ v,
)
additive.slip(
    "the tanh is taken once more at the end",
    "Inside only: scores may have any size.",
    lambda q, k, a, b, v: torch.tanh(torch.tanh(sum(_pairs(q, k, a, b))) @ v),
)
additive.slip(
    "w_v is multiplied in before the tanh",
    "It weighs the hidden units after the tanh.",
    lambda q, k, a, b, v: torch.tanh(sum(_pairs(q, k, a, b)) * v).sum(-1),
)
additive.slip(
    "the hidden units are averaged without w_v",
    "Which weights does w_v give them?",
    lambda q, k, a, b, v: torch.tanh(sum(_pairs(q, k, a, b))).mean(-1),
)
additive.slip(
    "the tanh bends the query's part alone",
    "Add the two parts, then bend their sum.",
    lambda q, k, W_q, W_k, w: (torch.tanh(q @ W_q.T)[:, None] + k @ W_k.T) @ w,
)
