"""Exercise of lesson 13a: which word does each head look at most?"""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

heaviest = Exercise(
    "heaviest-word",
    "13a_a_heads_name",
    """Write f(weights, words, query): weights (heads, queries, keys), words bool (keys,), query the place of
    one token. Return for each head the place of the heaviest word, the query itself left out: int64
    (heads,).""",
    (
        "Which row of each map belongs to the query? Which keys may win?",
        "Copy words before you take the query out of it.",
        "masked_fill with a number below every weight, then argmax over the keys.",
    ),
    "places (heads)",
)


@heaviest.solution
def heaviest_words(weights: Tensor, words: Tensor, query: int) -> Tensor:
    """Give every key that may not win a weight below 0."""
    others = words.clone()
    others[query] = False
    return weights[:, query].masked_fill(~others, -1).argmax(dim=-1)  # (heads,)


# six tokens: [CLS] we saw bees fly [SEP]; the query is "saw"
WORDS = torch.tensor([False, True, True, True, True, False])
QUERY = 2
ROWS = torch.tensor(
    [
        [0.46, 0.06, 0.22, 0.18, 0.08, 0.00],
        [0.16, 0.22, 0.30, 0.09, 0.13, 0.10],
        [0.05, 0.08, 0.10, 0.17, 0.22, 0.38],
        [0.10, 0.12, 0.08, 0.40, 0.11, 0.19],
    ]
)  # (heads, keys), the row of the query in each head
OTHER_ROW = torch.tensor([0.02, 0.30, 0.08, 0.28, 0.12, 0.20])  # every other query's
COLUMN = ((4, 0.50), (3, 0.45), (3, 0.35), (1, 0.40))  # per head: a query that looks hard at "saw"


def _maps() -> Tensor:
    maps = OTHER_ROW.repeat(4, 6, 1)  # (heads, queries, keys)
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
    right = _best(ROWS, [1, 3, 4])
    columns = _maps()[:, :, QUERY]
    suspects = [
        Suspect(
            "[CLS] and [SEP] are among the candidates",
            "In most heads [CLS] wins then. Where do you use words?",
            _best(ROWS, [0, 1, 3, 4, 5]),
        ),
        Suspect(
            "the query itself is among the candidates",
            "Many heads look at the token itself. The question is which other word.",
            _best(ROWS, [1, 2, 3, 4]),
        ),
        Suspect(
            "every key is a candidate",
            "Leave out what is no word, and the query itself.",
            _best(ROWS, [0, 1, 2, 3, 4, 5]),
        ),
        Suspect(
            "the mask is read upside down",
            "True in words means that the key is a word.",
            _best(ROWS, [0, 5]),
        ),
        Suspect(
            "the mask is read upside down, and the query itself wins",
            "masked_fill hides where its mask is True: ~others.",
            _best(ROWS, [0, 2, 5]),
        ),
        Suspect(
            "the lightest word wins",
            "argmax, not argmin.",
            _best(-ROWS, [1, 3, 4]),
        ),
        Suspect(
            "the places are counted among all words, the query among them",
            "After weights[..., words] the first word has place 0. Mask the others, do not cut them out.",
            torch.tensor([1, 1, 3, 2]),
        ),
        Suspect(
            "the column of the query was read, not its row",
            "Rows are queries. weights[:, :, query] says who looks at the token, not where it looks.",
            _best(columns, [1, 3, 4]),
        ),
        Suspect(
            "the places are counted among the words only",
            """After weights[..., words] the first word has place 0. Mask the others instead of cutting them
            out.""",
            torch.tensor([1, 0, 2, 1]),
        ),
        Suspect(
            "the weight is returned, not its place",
            "max gives both: the value and where it is.",
            ROWS.gather(-1, right[:, None])[:, 0],
        ),
        Suspect(
            "the heads were averaged first",
            "Each head has its own favourite: one answer for each.",
            _best(ROWS.mean(dim=0, keepdim=True), [1, 3, 4])[0],
        ),
    ]
    answer.gives(_maps(), WORDS, QUERY, wanted=right, suspects=suspects)


@heaviest.check
def _no_weight_left(answer: Answer) -> None:
    """a head with no weight on other words still names a word."""
    weights = torch.zeros(1, 6, 6)
    weights[..., 0] = 1.0
    got = answer(weights, WORDS, QUERY)
    if any(isinstance(got, Tensor) and torch.equal(got, torch.tensor([one])) for one in (3, 4)):
        return  # of words equally heavy any will do
    first = Suspect(
        "a key that is no word wins when all words have weight 0",
        "0 is not below a weight of 0. Fill with a number below every weight.",
        torch.tensor([0]),
    )
    answer.gives(weights, WORDS, QUERY, wanted=torch.tensor([1]), suspects=[first])


@heaviest.also
def _more() -> Iterator[tuple]:
    """other sentences and queries."""
    yield (3 * numbers(2, 7, 7)).softmax(-1), torch.tensor([0, 1, 1, 1, 1, 1, 0]).bool(), 4
    yield (3 * numbers(3, 5, 5, seed=1)).softmax(-1), torch.tensor([1, 1, 0, 1, 1]).bool(), 0


heaviest.slip(
    "all queries are averaged",
    "Which row of the map belongs to the query?",
    lambda w, words, q: heaviest_words(w.mean(1, keepdim=True).expand_as(w), words, q),
)
heaviest.slip(
    "all queries are averaged, and the query itself is among the candidates",
    "Which row of the map belongs to the query? And which other word is the question.",
    lambda w, words, q: w.mean(1).masked_fill(~words, -1).argmax(-1),
)
heaviest.slip(
    "the row of another token was read",
    "weights[:, query] is the row of the query.",
    lambda w, words, q: heaviest_words(w.roll(1, 1), words, q),
)
heaviest.slip(
    "the row of [CLS] was read",
    "weights[:, query] is the row of the query.",
    lambda w, words, q: heaviest_words(w[:, :1].expand_as(w), words, q),
)
heaviest.slip(
    "the heads are averaged",
    "Each head has an answer of its own.",
    lambda w, words, q: heaviest_words(w.mean(0, keepdim=True).expand_as(w), words, q),
)
heaviest.slip(
    "the query is cut out of the row, and the places behind it are one too small",
    "Give it a weight below 0 instead: then every key keeps its place.",
    lambda w, words, q: heaviest_words(w, words, q) - (heaviest_words(w, words, q) > q).to(torch.int64),
)
heaviest.slip(
    "the second heaviest word is taken",
    "The query is left out already: of the others the heaviest.",
    lambda w, words, q: (
        w[:, q].masked_fill(~words | (torch.arange(len(words)) == q), -1).topk(2, -1).indices[:, 1]
    ),
)
