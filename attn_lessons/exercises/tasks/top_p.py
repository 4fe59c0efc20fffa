"""Exercise of lesson 10a: keep the likeliest tokens that make up a share of the probability."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Found, Reply, numbers
from attn_lessons.exercises.checking.results.compare import compare

top_p = Exercise(
    "top-p",
    "10a_what_comes_next",
    """Write f(probabilities, share): probabilities (batch, vocabulary), share between 0 and 1. In each row
    keep the likeliest tokens, as few as needed to reach the share together; the others get 0, and what is
    kept is scaled to sum to 1. Return (batch, vocabulary).""",
    (
        "Sort each row in falling order: values, order = probabilities.sort(dim=-1, descending=True).",
        "A token is needed if those before it fall short of the share: values.cumsum(-1) - values < share.",
        "Bring the result back into the order of the ids: zeros.scatter(-1, order, kept).",
    ),
    "probabilities (batch, vocabulary)",
)


@top_p.solution
def keep_the_likeliest(probabilities: Tensor, share: float) -> Tensor:
    """Keep a token if the likelier ones do not reach the share without it."""
    values, order = probabilities.sort(dim=-1, descending=True)
    before = values.cumsum(dim=-1) - values  # what the likelier tokens make up
    kept = torch.where(before < share, values, 0)
    kept = kept / kept.sum(dim=-1, keepdim=True)
    return torch.zeros_like(kept).scatter(-1, order, kept)  # (batch, vocabulary)


def _rows() -> Tensor:
    rows = [[0.05, 0.3, 0.15, 0.4, 0.1], [0.72, 0.02, 0.08, 0.06, 0.12], [0.19, 0.22, 0.2, 0.21, 0.18]]
    return torch.tensor(rows)  # (batch, vocabulary) = (3, 5)


def _keep(rows: Tensor, counts: list[int], *, scaled: bool = True) -> Tensor:
    """Keep the first `counts` of each row by a loop, likeliest first."""
    result = torch.zeros_like(rows)
    for i, row in enumerate(rows.tolist()):
        likeliest = torch.tensor(row).argsort(descending=True).tolist()[: counts[i]]
        total = sum(row[j] for j in likeliest) if scaled else 1.0
        for j in likeliest:
            result[i, j] = row[j] / total
    return result


def _counts(rows: Tensor, share: float) -> list[int]:
    """Count the tokens that are needed, one row at a time."""
    counts = []
    for row in rows.tolist():
        total, count = 0.0, 0
        for p in sorted(row, reverse=True):
            if total >= share:
                break
            total, count = total + p, count + 1
        counts.append(count)
    return counts


@top_p.check
def _as_few_as_needed(answer: Answer) -> None:
    """Each row keeps as few of the likeliest as reach the share."""
    rows, share = _rows(), 0.65
    answer.gives(rows, share, wanted=_keep(rows, _counts(rows, share)))  # 2, 1, 4


@top_p.check
def _a_small_share(answer: Answer) -> None:
    """a share below the largest probability keeps one token."""
    rows = _rows()[:2]
    answer.gives(rows, 0.1, wanted=_keep(rows, [1, 1]))


@top_p.check
def _just_enough(answer: Answer) -> None:
    """a share that is met exactly needs no further token."""
    rows = torch.tensor([[0.125, 0.5, 0.0625, 0.25, 0.0625], [0.75, 0.0625, 0.0625, 0.03125, 0.09375]])
    answer.gives(rows, 0.75, wanted=_keep(rows, [2, 1]))


@top_p.check
def _the_whole_share(answer: Answer) -> None:
    """a share of 1 keeps all tokens, where their sums are exact."""
    # halves, quarters, eighths: their sums are exact
    rows = torch.tensor([[0.125, 0.5, 0.25, 0.125], [0.25, 0.25, 0.25, 0.25], [0.125, 0.125, 0.5, 0.25]])
    answer.gives(rows, 1.0, wanted=rows)


@top_p.check
def _ties(answer: Answer) -> None:
    """of equally likely tokens no more than needed are kept, whichever."""
    rows = torch.tensor([[0.2, 0.4, 0.2, 0.2], [0.25, 0.25, 0.25, 0.25]])
    got = answer(rows, 0.55)
    if isinstance(got, Tensor) and got.shape == rows.shape:
        kept, needed = (got > 0).sum(-1).tolist(), _counts(rows, 0.55)
        if kept != needed:
            seen = f"With the share 0.55, {kept} tokens of the two rows are kept, expected {needed}."
            nudge = "Cut by place in the sorted row, not by comparing with the last probability that is kept."
            raise Found(Reply("tokens as likely as the last one needed are all kept", seen, nudge))
        rows, got = rows.sort(-1).values, got.sort(-1).values
        compare(got, _keep(rows, needed).sort(-1).values, "batch vocabulary", named="sorted probabilities")


@top_p.also
def _more() -> Iterator[tuple]:
    """other sizes and shares."""
    yield (3 * numbers(3, 7)).softmax(-1), 0.3
    yield (2 * numbers(1, 9, seed=1)).softmax(-1), 0.9


def _kept(p: Tensor, share: float) -> Tensor:
    return keep_the_likeliest(p, share) > 0


def _scaled(p: Tensor) -> Tensor:
    return p / p.sum(-1, keepdim=True)


def _first(p: Tensor, count: int, *, scaled: bool = True) -> Tensor:
    return _keep(p, [count] * len(p), scaled=scaled)


def _sorted(probabilities: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    order = probabilities.argsort(dim=-1, descending=True)
    values = probabilities.gather(-1, order)
    return values, order, values.cumsum(dim=-1)


def _back(kept: Tensor, order: Tensor) -> Tensor:
    return torch.empty_like(kept).scatter(-1, order, kept)


@top_p.mistake("the kept probabilities do not sum to 1")
def _not_scaled(probabilities, share):
    """The tokens are the right ones. Divide by what is left in each row."""
    return probabilities * (keep_the_likeliest(probabilities, share) > 0)


@top_p.mistake("the token that crosses the share is dropped")
def _stops_early(probabilities, share):
    """Without it the share is not reached. Ask what the likelier tokens make up, without the token itself."""
    values, order, ends = _sorted(probabilities)
    inside = ends <= share
    inside[:, 0] = True
    kept = values * inside
    return _back(kept / kept.sum(-1, keepdim=True), order)


@top_p.mistake("a row is left without any token")
def _nothing_left(probabilities, share):
    """Its first token has more than the share. Ask what those before a token make up."""
    values, order, ends = _sorted(probabilities)
    kept = values * (ends <= share)
    return _back(kept / kept.sum(-1, keepdim=True).clamp_min(1e-9), order)


@top_p.mistake("a row keeps nothing, and 0 / 0 is NaN: the token that crosses the share is needed too")
def _empty_rows(probabilities, share):
    """Its first token has more than the share. Ask what those before a token make up."""
    values, order, sums = _sorted(probabilities)
    kept = torch.where(sums < share, values, 0)
    return _back(kept / kept.sum(-1, keepdim=True), order)


@top_p.mistake("a row keeps nothing, and 0 / 0 is NaN: each probability is compared by itself")
def _each_by_itself(probabilities, share):
    """It is their sum, likeliest first, that must reach the share."""
    return _scaled(torch.where(probabilities >= share, probabilities, 0))


@top_p.mistake("one token too many is kept")
def _one_more(probabilities, share):
    """If the likelier ones reach the share already, no more are needed."""
    values, order, ends = _sorted(probabilities)
    count = (ends < share).sum(-1, keepdim=True) + 2
    kept = values * (torch.arange(values.shape[-1]) < count)
    return _back(kept / kept.sum(-1, keepdim=True), order)


@top_p.mistake("where the likelier tokens meet the share exactly, one more is kept")
def _at_the_share(probabilities, share):
    """They reach it without the next one: a token is needed if those before it fall short, `<`, not `<=`."""
    values, order, ends = _sorted(probabilities)
    kept = values * (ends - values <= share)
    return _back(kept / kept.sum(-1, keepdim=True), order)


@top_p.mistake("the numbers stand in order of probability, not of ids")
def _left_sorted(probabilities, share):
    """Column j must belong to token j: scatter the kept numbers back to where they came from."""
    return keep_the_likeliest(probabilities, share).sort(dim=-1, descending=True).values


@top_p.mistake("the sum runs over the ids as they stand")
def _not_sorted(probabilities, share):
    """Which tokens must be added up first?"""
    reached = torch.nn.functional.pad(probabilities.cumsum(-1)[:, :-1], (1, 0)) < share
    return torch.nn.functional.normalize(probabilities * reached, p=1, dim=-1)


@top_p.mistake("each probability is compared with the share by itself")
def _a_threshold(probabilities, share):
    """It is their sum that must reach it. Row 1 would keep nothing."""
    return probabilities * (probabilities >= share)


@top_p.mistake("the unlikeliest are kept")
def _smallest_first(probabilities, share):
    """Sort in falling order."""
    values, order = probabilities.sort(dim=-1)
    kept = values * (values.cumsum(-1) - values < share)
    return _back(kept / kept.sum(-1, keepdim=True), order)


@top_p.mistake("every row keeps as many tokens as the first")
def _top_k(probabilities, share):
    """That is top-k. How many tokens reach the share differs from row to row."""
    count = int((keep_the_likeliest(probabilities, share)[0] > 0).sum())
    lowest = probabilities.topk(count, dim=-1).values[:, -1:]
    kept = probabilities * (probabilities >= lowest)
    return kept / kept.sum(-1, keepdim=True)


@top_p.mistake("a softmax is taken of probabilities")
def _softmax_again(probabilities, share):
    """They are probabilities already: divide by their sum."""
    kept = keep_the_likeliest(probabilities, share) > 0
    return probabilities.masked_fill(~kept, float("-inf")).softmax(dim=-1)


@top_p.mistake("the kept numbers are divided by the share, not by their sum")
def _by_the_share(p, share):
    """They add up to the share or a little more."""
    return p * _kept(p, share) / share


@top_p.mistake("the kept tokens are made equally likely")
def _equally_likely(p, share):
    """What is kept keeps its proportions."""
    return _kept(p, share) / _kept(p, share).sum(-1, keepdim=True)


@top_p.mistake("the numbers stand in order of probability, not of ids, and are not scaled")
def _left_sorted_unscaled(p, share):
    """Scatter them back, and divide by their sum."""
    return p.sort(-1, descending=True).values * _kept(p, share).sort(-1, descending=True).values


@top_p.mistake("the largest numbers are put where other tokens are kept")
def _largest_elsewhere(p, share):
    """Scatter each number back to the token that it came from."""
    return p.sort(-1, descending=True).values * _kept(p, share)


@top_p.mistake("a share of the tokens is kept, not of the probability")
def _share_of_tokens(probabilities, share):
    """How many are needed differs from row to row."""
    return _first(probabilities, round(share * probabilities.shape[-1]))


@top_p.mistake("a share of the tokens is kept, and not scaled")
def _share_of_tokens_unscaled(probabilities, share):
    """How many are needed differs from row to row."""
    return _first(probabilities, round(share * probabilities.shape[-1]), scaled=False)


@top_p.mistake("the numbers are read by the order, not put back by it")
def _gathered(probabilities, share):
    """gather reads from those places. scatter writes to them."""
    values, order, total = _sorted(probabilities)
    kept = values * (total - values < share)
    return (kept / kept.sum(-1, keepdim=True)).gather(-1, order)


@top_p.mistake("the tokens beyond the share are kept")
def _beyond(p, share):
    """Those that come first are needed, likeliest first."""
    return p * ~_kept(p, share) / (p * ~_kept(p, share)).sum(-1, keepdim=True)


@top_p.mistake("only the likeliest token is kept")
def _only_one(p, _):
    """One is enough only if it reaches the share."""
    return _first(p, 1)


@top_p.mistake("the others get the share that is left")
def _others_stay(p, share):
    """They get 0."""
    return torch.where(_kept(p, share), keep_the_likeliest(p, share), p)


@top_p.mistake("tokens are kept by their size beside the largest")
def _beside_the_largest(probabilities, share):
    """It is their sum, likeliest first, that must reach the share."""
    kept = probabilities * (probabilities >= share * probabilities.amax(-1, keepdim=True))
    return kept / kept.sum(-1, keepdim=True)
