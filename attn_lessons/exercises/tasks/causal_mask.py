"""Exercise of lesson 3a: the causal mask when keys are cached."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise

causal = Exercise(
    "causal-mask",
    "03a_masked_softmax",
    """Write f(num_queries, num_keys): the queries are the last num_queries of num_keys positions. Return a
    bool mask (queries, keys), True where a query may attend: to its own position and all before it.""",
    (
        "With 2 queries and 5 keys, at which positions do the queries stand?",
        """Query i stands at position `i + num_keys - num_queries`. Compare positions as a column with
        `torch.arange(num_keys)`.""",
    ),
    "mask (queries, keys)",
)


@causal.solution
def look_back(num_queries, num_keys):
    """Compare the position of each query with that of each key."""
    positions = torch.arange(num_keys)
    last = positions[num_keys - num_queries :, None]  # (queries, 1)
    return positions <= last  # (queries, keys)


@causal.check
def _square(answer: Answer) -> None:
    """As many queries as keys: a triangle with its diagonal."""
    answer.gives(3, 3, wanted=_triangle(3, 3, 0))


@causal.check
def _cached(answer: Answer) -> None:
    """cached keys: the last query sees everything."""
    answer.gives(2, 5, wanted=_triangle(2, 5, 3))


def _triangle(queries: int, keys: int, offset: int) -> Tensor:
    return torch.tensor([[j <= i + offset for j in range(keys)] for i in range(queries)])


@causal.also
def _more() -> Iterator[tuple]:
    """one query, many keys."""
    yield from ((1, 4), (4, 4), (3, 7))


@causal.mistake("a query may not attend to itself")
def _strictly_before(num_queries, num_keys):
    """Query 0 has no key at all then. May position j = i be seen?"""
    return torch.arange(num_keys) < torch.arange(num_keys)[-num_queries:].unsqueeze(-1)


@causal.mistake("the mask is True where a query may not attend")
def _blocked(num_queries, num_keys):
    """Some libraries mark what is blocked. Here True = may attend."""
    return torch.triu(torch.ones(num_queries, num_keys), diagonal=1 + num_keys - num_queries) == 1


@causal.mistake("the mask lets queries see the future instead of the past")
def _future(num_queries, num_keys):
    """Rows are queries: query 0 may see key 0 only. tril or triu?"""
    return torch.ones(num_queries, num_keys).triu(num_keys - num_queries) > 0


@causal.mistake("the mask holds numbers to add, not True and False")
def _bias(num_queries, num_keys):
    """Such a bias (0 and -inf) is made from the mask where it is needed."""
    return torch.full((num_queries, num_keys), -torch.inf).triu(num_keys - num_queries + 1)


@causal.mistake("the mask holds 0.0 and 1.0, not True and False")
def _floats(num_queries, num_keys):
    """Multiplied with scores it would make them 0, which is not masked. Return a bool tensor."""
    return torch.ones(num_queries, num_keys).tril(num_keys - num_queries)


@causal.mistake("the first query is lined up with the first key")
def _top_left(num_queries, num_keys):
    """The queries are the newest positions: the last query must see every key."""
    return torch.ones(num_queries, num_keys).tril().bool()


@causal.mistake("the offset has the wrong sign")
def _other_sign(num_queries, num_keys):
    """Query 0 of 2 stands at position 3 of 5, not at position -3."""
    return torch.ones(num_queries, num_keys, dtype=torch.bool).tril(num_queries - num_keys)


@causal.mistake("the cached keys have no column")
def _square_only(num_queries, num_keys):
    """num_keys is not used."""
    return torch.ones(num_queries, num_queries, dtype=torch.bool).tril()


@causal.mistake("a query may see one key too many: the next one")
def _query_may_see_one_key(n, m):
    """Its own position is the last it may see: <= or < ?"""
    return _triangle(n, m, m - n + 1)


@causal.mistake("everything may be seen")
def _everything_may_seen(n, m):
    """Which line hides the future?"""
    return torch.ones(n, m, dtype=torch.bool)


@causal.mistake("a query sees its own position only")
def _query_sees_own_position_only(n, m):
    """And all positions before it."""
    return _triangle(n, m, m - n) & ~_triangle(n, m, m - n - 1)
