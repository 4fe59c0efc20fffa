"""Exercise of lesson 8b: put the outputs of the heads together."""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise, numbers

merging = Exercise(
    "merge-heads",
    "08b_the_layer",
    """Write f(heads): heads (batch, heads, length, dim). Return (batch, length, heads * dim): for each token
    the vectors of its heads side by side, head 0 first.""",
    (
        "It undoes split-heads: which axis must move back, and where to?",
        "`heads.transpose(1, 2)` is (batch, length, heads, dim). Then the last two axes become one.",
    ),
    "outputs (batch, length, d_model)",
)


@merging.solution
def put_side_by_side(heads):
    """Move the heads behind the length, then make one axis of the last two."""
    return heads.transpose(1, 2).flatten(2)  # (batch, length, d_model)


@merging.check
def _heads_side_by_side(answer: Answer) -> None:
    """Each token has the vectors of its heads side by side."""
    heads = numbers(2, 3, 5, 7)  # (batch, heads, length, dim)
    wanted = torch.cat([heads[:, h] for h in range(3)], dim=-1)
    answer.gives(heads, wanted=wanted)


@merging.also
def _more() -> Iterator[tuple]:
    """other sizes, one head too."""
    yield (numbers(1, 4, 3, 2),)
    yield (numbers(3, 1, 2, 5),)


@merging.mistake("the heads are reshaped without a transpose")
def _no_transpose(heads):
    """The shape fits, but token 0 gets what head 0 says of several tokens. Move the heads first."""
    batch, count, length, dim = heads.shape
    return heads.contiguous().view(batch, length, count * dim)


@merging.mistake("the numbers of the heads are woven together")
def _woven(heads):
    """First all dim numbers of head 0, then those of head 1."""
    return heads.permute(0, 2, 3, 1).flatten(2)


@merging.mistake("the heads are averaged")
def _averaged(heads):
    """Averaging loses what they disagree on. Keep them all."""
    return heads.mean(1)


@merging.mistake("the heads are added up")
def _added(heads):
    """Keep them apart: W_o does the mixing."""
    return torch.einsum("bhld->bld", heads)


@merging.mistake("the heads are put one after the other along the length")
def _longer(heads):
    """The result has as many tokens as before, each with heads * dim numbers."""
    return heads.flatten(1, 2)


@merging.mistake("only the first head is kept")
def _first_head(heads):
    """What about the others?"""
    return heads.select(1, 0)


@merging.mistake("the heads still have an axis of their own")
def _not_flat(heads):
    """The move is right; now make the last two axes one: flatten(2)."""
    return heads.transpose(1, 2)


@merging.mistake("the heads are in the wrong order")
def _last_first(heads):
    """Head 0 comes first."""
    return torch.cat(heads.unbind(1)[::-1], dim=-1)


@merging.mistake("the last two axes are swapped, not heads and length")
def _last_two_axes_swapped_not(h):
    """Which axis must stand before dim, for the heads of one token to lie side by side?"""
    return h.mT.reshape(h.shape[0], h.shape[2], -1)


@merging.mistake("the first head stands in the place of all")
def _repeated(heads):
    """Each head has a block of its own."""
    return heads[:, 0].repeat(1, 1, heads.shape[1])


@merging.mistake("the axes of the outputs are in the wrong order")
def _channels_first(heads):
    return heads.transpose(-1, -2).flatten(1, 2)
