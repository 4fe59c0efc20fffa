"""Exercise of lesson 7b: ALiBi's penalty on distance."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect

alibi = Exercise(
    "alibi-bias",
    "07b_turning_and_lowering",
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
            _table(2, 3, lambda s, i, j: 0.7 * (j - i - 1)),
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
    answer.gives(SLOPES, 2, 3, wanted=wanted, suspects=suspects)


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


alibi.slip(
    "the slopes are made up: 1/2, 1/4, 1/8, ...",
    "They are given: use slopes.",
    lambda s, n, m: 0.5 ** torch.arange(1.0, len(s) + 1)[:, None, None] * _steps(n, m),
)
for offset in (1, -1):
    alibi.slip(
        f"all distances are 1 too {'large' if offset < 0 else 'small'}",
        "The query's own key has distance 0.",
        lambda s, n, m, offset=offset: s[:, None, None] * (_steps(n, m) + offset),
    )
alibi.slip(
    "the future gets no bias",
    "A key one step ahead gets plus the slope; the causal mask takes care of the rest.",
    lambda s, n, m: s[:, None, None] * _steps(n, m).clamp(max=0),
)
alibi.slip(
    "the penalty grows with the logarithm of the distance",
    "ALiBi is linear: minus slope times distance.",
    lambda s, n, m: s[:, None, None] * _steps(n, m).sign() * _steps(n, m).abs().float().log1p(),
)
alibi.slip(
    "all queries count the distance from the last position",
    "Each query counts from its own position.",
    lambda s, n, m: s[:, None, None] * _steps(n, m)[-1:].expand(n, m),
)
alibi.slip(
    "the distance is squared",
    "ALiBi is linear: minus slope times distance.",
    lambda s, n, m: s[:, None, None] * _steps(n, m) * _steps(n, m).abs(),
)
