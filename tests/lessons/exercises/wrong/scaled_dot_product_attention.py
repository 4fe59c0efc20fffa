"""Typical wrong answers to scaled-dot-product-attention."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.scaled_dot_product_attention import attend_to_real_keys


def _scores(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.einsum("bqd,bkd->bqk", queries, keys)


def _padding(valid_lens: Tensor, length: int) -> Tensor:
    return (torch.arange(length)[None] >= valid_lens[:, None])[:, None]


@wrong("the scores are not scaled")
def _unscaled(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    scores = _scores(queries, keys).masked_fill(_padding(valid_lens, keys.shape[1]), -1e9)
    return scores.softmax(-1) @ values, scores.softmax(-1)


@wrong("the scores are divided by dim, not by its square root")
def _by_dim(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    scores = _scores(queries, keys / keys.shape[-1])
    weights = scores.masked_fill(_padding(valid_lens, keys.shape[1]), -torch.inf).softmax(-1)
    return weights @ values, weights


@wrong("the scores are divided by the root of the number of keys")
def _by_keys(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    scores = _scores(queries, keys) / keys.shape[1] ** 0.5
    weights = scores.masked_fill(_padding(valid_lens, keys.shape[1]), -torch.inf).softmax(-1)
    return weights @ values, weights


@wrong("padding gets weight: valid_lens is not used")
def _no_mask(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    weights = (_scores(queries, keys) / queries.shape[-1] ** 0.5).softmax(-1)
    return weights @ values, weights


@wrong("the mask is applied after the softmax")
def _mask_after(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    weights = (_scores(queries, keys) / queries.shape[-1] ** 0.5).softmax(-1)
    weights = weights.masked_fill(_padding(valid_lens, keys.shape[1]), 0)
    return weights @ values, weights


@wrong("masked scores are set to 0")
def _zero_scores(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    scores = _scores(queries, keys) / queries.shape[-1] ** 0.5
    weights = scores.masked_fill(_padding(valid_lens, keys.shape[1]), 0).softmax(-1)
    return weights @ values, weights


@wrong("the softmax runs over the queries")
def _first_axis(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    scores = _scores(queries, keys) / queries.shape[-1] ** 0.5
    weights = scores.softmax(1).masked_fill(_padding(valid_lens, keys.shape[1]), 0)
    return weights @ values, weights


@wrong("the keys are averaged, not the values")
def _keys_as_values(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    return attend_to_real_keys(queries, keys, keys, valid_lens)


@wrong("weights and output are returned in the wrong order")
def _order(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    return attend_to_real_keys(queries, keys, values, valid_lens)[::-1]


@wrong("`values` was changed in place")
def _clears_padding(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    values[_padding(valid_lens, keys.shape[1])[:, 0]] = 0
    return attend_to_real_keys(queries, keys, values, valid_lens)


@wrong("the function must return output and weights")
def _output_only(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> Tensor:
    return attend_to_real_keys(queries, keys, values, valid_lens)[0]


@wrong("chance has a part in it")
def _dropout_left_on(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple:
    weights = attend_to_real_keys(queries, keys, values, valid_lens)[1]
    return torch.nn.functional.dropout(weights, 0.1) @ values, weights


@wrong("that is the cosine")
def _cosine(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple[Tensor, Tensor]:
    scores = torch.cosine_similarity(queries[:, :, None], keys[:, None], dim=-1)
    hidden = torch.arange(keys.shape[1]) >= valid_lens[:, None, None]
    weights = scores.masked_fill(hidden, -torch.inf).softmax(-1)
    return weights @ values, weights


@wrong("the weights are scaled, not the scores")
def _scaled_late(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor) -> tuple[Tensor, Tensor]:
    padding = torch.arange(keys.shape[1]) >= valid_lens[:, None, None]
    weights = torch.softmax(_scores(queries, keys).masked_fill(padding, -torch.inf), dim=-1)
    weights = weights / queries.shape[-1] ** 0.5
    return weights @ values, weights


@wrong("the queries are masked, not the keys")
def _queries_masked(
    queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor
) -> tuple[Tensor, Tensor]:
    hidden = _padding(valid_lens, queries.shape[1]).mT
    weights = (_scores(queries, keys) / queries.shape[-1] ** 0.5).masked_fill(hidden, -1e9).softmax(-1)
    return weights @ values, weights
