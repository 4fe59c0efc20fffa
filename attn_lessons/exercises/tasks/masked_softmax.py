"""Exercise of lesson 3b: the masked softmax."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Reply, numbers, softmax_rows

CHAPTER = "03b_minus_infinity"

softmax = Exercise(
    "masked-softmax",
    CHAPTER,
    """Write f(scores, mask): scores (..., queries, keys), mask bool of the same shape, True = may attend.
    Return the weights: each row a softmax over its allowed keys, 0 at the others, and a row of zeros where
    no key is allowed. It must work in float16 and give finite gradients.""",
    (
        "What must a score be, so that its exponential is exactly 0 in every dtype?",
        """A row of nothing but `-inf` gives NaN. Find such rows with `mask.any(dim=-1, keepdim=True)` and
        give them any finite scores before the softmax.""",
        "`torch.where(mask, weights, 0.0)` at the end clears the rows that had no key.",
    ),
    "weights (batch, queries, keys)",
)


@softmax.solution
def softmax_over_allowed(scores, mask):
    """Set rows without a key aside before the softmax, so that no NaN arises, backwards neither."""
    has_key = mask.any(dim=-1, keepdim=True)  # (..., queries, 1)
    scores = torch.where(mask, scores, float("-inf"))
    scores = torch.where(has_key, scores, 0.0)
    return torch.where(mask, torch.softmax(scores, dim=-1), 0.0)


SCORES = torch.tensor([[1.0, 2.0, 0.5], [0.0, -1.0, 1.0]])  # (queries, keys)
MASK = torch.tensor([[True, True, False], [True, False, True]])
NO_KEY = torch.tensor([[True, True, False], [False, False, False]])


@softmax.check
def _worked_example(answer: Answer) -> None:
    """Each row is a softmax over its allowed keys."""
    _gives(answer, SCORES, MASK)


def _gives(answer: Answer, scores: Tensor, mask: Tensor, axes: str = "queries keys") -> None:
    answer.gives(scores, mask, wanted=softmax_rows(scores, mask), axes=axes)


@softmax.check
def _row_without_keys(answer: Answer) -> None:
    """a row without allowed keys is all 0."""
    _gives(answer, SCORES, NO_KEY)


@softmax.check
def _very_negative_scores(answer: Answer) -> None:
    """masked keys get nothing even beside very negative scores."""
    _gives(answer, torch.tensor([[-2e6, -2e6 - 1, 3.0]]), MASK[:1])
    _gives(answer, SCORES - torch.tensor([[0.0], [200.0]]), MASK)


@softmax.check
def _more_axes(answer: Answer) -> None:
    """axes in front do not matter."""
    scores = numbers(2, 3, 2, 5)
    _gives(answer, scores, scores > -1.5, axes="batch heads queries keys")


@softmax.check
def _half_precision(answer: Answer) -> Reply | None:
    """float16 works."""
    error = answer.error(SCORES.half(), MASK)
    if error is not None and "overflow" in str(error):
        return Reply(
            "the number written over masked scores does not fit float16",
            f"torch says: {error}. The largest float16 is 65504.",
            "Which value exists in every floating-point dtype?",
        )
    _gives(answer, SCORES.half(), NO_KEY)
    _gives(answer, torch.tensor([[-6e4, -6e4, 3.0]]).half(), MASK[:1])
    return None


@softmax.check
def _gradient(answer: Answer) -> Reply | None:
    """the gradient is finite."""
    gradient = answer.gradient(SCORES, NO_KEY)
    if gradient.isfinite().all():
        return None
    return Reply(
        "the weights are right, but their gradient is NaN",
        f"The gradient of the row without keys is {gradient[1].tolist()}.",
        """Clearing NaN after the softmax is too late: on the way back it returns. Replace scores with
        torch.where before the softmax; adding -inf lets the gradient through.""",
    )


@softmax.also
def _more() -> Iterator[tuple]:
    """other sizes, float64 and bfloat16 too."""
    for seed, dtype in enumerate((torch.float32, torch.float64, torch.bfloat16)):
        scores = numbers(seed + 1, 3, 5, seed=seed, dtype=dtype)
        yield scores, scores.roll(1, -1) > -0.5


@softmax.mistake("the mask is applied after the softmax")
def _mask_after_softmax(scores, mask):
    """The row no longer sums to 1. Over which keys should the sum of the exponentials run?"""
    return torch.softmax(scores, dim=-1).masked_fill(~mask, 0)


@softmax.mistake("the mask is read upside down")
def _inverted_mask(scores, mask):
    """True means that a key may be attended."""
    return softmax_over_allowed(scores, ~mask)


@softmax.mistake("the mask has no effect")
def _no_mask(scores, mask):
    """Which line should make masked weights 0?"""
    return scores.softmax(-1)


@softmax.mistake("the softmax runs over the queries")
def _wrong_axis(scores, mask):
    """Here the columns sum to 1. Which axis holds the keys of one query?"""
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=0)


@softmax.mistake("masked scores are set to 0")
def _zero_scores(scores, mask):
    """exp(0) is 1, not 0: a masked key still gets weight."""
    return torch.softmax(scores * mask, dim=-1)


@softmax.mistake("the largest score takes all the weight")
def _argmax(scores, mask):
    """That is an argmax. A softmax shares the weight, and has a gradient."""
    best = scores.masked_fill(~mask, float("-inf")).argmax(dim=-1, keepdim=True)
    return torch.zeros_like(scores).scatter(-1, best, 1.0)


@softmax.mistake("a row without allowed keys comes out even")
def _even_row(scores, mask):
    """A very negative number in every place is like 0 in every place: the softmax sees differences only.
    Clear such rows."""
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)


@softmax.mistake("a row without allowed keys is NaN")
def _nan_row(scores, mask):
    """All exponentials are 0, and 0 is divided by 0. Set such rows aside before the softmax."""
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)


@softmax.mistake("the number written over masked scores is not low enough")
def _low_but_not_lowest(scores, mask):
    """These scores lie below it, so a masked key wins. Which number lies below all others?"""
    weights = torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1)
    return torch.where(mask.any(dim=-1, keepdim=True), weights, 0.0)


@softmax.mistake("very negative scores get no weight at all")
def _never_zero_below(scores, mask):
    """A masked key took all of it, or the exponentials underflowed: 0 / (0 + something). Use
    torch.softmax."""
    heights = scores.exp() * mask
    return heights / (heights.sum(dim=-1, keepdim=True) + 1e-9)


@softmax.mistake("very negative scores round, and their weights no longer sum to 1")
def _rounded(scores, mask):
    """A logsumexp near -2e6 is known to an eighth only. Subtract the largest score, or use torch.softmax."""
    low = scores.masked_fill(~mask, -torch.inf)
    return torch.exp(low - low.logsumexp(-1, keepdim=True)).nan_to_num()


@softmax.mistake("the largest score of the whole table is taken away, not that of each row")
def _one_shift(scores, mask):
    """A row that lies far below it underflows to 0. Each row needs its own: amax(dim=-1, keepdim=True)."""
    heights = torch.exp(scores - scores[mask].max()) * mask
    return heights / heights.sum(-1, keepdim=True).clamp(min=1e-30)


@softmax.mistake("the softmax runs over the second axis, not over the last")
def _second_axis(scores, mask):
    """dim=1 is the axis of keys for two axes only. Which number is right for any?"""
    scores = torch.where(mask, scores, -torch.inf)
    return torch.softmax(torch.where(mask.any(1, keepdim=True), scores, 0), dim=1) * mask


@softmax.mistake("in float16 the row without allowed keys is NaN again")
def _infinite_in_float16(scores, mask):
    """In float16 -1e9 is -inf, and 1e-30 is 0. Set rows without a key aside before the softmax."""
    return torch.softmax(torch.where(mask, scores, -1e9), dim=-1) * mask


@softmax.mistake("some float16 scores lie below the number written over masked ones")
def _half_of_the_lowest(scores, mask):
    """-60000 is a float16 too, and a masked key wins over it. Which number lies below all others?"""
    low = torch.finfo(scores.dtype).min / 2
    weights = torch.softmax(torch.where(mask, scores, low), dim=-1)
    return torch.where(mask, weights, 0.0)


@softmax.mistake("some float16 scores lie below the number written over masked ones")
def _half_of_the_lowest_left(scores, mask):
    """-60000 is a float16 too, and a masked key wins over it. Which number lies below all others?"""
    low = torch.finfo(scores.dtype).min / 2
    weights = torch.softmax(torch.where(mask, scores, low), dim=-1)
    return torch.where(mask.any(-1, keepdim=True), weights, 0.0)


@softmax.mistake("the mask is added to the scores")
def _mask_added(s, m):
    """True counts as 1: every allowed score grows by 1, and the others stay."""
    return torch.softmax(s + m.to(s.dtype), -1)


@softmax.mistake("the mask is added to the scores")
def _mask_added_and_cleared(s, m):
    """True counts as 1: every allowed score grows by 1, and the others stay."""
    return torch.softmax(s + m.to(s.dtype), -1) * m


@softmax.mistake("scores are shared out without an exponential")
def _plain_shares(s, m):
    """A softmax takes exp of each score first."""
    return s * m / (s * m).sum(-1, keepdim=True)


@softmax.mistake("a masked score of 0 has its part in the sum of the row")
def _zeroed_and_cleared(scores, mask):
    """exp(0) is 1, not 0: clearing the weight afterwards leaves that 1 in the sum."""
    return torch.where(mask, torch.softmax(scores * mask, dim=-1), 0.0)


@softmax.mistake("`scores` was changed in place")
def _in_place(scores, mask):
    scores[~mask] = float("-inf")
    return torch.softmax(scores, dim=-1).nan_to_num(0)


@softmax.mistake("the number written over masked scores does not fit float16")
def _does_not_fit(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1) * mask


@softmax.mistake("their gradient is NaN")
def _nan_replaced_afterwards(scores, mask):
    bias = torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    return torch.softmax(scores + bias, dim=-1).nan_to_num(0)
