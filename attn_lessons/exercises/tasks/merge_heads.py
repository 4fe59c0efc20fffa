"""Exercise of lesson 8b: put the outputs of the heads together."""

from collections.abc import Iterator

import torch

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

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
    by_number = torch.stack([heads[:, h, :, c] for c in range(7) for h in range(3)], dim=-1)
    suspects = [
        Suspect(
            "the heads are reshaped without a transpose",
            "The shape fits, but token 0 gets what head 0 says of several tokens. Move the heads first.",
            heads.reshape(2, 5, 21),
        ),
        Suspect(
            "the numbers of the heads are woven together",
            "First all dim numbers of head 0, then those of head 1.",
            by_number,
        ),
        Suspect(
            "the heads are averaged",
            "Averaging loses what they disagree on. Keep them all.",
            heads.mean(dim=1),
        ),
        Suspect("the heads are added up", "Keep them apart: W_o does the mixing.", heads.sum(dim=1)),
        Suspect(
            "the heads are put one after the other along the length",
            "The result has as many tokens as before, each with heads * dim numbers.",
            torch.cat([heads[:, h] for h in range(3)], dim=1),
        ),
        Suspect("only the first head is kept", "What about the others?", heads[:, 0]),
        Suspect(
            "the heads still have an axis of their own",
            "The move is right; now make the last two axes one: flatten(2).",
            heads.transpose(1, 2),
        ),
        Suspect(
            "the heads are in the wrong order",
            "Head 0 comes first.",
            torch.cat([heads[:, h] for h in (2, 1, 0)], dim=-1),
        ),
    ]
    answer.gives(heads, wanted=wanted, suspects=suspects)


@merging.also
def _more() -> Iterator[tuple]:
    """other sizes, one head too."""
    yield (numbers(1, 4, 3, 2),)
    yield (numbers(3, 1, 2, 5),)


merging.slip(
    "the last two axes are swapped, not heads and length",
    "Which axis must stand before dim, for the heads of one token to lie side by side?",
    lambda h: h.mT.reshape(h.shape[0], h.shape[2], -1),
)
merging.slip(
    "the first head stands in the place of all",
    "Each head has a block of its own.",
    lambda h: h[:, 0].repeat(1, 1, h.shape[1]),
)
