"""Typical wrong answers to scaled-scores."""

import math

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("the scores are not scaled")
def _unscaled(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.bmm(queries, keys.mT)


@wrong("the scores are divided by dim, not by its square root")
def _by_dim(queries: Tensor, keys: Tensor) -> Tensor:
    return queries @ keys.transpose(1, 2) / keys.size(-1)


@wrong("the scores are multiplied by sqrt(dim)")
def _multiplied(queries: Tensor, keys: Tensor) -> Tensor:
    return queries @ keys.mT * queries.shape[-1] ** 0.5


@wrong("the scores are divided by the root of the number of keys")
def _by_keys(queries: Tensor, keys: Tensor) -> Tensor:
    return queries @ keys.mT / math.sqrt(keys.shape[1])


@wrong("the scores are divided by the root of the batch size")
def _by_batch(queries: Tensor, keys: Tensor) -> Tensor:
    return queries @ keys.mT / len(keys) ** 0.5


@wrong("a softmax is taken already")
def _weights(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.softmax(queries @ keys.mT / queries.shape[-1] ** 0.5, dim=-1)


@wrong("that is the cosine")
def _cosine(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.nn.functional.normalize(queries, dim=-1) @ torch.nn.functional.normalize(keys, dim=-1).mT


@wrong("the axes of the scores are in the wrong order: (batch, keys, queries)")
def _transposed(queries: Tensor, keys: Tensor) -> Tensor:
    return keys @ queries.mT / queries.shape[-1] ** 0.5


@wrong("float16 overflows before the division")
def _divided_too_late(queries: Tensor, keys: Tensor) -> Tensor:
    return queries @ keys.mT / queries.shape[-1] ** 0.5


@wrong("the dtype of the float16 scores is wrong")
def _always_float32(queries: Tensor, keys: Tensor) -> Tensor:
    return queries.float() @ keys.float().mT / queries.shape[-1] ** 0.5


@wrong("the root of dim is made a whole number")
def _whole_root(queries: Tensor, keys: Tensor) -> Tensor:
    return queries / int(math.sqrt(queries.shape[-1])) @ keys.mT
