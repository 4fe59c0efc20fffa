"""Exercise of chapter 13: which word does each head look at most?"""

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise

__all__ = ["heaviest"]

heaviest = Exercise(
    "heaviest-word",
    "13_trained_model",
    "Write f(weights, words, query): weights (heads, queries, keys), words bool (keys,), query the place of "
    "one token. Return for each head the place of the heaviest word, the query itself left out: int64 "
    "(heads,).",
    (
        "Which row of each map belongs to the query? Which keys may win?",
        "Copy words before you take the query out of it.",
        "masked_fill with a number below every weight, then argmax over the keys.",
    ),
)


@heaviest.solution
def heaviest_words(weights: Tensor, words: Tensor, query: int) -> Tensor:
    """Give every key that may not win a weight below 0."""
    others = words.clone()
    others[query] = False
    return weights[:, query].masked_fill(~others, -1).argmax(dim=-1)  # (heads,)


# five tokens: [CLS] we saw bees [SEP]; the query is "saw"
WORDS = torch.tensor([False, True, True, True, False])
QUERY = 2
ROWS = torch.tensor(
    [
        [0.50, 0.06, 0.24, 0.20, 0.00],
        [0.20, 0.25, 0.30, 0.15, 0.10],
        [0.06, 0.12, 0.10, 0.32, 0.40],
    ]
)  # (heads, keys), the row of the query in each head
OTHER_ROW = torch.tensor([0.02, 0.40, 0.08, 0.30, 0.20])  # every other query's
COLUMN = ((0, 0.50), (3, 0.45), (1, 0.35))  # per head: a query that looks hard at "saw"


def _maps() -> Tensor:
    maps = OTHER_ROW.repeat(3, 5, 1)  # (heads, queries, keys)
    for head, (query, weight) in enumerate(COLUMN):
        maps[head, query, QUERY] = weight
    maps[:, QUERY] = ROWS
    return maps


def _best(rows: Tensor, allowed: list[int]) -> Tensor:
    """Look for the heaviest allowed key one row at a time."""
    return torch.tensor([max(allowed, key=lambda key: row[key]) for row in rows.tolist()])


@heaviest.check
def _example(answer: Answer) -> None:
    """The heaviest other word wins in each head."""
    right = _best(ROWS, [1, 3])
    columns = _maps()[:, :, QUERY]
    suspects = [
        Suspect(
            "[CLS] and [SEP] are among the candidates",
            "In most heads [CLS] wins then. Where do you use words?",
            _best(ROWS, [0, 1, 3, 4]),
        ),
        Suspect(
            "the query itself is among the candidates",
            "Many heads look at the token itself. The question is which other word.",
            _best(ROWS, [1, 2, 3]),
        ),
        Suspect(
            "every key is a candidate",
            "Leave out what is no word, and the query itself.",
            _best(ROWS, [0, 1, 2, 3, 4]),
        ),
        Suspect(
            "the mask is read upside down",
            "True in words means that the key is a word.",
            _best(ROWS, [0, 4]),
        ),
        Suspect(
            "the column of the query was read, not its row",
            "Rows are queries. weights[:, :, query] says who looks at the token, not where it looks.",
            _best(columns, [1, 3]),
        ),
        Suspect(
            "the places are counted among the words only",
            "After weights[..., words] the first word has place 0. Mask the others instead of cutting them "
            "out.",
            torch.tensor([1, 0, 1]),
        ),
        Suspect(
            "the weight is returned, not its place",
            "max gives both: the value and where it is.",
            ROWS.gather(-1, right[:, None])[:, 0],
        ),
        Suspect(
            "the heads were averaged first",
            "Each head has its own favourite: one answer for each.",
            _best(ROWS.mean(dim=0, keepdim=True), [1, 3])[0],
        ),
    ]
    answer.gives(_maps(), WORDS, QUERY, wanted=right, axes="heads", suspects=suspects, named="places")


@heaviest.check
def _no_weight_left(answer: Answer) -> None:
    """a head with no weight on other words still names a word."""
    weights = torch.zeros(1, 5, 5)
    weights[..., 0] = 1.0
    first = Suspect(
        "a key that is no word wins when all words have weight 0",
        "0 is not below a weight of 0. Fill with a number below every weight.",
        torch.tensor([0]),
    )
    answer.gives(
        weights, WORDS, QUERY, wanted=torch.tensor([1]), axes="heads", suspects=[first], named="places"
    )


@heaviest.wrong("[CLS] and [SEP] are among the candidates")
def _specials_kept(weights: Tensor, words: Tensor, query: int) -> Tensor:
    row = weights[:, query].clone()
    row[:, query] = -1
    return row.argmax(-1)


@heaviest.wrong("the query itself is among the candidates")
def _self_kept(weights: Tensor, words: Tensor, query: int) -> Tensor:
    return torch.where(words, weights[:, query], -torch.inf).argmax(dim=1)


@heaviest.wrong("every key is a candidate")
def _no_mask(weights: Tensor, words: Tensor, query: int) -> Tensor:
    return weights.argmax(dim=-1)[:, query]


@heaviest.wrong("the mask is read upside down")
def _inverted(weights: Tensor, words: Tensor, query: int) -> Tensor:
    return weights[:, query].masked_fill(words, -1).argmax(dim=-1)


@heaviest.wrong("the column of the query was read")
def _column(weights: Tensor, words: Tensor, query: int) -> Tensor:
    allowed = words & (torch.arange(len(words)) != query)
    return weights[..., query].masked_fill(~allowed, -1).argmax(dim=-1)


@heaviest.wrong("the places are counted among the words only")
def _cut_out(weights: Tensor, words: Tensor, query: int) -> Tensor:
    allowed = words & (torch.arange(len(words)) != query)
    return weights[:, query, allowed].argmax(dim=-1)


@heaviest.wrong("the weight is returned, not its place")
def _values(weights: Tensor, words: Tensor, query: int) -> Tensor:
    allowed = words & (torch.arange(len(words)) != query)
    return (weights[:, query] * allowed).amax(dim=-1)


@heaviest.wrong("the heads were averaged first")
def _mean_head(weights: Tensor, words: Tensor, query: int) -> Tensor:
    return heaviest_words(weights.mean(dim=0, keepdim=True), words, query)[0]


@heaviest.wrong("a key that is no word wins when all words have weight 0")
def _filled_with_zero(weights: Tensor, words: Tensor, query: int) -> Tensor:
    allowed = words & (torch.arange(len(words)) != query)
    return (weights[:, query] * allowed).argmax(dim=-1)


@heaviest.wrong("`words` was changed in place")
def _in_place(weights: Tensor, words: Tensor, query: int) -> Tensor:
    words[query] = False
    return weights[:, query].masked_fill(~words, -1).argmax(dim=-1)
