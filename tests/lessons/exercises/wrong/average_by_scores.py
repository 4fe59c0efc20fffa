"""Typical wrong answers to average-by-scores."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("the scores weigh the values, without a softmax")
def _no_softmax(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return keys @ query @ values


@wrong("the scores are divided by their sum, without exponentials")
def _plain_shares(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    scores = keys @ query
    return scores / scores.sum() @ values


@wrong("the weights do not add up to 1")
def _not_divided(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return (keys @ query).exp() @ values


@wrong("all values count alike")
def _plain_mean(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return values.mean(dim=0)


@wrong("only the key with the largest score counts")
def _winner(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return values[torch.argmax(keys @ query)]


@wrong("the scores are divided by the root of dim")
def _scaled(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query / len(query) ** 0.5, dim=0) @ values


@wrong("the score is the distance, not the dot product")
def _nearness(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(-(torch.cdist(query[None], keys)[0] ** 2) / 2, dim=0) @ values


@wrong("the keys are averaged, not the values")
def _averages_keys(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(keys @ query, dim=0) @ keys


@wrong("the worst keys get the largest weights")
def _worst_first(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return torch.softmax(-keys @ query, dim=0) @ values


@wrong("for large scores the average is NaN")
def _own_softmax(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    powers = (keys @ query).exp()
    return powers / powers.sum() @ values


@wrong("the weighted values are averaged over the keys, not added up")
def _mean_of_the_weighted(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return (torch.softmax(keys @ query, dim=-1)[:, None] * values).mean(dim=0)
