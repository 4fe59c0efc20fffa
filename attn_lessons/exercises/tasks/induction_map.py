"""Exercise of lesson 11a: the map of a perfect layer 2, from the tokens alone."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect

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
    _ask(answer, torch.tensor([3, 1, 4, 3, 3, 5, 1, 4, 3, 1]))


@follow.check
def _doubled(answer: Answer) -> None:
    """a token that stands twice in a row follows itself."""
    _plain(answer, [2, 2, 7, 2, 7, 7, 2])


@follow.check
def _nothing_new(answer: Answer) -> None:
    """where nothing can be known, rows of zeros."""
    _plain(answer, [5, 0, 3, 1])


def _by_rule(tokens: list[int], offset: int = 1, ahead: bool = False, itself: bool = True) -> Tensor:
    """Say which keys fit, key by key: the token `offset` before it is the query's."""
    length = len(tokens)
    fits = torch.zeros(length, length)
    for i in range(length):
        for j in range(length):
            seen = ahead or j < i or (j == i and itself)
            if seen and 0 <= j - offset < length and tokens[j - offset] == tokens[i]:
                fits[i, j] = 1
    return fits


def _shared(fits: Tensor) -> Tensor:
    return fits / fits.sum(dim=-1, keepdim=True).clamp(min=1)


def _ask(answer: Answer, tokens: Tensor) -> None:
    listed = tokens.tolist()
    fits = _by_rule(listed)
    right = _shared(fits)
    columns = torch.arange(len(listed))
    latest = fits * (columns == (fits * columns).amax(dim=-1, keepdim=True))
    earliest = fits * (columns == fits.argmax(dim=-1, keepdim=True))
    round_about = (tokens[:, None] == tokens.roll(1)).float()
    suspects = [
        Suspect(
            "the weight is on the copies, not on what followed them",
            "Key j counts if tokens[j - 1] is the query's token: move the pairs one column on.",
            _shared(_by_rule(listed, offset=0)),
        ),
        Suspect(
            "the weight is on the earlier copies, not on what followed them",
            "Key j counts if tokens[j - 1] is the query's token: move the pairs one column on.",
            _shared(_by_rule(listed, offset=0, itself=False)),
        ),
        Suspect(
            "the weight is on the tokens before the copies",
            "The pairs were moved in the wrong direction.",
            _shared(_by_rule(listed, offset=-1)),
        ),
        Suspect(
            "queries look ahead",
            "Key j may count for query i only if j <= i: `tril()`.",
            _shared(_by_rule(listed, ahead=True)),
        ),
        Suspect(
            "the first key follows the last token",
            "`roll` goes round in a circle. Nothing stands before the first token.",
            _shared(round_about.tril()),
        ),
        Suspect(
            "keys go round in a circle, and lie in the future as well",
            "`roll` goes round in a circle. Nothing stands before the first token, and j <= i: `tril()`.",
            _shared(round_about),
        ),
        Suspect(
            "a query does not look at itself",
            "If the token before the query is the same one, the query itself is the follower.",
            _shared(_by_rule(listed, itself=False)),
        ),
        Suspect("the weights of a row are not shared", "Divide each row by how many keys fit.", fits),
        Suspect("only the latest follower gets weight", "All followers get the same.", latest),
        Suspect("only the earliest follower gets weight", "All followers get the same.", earliest),
        Suspect(
            "a row without a key is NaN",
            "0 / 0 is not a number. Divide by no less than 1.",
            fits / fits.sum(dim=-1, keepdim=True),
        ),
        Suspect(
            "a softmax gives weight to keys that do not fit",
            "Divide by the sum of the row: what does not fit gets exactly 0.",
            torch.softmax(fits, dim=-1),
        ),
        Suspect(
            "a row without a key spreads its weight over all keys",
            "It gets a row of zeros.",
            torch.where(fits.any(dim=-1, keepdim=True), right, 1 / len(listed)),
        ),
        Suspect("queries and keys are swapped", "Rows are queries: weights[query, key].", right.T),
        Suspect(
            "columns are shared, not rows",
            "Each query spreads its weight: sum over the keys, dim=-1.",
            _shared(fits.T).T,
        ),
        Suspect(
            "weights go two steps after the copy",
            "One step: the token right after.",
            _shared(_by_rule(listed, offset=2)),
        ),
        Suspect("the weights are divided by the length", "Divide by how many keys fit.", fits / len(listed)),
    ]
    answer.gives(tokens, wanted=right, suspects=suspects)


def _plain(answer: Answer, listed: list[int]) -> None:
    wanted = _shared(_by_rule(listed))
    answer.gives(torch.tensor(listed), wanted=wanted)


@follow.also
def _more() -> Iterator[tuple]:
    """other sequences."""
    yield (torch.tensor([1, 1, 1, 0, 1]),)
    yield (torch.tensor([6, 2, 6, 2, 9, 6]),)
