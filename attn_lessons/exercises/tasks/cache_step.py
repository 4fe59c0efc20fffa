"""Exercise of lesson 9d: one step of a model that writes, with a cache."""

from collections.abc import Iterator

import torch
from torch.nn.functional import scaled_dot_product_attention

from attn_lessons.exercises.checking import Answer, Exercise, numbers

step = Exercise(
    "cache-step",
    "09d_nothing_twice",
    """Write f(q, k, v, keys, values): query and key (dim,) and value (value_dim,) of a new word, and what the
    cache holds, keys (kept, dim) and values (kept, value_dim). Return the new word's output (value_dim,),
    and the keys and values to keep.""",
    (
        "Does a word attend to itself under a causal mask?",
        "Append first, attend then: `torch.cat([keys, k[None]])`.",
        "The scores are `keys @ q`, divided by the square root of dim. No mask is needed.",
    ),
    "output (value_dim,); keys (kept and one, dim); values (kept and one, value_dim)",
)


@step.solution
def write_one(q, k, v, keys, values):
    """Keep the new key and value, then attend to all that is kept."""
    keys, values = torch.cat([keys, k[None]]), torch.cat([values, v[None]])
    weights = torch.softmax(keys @ q / q.shape[0] ** 0.5, dim=-1)  # (kept + 1,)
    return weights @ values, keys, values


def _given(kept: int, dim: int = 4, value_dim: int = 2, seed: int = 0) -> tuple:
    rows = numbers(kept + 1, dim, seed=seed), numbers(kept + 1, value_dim, seed=seed + 1)
    return numbers(dim, seed=seed + 2), rows[0][-1], rows[1][-1], rows[0][:-1], rows[1][:-1]


@step.check
def _two_kept(answer: Answer) -> None:
    """The third word, by hand: exponentials 1, 2 and 1."""
    two = 2 * torch.tensor(2.0).log()  # a score of log 2, times the root of 4
    q, k, v = torch.tensor([1.0, 0, 0, 0]), torch.zeros(4), torch.tensor([40.0])
    keys = torch.stack([torch.zeros(4), torch.tensor([two, 0, 0, 0])])
    values = torch.tensor([[10.0], [20.0]])
    kept = torch.cat([keys, k[None]]), torch.cat([values, v[None]])
    answer.gives(q, k, v, keys, values, wanted=(torch.tensor([22.5]), *kept))


@step.check
def _the_first_word(answer: Answer) -> None:
    """an empty cache: the first word gets its own value."""
    q, k, v, keys, values = _given(0)
    answer.gives(q, k, v, keys, values, wanted=(v, k[None], v[None]))


@step.also
def _more() -> Iterator[tuple]:
    """longer texts."""
    yield _given(5)
    yield _given(3, dim=3, value_dim=3, seed=4)


def _both(k, v, keys, values):
    return torch.cat([keys, k[None]]), torch.cat([values, v[None]])


@step.mistake("the new word does not attend to itself")
def _before_appending(q, k, v, keys, values):
    """Its own key and value belong to the row, too."""
    weights = torch.softmax(keys @ q / q.shape[0] ** 0.5, dim=-1)
    return weights @ values, *_both(k, v, keys, values)


@step.mistake("a causal mask hides all keys but the first")
def _masked(q, k, v, keys, values):
    """One query stands first for `is_causal`. What in the cache would be the future?"""
    keys, values = _both(k, v, keys, values)
    return scaled_dot_product_attention(q[None], keys, values, is_causal=True)[0], keys, values


@step.mistake("the scores are not divided by the root of dim")
def _not_scaled(q, k, v, keys, values):
    """The scores are those of scaled dot-product attention."""
    keys, values = _both(k, v, keys, values)
    return torch.softmax(keys @ q, dim=-1) @ values, keys, values


@step.mistake("the cache is returned as it was")
def _not_kept(q, k, v, keys, values):
    """The next word must find this one's key and value."""
    longer, more = _both(k, v, keys, values)
    return torch.softmax(longer @ q / q.shape[0] ** 0.5, dim=-1) @ more, keys, values


@step.mistake("the query is kept in place of the key")
def _keeps_queries(q, k, v, keys, values):
    """Which of the two will a later word be compared with?"""
    return write_one(q, q, v, keys, values)


@step.mistake("the new word stands in front of the others")
def _in_front(q, k, v, keys, values):
    """The order of the rows is the order of the words."""
    keys, values = torch.cat([k[None], keys]), torch.cat([v[None], values])
    return torch.softmax(keys @ q / q.shape[0] ** 0.5, dim=-1) @ values, keys, values
