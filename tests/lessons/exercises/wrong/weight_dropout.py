"""Typical wrong answers to weight-dropout."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("weights are dropped although training is False")
def _always(weights: Tensor, p: float, training: bool) -> Tensor:
    return torch.nn.functional.dropout(weights, p)


@wrong("nothing is dropped in training")
def _never(weights: Tensor, p: float, training: bool) -> Tensor:
    return torch.nn.functional.dropout(weights, p, training=not training) if training else weights


@wrong("the kept weights do not grow")
def _no_growth(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * torch.bernoulli(torch.full_like(weights, 1 - p)) if training else weights


@wrong("the kept weights are divided by p")
def _by_p(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand_like(weights) > p) / p if training else weights


@wrong("the weights shrink when training is False")
def _shrinks_later(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand_like(weights) > p) if training else weights * (1 - p)


@wrong("every row is made to sum to 1 again")
def _renormalised(weights: Tensor, p: float, training: bool) -> Tensor:
    if not training:
        return weights
    kept = weights * (torch.rand_like(weights) > p)
    return kept / kept.sum(dim=-1, keepdim=True)


@wrong("the same weights are dropped for every query")
def _whole_keys(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand(len(weights), 1, weights.shape[-1]) > p) / (1 - p) if training else weights


@wrong("the same weights are dropped for every sentence")
def _one_draw(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand(weights.shape[1:]) > p) / (1 - p) if training else weights


@wrong("the share of dropped weights is not p")
def _keeps_p(weights: Tensor, p: float, training: bool) -> Tensor:
    return weights * (torch.rand_like(weights) < p) / (1 - p) if training else weights


@wrong("`weights` was changed in place")
def _in_place(weights: Tensor, p: float, training: bool) -> Tensor:
    if training:
        weights[torch.rand_like(weights) < p] = 0
    return weights / (1 - p) if training else weights


@wrong("the same number of weights is dropped in every call")
def _fixed_number(weights, p, training):
    if not training:
        return weights
    dropped = weights.clone().flatten()
    dropped[torch.randperm(len(dropped))[: int(len(dropped) * p)]] = 0
    return dropped.view_as(weights) / (1 - p)
