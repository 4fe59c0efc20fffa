"""Typical wrong answers to bahdanau-step."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.bahdanau_step import look_at_the_source


def _finish(scores: Tensor, states: Tensor, valid_lens: Tensor, dim: int = -1) -> tuple[Tensor, Tensor]:
    padding = torch.arange(states.shape[1]) >= valid_lens.unsqueeze(1)
    weights = scores.masked_fill(padding, -1e9).softmax(dim)
    return (weights.unsqueeze(1) @ states).squeeze(1), weights


@wrong("padding gets weight: valid_lens is not used")
def _no_mask(state, states, W_s, W_h, v, valid_lens):
    weights = ((state @ W_s.T).unsqueeze(1) + states @ W_h.T).tanh().matmul(v).softmax(-1)
    return (weights.unsqueeze(1) @ states).squeeze(1), weights


@wrong("the mask is applied after the softmax")
def _mask_after(state, states, W_s, W_h, v, valid_lens):
    weights = _no_mask(state, states, W_s, W_h, v, valid_lens)[1]
    weights = weights * (torch.arange(states.shape[1]) < valid_lens[:, None])
    return torch.einsum("bk,bke->be", weights, states), weights


@wrong("the tanh is missing")
def _linear(state, states, W_s, W_h, v, valid_lens):
    return _finish(((state @ W_s.T)[:, None] + states @ W_h.T) @ v, states, valid_lens)


@wrong("the decoder state has no part in the scores")
def _no_question(state, states, W_s, W_h, v, valid_lens):
    return _finish(torch.tanh(states @ W_h.T) @ v, states, valid_lens)


@wrong("the softmax runs over the batch")
def _over_the_batch(state, states, W_s, W_h, v, valid_lens):
    weights = _finish(torch.tanh((state @ W_s.T)[:, None] + states @ W_h.T) @ v, states, valid_lens, dim=0)[1]
    weights = weights * (torch.arange(states.shape[1]) < valid_lens[:, None])
    return torch.einsum("bk,bke->be", weights, states), weights


@wrong("the context is the mean over keys of the weighted states")
def _mean(state, states, W_s, W_h, v, valid_lens):
    weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)[1]
    return (weights[:, :, None] * states).mean(dim=1), weights


@wrong("weights and context are returned in the wrong order")
def _order(state, states, W_s, W_h, v, valid_lens):
    context, weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)
    return weights, context


@wrong("only the best position is fetched")
def _argmax(state, states, W_s, W_h, v, valid_lens):
    weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)[1]
    weights = (weights == weights.amax(dim=-1, keepdim=True)).float()
    return torch.einsum("bk,bke->be", weights, states), weights


@wrong("the context: all numbers are right, only the shape is not")
def _axis_left(state, states, W_s, W_h, v, valid_lens):
    weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)[1]
    return weights[:, None] @ states, weights


@wrong("the context is the heaviest state alone")
def _hard(state, states, W_s, W_h, v, valid_lens):
    weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)[1]
    return states[torch.arange(len(states)), weights.argmax(-1)], weights


@wrong("multiplied by their weights twice")
def _twice(state, states, W_s, W_h, v, valid_lens):
    weights = look_at_the_source(state, states, W_s, W_h, v, valid_lens)[1]
    return (weights[:, None] @ (weights[..., None] * states))[:, 0], weights


@wrong("a sigmoid stands in the place of the softmax")
def _gates(state, states, W_s, W_h, v, valid_lens):
    scores = torch.tanh((state @ W_s.T)[:, None] + states @ W_h.T) @ v
    weights = torch.sigmoid(scores) * (torch.arange(states.shape[1]) < valid_lens[:, None])
    return torch.einsum("bk,bke->be", weights, states), weights


@wrong("masked scores are set to 0")
def _zeroed(state, states, W_s, W_h, v, valid_lens):
    scores = torch.tanh((state @ W_s.T)[:, None] + states @ W_h.T) @ v
    weights = torch.softmax(scores * (torch.arange(states.shape[1]) < valid_lens[:, None]), dim=-1)
    return torch.einsum("bk,bke->be", weights, states), weights


@wrong("the projected states are averaged, not the encoder states")
def _projected(state, states, W_s, W_h, v, valid_lens):
    projected = states @ W_h.T
    scores = torch.tanh((state @ W_s.T)[:, None] + projected) @ v
    return _finish(scores, projected, valid_lens)
