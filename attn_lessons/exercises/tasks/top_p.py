"""Exercise of lesson 10a: keep the likeliest tokens that make up a share of the probability."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Found, Mistake, Suspect, numbers
from attn_lessons.exercises.checking.compare import compare

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


def _keep(rows: Tensor, counts: list[int], *, scaled: bool = True, ordered: bool = False) -> Tensor:
    """Keep the first `counts` of each row by a loop, likeliest first."""
    result = torch.zeros_like(rows)
    for i, row in enumerate(rows.tolist()):
        likeliest = sorted(range(len(row)), key=lambda j, row=row: -row[j])[: counts[i]]
        total = sum(row[j] for j in likeliest) if scaled else 1.0
        for place, j in enumerate(likeliest):
            result[i, place if ordered else j] = row[j] / total
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
    counts = _counts(rows, share)  # 2, 1, 4
    fewer, more = [max(1, n - 1) for n in counts], [n + 1 for n in counts]
    none = [n - 1 for n in counts]
    wanted = _keep(rows, counts)
    in_place = torch.where(rows.cumsum(-1) - rows < share, rows, 0)
    single = torch.where(rows >= share, rows, 0)
    rising = rows.sort(dim=-1)
    small = torch.where(rising.values.cumsum(-1) - rising.values < share, rising.values, 0)
    small = small / small.sum(-1, keepdim=True)
    suspects = [
        Suspect(
            "the kept probabilities do not sum to 1",
            "The tokens are the right ones. Divide by what is left in each row.",
            _keep(rows, counts, scaled=False),
        ),
        Suspect(
            "the token that crosses the share is dropped",
            """Without it the share is not reached. Ask what the likelier tokens make up, without the token
            itself.""",
            _keep(rows, fewer),
        ),
        Suspect(
            "a row is left without any token",
            "Its first token has more than the share. Ask what those before a token make up.",
            _keep(rows, none).nan_to_num(),
        ),
        Suspect(
            "a row keeps nothing, and 0 / 0 is NaN: the token that crosses the share is needed too",
            "Its first token has more than the share. Ask what those before a token make up.",
            torch.where(torch.tensor(none)[:, None] > 0, _keep(rows, none), torch.nan),
        ),
        Suspect(
            "a row keeps nothing, and 0 / 0 is NaN: each probability is compared by itself",
            "It is their sum, likeliest first, that must reach the share.",
            single / single.sum(-1, keepdim=True),
        ),
        Suspect(
            "one token too many is kept",
            "If the likelier ones reach the share already, no more are needed.",
            _keep(rows, more),
        ),
        Suspect(
            "the numbers stand in order of probability, not of ids",
            "Column j must belong to token j: scatter the kept numbers back to where they came from.",
            _keep(rows, counts, ordered=True),
        ),
        Suspect(
            "the sum runs over the ids as they stand",
            "Which tokens must be added up first?",
            in_place / in_place.sum(-1, keepdim=True),
        ),
        Suspect(
            "each probability is compared with the share by itself",
            "It is their sum that must reach it. Row 1 would keep nothing.",
            single,
        ),
        Suspect(
            "the unlikeliest are kept",
            "Sort in falling order.",
            torch.zeros_like(rows).scatter(-1, rising.indices, small),
        ),
        Suspect(
            "every row keeps as many tokens as the first",
            "That is top-k. How many tokens reach the share differs from row to row.",
            _keep(rows, [counts[0]] * 3),
        ),
        Suspect(
            "a softmax is taken of probabilities",
            "They are probabilities already: divide by their sum.",
            torch.where(wanted > 0, rows, -torch.inf).softmax(-1),
        ),
    ]
    answer.gives(rows, share, wanted=wanted, suspects=suspects)


@top_p.check
def _a_small_share(answer: Answer) -> None:
    """a share below the largest probability keeps one token."""
    rows = _rows()[:2]
    wanted = _keep(rows, [1, 1])
    answer.gives(rows, 0.1, wanted=wanted)


@top_p.check
def _the_whole_share(answer: Answer) -> None:
    """a share of 1 keeps all tokens."""
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
            raise Found(Mistake("tokens as likely as the last one needed are all kept", seen, nudge))
        rows, got = rows.sort(-1).values, got.sort(-1).values
        compare(got, _keep(rows, needed).sort(-1).values, "batch vocabulary", named="sorted probabilities")


@top_p.also
def _more() -> Iterator[tuple]:
    """other sizes and shares."""
    yield (3 * numbers(3, 7)).softmax(-1), 0.3
    yield (2 * numbers(1, 9, seed=1)).softmax(-1), 0.9


def _kept(p: Tensor, share: float) -> Tensor:
    return keep_the_likeliest(p, share) > 0


top_p.slip(
    "the kept numbers are divided by the share, not by their sum",
    "They add up to the share or a little more.",
    lambda p, share: p * _kept(p, share) / share,
)
top_p.slip(
    "the kept tokens are made equally likely",
    "What is kept keeps its proportions.",
    lambda p, share: _kept(p, share) / _kept(p, share).sum(-1, keepdim=True),
)
top_p.slip(
    "the numbers stand in order of probability, not of ids, and are not scaled",
    "Scatter them back, and divide by their sum.",
    lambda p, share: p.sort(-1, descending=True).values * _kept(p, share).sort(-1, descending=True).values,
)
top_p.slip(
    "the largest numbers are put where other tokens are kept",
    "Scatter each number back to the token that it came from.",
    lambda p, share: p.sort(-1, descending=True).values * _kept(p, share),
)
for what, scaled in (("not of the probability", True), ("and not scaled", False)):
    top_p.slip(
        f"a share of the tokens is kept, {what}",
        "How many are needed differs from row to row.",
        lambda p, share, scaled=scaled: _first(p, round(share * p.shape[-1]), scaled=scaled),
    )
top_p.slip(
    "the numbers are read by the order, not put back by it",
    "gather reads from those places. scatter writes to them.",
    lambda p, s: (
        keep_the_likeliest(p, s).sort(-1, descending=True)[0].gather(-1, p.argsort(-1, descending=True))
    ),
)
top_p.slip(
    "the tokens beyond the share are kept",
    "Those that come first are needed, likeliest first.",
    lambda p, share: p * ~_kept(p, share) / (p * ~_kept(p, share)).sum(-1, keepdim=True),
)
top_p.slip(
    "only the likeliest token is kept",
    "One is enough only if it reaches the share.",
    lambda p, _: _first(p, 1),
)
top_p.slip(
    "the others get the share that is left",
    "They get 0.",
    lambda p, share: torch.where(_kept(p, share), keep_the_likeliest(p, share), p),
)


top_p.slip(
    "tokens are kept by their size beside the largest",
    "It is their sum, likeliest first, that must reach the share.",
    lambda p, share: _scaled(p * (p >= share * p.amax(-1, keepdim=True))),
)


def _scaled(p: Tensor) -> Tensor:
    return p / p.sum(-1, keepdim=True)


def _first(p: Tensor, count: int, *, scaled: bool = True) -> Tensor:
    return _keep(p, [count] * len(p), scaled=scaled)
