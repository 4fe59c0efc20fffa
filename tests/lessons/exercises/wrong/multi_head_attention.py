"""Typical wrong answers to multi-head-attention."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.multi_head_attention import attend_in_several_heads


def _cut(x: Tensor, W: Tensor, heads: int) -> Tensor:
    return torch.stack((x @ W).chunk(heads, dim=-1), dim=1)


def _join(heads: Tensor) -> Tensor:
    return torch.cat([heads[:, h] for h in range(heads.shape[1])], dim=2)


@wrong("the scores are divided by sqrt(d_model)")
def _by_d_model(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT / x.shape[-1] ** 0.5).softmax(-1)
    return _join(weights @ v) @ W_o, weights


@wrong("the scores are not scaled")
def _unscaled(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT).softmax(-1)
    return _join(weights @ v) @ W_o, weights


@wrong("the projections are reshaped without a transpose")
def _cut_straight(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = ((x @ W).view(len(x), num_heads, x.shape[1], -1) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
    return (weights @ v).reshape(x.shape) @ W_o, weights


@wrong("the heads are put together without a transpose")
def _joined_straight(x, W_q, W_k, W_v, W_o, num_heads):
    weights = attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads)[1]
    return (weights @ _cut(x, W_v, num_heads)).reshape(x.shape) @ W_o, weights


@wrong("W_o is not used")
def _unmixed(x, W_q, W_k, W_v, W_o, num_heads):
    weights = attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads)[1]
    return _join(weights @ _cut(x, W_v, num_heads)), weights


@wrong("the keys are averaged, not the values")
def _keys_twice(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q, W_k, W_k, W_o, num_heads)


@wrong("the softmax runs over the heads")
def _over_heads(x, W_q, W_k, W_v, W_o, num_heads):
    q, k, v = (_cut(x, W, num_heads) for W in (W_q, W_k, W_v))
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(1)
    return _join(weights @ v) @ W_o, weights


@wrong("all heads are one: nothing is cut")
def _one_head(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q, W_k, W_v, W_o, 1)


@wrong("the weights are averaged over the heads")
def _mean_map(x, W_q, W_k, W_v, W_o, num_heads):
    output, weights = attend_in_several_heads(x, W_q, W_k, W_v, W_o, num_heads)
    return output, weights.mean(1)


@wrong("W_o is transposed")
def _like_linear(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q, W_k, W_v, W_o.T, num_heads)


@wrong("the matrices are transposed")
def _all_like_linear(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q.T, W_k.T, W_v.T, W_o.T, num_heads)


@wrong("the identity in the place of `W_v`")
def _plain_values(x, W_q, W_k, W_v, W_o, num_heads):
    return attend_in_several_heads(x, W_q, W_k, torch.eye(len(W_v)), W_o, num_heads)
