"""Exercise of lesson 13a: which word does each head look at most?"""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

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
    answer.gives(_maps(), WORDS, QUERY, wanted=_best(ROWS, [1, 3, 4]))


@heaviest.check
def _no_weight_left(answer: Answer) -> None:
    """a head with no weight on other words still names a word."""
    weights = torch.zeros(1, 6, 6)
    weights[..., 0] = 1.0
    got = answer(weights, WORDS, QUERY)
    if any(isinstance(got, Tensor) and torch.equal(got, torch.tensor([one])) for one in (3, 4)):
        return  # of words equally heavy any will do
    answer.gives(weights, WORDS, QUERY, wanted=torch.tensor([1]))


@heaviest.also
def _more() -> Iterator[tuple]:
    """other sentences and queries."""
    yield (3 * numbers(2, 7, 7)).softmax(-1), torch.tensor([0, 1, 1, 1, 1, 1, 0]).bool(), 4
    yield (3 * numbers(3, 5, 5, seed=1)).softmax(-1), torch.tensor([1, 1, 0, 1, 1]).bool(), 0


def _others(words: Tensor, query: int) -> Tensor:
    return words & (torch.arange(len(words)) != query)


@heaviest.mistake("[CLS] and [SEP] are among the candidates")
def _specials_kept(weights, words, query):
    """In most heads [CLS] wins then. Where do you use words?"""
    row = weights[:, query].clone()
    row[:, query] = -1
    return row.argmax(-1)


@heaviest.mistake("the query itself is among the candidates")
def _self_kept(weights, words, query):
    """Many heads look at the token itself. The question is which other word."""
    return torch.where(words, weights[:, query], -torch.inf).argmax(dim=1)


@heaviest.mistake("every key is a candidate")
def _no_mask(weights, words, query):
    """Leave out what is no word, and the query itself."""
    return weights.argmax(dim=-1)[:, query]


@heaviest.mistake("the mask is read upside down")
def _inverted(weights, words, query):
    """True in words means that the key is a word."""
    return weights[:, query].masked_fill(words, -1).argmax(dim=-1)


@heaviest.mistake("the mask is read upside down, and the query itself wins")
def _inverted_others(weights, words, query):
    """masked_fill hides where its mask is True: ~others."""
    return weights[:, query].masked_fill(_others(words, query), -1).argmax(-1)


@heaviest.mistake("the lightest word wins")
def _lightest(weights, words, query):
    """argmax, not argmin."""
    return weights[:, query].masked_fill(~_others(words, query), 2).argmin(-1)


@heaviest.mistake("the places are counted among all words, the query among them")
def _cut_out_with_query(weights, words, query):
    """After weights[..., words] the first word has place 0. Mask the others, do not cut them out."""
    return weights[:, query].masked_fill(torch.arange(len(words)) == query, -1)[:, words].argmax(-1)


@heaviest.mistake("the column of the query was read, not its row")
def _column(weights, words, query):
    """Rows are queries. weights[:, :, query] says who looks at the token, not where it looks."""
    return weights[..., query].masked_fill(~_others(words, query), -1).argmax(dim=-1)


@heaviest.mistake("the places are counted among the words only")
def _cut_out(weights, words, query):
    """After weights[..., words] the first word has place 0. Mask the others instead of cutting them out."""
    return weights[:, query, _others(words, query)].argmax(dim=-1)


@heaviest.mistake("the weight is returned, not its place")
def _values(weights, words, query):
    """max gives both: the value and where it is."""
    return (weights[:, query] * _others(words, query)).amax(dim=-1)


@heaviest.mistake("the heads were averaged first")
def _mean_head(weights, words, query):
    """Each head has its own favourite: one answer for each."""
    return heaviest_words(weights.mean(dim=0, keepdim=True), words, query)[0]


@heaviest.mistake("a key that is no word wins when all words have weight 0")
def _filled_with_zero(weights, words, query):
    """0 is not below a weight of 0. Fill with a number below every weight."""
    return (weights[:, query] * _others(words, query)).argmax(dim=-1)


@heaviest.mistake("all queries are averaged")
def _all_queries(w, words, q):
    """Which row of the map belongs to the query?"""
    return heaviest_words(w.mean(1, keepdim=True).expand_as(w), words, q)


@heaviest.mistake("all queries are averaged, and the query itself is among the candidates")
def _all_queries_and_itself(w, words, q):
    """Which row of the map belongs to the query? And which other word is the question."""
    return w.mean(1).masked_fill(~words, -1).argmax(-1)


@heaviest.mistake("the row of another token was read")
def _next_row(w, words, q):
    """weights[:, query] is the row of the query."""
    return heaviest_words(w.roll(1, 1), words, q)


@heaviest.mistake("the row of [CLS] was read")
def _first_row(w, words, q):
    """weights[:, query] is the row of the query."""
    return heaviest_words(w[:, :1].expand_as(w), words, q)


@heaviest.mistake("the heads are averaged")
def _one_for_all(weights, words, query):
    """Each head has an answer of its own."""
    return heaviest_words(weights.mean(0, keepdim=True), words, query).repeat(len(weights))


@heaviest.mistake("the query is cut out of the row, and the places behind it are one too small")
def _query_cut_out(weights, words, query):
    """Give it a weight below 0 instead: then every key keeps its place."""
    row = weights[:, query].masked_fill(~words, -1)
    return torch.cat([row[:, :query], row[:, query + 1 :]], dim=1).argmax(-1)


@heaviest.mistake("the second heaviest word is taken")
def _second(weights, words, query):
    """The query is left out already: of the others the heaviest."""
    return weights[:, query].masked_fill(~_others(words, query), -1).argsort(-1, descending=True)[:, 1]


@heaviest.mistake("`words` was changed in place")
def _in_place(weights, words, query):
    words[query] = False
    return weights[:, query].masked_fill(~words, -1).argmax(dim=-1)
