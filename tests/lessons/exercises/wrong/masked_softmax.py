"""Typical wrong answers to masked-softmax."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.masked_softmax import softmax_over_allowed


@wrong("the mask is applied after the softmax")
def _mask_after_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(scores, dim=-1).masked_fill(~mask, 0)


@wrong("the mask is read upside down")
def _inverted_mask(scores: Tensor, mask: Tensor) -> Tensor:
    return softmax_over_allowed(scores, ~mask)


@wrong("the mask has no effect")
def _no_mask(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.softmax(-1)


@wrong("the softmax runs over the queries")
def _wrong_axis(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=0)


@wrong("masked scores are set to 0")
def _zero_scores(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(scores * mask, dim=-1)


@wrong("the largest score takes all the weight")
def _argmax(scores: Tensor, mask: Tensor) -> Tensor:
    best = scores.masked_fill(~mask, float("-inf")).argmax(dim=-1, keepdim=True)
    return torch.zeros_like(scores).scatter(-1, best, 1.0)


@wrong("`scores` was changed in place")
def _in_place(scores: Tensor, mask: Tensor) -> Tensor:
    scores[~mask] = float("-inf")
    return torch.softmax(scores, dim=-1).nan_to_num(0)


@wrong("a row without allowed keys comes out even")
def _even_row(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)


@wrong("a row without allowed keys is NaN")
def _nan_row(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)


@wrong("the number written over masked scores is not low enough")
def _low_but_not_lowest(scores: Tensor, mask: Tensor) -> Tensor:
    weights = torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1)
    return torch.where(mask.any(dim=-1, keepdim=True), weights, 0.0)


@wrong("very negative scores get no weight at all")
def _never_zero_below(scores: Tensor, mask: Tensor) -> Tensor:
    heights = scores.exp() * mask
    return heights / (heights.sum(dim=-1, keepdim=True) + 1e-9)


@wrong("the number written over masked scores does not fit float16")
def _does_not_fit(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1) * mask


@wrong("in float16 the row without allowed keys is NaN again")
def _infinite_in_float16(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(torch.where(mask, scores, -1e9), dim=-1) * mask


@wrong("their gradient is NaN")
def _nan_replaced_afterwards(scores: Tensor, mask: Tensor) -> Tensor:
    bias = torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    return torch.softmax(scores + bias, dim=-1).nan_to_num(0)


@wrong("the softmax runs over the second axis")
def _second_axis(scores: Tensor, mask: Tensor) -> Tensor:
    scores = torch.where(mask, scores, -torch.inf)
    return torch.softmax(torch.where(mask.any(1, keepdim=True), scores, 0), dim=1) * mask


@wrong("some float16 scores lie below the number written over masked ones")
def _half_of_the_lowest(scores: Tensor, mask: Tensor) -> Tensor:
    low = torch.finfo(scores.dtype).min / 2
    weights = torch.softmax(torch.where(mask, scores, low), dim=-1)
    return torch.where(mask, weights, 0.0)


@wrong("a masked score of 0 has its part in the sum of the row")
def _zeroed_and_cleared(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.where(mask, torch.softmax(scores * mask, dim=-1), 0.0)
