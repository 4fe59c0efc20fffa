"""Exercise of lesson 4b: scaled dot-product attention with lengths, output and weights."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Mistake, Suspect, numbers, softmax_rows

attention = Exercise(
    "scaled-dot-product-attention",
    "04b_ten_or_eight",
    """Write f(queries, keys, values, valid_lens): (batch, queries, dim), (batch, keys, dim), (batch, keys,
    value_dim), and the number of real keys (batch,), at least 1. Return output (batch, queries, value_dim)
    and weights (batch, queries, keys).""",
    (
        "Scores, mask, softmax, average: four lines. What is the score divided by?",
        "`torch.arange(num_keys) < valid_lens[:, None, None]` is True at real keys, shape (batch, 1, keys).",
        "The output is the product of the weights with the values.",
    ),
    "output (batch, queries, value_dim); weights (batch, queries, keys)",
)


@attention.solution
def attend_to_real_keys(queries, keys, values, valid_lens):
    """Score, mask, softmax, average."""
    dim, num_keys = queries.shape[-1], keys.shape[1]
    scores = queries @ keys.mT / dim**0.5  # (batch, queries, keys)
    padding = torch.arange(num_keys) >= valid_lens[:, None, None]
    scores = scores.masked_fill(padding, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights


@attention.check
def _no_chance(answer: Answer) -> Mistake | None:
    """The same call gives the same result."""
    queries, keys, values = numbers(1, 11, 3), numbers(1, 7, 3, seed=1), numbers(1, 7, 2, seed=2)
    if not answer.varies(queries, keys, values, torch.tensor([7])):
        return None
    seen = "Two calls with the same 11 queries and 7 keys gave two results."
    return Mistake("chance has a part in it", seen, "Is dropout left on? Nothing here asks for it.")


@attention.check
def _small_batch(answer: Answer) -> None:
    """output and weights are right, padding gets nothing."""
    queries, keys, values = numbers(2, 3, 7), numbers(2, 5, 7, seed=1), numbers(2, 5, 2, seed=2)
    lens = torch.tensor([4, 2])
    dots = torch.tensor([[[float(sum(q * k)) for k in keys[b]] for q in queries[b]] for b in range(2)])
    real = torch.tensor([[[j < n for j in range(5)]] * 3 for n in (4, 2)])

    def both(weights: Tensor, averaged: Tensor = values) -> tuple[Tensor, Tensor]:
        return torch.einsum("bij,bjc->bic", weights, averaged), weights

    right = both(softmax_rows(dots / 7**0.5, real))
    suspects = [
        Suspect(
            "the scores are not scaled",
            "The dot product of dim numbers grows like sqrt(dim).",
            both(softmax_rows(dots, real)),
        ),
        Suspect(
            "the scores are divided by dim, not by its square root",
            "The maps come out too even. The variance of the score is dim: what is its size?",
            both(softmax_rows(dots / 7, real)),
        ),
        Suspect(
            "the scores are divided by the root of the number of keys",
            "Which axis is summed over in a dot product?",
            both(softmax_rows(dots / 5**0.5, real)),
        ),
        Suspect(
            "padding gets weight: valid_lens is not used",
            "The second sentence has 2 real keys: what should the other 3 weigh?",
            both(softmax_rows(dots / 7**0.5)),
        ),
        Suspect(
            "the mask is applied after the softmax",
            "Rows of the second sentence no longer sum to 1.",
            both(softmax_rows(dots / 7**0.5) * real),
        ),
        Suspect(
            "masked scores are set to 0",
            "exp(0) = 1 is weight. Which score has none?",
            both(softmax_rows(dots / 7**0.5 * real)),
        ),
        Suspect(
            "the softmax runs over the queries",
            "For each query the weights of all keys should sum to 1.",
            both(_over_queries(dots / 7**0.5, real)),
        ),
        Suspect(
            "the softmax runs over the queries, and columns of padding are NaN",
            "For each query the weights of all keys should sum to 1.",
            both(_over_queries(dots / 7**0.5, real).masked_fill(~real, float("nan"))),
        ),
        Suspect(
            "the keys are averaged, not the values",
            "Keys are compared; what is fetched are the values.",
            (both(right[1], keys)[0], None),
        ),
        Suspect(
            "weights and output are returned in the wrong order",
            "The output first.",
            (right[1], right[0]),
        ),
        Suspect(
            "the scores are returned, not the weights",
            "Return what multiplies the values.",
            (right[0], (dots / 7**0.5).masked_fill(~real, float("-inf"))),
        ),
        Suspect(
            "the largest score takes all the weight",
            "That is an argmax. Use a softmax: it shares, and has a gradient.",
            both(torch.nn.functional.one_hot(right[1].argmax(-1), 5).float()),
        ),
    ]
    given = (queries, keys, values, lens)
    answer.gives(*given, wanted=right, suspects=suspects)


def _over_queries(scores: Tensor, real: Tensor) -> Tensor:
    """Softmax along the wrong axis; columns of padding would be NaN, and are 0 here."""
    return softmax_rows(scores.mT, real.mT).mT


@attention.also
def _more() -> Iterator[tuple]:
    """other sizes and lengths."""
    yield numbers(3, 2, 4), numbers(3, 6, 4, seed=1), numbers(3, 6, 5, seed=2), torch.tensor([6, 1, 3])
    yield numbers(1, 4, 2), numbers(1, 4, 2, seed=3), numbers(1, 4, 2, seed=4), torch.tensor([3])


def _with(q: Tensor, k: Tensor, v: Tensor, real: Tensor, size: float = 0.0) -> tuple[Tensor, Tensor]:
    scores = q @ k.mT / (size or q.shape[-1]) ** 0.5
    weights = scores.masked_fill(~real, -1e9).softmax(-1)  # rows without a key come out even, not NaN
    return weights @ v, weights


attention.slip(
    "the queries are masked, not the keys",
    "valid_lens counts keys: which axis of the scores do they lie on?",
    lambda q, k, v, n: _with(q, k, v, torch.arange(q.shape[1])[:, None] < n[:, None, None]),
)
attention.slip(
    "the real keys are hidden, the padding is seen",
    "positions < valid_lens are real.",
    lambda q, k, v, n: _with(q, k, v, torch.arange(k.shape[1]) >= n[:, None, None]),
)
attention.slip(
    "one length is used for all sentences",
    "Each sentence of the batch has its own: valid_lens[:, None, None].",
    lambda q, k, v, n: attend_to_real_keys(q, k, v, n[:1].expand_as(n)),
)
attention.slip(
    "the scores are divided by the root of the number of queries",
    "Which axis is summed over in a dot product?",
    lambda q, k, v, n: _with(q, k, v, torch.arange(k.shape[1]) < n[:, None, None], q.shape[1]),
)
attention.slip(
    "the future is hidden too",
    "Nothing here asks for a causal mask.",
    lambda q, k, v, n: _with(
        q,
        k,
        v,
        (torch.arange(k.shape[1]) < n[:, None, None]) & torch.ones(q.shape[1], k.shape[1]).tril().bool(),
    ),
)
attention.slip(
    "vectors are made to length 1: that is the cosine",
    "The length of a vector counts: divide by sqrt(dim) only.",
    lambda q, k, v, n: _with(
        *(x / x.norm(dim=-1, keepdim=True) for x in (q, k)), v, torch.arange(k.shape[1]) < n[:, None, None], 1
    ),
)
