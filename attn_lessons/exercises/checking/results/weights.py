"""What may be wrong with weights, whatever the exercise: forbidden keys, sums of rows, size of scores."""

import torch
from torch import Tensor

from attn_lessons.exercises.checking import words
from attn_lessons.exercises.checking.reply import Reply


def diagnose(got: Tensor, wanted: Tensor, axes: str) -> Reply | None:
    """Name what is wrong with weights of the right shape that no suspect explains, if anything shows."""
    if not got.isfinite().all():
        return None
    got, wanted = got.double(), wanted.double()
    return _forbidden(got, wanted, axes) or _sums(got, wanted, axes)


def _forbidden(got: Tensor, wanted: Tensor, axes: str) -> Reply | None:
    """Weight where there should be none."""
    wrong = (got.abs() > 1e-3) & (wanted == 0)
    if not wrong.any():
        return None
    index = wrong.nonzero()[0]
    seen = f"weights[{words.place(index.tolist(), axes)}] is {words.number(got[tuple(index)])}, expected 0."
    return Reply(
        "a key that must not be attended has weight", seen, "Which line should hide it, and does it?"
    )


def _sums(got: Tensor, wanted: Tensor, axes: str) -> Reply | None:
    """Rows that do not sum to what they should; columns that do instead."""
    sums, rights = got.sum(dim=-1), wanted.sum(dim=-1)
    gap = (sums - rights).abs()
    if gap.max() < 1e-2:
        return None
    index = torch.unravel_index(gap.argmax(), gap.shape)
    row = f"weights[{words.place([int(i) for i in index], axes)}]" if gap.dim() else "the row"
    seen = f"The sum of {row} is {words.number(sums[index])}, expected {words.number(rights[index])}."
    nudge = "Is each row divided by the sum over its own keys, after everything else is done to it?"
    return Reply("a row of weights has the wrong sum", seen, nudge)


def scaled(got: Tensor, wanted: Tensor) -> Reply | None:
    """Weights that are a softmax of the right scores times a number."""
    seen = wanted > 0
    if (seen.sum(dim=-1) - 1).clamp(min=0).sum() < 2:
        return None  # any two weights are a softmax of the right scores times something
    if not got.isfinite().all() or (got[~seen].abs() > 1e-3).any() or (got[seen] <= 0).any():
        return None
    logs = [torch.where(seen, x.clamp(min=1e-300).log(), 0.0) for x in (got, wanted)]
    count = seen.sum(dim=-1, keepdim=True).clamp(min=1)
    mine, right = (torch.where(seen, x - x.sum(dim=-1, keepdim=True) / count, 0.0) for x in logs)
    factor = ((mine * right).sum() / right.square().sum().clamp(min=1e-12)).item()
    sums = got.sum(dim=-1)[seen.any(dim=-1)]
    if not torch.allclose(sums, torch.ones_like(sums), atol=1e-3):
        return (
            _scaled_late(sums, factor) if torch.allclose(mine, factor * right, atol=2e-2, rtol=2e-2) else None
        )
    if abs(factor - 1) < 0.02 or not torch.allclose(mine, factor * right, atol=2e-2, rtol=2e-2):
        return None
    shown = f"They are a softmax of the right scores times {words.number(factor)}."
    if abs(factor) < 1e-2:
        return Reply("the weights are even", shown, "The scores have no effect. Where do they get lost?")
    if factor < 0:
        return Reply("the weights are upside down", shown, "Which sign should the scores have?")
    what = f"the weights are too {'sharp' if factor > 1 else 'even'}"
    return Reply(what, shown, "What are the scores divided by, and what should they be divided by?")


def _scaled_late(sums: Tensor, factor: float) -> Reply | None:
    """Rows that are a softmax and then multiplied, all by the same number."""
    size = sums.median()
    if (sums - size).abs().max() > 1e-3 or abs(factor * size - 1) > 0.02 or abs(factor - 1) < 0.02:
        return None
    shown = (
        f"Each row sums to {words.number(size)}, and the scores are {words.number(factor)} times too large."
    )
    return Reply("the weights are scaled, not the scores", shown, "Divide before the softmax, not after it.")
