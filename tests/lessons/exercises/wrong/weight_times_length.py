"""Typical wrong answers to weight-times-length."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("the lengths have no say")
def _weights_only(weights: Tensor, vectors: Tensor) -> Tensor:
    return weights.clone()


@wrong("the rows do not add up to 1")
def _not_divided(weights: Tensor, vectors: Tensor) -> Tensor:
    return weights * torch.linalg.vector_norm(vectors, dim=1)


@wrong("everything is divided by one sum")
def _one_sum(weights: Tensor, vectors: Tensor) -> Tensor:
    parts = weights * vectors.norm(dim=-1)
    return parts / parts.sum()


@wrong("the columns add up to 1")
def _columns(weights: Tensor, vectors: Tensor) -> Tensor:
    parts = weights * vectors.norm(dim=-1)
    return parts / parts.sum(0, keepdim=True)


@wrong("the squares of the lengths are taken")
def _squares(weights: Tensor, vectors: Tensor) -> Tensor:
    parts = weights * (vectors**2).sum(-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("the numbers of a vector are added up")
def _sums(weights: Tensor, vectors: Tensor) -> Tensor:
    parts = weights * vectors.sum(dim=-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("the longest number of each vector")
def _largest(weights: Tensor, vectors: Tensor) -> Tensor:
    parts = weights * vectors.abs().amax(dim=-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("the weights are divided by the lengths")
def _divided(weights: Tensor, vectors: Tensor) -> Tensor:
    parts = weights / vectors.norm(dim=-1)
    return parts / parts.sum(-1, keepdim=True)


@wrong("a softmax runs over weight times length")
def _softmax(weights: Tensor, vectors: Tensor) -> Tensor:
    return torch.softmax(weights * vectors.norm(dim=-1), dim=-1)
