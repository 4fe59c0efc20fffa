"""Exercise of lesson 6a: causal self-attention from three matrices."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers, softmax_rows

from_matrices = Exercise(
    "self-attention",
    "06a_self_attention",
    """Write f(x, W_q, W_k, W_v): tokens x (length, d_model), W_q and W_k (d_model, d_k), W_v (d_model, d_v).
    Return the output (length, d_v) and the weights (length, length) of causal self-attention: a token sees
    itself and those before it.""",
    (
        "`Q = x @ W_q`, `K = x @ W_k`, `V = x @ W_v`: all three from the same tokens.",
        "Scores are `Q @ K.T / sqrt(d_k)`, and `d_k` is the size of a query, not `d_model`.",
        "`torch.ones(length, length).tril().bool()` says what may be seen; hide the rest before the softmax.",
    ),
    "output (length, d_v); weights (queries, keys)",
)


@from_matrices.solution
def tokens_look_back(x, W_q, W_k, W_v):
    """Project the tokens three times, compare, hide the future, average."""
    Q, K, V = x @ W_q, x @ W_k, x @ W_v
    scores = Q @ K.T / Q.shape[-1] ** 0.5  # (queries, keys)
    future = torch.ones_like(scores).triu(1).bool()
    scores = scores.masked_fill(future, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights


@from_matrices.check
def _five_tokens(answer: Answer) -> None:
    """Output and weights are right for five tokens."""
    W_q, W_k, W_v = numbers(7, 3, seed=1) / 2, numbers(7, 3, seed=2) / 2, numbers(7, 2, seed=3)
    _gives(answer, numbers(5, 7), W_q, W_k, W_v)


@from_matrices.check
def _large_scores(answer: Answer) -> None:
    """scores of a few hundred neither overflow nor lose to the future."""
    x = torch.tensor([[20.0, 1.0], [-15.0, 2.0], [10.0, -20.0], [1.0, 1.0]])
    for sign in (1, -1):
        _gives(answer, x, sign * torch.eye(2), torch.eye(2), numbers(2, 3))


def _gives(answer: Answer, x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> None:
    dots = torch.tensor([[float(sum(q * k)) for k in x @ W_k] for q in x @ W_q])
    past = torch.tensor([[j <= i for j in range(len(x))] for i in range(len(x))])
    weights = softmax_rows(dots / W_q.shape[1] ** 0.5, past)
    answer.gives(x, W_q, W_k, W_v, wanted=(weights @ (x @ W_v), weights))


@from_matrices.check
def _half_precision(answer: Answer) -> None:
    """bfloat16 works."""
    x, W = numbers(3, 2), torch.eye(2)
    weights = softmax_rows(x @ x.T / 2**0.5, torch.tensor([[j <= i for j in range(3)] for i in range(3)]))
    wanted = (weights @ x).bfloat16(), weights.bfloat16()
    answer.gives(x.bfloat16(), *[W.bfloat16()] * 3, wanted=wanted)


@from_matrices.also
def _more() -> Iterator[tuple]:
    """other sizes, one token too."""
    yield numbers(4, 6), numbers(6, 5, seed=1) / 2, numbers(6, 5, seed=2) / 2, numbers(6, 3, seed=3)
    yield numbers(1, 2), numbers(2, 2, seed=4), numbers(2, 2, seed=5), numbers(2, 2, seed=6)


def _scores(x: Tensor, W_q: Tensor, W_k: Tensor, size: float = 0.0) -> Tensor:
    return (x @ W_q) @ (x @ W_k).T / (size or W_q.shape[1]) ** 0.5


def _finish(scores: Tensor, values: Tensor, hidden: Tensor | None = None) -> tuple[Tensor, Tensor]:
    hidden = torch.ones_like(scores).triu(1) if hidden is None else hidden
    weights = scores.masked_fill(hidden > 0, -1e30).softmax(dim=1)
    return weights @ values, weights


@from_matrices.mistake("the scores are not scaled")
def _unscaled(x, W_q, W_k, W_v):
    """Divide by sqrt(dim)."""
    return _finish(_scores(x, W_q, W_k, 1), x @ W_v)


@from_matrices.mistake("the scores are divided by dim, not by its square root")
def _by_dim(x, W_q, W_k, W_v):
    """The variance of the score is dim. What is its size?"""
    return _finish(_scores(x, W_q, W_k, W_q.shape[1] ** 2), x @ W_v)


@from_matrices.mistake("the scores are divided by sqrt(d_model)")
def _by_d_model(x, W_q, W_k, W_v):
    """Queries and keys have 3 numbers here, tokens 7. How many products does a score add up?"""
    return _finish(_scores(x, W_q, W_k, x.shape[1]), x @ W_v)


@from_matrices.mistake("the future can be seen")
def _no_mask(x, W_q, W_k, W_v):
    """Token 0 may look at itself only."""
    return _finish(_scores(x, W_q, W_k), x @ W_v, torch.zeros(len(x), len(x)))


@from_matrices.mistake("tokens look at the future instead of the past")
def _future(x, W_q, W_k, W_v):
    """Row 0 is the first token: which keys may it see? tril or triu?"""
    return _finish(_scores(x, W_q, W_k), x @ W_v, torch.ones(len(x), len(x)).tril(-1))


@from_matrices.mistake("a token may not see itself")
def _not_itself(x, W_q, W_k, W_v):
    """Then the first token sees nothing."""
    weights = _finish(_scores(x, W_q, W_k), x @ W_v, torch.ones(len(x), len(x)).triu())[1]
    weights = torch.cat([torch.zeros_like(weights[:1]), weights[1:]])
    return weights @ (x @ W_v), weights


@from_matrices.mistake("the future is hidden after the softmax")
def _hidden_after(x, W_q, W_k, W_v):
    """The rows no longer sum to 1: the future was in the sum."""
    weights = _scores(x, W_q, W_k).softmax(-1).tril()
    return weights @ (x @ W_v), weights


@from_matrices.mistake("the scores of the future are set to 0")
def _tril_of_scores(x, W_q, W_k, W_v):
    """exp(0) = 1 still has weight."""
    return _finish(_scores(x, W_q, W_k).tril(), x @ W_v, torch.zeros(len(x), len(x)))


@from_matrices.mistake("the softmax runs over the queries")
def _first_axis(x, W_q, W_k, W_v):
    """Columns sum to 1 instead of rows."""
    scores = _scores(x, W_q, W_k)
    weights = scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -torch.inf).softmax(0)
    return weights @ (x @ W_v), weights


@from_matrices.mistake("queries and keys have changed places")
def _swapped(x, W_q, W_k, W_v):
    """scores[i, j] is query i with key j: Q @ K.T."""
    return tokens_look_back(x, W_k, W_q, W_v)


@from_matrices.mistake("the keys are also the queries")
def _one_matrix(x, W_q, W_k, W_v):
    """W_q makes the queries."""
    return tokens_look_back(x, W_k, W_k, W_v)


@from_matrices.mistake("the tokens are averaged, not their values")
def _no_values(x, W_q, W_k, W_v):
    """What is fetched is x @ W_v."""
    weights = tokens_look_back(x, W_q, W_k, W_v)[1]
    return weights @ x, weights


@from_matrices.mistake("the token's own value is added to the output")
def _own_value_added(x, W_q, W_k, W_v):
    """Adding it on is what the block around attention does. Here: weights @ V."""
    output, weights = tokens_look_back(x, W_q, W_k, W_v)
    return output + x @ W_v, weights


@from_matrices.mistake("the scores are divided by the root of the length")
def _by_length(x, W_q, W_k, W_v):
    """A score adds dim products, however many tokens there are."""
    return _finish(_scores(x, W_q, W_k, len(x)), x @ W_v)


@from_matrices.mistake("the scores are divided by the root of the value's size")
def _by_value_size(x, W_q, W_k, W_v):
    """A score adds dim products: the size of queries and keys."""
    return _finish(_scores(x, W_q, W_k, W_v.shape[1]), x @ W_v)


@from_matrices.mistake("the projections are not used: tokens are compared as they are")
def _not_projected(x, W_q, W_k, W_v):
    """Q = x @ W_q and K = x @ W_k."""
    return _finish(_scores(x, torch.eye(len(W_q)), torch.eye(len(W_q))), x @ W_v)


@from_matrices.mistake("the output sums over the queries")
def _columns(x, W_q, W_k, W_v):
    """Row i of the weights times the values: weights @ V, not weights.T @ V."""
    _, weights = tokens_look_back(x, W_q, W_k, W_v)
    return weights.T @ x @ W_v, weights


@from_matrices.mistake("for large scores the weights are NaN")
def _own_softmax(x, W_q, W_k, W_v):
    """e to 89 is more than float32 can hold. `torch.softmax` takes the largest score away first."""
    heights = _scores(x, W_q, W_k).exp().tril()
    weights = heights / heights.sum(-1, keepdim=True)
    return weights @ (x @ W_v), weights


@from_matrices.mistake("the number written over the future is not low enough")
def _low_but_not_lowest(x, W_q, W_k, W_v):
    """Scores of the past may lie below it: then the future wins. Which number lies below all others?"""
    scores = _scores(x, W_q, W_k)
    weights = scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -100).softmax(-1)
    return weights @ (x @ W_v), weights
