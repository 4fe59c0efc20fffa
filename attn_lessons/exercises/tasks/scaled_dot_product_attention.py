"""Exercise of lesson 4b: scaled dot-product attention with lengths, output and weights."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Reply, numbers, softmax_rows

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
def _no_chance(answer: Answer) -> Reply | None:
    """The same call gives the same result."""
    queries, keys, values = numbers(1, 11, 3), numbers(1, 7, 3, seed=1), numbers(1, 7, 2, seed=2)
    if not answer.varies(queries, keys, values, torch.tensor([7])):
        return None
    seen = "Two calls with the same 11 queries and 7 keys gave two results."
    return Reply("chance has a part in it", seen, "Is dropout left on? Nothing here asks for it.")


@attention.check
def _small_batch(answer: Answer) -> None:
    """output and weights are right, padding gets nothing."""
    queries, keys, values = numbers(2, 3, 7), numbers(2, 5, 7, seed=1), numbers(2, 5, 2, seed=2)
    _gives(answer, queries, keys, values, torch.tensor([4, 2]))


@attention.check
def _large_scores(answer: Answer) -> None:
    """scores of a few hundred neither overflow nor lose to padding."""
    queries, keys = (
        torch.tensor([[[100.0, 200.0], [-100.0, -200.0], [1.0, 1.0]]]),
        numbers(1, 4, 2, seed=1).abs(),
    )
    _gives(answer, queries, keys, numbers(1, 4, 3, seed=2), torch.tensor([3]))


def _gives(answer: Answer, queries: Tensor, keys: Tensor, values: Tensor, lens: Tensor) -> None:
    pairs = [[[float(sum(q * k)) for k in keys[b]] for q in queries[b]] for b in range(len(lens))]
    real = torch.tensor([[[j < n for j in range(keys.shape[1])]] * queries.shape[1] for n in lens.tolist()])
    weights = softmax_rows(torch.tensor(pairs) / queries.shape[-1] ** 0.5, real)
    wanted = torch.einsum("bij,bjc->bic", weights, values), weights
    answer.gives(queries, keys, values, lens, wanted=wanted)


@attention.also
def _more() -> Iterator[tuple]:
    """other sizes and lengths."""
    yield numbers(3, 2, 4), numbers(3, 6, 4, seed=1), numbers(3, 6, 5, seed=2), torch.tensor([6, 1, 3])
    yield numbers(1, 4, 2), numbers(1, 4, 2, seed=3), numbers(1, 4, 2, seed=4), torch.tensor([3])


def _scores(queries: Tensor, keys: Tensor, size: float = 0.0) -> Tensor:
    return queries @ keys.mT / (size or queries.shape[-1]) ** 0.5


def _real(keys: Tensor, valid_lens: Tensor) -> Tensor:
    return torch.arange(keys.shape[1]) < valid_lens[:, None, None]


def _finish(scores: Tensor, values: Tensor, real: Tensor, low: float = -1e9) -> tuple[Tensor, Tensor]:
    weights = scores.masked_fill(~real, low).softmax(-1)  # rows without a key come out even, not NaN
    return weights @ values, weights


@attention.mistake("the scores are not scaled")
def _unscaled(queries, keys, values, valid_lens):
    """The dot product of dim numbers grows like sqrt(dim)."""
    return _finish(_scores(queries, keys, 1), values, _real(keys, valid_lens))


@attention.mistake("the scores are divided by dim, not by its square root")
def _by_dim(queries, keys, values, valid_lens):
    """The maps come out too even. The variance of the score is dim: what is its size?"""
    return _finish(_scores(queries, keys, queries.shape[-1] ** 2), values, _real(keys, valid_lens))


@attention.mistake("the scores are divided by the root of the number of keys")
def _by_keys(queries, keys, values, valid_lens):
    """Which axis is summed over in a dot product?"""
    return _finish(_scores(queries, keys, keys.shape[1]), values, _real(keys, valid_lens))


@attention.mistake("padding gets weight: valid_lens is not used")
def _no_mask(queries, keys, values, valid_lens):
    """The second sentence has 2 real keys: what should the other 3 weigh?"""
    weights = _scores(queries, keys).softmax(-1)
    return weights @ values, weights


@attention.mistake("the mask is applied after the softmax")
def _mask_after(queries, keys, values, valid_lens):
    """Rows of the second sentence no longer sum to 1."""
    weights = _scores(queries, keys).softmax(-1) * _real(keys, valid_lens)
    return weights @ values, weights


@attention.mistake("masked scores are set to 0")
def _zero_scores(queries, keys, values, valid_lens):
    """exp(0) = 1 is weight. Which score has none?"""
    return _finish(_scores(queries, keys), values, _real(keys, valid_lens), low=0.0)


@attention.mistake("the softmax runs over the queries")
def _first_axis(queries, keys, values, valid_lens):
    """For each query the weights of all keys should sum to 1."""
    weights = _scores(queries, keys).softmax(1) * _real(keys, valid_lens)
    return weights @ values, weights


@attention.mistake("the softmax runs over the queries, and columns of padding are NaN")
def _over_queries_unmasked(queries, keys, values, valid_lens):
    """For each query the weights of all keys should sum to 1."""
    weights = _scores(queries, keys).masked_fill(~_real(keys, valid_lens), -torch.inf).softmax(1)
    return weights @ values, weights


@attention.mistake("the keys are averaged, not the values")
def _keys_as_values(queries, keys, values, valid_lens):
    """Keys are compared; what is fetched are the values."""
    return attend_to_real_keys(queries, keys, keys, valid_lens)


@attention.mistake("weights and output are returned in the wrong order")
def _order(queries, keys, values, valid_lens):
    """The output first."""
    return attend_to_real_keys(queries, keys, values, valid_lens)[::-1]


@attention.mistake("the scores are returned, not the weights")
def _scores_returned(queries, keys, values, valid_lens):
    """Return what multiplies the values."""
    return attend_to_real_keys(queries, keys, values, valid_lens)[0], _scores(queries, keys).masked_fill(
        ~_real(keys, valid_lens), -torch.inf
    )


@attention.mistake("the largest score takes all the weight")
def _winner(queries, keys, values, valid_lens):
    """That is an argmax. Use a softmax: it shares, and has a gradient."""
    best = attend_to_real_keys(queries, keys, values, valid_lens)[1].argmax(-1)
    weights = torch.nn.functional.one_hot(best, keys.shape[1]).to(values.dtype)
    return weights @ values, weights


@attention.mistake("the queries are masked, not the keys")
def _queries_masked(queries, keys, values, valid_lens):
    """valid_lens counts keys: which axis of the scores do they lie on?"""
    return _finish(_scores(queries, keys), values, _real(queries, valid_lens).mT)


@attention.mistake("the real keys are hidden, the padding is seen")
def _padding_only(queries, keys, values, valid_lens):
    """positions < valid_lens are real."""
    return _finish(_scores(queries, keys), values, ~_real(keys, valid_lens))


@attention.mistake("one length is used for all sentences")
def _one_length(queries, keys, values, valid_lens):
    """Each sentence of the batch has its own: valid_lens[:, None, None]."""
    return attend_to_real_keys(queries, keys, values, valid_lens[:1].expand_as(valid_lens))


@attention.mistake("the scores are divided by the root of the number of queries")
def _by_queries(queries, keys, values, valid_lens):
    """Which axis is summed over in a dot product?"""
    return _finish(_scores(queries, keys, queries.shape[1]), values, _real(keys, valid_lens))


@attention.mistake("the future is hidden too")
def _causal(queries, keys, values, valid_lens):
    """Nothing here asks for a causal mask."""
    past = torch.ones(queries.shape[1], keys.shape[1]).tril() > 0
    return _finish(_scores(queries, keys), values, _real(keys, valid_lens) & past)


@attention.mistake("vectors are made to length 1: that is the cosine")
def _cosine(queries, keys, values, valid_lens):
    """The length of a vector counts: divide by sqrt(dim) only."""
    return _finish(
        torch.cosine_similarity(queries[:, :, None], keys[:, None], dim=-1), values, _real(keys, valid_lens)
    )


@attention.mistake("`values` was changed in place")
def _clears_padding(queries, keys, values, valid_lens):
    values[~_real(keys, valid_lens)[:, 0]] = 0
    return attend_to_real_keys(queries, keys, values, valid_lens)


@attention.mistake("the function must return output and weights")
def _output_only(queries, keys, values, valid_lens):
    return attend_to_real_keys(queries, keys, values, valid_lens)[0]


@attention.mistake("chance has a part in it")
def _dropout_left_on(queries, keys, values, valid_lens):
    weights = attend_to_real_keys(queries, keys, values, valid_lens)[1]
    return torch.nn.functional.dropout(weights, 0.1) @ values, weights


@attention.mistake("the weights are scaled, not the scores")
def _scaled_late(queries, keys, values, valid_lens):
    weights = (
        _finish(_scores(queries, keys, 1), values, _real(keys, valid_lens))[1] / queries.shape[-1] ** 0.5
    )
    return weights @ values, weights


@attention.mistake("for large scores the weights are NaN")
def _own_softmax(queries, keys, values, valid_lens):
    """e to 89 is more than float32 can hold. `torch.softmax` takes the largest score away first."""
    heights = _scores(queries, keys).exp() * _real(keys, valid_lens)
    weights = heights / heights.sum(-1, keepdim=True)
    return weights @ values, weights


@attention.mistake("the number written over masked scores is not low enough")
def _low_but_not_lowest(queries, keys, values, valid_lens):
    """Real scores may lie below it: then padding wins. Which number lies below all others?"""
    return _finish(_scores(queries, keys), values, _real(keys, valid_lens), low=-100.0)
