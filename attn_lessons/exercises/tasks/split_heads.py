"""Exercise of lesson 8b: cut into heads."""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise, numbers

CHAPTER = "08b_the_layer"

split = Exercise(
    "split-heads",
    CHAPTER,
    """Write f(inputs, num_heads): inputs (batch, length, d_model). Return (batch, heads, length, dim) with
    dim = d_model / num_heads, where head h holds the numbers h * dim to (h + 1) * dim of every token.""",
    (
        "Which numbers of one token belong to the first head, if `d_model = 6` and `num_heads = 3`?",
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
    wanted = torch.stack(slices, dim=1)
    answer.gives(inputs, n, wanted=wanted)


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


@split.mistake("the heads are reshaped without a transpose")
def _no_transpose(inputs, num_heads):
    """Head 0 holds pieces of several tokens. Cut the last axis alone, then swap two axes."""
    batch, length, d_model = inputs.shape
    return inputs.reshape(batch, num_heads, length, d_model // num_heads)


@split.mistake("the length still stands before the heads")
def _not_moved(inputs, num_heads):
    """The cut is right. Which two axes must change places?"""
    return inputs.unflatten(-1, (num_heads, -1))


@split.mistake("each head takes every third number in place of a block")
def _interleaved(inputs, num_heads):
    """reshape(..., heads, dim) gives head 0 the first dim numbers; (..., dim, heads) does not."""
    batch, length, d_model = inputs.shape
    return inputs.reshape(batch, length, d_model // num_heads, num_heads).permute(0, 3, 1, 2)


@split.mistake("the last two axes are swapped")
def _swapped(inputs, num_heads):
    """Which axis must stay last, if each head is to score by a dot product over it?"""
    batch, length, d_model = inputs.shape
    return inputs.reshape(batch, length, num_heads, d_model // num_heads).permute(0, 2, 3, 1)


@split.mistake("every head is given all numbers")
def _copied(inputs, num_heads):
    """Heads share d_model among them: dim = d_model / num_heads."""
    return torch.stack([inputs] * num_heads, dim=1)


@split.mistake("the heads are in the batch axis")
def _in_the_batch(inputs, num_heads):
    """Some libraries do that, but here the heads have an axis of their own, after batch."""
    batch, length, _ = inputs.shape
    heads = inputs.reshape(batch, length, num_heads, -1).transpose(1, 2)
    return heads.reshape(batch * num_heads, length, -1)


@split.mistake("num_heads and dim are mixed up")
def _mixed_up(inputs, num_heads):
    """There must be num_heads heads of dim numbers, not the other way round."""
    batch, length, _ = inputs.shape
    return inputs.view(batch, length, -1, num_heads).transpose(1, 2)


@split.mistake("the first of the heads stands in the place of all")
def _repeated(inputs, num_heads):
    return inputs[..., : inputs.shape[2] // num_heads].unsqueeze(1).repeat(1, num_heads, 1, 1)
