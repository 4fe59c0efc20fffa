"""Typical wrong answers to top-p."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.top_p import keep_the_likeliest


def _sorted(probabilities: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    order = probabilities.argsort(dim=-1, descending=True)
    values = probabilities.gather(-1, order)
    return values, order, values.cumsum(dim=-1)


def _back(kept: Tensor, order: Tensor) -> Tensor:
    return torch.empty_like(kept).scatter(-1, order, kept)


@wrong("the kept probabilities do not sum to 1")
def _not_scaled(probabilities: Tensor, share: float) -> Tensor:
    return probabilities * (keep_the_likeliest(probabilities, share) > 0)


@wrong("the token that crosses the share is dropped")
def _stops_early(probabilities: Tensor, share: float) -> Tensor:
    values, order, ends = _sorted(probabilities)
    inside = ends <= share
    inside[:, 0] = True
    kept = values * inside
    return _back(kept / kept.sum(-1, keepdim=True), order)


@wrong("a row is left without any token")
def _nothing_left(probabilities: Tensor, share: float) -> Tensor:
    values, order, ends = _sorted(probabilities)
    kept = values * (ends <= share)
    return _back(kept / kept.sum(-1, keepdim=True).clamp_min(1e-9), order)


@wrong("one token too many is kept")
def _one_more(probabilities: Tensor, share: float) -> Tensor:
    values, order, ends = _sorted(probabilities)
    count = (ends < share).sum(-1, keepdim=True) + 2
    kept = values * (torch.arange(values.shape[-1]) < count)
    return _back(kept / kept.sum(-1, keepdim=True), order)


@wrong("the numbers stand in order of probability")
def _left_sorted(probabilities: Tensor, share: float) -> Tensor:
    return keep_the_likeliest(probabilities, share).sort(dim=-1, descending=True).values


@wrong("the sum runs over the ids as they stand")
def _not_sorted(probabilities: Tensor, share: float) -> Tensor:
    reached = torch.nn.functional.pad(probabilities.cumsum(-1)[:, :-1], (1, 0)) < share
    return torch.nn.functional.normalize(probabilities * reached, p=1, dim=-1)


@wrong("each probability is compared with the share by itself")
def _a_threshold(probabilities: Tensor, share: float) -> Tensor:
    return probabilities * (probabilities >= share)


@wrong("the unlikeliest are kept")
def _smallest_first(probabilities: Tensor, share: float) -> Tensor:
    values, order = probabilities.sort(dim=-1)
    kept = values * (values.cumsum(-1) - values < share)
    return _back(kept / kept.sum(-1, keepdim=True), order)


@wrong("every row keeps as many tokens as the first")
def _top_k(probabilities: Tensor, share: float) -> Tensor:
    count = int((keep_the_likeliest(probabilities, share)[0] > 0).sum())
    lowest = probabilities.topk(count, dim=-1).values[:, -1:]
    kept = probabilities * (probabilities >= lowest)
    return kept / kept.sum(-1, keepdim=True)


@wrong("a softmax is taken of probabilities")
def _softmax_again(probabilities: Tensor, share: float) -> Tensor:
    kept = keep_the_likeliest(probabilities, share) > 0
    return probabilities.masked_fill(~kept, float("-inf")).softmax(dim=-1)


@wrong("by their size beside the largest")
def _beside_the_largest(probabilities: Tensor, share: float) -> Tensor:
    kept = probabilities * (probabilities >= share * probabilities.amax(-1, keepdim=True))
    return kept / kept.sum(-1, keepdim=True)


@wrong("the numbers are read by the order, not put back by it")
def _gathered(probabilities: Tensor, share: float) -> Tensor:
    values, order, total = _sorted(probabilities)
    kept = values * (total - values < share)
    return (kept / kept.sum(-1, keepdim=True)).gather(-1, order)
