"""Exercise of lesson 8b: cut into heads."""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

CHAPTER = "08b_the_layer"

split = Exercise(
    "split-heads",
    CHAPTER,
    """Write f(inputs, num_heads): inputs (batch, length, d_model). Return (batch, heads, length, dim) with
    dim = d_model / num_heads, where head h holds the numbers h * dim to (h + 1) * dim of every token.""",
    (
        "Which numbers of one token belong to head 0, if `d_model = 6` and `num_heads = 3`?",
        "Cut the last axis first: reshape to (batch, length, heads, dim). Nothing has moved yet.",
        "Then the heads must change places with the length: `transpose(1, 2)`.",
    ),
    "heads (batch, heads, length, dim)",
)


@split.solution
def cut_into_heads(inputs, num_heads):
    """Cut the last axis, then move the heads before the length."""
    batch, length, d_model = inputs.shape
    heads = inputs.reshape(batch, length, num_heads, d_model // num_heads)
    return heads.transpose(1, 2)  # (batch, heads, length, dim)


@split.check
def _each_head_has_its_slice(answer: Answer) -> None:
    """Each head holds its slice of every token."""
    inputs, n = numbers(2, 5, 21), 3  # (batch, length, d_model)
    dim = 21 // n
    slices = [inputs[:, :, h * dim : (h + 1) * dim] for h in range(n)]
    woven = [inputs[:, :, h::n] for h in range(n)]
    suspects = [
        Suspect(
            "the heads are reshaped without a transpose",
            "Head 0 holds pieces of several tokens. Cut the last axis alone, then swap two axes.",
            inputs.view(2, n, 5, dim),
        ),
        Suspect(
            "the length still stands before the heads",
            "The cut is right. Which two axes must change places?",
            torch.stack(slices, dim=2),
        ),
        Suspect(
            "each head takes every third number in place of a block",
            "reshape(..., heads, dim) gives head 0 the first dim numbers; (..., dim, heads) does not.",
            torch.stack(woven, dim=1),
        ),
        Suspect(
            "the last two axes are swapped",
            "Which axis must stay last, if each head is to score by a dot product over it?",
            torch.stack(slices, dim=1).transpose(-2, -1),
        ),
        Suspect(
            "every head is given all numbers",
            "Heads share d_model among them: dim = d_model / num_heads.",
            inputs[:, None].repeat(1, n, 1, 1),
        ),
        Suspect(
            "the heads are in the batch axis",
            "Some libraries do that, but here the heads have an axis of their own, after batch.",
            torch.stack(slices, dim=1).flatten(0, 1),
        ),
        Suspect(
            "num_heads and dim are mixed up",
            "There must be num_heads heads of dim numbers, not the other way round.",
            torch.stack(inputs.split(n, dim=-1), dim=1),
        ),
    ]
    wanted = torch.stack(slices, dim=1)
    answer.gives(inputs, n, wanted=wanted, suspects=suspects)


@split.check
def _one_head(answer: Answer) -> None:
    """one head gets everything."""
    inputs = numbers(2, 3, 5, seed=1)
    answer.gives(inputs, 1, wanted=inputs[:, None])


@split.also
def _more() -> Iterator[tuple]:
    """other numbers of heads."""
    yield numbers(2, 3, 12), 4
    yield numbers(1, 2, 6), 6
