"""Exercise of lesson 13c: which share of a head's vectors comes from each key, by weight and length?"""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

lengths = Exercise(
    "weight-times-length",
    "13c_taken_away",
    """Write f(weights, vectors): weights (queries, keys), vectors (keys, d_model), what each key would add
    with weight 1. Return the share of weight times length that each key has: (queries, keys), each row
    adding up to 1.""",
    (
        "How long is each key's vector? `norm` along which axis gives one number a key?",
        "`weights * lengths` stretches the row of lengths over all queries.",
        "Divide each row by its own sum: `sum(dim=-1, keepdim=True)`.",
    ),
    "shares (queries, keys)",
)


@lengths.solution
def length_shares(weights, vectors):
    """Weigh each weight with the length of what it brings."""
    parts = weights * vectors.norm(dim=-1)  # (queries, keys)
    return parts / parts.sum(dim=-1, keepdim=True)


# lengths 5, 13, 1 and 2; the last key is one that many queries look at
WEIGHTS = torch.tensor([[0.1, 0.2, 0.1, 0.6], [0.4, 0.1, 0.2, 0.3], [0.05, 0.05, 0.0, 0.9]])
VECTORS = torch.tensor([[3.0, 4.0, 0.0], [5.0, 0.0, 12.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]])


def _shares(weights: Tensor, sizes: list[float]) -> Tensor:
    """One row and one key at a time."""
    rows = [[a * size for a, size in zip(row, sizes, strict=True)] for row in weights.tolist()]
    return torch.tensor([[part / sum(row) for part in row] for row in rows])


@lengths.check
def _four_keys(answer: Answer) -> None:
    """Keys with long vectors count more than their weight, [CLS]-like ones less."""
    sizes = [5.0, 13.0, 1.0, 2.0]
    answer.gives(WEIGHTS, VECTORS, wanted=_shares(WEIGHTS, sizes))


@lengths.also
def _more() -> Iterator[tuple]:
    """other sizes; vectors with negative numbers; as many queries as keys."""
    yield torch.softmax(numbers(2, 5), dim=-1), numbers(5, 3, seed=1)
    yield torch.softmax(numbers(3, 4), dim=-1), numbers(4, 3, seed=1) / 1000  # rows with a small sum
    yield torch.softmax(numbers(4, 4, seed=2), dim=-1), numbers(4, 6, seed=3)
    yield torch.softmax(numbers(3, 2, seed=4), dim=-1).double(), numbers(2, 4, seed=5).double()


@lengths.mistake("the weights are returned: the lengths have no say")
def _weights_only(weights, vectors):
    """A weight of 0.9 on a short vector brings little."""
    return weights.clone()


@lengths.mistake("the rows do not add up to 1")
def _not_divided(weights, vectors):
    """Divide each row by its own sum."""
    return weights * torch.linalg.vector_norm(vectors, dim=1)


@lengths.mistake("everything is divided by one sum, over all queries")
def _one_sum(weights, vectors):
    """Each row has its own sum: dim=-1, keepdim=True."""
    parts = weights * vectors.norm(dim=-1)
    return parts / parts.sum()


@lengths.mistake("the columns add up to 1, not the rows")
def _columns(weights, vectors):
    """The sum runs over the keys, dim=-1."""
    parts = weights * vectors.norm(dim=-1)
    return parts / parts.sum(0, keepdim=True)


@lengths.mistake("the squares of the lengths are taken")
def _squares(weights, vectors):
    """The length is the root of the sum of squares."""
    parts = weights * (vectors**2).sum(-1)
    return parts / parts.sum(-1, keepdim=True)


@lengths.mistake("the sizes of a vector's numbers are added up")
def _sizes(weights, vectors):
    """That is no length: (3, 4, 0) has the length 5. Use norm."""
    parts = weights * vectors.abs().sum(dim=-1)
    return parts / parts.sum(-1, keepdim=True)


@lengths.mistake("the numbers of a vector are added up, signs and all")
def _sums(weights, vectors):
    """That is no length: (3, 4, 0) has the length 5. Use norm."""
    parts = weights * vectors.sum(dim=-1)
    return parts / parts.sum(-1, keepdim=True)


@lengths.mistake("the longest number of each vector stands for its length")
def _largest(weights, vectors):
    """That is no length: (3, 4, 0) has the length 5. Use norm."""
    parts = weights * vectors.abs().amax(dim=-1)
    return parts / parts.sum(-1, keepdim=True)


@lengths.mistake("the weights are divided by the lengths")
def _divided(weights, vectors):
    """A longer vector adds more: weight times length."""
    parts = weights / vectors.norm(dim=-1)
    return parts / parts.sum(-1, keepdim=True)


@lengths.mistake("a softmax runs over weight times length")
def _softmax(weights, vectors):
    """The parts are numbers to compare as they are: divide by their sum."""
    return torch.softmax(weights * vectors.norm(dim=-1), dim=-1)


@lengths.mistake("where all vectors are short the rows do not add up to 1")
def _clamped(weights, vectors):
    """The sum is made larger before the division. Divide by the sum itself."""
    parts = weights * vectors.norm(dim=-1)
    return parts / parts.sum(-1, keepdim=True).clamp(min=0.1)
