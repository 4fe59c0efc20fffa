"""Exercise of lesson 3a: the causal mask when keys are cached."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect

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
    answer.gives(3, 3, wanted=_triangle(3, 3, 0), suspects=_causal(3, 3))


@causal.check
def _cached(answer: Answer) -> None:
    """cached keys: the last query sees everything."""
    first_with_first = Suspect(
        "the first query is lined up with the first key",
        "The queries are the newest positions: the last query must see every key.",
        _triangle(2, 5, 0),
    )
    reversed_offset = Suspect(
        "the offset has the wrong sign",
        "Query 0 of 2 stands at position 3 of 5, not at position -3.",
        torch.zeros(2, 5, dtype=torch.bool),
    )
    square = Suspect("the cached keys have no column", "num_keys is not used.", _triangle(2, 2, 0))
    answer.gives(2, 5, wanted=_triangle(2, 5, 3), suspects=[first_with_first, reversed_offset, square])


def _triangle(queries: int, keys: int, offset: int) -> Tensor:
    return torch.tensor([[j <= i + offset for j in range(keys)] for i in range(queries)])


def _causal(queries: int, keys: int) -> list[Suspect]:
    right = _triangle(queries, keys, keys - queries)
    before = _triangle(queries, keys, keys - queries - 1)
    return [
        Suspect(
            "a query may not attend to itself",
            "Query 0 has no key at all then. May position j = i be seen?",
            before,
        ),
        Suspect(
            "the mask is True where a query may not attend",
            "Some libraries mark what is blocked. Here True = may attend.",
            ~right,
        ),
        Suspect(
            "the mask lets queries see the future instead of the past",
            "Rows are queries: query 0 may see key 0 only. tril or triu?",
            ~before,
        ),
        Suspect(
            "the mask holds numbers to add, not True and False",
            "Such a bias (0 and -inf) is made from the mask where it is needed.",
            torch.where(right, 0.0, float("-inf")),
        ),
        Suspect(
            "the mask holds 0.0 and 1.0, not True and False",
            "Multiplied with scores it would make them 0, which is not masked. Return a bool tensor.",
            right.float(),
        ),
    ]


@causal.also
def _more() -> Iterator[tuple]:
    """one query, many keys."""
    yield from ((1, 4), (4, 4), (3, 7))


causal.slip(
    "a query may see one key too many: the next one",
    "Its own position is the last it may see: <= or < ?",
    lambda n, m: _triangle(n, m, m - n + 1),
)
causal.slip(
    "everything may be seen", "Which line hides the future?", lambda n, m: torch.ones(n, m, dtype=torch.bool)
)
causal.slip(
    "a query sees its own position only",
    "And all positions before it.",
    lambda n, m: _triangle(n, m, m - n) & ~_triangle(n, m, m - n - 1),
)
