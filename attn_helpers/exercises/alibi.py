"""Exercise of chapter 07: ALiBi's penalty on distance."""

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise

__all__ = ["alibi"]

alibi = Exercise(
    "alibi-bias",
    "07_positions",
    "Write f(slopes, num_queries, num_keys): slopes (heads,), above 0; the queries are the last of num_keys "
    "positions. Return the bias (heads, queries, keys) to be added to the scores: minus slope times the "
    "distance "
    "from the query back to the key; a key one step ahead gets plus the slope.",
    (
        "Query i stands at position `i + num_keys - num_queries`.",
        "Position of key minus position of query is negative for the past: that times the slope is the bias.",
        "`slopes[:, None, None] * distance` broadcasts (heads, 1, 1) with (queries, keys).",
    ),
)


@alibi.solution
def penalise_distance(slopes, num_queries, num_keys):
    """Multiply key position minus query position by the slope of each head."""
    queries = torch.arange(num_queries)[:, None] + num_keys - num_queries
    distance = torch.arange(num_keys) - queries  # (queries, keys)
    return slopes[:, None, None] * distance  # (heads, queries, keys)


SLOPES = torch.tensor([0.5, 0.25, 0.125, 0.0625, 0.03125])


def _table(queries: int, keys: int, rule: object, slopes: Tensor = SLOPES) -> Tensor:
    return torch.tensor(
        [[[rule(s, i, j) for j in range(keys)] for i in range(queries)] for s in slopes.tolist()]
    )


@alibi.check
def _cached(answer: Answer) -> None:
    """Distance counts from where the query stands, with cached keys too."""
    suspects = [
        Suspect(
            "the first query is lined up with the first key",
            "The queries are the newest positions: query 0 of 2 stands at position 1 of 3.",
            _table(2, 3, lambda s, i, j: s * (j - i)),
        ),
        Suspect(
            "far keys are rewarded, not penalised",
            "Which sign must the bias of the past have?",
            _table(2, 3, lambda s, i, j: s * (i + 1 - j)),
        ),
        Suspect(
            "the slopes are not used",
            "Each head has a slope of its own.",
            _table(2, 3, lambda s, i, j: float(j - i - 1)),
        ),
        Suspect(
            "every head gets the first slope",
            "What does slopes[:, None, None] have on its first axis?",
            _table(2, 3, lambda s, i, j: 0.5 * (j - i - 1)),
        ),
        Suspect(
            "the distance is squared",
            "The penalty grows in a straight line.",
            _table(2, 3, lambda s, i, j: -s * (j - i - 1) ** 2),
        ),
        Suspect(
            "the future is penalised like the past",
            "Here the bias is plain -slope * (i - j); the causal mask takes care of the future.",
            _table(2, 3, lambda s, i, j: -s * abs(j - i - 1)),
        ),
        Suspect(
            "the exponential is taken already",
            "The bias is added to scores, before the softmax.",
            _table(2, 3, lambda s, i, j: s * (j - i - 1)).exp(),
        ),
        Suspect(
            "the distance is divided by the slope",
            "A steep slope should penalise more.",
            _table(2, 3, lambda s, i, j: (j - i - 1) / s),
        ),
        Suspect(
            "the future is masked here too",
            "That is the task of the causal mask: return finite numbers.",
            _table(2, 3, lambda s, i, j: s * (j - i - 1) if j <= i + 1 else float("-inf")),
        ),
    ]
    wanted = _table(2, 3, lambda s, i, j: s * (j - i - 1))
    answer.gives(SLOPES, 2, 3, wanted=wanted, axes="heads queries keys", suspects=suspects, named="bias")


@alibi.check
def _square(answer: Answer) -> None:
    """as many queries as keys work."""
    wanted = _table(3, 3, lambda s, i, j: s * (j - i), SLOPES[:2])
    answer.gives(SLOPES[:2], 3, 3, wanted=wanted, axes="heads queries keys", named="bias")


def _steps(num_queries: int, num_keys: int) -> Tensor:
    return torch.arange(num_keys)[None] - torch.arange(num_keys - num_queries, num_keys)[:, None]


@alibi.wrong("the first query is lined up with the first key")
def _top_left(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return (torch.arange(num_keys) - torch.arange(num_queries)[:, None]) * slopes.reshape(-1, 1, 1)


@alibi.wrong("far keys are rewarded, not penalised")
def _rewarded(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return -_steps(num_queries, num_keys) * slopes.reshape(-1, 1, 1)


@alibi.wrong("the slopes are not used")
def _no_slopes(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return _steps(num_queries, num_keys).float().expand(len(slopes), -1, -1)


@alibi.wrong("every head gets the first slope")
def _first_slope(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return torch.stack([_steps(num_queries, num_keys) * slopes[0] for _ in slopes])


@alibi.wrong("the distance is squared")
def _squared(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return torch.einsum("h,qk->hqk", slopes, -_steps(num_queries, num_keys).float().pow(2))


@alibi.wrong("the future is penalised like the past")
def _both_sides(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return torch.einsum("h,qk->hqk", -slopes, _steps(num_queries, num_keys).abs().float())


@alibi.wrong("the exponential is taken already")
def _exponential(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return torch.exp(slopes[:, None, None] * _steps(num_queries, num_keys))


@alibi.wrong("the distance is divided by the slope")
def _divided(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return _steps(num_queries, num_keys) / slopes[:, None, None]


@alibi.wrong("the future is masked here too")
def _masked(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    steps = _steps(num_queries, num_keys)
    return (steps * slopes[:, None, None]).masked_fill(steps > 0, -torch.inf)


@alibi.wrong("the axes of the bias are in the wrong order")
def _heads_last(slopes: Tensor, num_queries: int, num_keys: int) -> Tensor:
    return _steps(num_queries, num_keys)[:, :, None] * slopes
