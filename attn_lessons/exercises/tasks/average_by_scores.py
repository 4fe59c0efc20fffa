"""Exercise of lesson 2a: one query, its scores, its weights, and the average that they make."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

average = Exercise(
    "average-by-scores",
    "02a_scores",
    """Write f(query, keys, values): query (dim,), keys (keys, dim), values (keys, value_dim). Return the
    average of the values (value_dim,), weighted by the softmax of the dot products of query and
    keys.""",
    (
        "`keys @ query` multiplies each key with the query and adds up: one score for each key.",
        "`torch.softmax(scores, dim=-1)` makes weights of them, for large scores too.",
        "`weights @ values` takes each value times its weight and adds up.",
    ),
    "average (value_dim)",
)


@average.solution
def average_for(query, keys, values):
    """Score each key, share out the weight, average."""
    weights = torch.softmax(keys @ query, dim=-1)  # (keys,)
    return weights @ values  # (value_dim,)


QUERY = torch.tensor([2.0, 1.0])
KEYS = torch.tensor([[1.0, 0.0], [1.0, 1.0], [-0.5, 1.5]])
VALUES = torch.tensor([[10.0, 20.0], [30.0, 45.0], [70.0, 5.0]])


def _weights(query: Tensor, keys: Tensor) -> Tensor:
    """Weights of each key, one product at a time."""
    scores = [sum(a * b for a, b in zip(query.tolist(), key, strict=True)) for key in keys.tolist()]
    powers = torch.tensor([score - max(scores) for score in scores]).exp()
    return powers / powers.sum()


@average.check
def _three_keys(answer: Answer) -> None:
    """Three keys share the weight by their dot products."""
    scores, weights = KEYS @ QUERY, _weights(QUERY, KEYS)
    shares = "Softmax: e to each score, divided by the sum of all of them."
    suspects = [
        Suspect("the scores weigh the values, without a softmax", shares, scores @ VALUES),
        Suspect(
            "the scores are divided by their sum, without exponentials",
            shares,
            scores / scores.sum() @ VALUES,
        ),
        Suspect("the weights do not add up to 1", shares, scores.exp() @ VALUES),
        Suspect("all values count alike", "The keys and the query must have a say.", VALUES.mean(0)),
        Suspect(
            "only the key with the largest score counts",
            "Every key gets a share: the average is weighted, not chosen.",
            VALUES[scores.argmax()],
        ),
        Suspect(
            "the scores are divided by the root of dim",
            "That is the scaled score of the next lesson; here it is the plain dot product.",
            torch.softmax(scores / 2**0.5, 0) @ VALUES,
        ),
        Suspect(
            "the score is the distance, not the dot product",
            "Multiply what belongs together and add up.",
            torch.softmax(-(KEYS - QUERY).square().sum(-1) / 2, 0) @ VALUES,
        ),
        Suspect(
            "the softmax runs over the wrong numbers: over query times key, not over the scores",
            "Add up the products of each key first; then there is one score a key.",
            (torch.softmax(KEYS * QUERY, 0) * VALUES).sum(0),
        ),
        Suspect("the keys are averaged, not the values", "What comes out is made of values.", weights @ KEYS),
        Suspect(
            "the worst keys get the largest weights",
            "Which sign has the exponent?",
            torch.softmax(-scores, 0) @ VALUES,
        ),
    ]
    answer.gives(QUERY, KEYS, VALUES, wanted=weights @ VALUES, suspects=suspects)


@average.check
def _large_scores(answer: Answer) -> None:
    """scores of a few hundred do not overflow."""
    query = torch.tensor([100.0, 200.0])
    unknown = Suspect(
        "for large scores the average is NaN",
        "e to 300 is more than float32 can hold. `torch.softmax` takes the largest score away first.",
        torch.full((2,), float("nan")),
    )
    wanted = _weights(query, KEYS) @ VALUES
    answer.gives(query, KEYS, VALUES, wanted=wanted, suspects=[unknown])


@average.also
def _more() -> Iterator[tuple]:
    """other sizes, also one key only."""
    yield numbers(3), numbers(5, 3, seed=1), numbers(5, 4, seed=2)
    yield numbers(4), numbers(4, 4, seed=1), numbers(4, 4, seed=2)
    yield (
        numbers(2, dtype=torch.float64),
        numbers(1, 2, dtype=torch.float64),
        numbers(1, 3, dtype=torch.float64),
    )


average.slip(
    "the weighted values are averaged over the keys, not added up",
    "The weights sum to 1 already: `mean` divides once more, by the number of keys.",
    lambda query, keys, values: average_for(query, keys, values) / len(keys),
)
