"""Typical wrong answers to luong-general."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.luong_general import compare_through_a_matrix


@wrong("the scores are returned, not the weights")
def _no_softmax(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.einsum("bqd,de,bke->bqk", decoder_states, W, encoder_states)


@wrong("the softmax runs over the queries")
def _second_axis(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(decoder_states @ (encoder_states @ W.T).mT, dim=1)


@wrong("the softmax runs over the batch")
def _first_axis(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(torch.bmm(decoder_states @ W, encoder_states.mT), dim=0)


@wrong("the scores are divided by the root of the encoder's size")
def _scaled(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    scores = decoder_states @ W @ encoder_states.mT
    return torch.softmax(scores / encoder_states.shape[-1] ** 0.5, dim=-1)


@wrong("a tanh bends the scores")
def _bent(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(torch.tanh(decoder_states @ W @ encoder_states.mT), dim=-1)


@wrong("a tanh bends W h")
def _bent_inside(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(decoder_states @ torch.tanh(encoder_states @ W.T).transpose(1, 2), dim=-1)


@wrong("W is transposed")
def _other_side(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(decoder_states @ W.T @ encoder_states.mT, dim=-1)


@wrong("W is not used")
def _dot(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(decoder_states @ encoder_states.mT, dim=-1)


@wrong("the axes of the weights are in the wrong order: (batch, keys, queries)")
def _turned(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return compare_through_a_matrix(decoder_states, encoder_states, W).mT


@wrong("divided by their sum, without the exponential")
def _no_exponential(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    scores = decoder_states @ W @ encoder_states.mT
    return scores / scores.sum(-1, keepdim=True)
