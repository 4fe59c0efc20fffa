"""Exercise of chapter 03: the causal mask when keys are cached."""

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise

__all__ = ["causal"]

causal = Exercise(
    "causal-mask",
    "03_masked_softmax",
    "Write f(num_queries, num_keys): the queries are the last num_queries of num_keys positions. Return a "
    "bool mask (queries, keys), True where a query may attend: to its own position and all before it.",
    (
        "With 2 queries and 5 keys, at which positions do the queries stand?",
        "Query i stands at position `i + num_keys - num_queries`. Compare positions as a column with "
        "`torch.arange(num_keys)`.",
    ),
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
    answer.gives(3, 3, wanted=_triangle(3, 3, 0), axes="queries keys", suspects=_causal(3, 3), named="mask")


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
    answer.gives(
        2,
        5,
        wanted=_triangle(2, 5, 3),
        axes="queries keys",
        suspects=[first_with_first, reversed_offset, square],
        named="mask",
    )


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


@causal.wrong("the first query is lined up with the first key")
def _top_left(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_keys).tril().bool()


@causal.wrong("the offset has the wrong sign")
def _other_sign(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_keys, dtype=torch.bool).tril(num_queries - num_keys)


@causal.wrong("the cached keys have no column")
def _square_only(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_queries, dtype=torch.bool).tril()


@causal.wrong("a query may not attend to itself")
def _strictly_before(num_queries: int, num_keys: int) -> Tensor:
    return torch.arange(num_keys) < torch.arange(num_keys)[-num_queries:].unsqueeze(-1)


@causal.wrong("the mask is True where a query may not attend")
def _blocked(num_queries: int, num_keys: int) -> Tensor:
    return torch.triu(torch.ones(num_queries, num_keys), diagonal=1 + num_keys - num_queries) == 1


@causal.wrong("the mask lets queries see the future")
def _future(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_keys).triu(num_keys - num_queries) > 0


@causal.wrong("the mask holds numbers to add")
def _bias(num_queries: int, num_keys: int) -> Tensor:
    return torch.full((num_queries, num_keys), -torch.inf).triu(num_keys - num_queries + 1)


@causal.wrong("the mask holds 0.0 and 1.0")
def _floats(num_queries: int, num_keys: int) -> Tensor:
    return torch.ones(num_queries, num_keys).tril(num_keys - num_queries)
