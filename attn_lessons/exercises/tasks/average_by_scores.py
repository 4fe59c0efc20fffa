"""Exercise of lesson 2a: one query, its scores, its weights, and the average that they make."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

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
    answer.gives(QUERY, KEYS, VALUES, wanted=_weights(QUERY, KEYS) @ VALUES)


@average.check
def _large_scores(answer: Answer) -> None:
    """scores of a few hundred do not overflow."""
    apart = torch.tensor([[2.0, 0.0], [-2.0, 0.0], [-2.0, 0.0]])
    for query, keys in (([100.0, 200.0], KEYS), ([-100.0, -200.0], KEYS), ([100.0, 0.0], apart)):
        given = torch.tensor(query), keys, VALUES
        answer.gives(*given, wanted=_weights(*given[:2]) @ VALUES)


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


@average.mistake("the scores weigh the values, without a softmax")
def _no_softmax(query, keys, values):
    """Softmax: e to each score, divided by the sum of all of them."""
    return keys @ query @ values


@average.mistake("the scores are divided by their sum, without exponentials")
def _plain_shares(query, keys, values):
    """Softmax: e to each score, divided by the sum of all of them."""
    scores = keys @ query
    return scores / scores.sum() @ values


@average.mistake("the weights do not add up to 1")
def _not_divided(query, keys, values):
    """Softmax: e to each score, divided by the sum of all of them."""
    return (keys @ query).exp() @ values


@average.mistake("all values count alike")
def _plain_mean(query, keys, values):
    """The keys and the query must have a say."""
    return values.mean(dim=0)


@average.mistake("only the key with the largest score counts")
def _winner(query, keys, values):
    """Every key gets a share: the average is weighted, not chosen."""
    return values[torch.argmax(keys @ query)]


@average.mistake("the scores are divided by the root of dim")
def _scaled(query, keys, values):
    """That is the scaled score of the next lesson; here it is the plain dot product."""
    return torch.softmax(keys @ query / len(query) ** 0.5, dim=0) @ values


@average.mistake("the score is the distance, not the dot product")
def _nearness(query, keys, values):
    """Multiply what belongs together and add up."""
    return torch.softmax(-(torch.cdist(query[None], keys)[0] ** 2) / 2, dim=0) @ values


@average.mistake("the softmax runs over the wrong numbers: over query times key, not over the scores")
def _no_scores(query, keys, values):
    """Add up the products of each key first; then there is one score a key."""
    return (torch.softmax(keys * query, 0) * values).sum(0)


@average.mistake("the keys are averaged, not the values")
def _averages_keys(query, keys, values):
    """What comes out is made of values."""
    return torch.softmax(keys @ query, dim=0) @ keys


@average.mistake("the worst keys get the largest weights")
def _worst_first(query, keys, values):
    """Which sign has the exponent?"""
    return torch.softmax(-keys @ query, dim=0) @ values


@average.mistake("for large scores the average is NaN")
def _own_softmax(query, keys, values):
    """e to 300 is more than float32 can hold. `torch.softmax` takes the largest score away first."""
    powers = (keys @ query).exp()
    return powers / powers.sum() @ values


@average.mistake("the mean of the scores is taken away before the exponential, not the largest")
def _mean_shift(query, keys, values):
    """A score far above the mean overflows all the same. `torch.softmax` takes the largest away."""
    powers = (keys @ query - (keys @ query).mean()).exp()
    return powers / powers.sum() @ values


@average.mistake("the largest size of a score is taken away before the exponential, not the largest score")
def _size_shift(query, keys, values):
    """Where all scores are far below 0 they sink further, and 0 is divided by 0. Leave out `abs`."""
    powers = (keys @ query - (keys @ query).abs().max()).exp()
    return powers / powers.sum() @ values


@average.mistake("the scores are cut off at a largest number")
def _clamped(query, keys, values):
    """Scores beyond it become equal. `torch.softmax` takes the largest away, which changes nothing."""
    return torch.softmax((keys @ query).clamp(max=50), -1) @ values


@average.mistake("the score is the cosine, not the dot product")
def _cosine(query, keys, values):
    """Long vectors count more here: nothing is divided by their lengths."""
    return torch.softmax(torch.cosine_similarity(keys, query, dim=-1), -1) @ values


@average.mistake("the score is the distance, not the dot product")
def _plain_distance(query, keys, values):
    """Multiply what belongs together and add up."""
    return torch.softmax(-(keys - query).norm(dim=-1), -1) @ values


@average.mistake("the weighted values are averaged over the keys, not added up")
def _mean_of_the_weighted(query, keys, values):
    """The weights sum to 1 already: `mean` divides once more, by the number of keys."""
    return (torch.softmax(keys @ query, dim=-1)[:, None] * values).mean(dim=0)
