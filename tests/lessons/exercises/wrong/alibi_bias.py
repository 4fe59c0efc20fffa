"""Typical wrong answers to alibi-bias."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


def _steps(num_queries: int, num_keys: int) -> Tensor:
    return torch.arange(num_keys)[None] - torch.arange(num_keys - num_queries, num_keys)[:, None]


@wrong("the first query is lined up with the first key")
def _top_left(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return (torch.arange(num_keys) - torch.arange(num_queries)[:, None]) * slopes.reshape(-1, 1, 1)


@wrong("far keys are rewarded, not penalised")
def _rewarded(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return -_steps(num_queries, num_keys) * slopes.reshape(-1, 1, 1)


@wrong("the slopes are not used")
def _no_slopes(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return _steps(num_queries, num_keys).float().expand(len(slopes), -1, -1)


@wrong("every head gets the first slope")
def _first_slope(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return torch.stack([_steps(num_queries, num_keys) * slopes[0] for _ in slopes])


@wrong("the distance is squared")
def _squared(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return torch.einsum("h,qk->hqk", slopes, -_steps(num_queries, num_keys).float().pow(2))


@wrong("the future is penalised like the past")
def _both_sides(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return torch.einsum("h,qk->hqk", -slopes, _steps(num_queries, num_keys).abs().float())


@wrong("the exponential is taken already")
def _exponential(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return torch.exp(slopes[:, None, None] * _steps(num_queries, num_keys))


@wrong("the distance is divided by the slope")
def _divided(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return _steps(num_queries, num_keys) / slopes[:, None, None]


@wrong("the future is masked here too")
def _masked(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    steps = _steps(num_queries, num_keys)
    return (steps * slopes[:, None, None]).masked_fill(steps > 0, -torch.inf)


@wrong("the axes of the bias are in the wrong order")
def _heads_last(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return _steps(num_queries, num_keys)[:, :, None] * slopes


def _distance(num_queries: int, num_keys: int) -> Tensor:
    return torch.arange(num_keys - num_queries, num_keys)[:, None] - torch.arange(num_keys)


@wrong("the result for the square of `slopes`")
def _squared(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return -(slopes**2)[:, None, None] * _distance(num_queries, num_keys)


@wrong("the logarithm of the distance")
def _logarithm(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    away = _distance(num_queries, num_keys)
    return -slopes[:, None, None] * away.sign() * torch.log1p(away.abs().float())


@wrong("all queries count the distance from the last position")
def _one_row(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    row = num_keys - 1 - torch.arange(num_keys)
    return -slopes[:, None, None] * row.expand(num_queries, num_keys)


@wrong("the distance is squared")
def _squared_distance(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    away = _distance(num_queries, num_keys)
    return -slopes[:, None, None] * away * away.abs()
