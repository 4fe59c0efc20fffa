"""Exercise of lesson 6a: causal self-attention from three matrices."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers, softmax_rows

from_matrices = Exercise(
    "self-attention",
    "06a_self_attention",
    """Write f(x, W_q, W_k, W_v): tokens x (length, d_model), W_q and W_k (d_model, dim), W_v (d_model,
    value_dim). Return the output (length, value_dim) and the weights (length, length) of causal
    self-attention: a token sees itself and those before it.""",
    (
        "`Q = x @ W_q`, `K = x @ W_k`, `V = x @ W_v`: all three from the same tokens.",
        "Scores are `Q @ K.T / sqrt(dim)`, and `dim` is the size of a query, not `d_model`.",
        "`torch.ones(length, length).tril().bool()` says what may be seen; hide the rest before the softmax.",
    ),
    "output (length, value_dim); weights (queries, keys)",
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
    x = numbers(5, 7)
    W_q, W_k, W_v = numbers(7, 3, seed=1) / 2, numbers(7, 3, seed=2) / 2, numbers(7, 2, seed=3)
    Q, K, V = x @ W_q, x @ W_k, x @ W_v
    dots = torch.tensor([[float(sum(q * k)) for k in K] for q in Q])
    past = torch.tensor([[j <= i for j in range(5)] for i in range(5)])

    def both(weights: Tensor) -> tuple[Tensor, Tensor]:
        return weights @ V, weights

    scaled = dots / 3**0.5
    right = both(softmax_rows(scaled, past))
    suspects = [
        Suspect("the scores are not scaled", "Divide by sqrt(dim).", both(softmax_rows(dots, past))),
        Suspect(
            "the scores are divided by dim, not by its square root",
            "The variance of the score is dim. What is its size?",
            both(softmax_rows(dots / 3, past)),
        ),
        Suspect(
            "the scores are divided by sqrt(d_model)",
            "Queries and keys have 3 numbers here, tokens 7. How many products does a score add up?",
            both(softmax_rows(dots / 7**0.5, past)),
        ),
        Suspect(
            "the future can be seen",
            "Token 0 may look at itself only.",
            both(softmax_rows(scaled)),
        ),
        Suspect(
            "tokens look at the future instead of the past",
            "Row 0 is the first token: which keys may it see? tril or triu?",
            both(softmax_rows(scaled, past.T)),
        ),
        Suspect(
            "a token may not see itself",
            "Then the first token sees nothing.",
            both(softmax_rows(scaled, torch.tensor([[j < i for j in range(5)] for i in range(5)]))),
        ),
        Suspect(
            "the future is hidden after the softmax",
            "The rows no longer sum to 1: the future was in the sum.",
            both(softmax_rows(scaled) * past),
        ),
        Suspect(
            "the scores of the future are set to 0",
            "exp(0) = 1 still has weight.",
            both(softmax_rows(scaled * past)),
        ),
        Suspect(
            "the softmax runs over the queries",
            "Columns sum to 1 instead of rows.",
            both(softmax_rows(scaled.T.contiguous(), past.T).T),
        ),
        Suspect(
            "queries and keys have changed places",
            "scores[i, j] is query i with key j: Q @ K.T.",
            both(softmax_rows(scaled.T.contiguous(), past)),
        ),
        Suspect(
            "the keys are also the queries",
            "W_q makes the queries.",
            both(softmax_rows(torch.tensor([[float(sum(q * k)) for k in K] for q in K]) / 3**0.5, past)),
        ),
        Suspect(
            "the tokens are averaged, not their values",
            "What is fetched is x @ W_v.",
            (right[1] @ x, right[1]),
        ),
    ]
    answer.gives(x, W_q, W_k, W_v, wanted=right, suspects=suspects)


@from_matrices.check
def _half_precision(answer: Answer) -> None:
    """bfloat16 works."""
    x, W = numbers(3, 2), torch.eye(2)
    weights = softmax_rows(x @ x.T / 2**0.5, torch.tensor([[j <= i for j in range(3)] for i in range(3)]))
    wanted = (weights @ x).bfloat16(), weights.bfloat16()
    answer.gives(x.bfloat16(), *[W.bfloat16()] * 3, wanted=wanted, named="bfloat16 output; bfloat16 weights")


@from_matrices.also
def _more() -> Iterator[tuple]:
    """other sizes, one token too."""
    yield numbers(4, 6), numbers(6, 5, seed=1) / 2, numbers(6, 5, seed=2) / 2, numbers(6, 3, seed=3)
    yield numbers(1, 2), numbers(2, 2, seed=4), numbers(2, 2, seed=5), numbers(2, 2, seed=6)


from_matrices.slip(
    "the token's own value is added to the output",
    "Adding it on is what the block around attention does. Here: weights @ V.",
    lambda x, W_q, W_k, W_v: (
        tokens_look_back(x, W_q, W_k, W_v)[0] + x @ W_v,
        tokens_look_back(x, W_q, W_k, W_v)[1],
    ),
)
from_matrices.slip(
    "the scores are divided by the root of the length",
    "A score adds dim products, however many tokens there are.",
    lambda x, W_q, W_k, W_v: tokens_look_back(x, W_q * (W_q.shape[1] / len(x)) ** 0.5, W_k, W_v),
)
from_matrices.slip(
    "the scores are divided by the root of the value's size",
    "A score adds dim products: the size of queries and keys.",
    lambda x, W_q, W_k, W_v: tokens_look_back(x, W_q * (W_q.shape[1] / W_v.shape[1]) ** 0.5, W_k, W_v),
)
from_matrices.slip(
    "the projections are not used: tokens are compared as they are",
    "Q = x @ W_q and K = x @ W_k.",
    lambda x, W_q, W_k, W_v: tokens_look_back(x, torch.eye(len(W_q)), torch.eye(len(W_q)), W_v),
)
from_matrices.slip(
    "the output sums over the queries",
    "Row i of the weights times the values: weights @ V, not weights.T @ V.",
    lambda x, W_q, W_k, W_v: (
        tokens_look_back(x, W_q, W_k, W_v)[1].T @ (x @ W_v),
        tokens_look_back(x, W_q, W_k, W_v)[1],
    ),
)
