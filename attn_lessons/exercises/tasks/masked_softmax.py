"""Exercise of lesson 3b: the masked softmax."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Mistake, Suspect, numbers, softmax_rows

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
    plain = softmax_rows(SCORES)
    suspects = [
        Suspect(
            "the mask is applied after the softmax",
            "The row no longer sums to 1. Over which keys should the sum of the exponentials run?",
            plain * MASK,
        ),
        Suspect(
            "the mask is read upside down",
            "True means that a key may be attended.",
            softmax_rows(SCORES, ~MASK),
        ),
        Suspect("the mask has no effect", "Which line should make masked weights 0?", plain),
        Suspect(
            "the softmax runs over the queries",
            "Here the columns sum to 1. Which axis holds the keys of one query?",
            softmax_rows(SCORES.T, MASK.T).T,
        ),
        Suspect(
            "masked scores are set to 0",
            "exp(0) is 1, not 0: a masked key still gets weight.",
            softmax_rows(SCORES * MASK),
        ),
        Suspect(
            "the largest score takes all the weight",
            "That is an argmax. A softmax shares the weight, and has a gradient.",
            torch.nn.functional.one_hot(softmax_rows(SCORES, MASK).argmax(-1), 3).float(),
        ),
    ]
    _gives(answer, SCORES, MASK, suspects)


@softmax.check
def _row_without_keys(answer: Answer) -> None:
    """a row without allowed keys is all 0."""
    first = softmax_rows(SCORES[:1], MASK[:1])
    suspects = [
        Suspect(
            "a row without allowed keys comes out even",
            """A very negative number in every place is like 0 in every place: the softmax sees differences
            only. Clear such rows.""",
            torch.cat([first, torch.full((1, 3), 1 / 3)]),
        ),
        Suspect(
            "a row without allowed keys is NaN",
            "All exponentials are 0, and 0 is divided by 0. Set such rows aside before the softmax.",
            torch.cat([first, torch.full((1, 3), float("nan"))]),
        ),
    ]
    _gives(answer, SCORES, NO_KEY, suspects)


@softmax.check
def _very_negative_scores(answer: Answer) -> None:
    """masked keys get nothing even beside very negative scores."""
    scores = torch.tensor([[-2e6, -2e6 - 1, 3.0]])
    leak = Suspect(
        "the number written over masked scores is not low enough",
        "These scores lie below it, so a masked key wins. Which number lies below all others?",
        torch.tensor([[0.0, 0.0, 1.0]]),
    )
    lost = Suspect(
        "very negative scores get no weight at all",
        """A masked key took all of it, or the exponentials underflowed: 0 / (0 + something). Use
        torch.softmax.""",
        torch.zeros(1, 3),
    )
    shifted = torch.exp(scores[:, :2] - scores[:, :2].logsumexp(-1, keepdim=True))
    rounded = Suspect(
        "very negative scores round, and their weights no longer sum to 1",
        "A logsumexp near -2e6 is known to an eighth only. Subtract the largest score, or use torch.softmax.",
        torch.cat([shifted, torch.zeros(1, 1)], dim=-1),
    )
    _gives(answer, scores, MASK[:1], [leak, lost, rounded])


@softmax.check
def _more_axes(answer: Answer) -> None:
    """axes in front do not matter."""
    scores = numbers(2, 3, 2, 5)
    mask = scores > -1.5
    heights = scores.exp() * mask
    second = Suspect(
        "the softmax runs over the second axis, not over the last",
        "dim=1 is the axis of keys for two axes only. Which number is right for any?",
        heights / heights.sum(dim=1, keepdim=True).clamp(min=1e-9),
    )
    _gives(answer, scores, mask, [second], axes="batch heads queries keys")


@softmax.check
def _half_precision(answer: Answer) -> Mistake | None:
    """float16 works."""
    error = answer.error(SCORES.half(), MASK)
    if error is not None and "overflow" in str(error):
        return Mistake(
            "the number written over masked scores does not fit float16",
            f"torch says: {error}. The largest float16 is 65504.",
            "Which value exists in every floating-point dtype?",
        )
    unknown = softmax_rows(SCORES, NO_KEY).half()
    unknown[1] = float("nan")
    nudge = "-1e9 becomes -inf in float16. Set rows without a key aside before the softmax."
    suspect = Suspect("in float16 the row without allowed keys is NaN again", nudge, unknown)
    _gives(answer, SCORES.half(), NO_KEY, [suspect])
    low = torch.tensor([[-6e4, -6e4, 3.0]]).half()
    leak = Suspect(
        "some float16 scores lie below the number written over masked ones",
        "-60000 is a float16 too, and a masked key wins over it. Which number lies below all others?",
        torch.tensor([[0.0, 0.0, 1.0]]).half(),
    )
    lost = Suspect(
        "some float16 scores lie below the number written over masked ones",
        "-60000 is a float16 too: a masked key took the whole weight, and was cleared. Use -inf.",
        torch.zeros(1, 3).half(),
    )
    _gives(answer, low, MASK[:1], [leak, lost])
    return None


@softmax.check
def _gradient(answer: Answer) -> Mistake | None:
    """the gradient is finite."""
    gradient = answer.gradient(SCORES, NO_KEY)
    if gradient.isfinite().all():
        return None
    return Mistake(
        "the weights are right, but their gradient is NaN",
        f"The gradient of the row without keys is {gradient[1].tolist()}.",
        """Clearing NaN after the softmax is too late: on the way back it returns. Replace scores with
        torch.where before the softmax; adding -inf lets the gradient through.""",
    )


def _gives(
    answer: Answer, scores: Tensor, mask: Tensor, suspects: list[Suspect], axes: str = "queries keys"
) -> None:
    wanted = softmax_rows(scores, mask)
    answer.gives(scores, mask, wanted=wanted, axes=axes, suspects=suspects)


@softmax.also
def _more() -> Iterator[tuple]:
    """other sizes, float64 and bfloat16 too."""
    for seed, dtype in enumerate((torch.float32, torch.float64, torch.bfloat16)):
        scores = numbers(seed + 1, 3, 5, seed=seed, dtype=dtype)
        yield scores, scores.roll(1, -1) > -0.5


softmax.slip(
    "the mask is added to the scores",
    "True counts as 1: every allowed score grows by 1, and the others stay.",
    lambda s, m: torch.softmax(s + m.to(s.dtype), -1),
)
softmax.slip(
    "the mask is added to the scores",
    "True counts as 1. Masked scores must become -inf.",
    lambda s, m: torch.softmax(s + m.to(s.dtype), -1) * m,
)
softmax.slip(
    "scores are shared out without an exponential",
    "A softmax takes exp of each score first.",
    lambda s, m: s * m / (s * m).sum(-1, keepdim=True),
)
softmax.slip(
    "a masked score of 0 has its part in the sum of the row",
    "exp(0) is 1, not 0: clearing the weight afterwards leaves that 1 in the sum.",
    lambda s, m: torch.where(m, torch.softmax(s * m, -1), 0.0),
)
