"""Exercise of chapter 10: keep the likeliest tokens that make up a share of the probability."""

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise

__all__ = ["top_p"]

top_p = Exercise(
    "top-p",
    "10_text_generation",
    "Write f(probabilities, share): probabilities (batch, vocabulary), share between 0 and 1. In each row "
    "keep "
    "the likeliest tokens, as few as needed to reach the share together; the others get 0, and what is kept "
    "is scaled to sum to 1. Return (batch, vocabulary).",
    (
        "Sort each row in falling order: values, order = probabilities.sort(dim=-1, descending=True).",
        "A token is needed if those before it fall short of the share: values.cumsum(-1) - values < share.",
        "Bring the result back into the order of the ids: zeros.scatter(-1, order, kept).",
    ),
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
            "Without it the share is not reached. Ask what the likelier tokens make up, without the token "
            "itself.",
            _keep(rows, fewer),
        ),
        Suspect(
            "a row is left without any token",
            "Its first token has more than the share. Ask what those before a token make up.",
            _keep(rows, none).nan_to_num(),
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
    answer.gives(
        rows, share, wanted=wanted, axes="batch vocabulary", suspects=suspects, named="probabilities"
    )


@top_p.check
def _a_small_share(answer: Answer) -> None:
    """a share below the largest probability keeps one token."""
    rows = _rows()[:2]
    wanted = _keep(rows, [1, 1])
    answer.gives(rows, 0.1, wanted=wanted, axes="batch vocabulary", named="probabilities")


@top_p.check
def _the_whole_share(answer: Answer) -> None:
    """a share of 1 keeps all tokens."""
    # halves, quarters, eighths: their sums are exact
    rows = torch.tensor([[0.125, 0.5, 0.25, 0.125], [0.25, 0.25, 0.25, 0.25], [0.125, 0.125, 0.5, 0.25]])
    answer.gives(rows, 1.0, wanted=rows, axes="batch vocabulary", named="probabilities")


def _sorted(probabilities: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    order = probabilities.argsort(dim=-1, descending=True)
    values = probabilities.gather(-1, order)
    return values, order, values.cumsum(dim=-1)


def _back(kept: Tensor, order: Tensor) -> Tensor:
    return torch.empty_like(kept).scatter(-1, order, kept)


@top_p.wrong("the kept probabilities do not sum to 1")
def _not_scaled(probabilities: Tensor, share: float) -> Tensor:
    return probabilities * (keep_the_likeliest(probabilities, share) > 0)


@top_p.wrong("the token that crosses the share is dropped")
def _stops_early(probabilities: Tensor, share: float) -> Tensor:
    values, order, ends = _sorted(probabilities)
    inside = ends <= share
    inside[:, 0] = True
    kept = values * inside
    return _back(kept / kept.sum(-1, keepdim=True), order)


@top_p.wrong("a row is left without any token")
def _nothing_left(probabilities: Tensor, share: float) -> Tensor:
    values, order, ends = _sorted(probabilities)
    kept = values * (ends <= share)
    return _back(kept / kept.sum(-1, keepdim=True).clamp_min(1e-9), order)


@top_p.wrong("one token too many is kept")
def _one_more(probabilities: Tensor, share: float) -> Tensor:
    values, order, ends = _sorted(probabilities)
    count = (ends < share).sum(-1, keepdim=True) + 2
    kept = values * (torch.arange(values.shape[-1]) < count)
    return _back(kept / kept.sum(-1, keepdim=True), order)


@top_p.wrong("the numbers stand in order of probability")
def _left_sorted(probabilities: Tensor, share: float) -> Tensor:
    return keep_the_likeliest(probabilities, share).sort(dim=-1, descending=True).values


@top_p.wrong("the sum runs over the ids as they stand")
def _not_sorted(probabilities: Tensor, share: float) -> Tensor:
    reached = torch.nn.functional.pad(probabilities.cumsum(-1)[:, :-1], (1, 0)) < share
    return torch.nn.functional.normalize(probabilities * reached, p=1, dim=-1)


@top_p.wrong("each probability is compared with the share by itself")
def _a_threshold(probabilities: Tensor, share: float) -> Tensor:
    return probabilities * (probabilities >= share)


@top_p.wrong("the unlikeliest are kept")
def _smallest_first(probabilities: Tensor, share: float) -> Tensor:
    values, order = probabilities.sort(dim=-1)
    kept = values * (values.cumsum(-1) - values < share)
    return _back(kept / kept.sum(-1, keepdim=True), order)


@top_p.wrong("every row keeps as many tokens as the first")
def _top_k(probabilities: Tensor, share: float) -> Tensor:
    count = int((keep_the_likeliest(probabilities, share)[0] > 0).sum())
    lowest = probabilities.topk(count, dim=-1).values[:, -1:]
    kept = probabilities * (probabilities >= lowest)
    return kept / kept.sum(-1, keepdim=True)


@top_p.wrong("a softmax is taken of probabilities")
def _softmax_again(probabilities: Tensor, share: float) -> Tensor:
    kept = keep_the_likeliest(probabilities, share) > 0
    return probabilities.masked_fill(~kept, float("-inf")).softmax(dim=-1)
