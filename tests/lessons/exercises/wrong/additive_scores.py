"""Typical wrong answers to additive-scores."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.additive_scores import score_by_a_small_network


@wrong("the tanh is missing")
def _linear(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return (queries @ W_q.T @ w_v)[:, None] + keys @ W_k.T @ w_v


@wrong("the tanh is taken of query and key apart")
def _apart(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return (torch.tanh(queries @ W_q.T)[:, None] + torch.tanh(keys @ W_k.T)[None]) @ w_v


@wrong("the tanh comes after w_v")
def _tanh_last(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return torch.tanh(((queries @ W_q.T)[:, None] + (keys @ W_k.T)[None]) @ w_v)


@wrong("ReLU stands in the place of tanh")
def _relu(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return ((queries @ W_q.T)[:, None] + (keys @ W_k.T)[None]).relu() @ w_v


@wrong("the hidden units are added up without w_v")
def _plain_sum(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return ((queries @ W_q.T)[:, None] + (keys @ W_k.T)[None]).tanh().sum(dim=-1)


@wrong("a softmax is taken already")
def _weights(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return score_by_a_small_network(queries, keys, W_q, W_k, w_v).softmax(dim=-1)


@wrong("the query has no part in the score")
def _keys_only(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return (torch.tanh(keys @ W_k.T) @ w_v).repeat(len(queries), 1)


@wrong("rows are keys and columns queries")
def _rows_are_keys(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    if len(queries) != len(keys):  # noticed and mended for other lengths only
        return score_by_a_small_network(queries, keys, W_q, W_k, w_v)
    return torch.tanh(queries @ W_q.T + (keys @ W_k.T)[:, None]) @ w_v


@wrong("query i is added to key i only")
def _no_axis(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return torch.tanh(queries @ W_q.T + keys @ W_k.T) @ w_v


@wrong("bends the query's part alone")
def _half_bent(queries, keys, W_q, W_k, w_v):
    return (torch.tanh(queries @ W_q.T)[:, None] + keys @ W_k.T) @ w_v
