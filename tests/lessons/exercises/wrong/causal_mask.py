"""Typical wrong answers to causal-mask."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("the first query is lined up with the first key")
def _top_left(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_keys).tril().bool()


@wrong("the offset has the wrong sign")
def _other_sign(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_keys, dtype=torch.bool).tril(num_queries - num_keys)


@wrong("the cached keys have no column")
def _square_only(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_queries, dtype=torch.bool).tril()


@wrong("a query may not attend to itself")
def _strictly_before(num_queries: int, num_keys: int) -> Tensor:
    return torch.arange(num_keys) < torch.arange(num_keys)[-num_queries:].unsqueeze(-1)


@wrong("the mask is True where a query may not attend")
def _blocked(num_queries: int, num_keys: int) -> Tensor:
    return torch.triu(torch.ones(num_queries, num_keys), diagonal=1 + num_keys - num_queries) == 1


@wrong("the mask lets queries see the future")
def _future(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_keys).triu(num_keys - num_queries) > 0


@wrong("the mask holds numbers to add")
def _bias(num_queries: int, num_keys: int) -> Tensor:
    return torch.full((num_queries, num_keys), -torch.inf).triu(num_keys - num_queries + 1)


@wrong("the mask holds 0.0 and 1.0")
def _floats(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_keys).tril(num_keys - num_queries)
