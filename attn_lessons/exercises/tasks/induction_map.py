"""Exercise of lesson 11a: the map of a perfect layer 2, from the tokens alone."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise

follow = Exercise(
    "induction-map",
    "11a_induction_by_hand",
    """Write f(tokens): tokens (length,) int64. Return weights (queries, keys): each query spreads its weight
    evenly over the keys, itself included, whose token before equals the query's own token. A query without
    such a key gets a row of zeros.""",
    (
        """`tokens[:, None] == tokens` says which tokens are equal. By how many columns must it be moved, and
        in which direction?""",
        "The first key has no token before it, and no query may look ahead: `tril()`.",
        "Divide each row by its sum, but by no less than 1: `clamp(min=1)`.",
    ),
    "weights (queries, keys)",
)


@follow.solution
def look_after_copies(tokens: Tensor) -> Tensor:
    """Move the equal pairs one column on, keep what lies behind, share the weight."""
    same = tokens[:, None] == tokens  # (queries, keys)
    follows = torch.zeros_like(same)
    follows[:, 1:] = same[:, :-1]
    fits = follows.tril().float()
    return fits / fits.sum(dim=-1, keepdim=True).clamp(min=1)


@follow.check
def _a_sentence(answer: Answer) -> None:
    """The followers of all copies share the weight."""
    _gives(answer, [3, 1, 4, 3, 3, 5, 1, 4, 3, 1])


@follow.check
def _doubled(answer: Answer) -> None:
    """a token that stands twice in a row follows itself."""
    _gives(answer, [2, 2, 7, 2, 7, 7, 2])


@follow.check
def _nothing_new(answer: Answer) -> None:
    """where nothing can be known, rows of zeros."""
    _gives(answer, [5, 0, 3, 1])


def _gives(answer: Answer, tokens: list[int]) -> None:
    """Say which keys fit, key by key: the token before it is the query's."""
    weights = torch.zeros(len(tokens), len(tokens))
    for i, token in enumerate(tokens):
        keys = [j for j in range(1, i + 1) if tokens[j - 1] == token]
        weights[i, keys] = 1 / max(len(keys), 1)
    answer.gives(torch.tensor(tokens), wanted=weights)


@follow.also
def _more() -> Iterator[tuple]:
    """other sequences."""
    yield (torch.tensor([1, 1, 1, 0, 1]),)
    yield (torch.tensor([6, 2, 6, 2, 9, 6]),)


def _share(fits: Tensor) -> Tensor:
    fits = fits.float()
    return fits / fits.sum(dim=1, keepdim=True).clamp(min=1)


def _moved(tokens: Tensor) -> Tensor:
    before = torch.cat([torch.tensor([-1]), tokens[:-1]])
    return tokens.unsqueeze(1) == before.unsqueeze(0)


@follow.mistake("the weight is on the copies, not on what followed them")
def _copies(tokens):
    """Key j counts if tokens[j - 1] is the query's token: move the pairs one column on."""
    return _share((tokens.unsqueeze(1) == tokens.unsqueeze(0)).tril())


@follow.mistake("the weight is on the earlier copies, not on what followed them")
def _earlier_copies(tokens):
    """Key j counts if tokens[j - 1] is the query's token: move the pairs one column on."""
    return _share((tokens.unsqueeze(1) == tokens.unsqueeze(0)).tril(-1))


@follow.mistake("the weight is on the tokens before the copies")
def _before(tokens):
    """The pairs were moved in the wrong direction."""
    after = torch.cat([tokens[1:], torch.tensor([-1])])
    return _share((tokens.unsqueeze(1) == after.unsqueeze(0)).tril())


@follow.mistake("queries look ahead")
def _ahead(tokens):
    """Key j may count for query i only if j <= i: `tril()`."""
    return _share(_moved(tokens))


@follow.mistake("the first key follows the last token")
def _in_a_circle(tokens):
    """`roll` goes round in a circle. Nothing stands before the first token."""
    return _share((tokens.unsqueeze(1) == torch.roll(tokens, 1)).tril())


@follow.mistake("keys go round in a circle, and lie in the future as well")
def _in_a_circle_ahead(tokens):
    """`roll` goes round in a circle. Nothing stands before the first token, and j <= i: `tril()`."""
    return _share(tokens.unsqueeze(1) == torch.roll(tokens, 1))


@follow.mistake("a query does not look at itself")
def _not_itself(tokens):
    """If the token before the query is the same one, the query itself is the follower."""
    return _share(_moved(tokens).tril(-1))


@follow.mistake("the weights of a row are not shared")
def _ones(tokens):
    """Divide each row by how many keys fit."""
    return _moved(tokens).tril().float()


@follow.mistake("only the latest follower gets weight")
def _latest(tokens):
    """All followers get the same."""
    fits = _moved(tokens).tril()
    return (fits & (fits.flip(1).cumsum(dim=1).flip(1) == 1)).float()


@follow.mistake("only the earliest follower gets weight")
def _earliest(tokens):
    """All followers get the same."""
    fits = _moved(tokens).tril()
    return (fits & (fits.cumsum(dim=1) == 1)).float()


@follow.mistake("a row without a key is NaN")
def _nan(tokens):
    """0 / 0 is not a number. Divide by no less than 1."""
    fits = _moved(tokens).tril().float()
    return fits / fits.sum(dim=1, keepdim=True)


@follow.mistake("a softmax gives weight to keys that do not fit")
def _soft(tokens):
    """Divide by the sum of the row: what does not fit gets exactly 0."""
    return _moved(tokens).tril().float().softmax(dim=1)


@follow.mistake("a row without a key spreads its weight over all keys")
def _spread(tokens):
    """It gets a row of zeros."""
    right = look_after_copies(tokens)
    return torch.where(right.any(-1, keepdim=True), right, 1 / len(tokens))


@follow.mistake("queries and keys are swapped")
def _swapped(tokens):
    """Rows are queries: weights[query, key]."""
    return _share(_moved(tokens).tril()).mT


@follow.mistake("columns are shared, not rows")
def _columns(tokens):
    """Each query spreads its weight: sum over the keys, dim=-1."""
    fits = _moved(tokens).tril().float()
    return fits / fits.sum(dim=0, keepdim=True).clamp(min=1)


@follow.mistake("weights go two steps after the copy")
def _two_steps(tokens):
    """One step: the token right after."""
    return _share(torch.cat([_moved(tokens)[:, :1] & False, _moved(tokens)[:, :-1]], 1).tril())


@follow.mistake("the weights are divided by the length")
def _by_length(tokens):
    """Divide by how many keys fit."""
    return _moved(tokens).tril().float() / len(tokens)


@follow.mistake("the token before the query is compared, not the query's own")
def _previous_query(tokens):
    """Key j counts if tokens[j - 1] is the query's own token: move the pairs along the keys only."""
    same = tokens[:, None] == tokens
    fits = torch.zeros_like(same)
    fits[1:, 1:] = same[:-1, :-1]
    return _share(fits.tril())
