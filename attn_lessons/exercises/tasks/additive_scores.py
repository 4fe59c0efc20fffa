"""Exercise of lesson 4a: the additive score, a small network for every pair."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

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


def _slowly(inputs: tuple[Tensor, ...]) -> Tensor:
    """Score one pair, one hidden unit at a time."""
    queries, keys, weights_q, weights_k, last = (tensor.tolist() for tensor in inputs)

    def dot(a: list[Any], b: list[Any]) -> float:
        return sum(x * y for x, y in zip(a, b, strict=True))

    def pair(q: list[Any], k: list[Any]) -> float:
        hidden = [(dot(a, q), dot(b, k)) for a, b in zip(weights_q, weights_k, strict=True)]
        return dot(last, [math.tanh(x + y) for x, y in hidden])

    return torch.tensor([[pair(q, k) for k in keys] for q in queries])


@additive.check
def _as_many_queries_as_keys(answer: Answer) -> None:
    """Every query meets every key, also when there are as many of each."""
    inputs = numbers(3, 2), numbers(3, 2, seed=1), numbers(5, 2, seed=2), numbers(5, 2, seed=3), numbers(5)
    answer.gives(*inputs, wanted=_slowly(inputs))


@additive.check
def _other_sizes(answer: Answer) -> None:
    """queries and keys may have other sizes."""
    sizes = (3, 2), (5, 7), (11, 2), (11, 7), (11,)
    inputs = tuple(numbers(*size, seed=seed) / 2 for seed, size in enumerate(sizes))
    answer.gives(*inputs, wanted=_slowly(inputs))


@additive.also
def _more() -> Iterator[tuple]:
    """one query, one key, one hidden unit."""
    yield tuple(numbers(*size, seed=9) for size in ((1, 4), (2, 3), (5, 4), (5, 3), (5,)))
    yield tuple(numbers(*size, seed=8) for size in ((4, 2), (1, 5), (1, 2), (1, 5), (1,)))


def _pairs(q: Tensor, k: Tensor, W_q: Tensor, W_k: Tensor) -> tuple[Tensor, Tensor]:
    return (q @ W_q.T)[:, None], k @ W_k.T


@additive.mistake("query i is added to key i only")
def _no_axis(queries, keys, W_q, W_k, w_v):
    """Every query meets every key: which axis of size 1 is missing?"""
    return torch.tanh(queries @ W_q.T + keys @ W_k.T) @ w_v


@additive.mistake("rows are keys and columns queries")
def _rows_are_keys(queries, keys, W_q, W_k, w_v):
    """Which of the two gets the axis of 1 first?"""
    if len(queries) != len(keys):  # noticed and mended for other lengths only
        return score_by_a_small_network(queries, keys, W_q, W_k, w_v)
    return torch.tanh(queries @ W_q.T + (keys @ W_k.T)[:, None]) @ w_v


@additive.mistake("the tanh is missing")
def _linear(queries, keys, W_q, W_k, w_v):
    """Without it the score is a number of the query plus a number of the key: every query then has the same
    weights."""
    return (queries @ W_q.T @ w_v)[:, None] + keys @ W_k.T @ w_v


@additive.mistake("the tanh is taken of query and key apart")
def _apart(queries, keys, W_q, W_k, w_v):
    """tanh(a) + tanh(b) falls apart into two numbers. Add first."""
    return (torch.tanh(queries @ W_q.T)[:, None] + torch.tanh(keys @ W_k.T)[None]) @ w_v


@additive.mistake("the tanh comes after w_v")
def _tanh_last(queries, keys, W_q, W_k, w_v):
    """It belongs inside, on the hidden units."""
    return torch.tanh(((queries @ W_q.T)[:, None] + (keys @ W_k.T)[None]) @ w_v)


@additive.mistake("ReLU stands in the place of tanh")
def _relu(queries, keys, W_q, W_k, w_v):
    """A fine idea, but another score."""
    return ((queries @ W_q.T)[:, None] + (keys @ W_k.T)[None]).relu() @ w_v


@additive.mistake("the hidden units are added up without w_v")
def _plain_sum(queries, keys, W_q, W_k, w_v):
    """Which weights does w_v give them?"""
    return ((queries @ W_q.T)[:, None] + (keys @ W_k.T)[None]).tanh().sum(dim=-1)


@additive.mistake("a softmax is taken already")
def _weights(queries, keys, W_q, W_k, w_v):
    """Return scores."""
    return score_by_a_small_network(queries, keys, W_q, W_k, w_v).softmax(dim=-1)


@additive.mistake("the query has no part in the score")
def _keys_only(queries, keys, W_q, W_k, w_v):
    """Every row is the same."""
    return (torch.tanh(keys @ W_k.T) @ w_v).repeat(len(queries), 1)


@additive.mistake("a sigmoid stands in the place of tanh")
def _sigmoid_stands_place_tanh(q, k, a, b, v):
    """A sigmoid gives 0 to 1, the tanh -1 to 1."""
    return torch.add(*_pairs(q, k, a, b)).sigmoid() @ v


@additive.mistake("query and key are multiplied, not added")
def _query_key_multiplied_not_added(q, k, a, b, v):
    """That is nearer to a dot product. The additive score adds the two projections."""
    return torch.tanh(torch.mul(*_pairs(q, k, a, b))) @ v


@additive.mistake("the tanh is taken once more at the end")
def _tanh_taken_once_more_at(q, k, a, b, v):
    """Inside only: scores may have any size."""
    return torch.tanh(torch.tanh(torch.add(*_pairs(q, k, a, b))) @ v)


@additive.mistake("w_v is multiplied in before the tanh")
def _w_v_multiplied_before_tanh(q, k, a, b, v):
    """It weighs the hidden units after the tanh."""
    return torch.tanh(torch.add(*_pairs(q, k, a, b)) * v).sum(-1)


@additive.mistake("the hidden units are averaged without w_v")
def _hidden_units_averaged_without_w(q, k, a, b, v):
    """Which weights does w_v give them?"""
    return torch.tanh(torch.add(*_pairs(q, k, a, b))).mean(-1)


@additive.mistake("the tanh bends the query's part alone")
def _half_bent(queries, keys, W_q, W_k, w_v):
    """Add the two parts, then bend their sum."""
    return (torch.tanh(queries @ W_q.T)[:, None] + keys @ W_k.T) @ w_v
