"""Exercise of lesson 7c: ALiBi's penalty on distance."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise

alibi = Exercise(
    "alibi-bias",
    "07c_lower_with_distance",
    """Write f(slopes, num_queries, num_keys): slopes (heads,), above 0; the queries are the last of num_keys
    positions. Return the bias (heads, queries, keys) to be added to the scores: minus slope times the
    distance from the query back to the key; a key one step ahead gets plus the slope.""",
    (
        "Query i stands at position `i + num_keys - num_queries`.",
        "Position of key minus position of query is negative for the past: that times the slope is the bias.",
        "`slopes[:, None, None] * distance` broadcasts (heads, 1, 1) with (queries, keys).",
    ),
    "bias (heads, queries, keys)",
)


@alibi.solution
def penalise_distance(slopes, num_queries, num_keys):
    """Multiply key position minus query position by the slope of each head."""
    queries = torch.arange(num_queries)[:, None] + num_keys - num_queries
    distance = torch.arange(num_keys) - queries  # (queries, keys)
    return slopes[:, None, None] * distance  # (heads, queries, keys)


SLOPES = torch.tensor([0.7, 0.45, 0.2, 0.11, 0.03])  # no powers of 1/2, as everyone has them in mind


def _table(
    queries: int, keys: int, rule: Callable[[float, int, int], float], slopes: Tensor = SLOPES
) -> Tensor:
    return torch.tensor(
        [[[rule(s, i, j) for j in range(keys)] for i in range(queries)] for s in slopes.tolist()]
    )


@alibi.check
def _cached(answer: Answer) -> None:
    """Distance counts from where the query stands, with cached keys too."""
    wanted = _table(2, 3, lambda s, i, j: s * (j - i - 1))
    answer.gives(SLOPES, 2, 3, wanted=wanted)


@alibi.check
def _square(answer: Answer) -> None:
    """as many queries as keys work."""
    wanted = _table(3, 3, lambda s, i, j: s * (j - i), SLOPES[:2])
    answer.gives(SLOPES[:2], 3, 3, wanted=wanted)


@alibi.also
def _more() -> Iterator[tuple]:
    """one query, other slopes."""
    yield torch.tensor([0.3, 0.9]), 1, 5
    yield torch.tensor([0.6]), 4, 4


def _steps(num_queries: int, num_keys: int) -> Tensor:
    return torch.arange(num_keys) - torch.arange(num_keys - num_queries, num_keys)[:, None]


def _distance(num_queries: int, num_keys: int) -> Tensor:
    return torch.arange(num_keys - num_queries, num_keys)[:, None] - torch.arange(num_keys)


@alibi.mistake("the first query is lined up with the first key")
def _top_left(slopes, num_queries, num_keys):
    """The queries are the newest positions: query 0 of 2 stands at position 1 of 3."""
    return (torch.arange(num_keys) - torch.arange(num_queries)[:, None]) * slopes.reshape(-1, 1, 1)


@alibi.mistake("far keys are rewarded, not penalised")
def _rewarded(slopes, num_queries, num_keys):
    """Which sign must the bias of the past have?"""
    return -_steps(num_queries, num_keys) * slopes.reshape(-1, 1, 1)


@alibi.mistake("the slopes are not used")
def _no_slopes(slopes, num_queries, num_keys):
    """Each head has a slope of its own."""
    return _steps(num_queries, num_keys).float().expand(len(slopes), -1, -1)


@alibi.mistake("every head gets the first slope")
def _first_slope(slopes, num_queries, num_keys):
    """What does slopes[:, None, None] have on its first axis?"""
    return torch.stack([_steps(num_queries, num_keys) * slopes[0] for _ in slopes])


@alibi.mistake("the distance is squared")
def _squared_distance(slopes, num_queries, num_keys):
    """The penalty grows in a straight line."""
    away = _distance(num_queries, num_keys)
    return -slopes[:, None, None] * away * away.abs()


@alibi.mistake("the future is penalised like the past")
def _both_sides(slopes, num_queries, num_keys):
    """Here the bias is plain -slope * (i - j); the causal mask takes care of the future."""
    return torch.einsum("h,qk->hqk", -slopes, _steps(num_queries, num_keys).abs().float())


@alibi.mistake("the exponential is taken already")
def _exponential(slopes, num_queries, num_keys):
    """The bias is added to scores, before the softmax."""
    return torch.exp(slopes[:, None, None] * _steps(num_queries, num_keys))


@alibi.mistake("the distance is divided by the slope")
def _divided(slopes, num_queries, num_keys):
    """A steep slope should penalise more."""
    return _steps(num_queries, num_keys) / slopes[:, None, None]


@alibi.mistake("the future is masked here too")
def _masked(slopes, num_queries, num_keys):
    """That is the task of the causal mask: return finite numbers."""
    steps = _steps(num_queries, num_keys)
    return (steps * slopes[:, None, None]).masked_fill(steps > 0, -torch.inf)


@alibi.mistake("the slopes are made up: 1/2, 1/4, 1/8, ...")
def _slopes_made_up_1_2(s, n, m):
    """They are given: use slopes."""
    return 0.5 ** torch.arange(1.0, len(s) + 1)[:, None, None] * _steps(n, m)


@alibi.mistake("all distances are 1 too small")
def _one_too_small(slopes, num_queries, num_keys):
    """The query's own key has distance 0."""
    return slopes[:, None, None] * (_steps(num_queries, num_keys) + 1)


@alibi.mistake("all distances are 1 too large")
def _one_too_large(slopes, num_queries, num_keys):
    """The query's own key has distance 0."""
    return slopes[:, None, None] * (_steps(num_queries, num_keys) - 1)


@alibi.mistake("the future gets no bias")
def _future_gets_no_bias(s, n, m):
    """A key one step ahead gets plus the slope; the causal mask takes care of the rest."""
    return s[:, None, None] * _steps(n, m).clamp(max=0)


@alibi.mistake("the penalty grows with the logarithm of the distance")
def _logarithm(slopes, num_queries, num_keys):
    """ALiBi is linear: minus slope times distance."""
    away = _distance(num_queries, num_keys)
    return -slopes[:, None, None] * away.sign() * torch.log1p(away.abs().float())


@alibi.mistake("all queries count the distance from the last position")
def _one_row(slopes, num_queries, num_keys):
    """Each query counts from its own position."""
    row = num_keys - 1 - torch.arange(num_keys)
    return -slopes[:, None, None] * row.expand(num_queries, num_keys)


@alibi.mistake("the axes of the bias are in the wrong order")
def _heads_last(slopes, num_queries, num_keys):
    return _steps(num_queries, num_keys)[:, :, None] * slopes


@alibi.mistake("the result for the square of `slopes`")
def _squared_slopes(slopes, num_queries, num_keys):
    return -(slopes**2)[:, None, None] * _distance(num_queries, num_keys)
