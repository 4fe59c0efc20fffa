"""Typical wrong answers to self-attention."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.self_attention import tokens_look_back


def _weights(scores: Tensor, *, future: bool = False, diagonal: int = 0) -> Tensor:
    seen = torch.ones_like(scores)
    seen = seen.triu(diagonal) if future else seen.tril(diagonal)
    return scores.masked_fill(seen == 0, -1e30).softmax(dim=1)


@wrong("the scores are not scaled")
def _unscaled(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    weights = _weights(x @ W_q @ W_k.T @ x.T)
    return weights @ (x @ W_v), weights


@wrong("the scores are divided by dim, not by its square root")
def _by_dim(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    weights = _weights(x @ W_q @ (x @ W_k).T / W_q.shape[1])
    return weights @ (x @ W_v), weights


@wrong("the scores are divided by sqrt(d_model)")
def _by_d_model(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    weights = _weights((x @ W_q) @ (x @ W_k).T / x.shape[1] ** 0.5)
    return weights @ (x @ W_v), weights


@wrong("the future can be seen")
def _no_mask(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    weights = torch.softmax((x @ W_q) @ (x @ W_k).T / W_q.shape[1] ** 0.5, dim=1)
    return weights @ (x @ W_v), weights


@wrong("tokens look at the future instead of the past")
def _future(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    weights = _weights((x @ W_q) @ (x @ W_k).T / W_q.shape[1] ** 0.5, future=True)
    return weights @ (x @ W_v), weights


@wrong("the future is hidden after the softmax")
def _hidden_after(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    weights = torch.softmax((x @ W_q) @ (x @ W_k).T / W_q.shape[1] ** 0.5, dim=-1).tril()
    return weights @ (x @ W_v), weights


@wrong("the scores of the future are set to 0")
def _tril_of_scores(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    weights = ((x @ W_q) @ (x @ W_k).T / W_q.shape[1] ** 0.5).tril().softmax(-1)
    return weights @ (x @ W_v), weights


@wrong("the softmax runs over the queries")
def _first_axis(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    scores = (x @ W_q) @ (x @ W_k).T / W_q.shape[1] ** 0.5
    weights = scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -torch.inf).softmax(0)
    return weights @ (x @ W_v), weights


@wrong("queries and keys have changed places")
def _swapped(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    return tokens_look_back(x, W_k, W_q, W_v)


@wrong("the keys are also the queries")
def _one_matrix(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    return tokens_look_back(x, W_k, W_k, W_v)


@wrong("the tokens are averaged, not their values")
def _no_values(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple:
    weights = tokens_look_back(x, W_q, W_k, W_v)[1]
    return weights @ x, weights


@wrong("the output sums over the queries")
def _columns(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> tuple[Tensor, Tensor]:
    _, weights = tokens_look_back(x, W_q, W_k, W_v)
    return weights.T @ x @ W_v, weights
