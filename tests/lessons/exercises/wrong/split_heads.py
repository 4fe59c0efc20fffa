"""Typical wrong answers to split-heads."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("the heads are reshaped without a transpose")
def _no_transpose(inputs: Tensor, num_heads: int) -> Tensor:
    batch, length, d_model = inputs.shape
    return inputs.reshape(batch, num_heads, length, d_model // num_heads)


@wrong("the length still stands before the heads")
def _not_moved(inputs: Tensor, num_heads: int) -> Tensor:
    return inputs.unflatten(-1, (num_heads, -1))


@wrong("each head takes every third number")
def _interleaved(inputs: Tensor, num_heads: int) -> Tensor:
    batch, length, d_model = inputs.shape
    return inputs.reshape(batch, length, d_model // num_heads, num_heads).permute(0, 3, 1, 2)


@wrong("the last two axes are swapped")
def _swapped(inputs: Tensor, num_heads: int) -> Tensor:
    batch, length, d_model = inputs.shape
    return inputs.reshape(batch, length, num_heads, d_model // num_heads).permute(0, 2, 3, 1)


@wrong("every head is given all numbers")
def _copied(inputs: Tensor, num_heads: int) -> Tensor:
    return torch.stack([inputs] * num_heads, dim=1)


@wrong("the heads are in the batch axis")
def _in_the_batch(inputs: Tensor, num_heads: int) -> Tensor:
    batch, length, _ = inputs.shape
    heads = inputs.reshape(batch, length, num_heads, -1).transpose(1, 2)
    return heads.reshape(batch * num_heads, length, -1)


@wrong("num_heads and dim are mixed up")
def _mixed_up(inputs: Tensor, num_heads: int) -> Tensor:
    batch, length, _ = inputs.shape
    return inputs.view(batch, length, -1, num_heads).transpose(1, 2)


@wrong("the first of the heads stands in the place of all")
def _repeated(inputs: Tensor, num_heads: int) -> Tensor:
    return inputs[..., : inputs.shape[2] // num_heads].unsqueeze(1).repeat(1, num_heads, 1, 1)
