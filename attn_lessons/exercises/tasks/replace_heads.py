"""Exercise of lesson 10b: put what a head says on average in the place of what it says."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

replace_heads = Exercise(
    "replace-heads",
    "10b_inside_the_writer",
    """Write f(outputs, others, on): outputs (batch, heads, length, dim) is what the heads say of some texts,
    others (texts, heads, length, dim) what they say about other texts, on (heads,) bool. Return
    (batch, heads, length, dim): a head that is on keeps its output; one that is off says at each place what
    it says there on average over the other texts.""",
    (
        "Which axis of others counts the texts? others.mean(dim=0) is (heads, length, dim).",
        "on is (heads,): on[:, None, None] stands beside (batch, heads, length, dim).",
        "torch.where(on[:, None, None], outputs, means) takes from outputs where on is True.",
    ),
    "result (batch, heads, length, dim)",
)


@replace_heads.solution
def say_the_mean(outputs: Tensor, others: Tensor, on: Tensor) -> Tensor:
    """Average over the other texts, then choose by head."""
    means = others.mean(dim=0)  # (heads, length, dim)
    return torch.where(on[:, None, None], outputs, means)


def _texts(
    batch: int = 2, texts: int = 3, heads: int = 4, length: int = 5, dim: int = 6
) -> tuple[Tensor, Tensor]:
    return numbers(batch, heads, length, dim), 1 + numbers(texts, heads, length, dim, seed=1)


@replace_heads.check
def _one_head_off(answer: Answer) -> None:
    """A head that is off says its mean, the others what they say."""
    outputs, others = _texts()
    on = torch.tensor([True, False, True, True])
    keep = on[:, None, None]

    def instead(means: Tensor) -> Tensor:
        return torch.where(keep, outputs, means)

    suspects = [
        Suspect(
            "a head that is off says 0",
            "The rest of the model has never met a silent head. Put its mean over the other texts there.",
            instead(torch.zeros(())),
        ),
        Suspect(
            "heads that are on are replaced, those that are off are kept",
            "True means on: the output of such a head stays.",
            torch.where(keep, others.mean(0), outputs),
        ),
        Suspect(
            "the mean is taken over these texts, not over the others",
            "A mean over the texts at hand still knows of them.",
            instead(outputs.mean(0)),
        ),
        Suspect(
            "the mean runs over the places as well",
            "A head says other things at the first place than at the tenth: average over the texts only.",
            instead(others.mean((0, 2), keepdim=True)),
        ),
        Suspect(
            "the mean runs over the heads as well",
            "Each head has a mean of its own.",
            instead(others.mean((0, 1), keepdim=True)),
        ),
        Suspect(
            "the mean runs over texts, places and numbers together",
            "Average over the first axis only.",
            instead(others.mean((0, 2, 3), keepdim=True)),
        ),
        Suspect(
            "the mean runs over everything",
            "Average over the first axis only.",
            instead(others.mean()),
        ),
        Suspect(
            "the sum over the other texts stands there, not the mean",
            "Divide by their number.",
            instead(others.sum(0)),
        ),
        Suspect(
            "all heads are replaced", "A head that is on keeps its output.", others.mean(0) + 0 * outputs
        ),
        Suspect("no head is replaced", "Where on is False, the mean belongs.", outputs),
        Suspect(
            "one other text stands there, not the mean of all", "Average over all texts.", instead(others[0])
        ),
        Suspect(
            "the mean is added to what the head says",
            "It replaces the output.",
            instead(outputs + others.mean(0)),
        ),
    ]
    answer.gives(outputs, others, on, wanted=instead(others.mean(0)), suspects=suspects)


@replace_heads.check
def _all_off(answer: Answer) -> None:
    """with all heads off nothing of these texts is left."""
    outputs, others = _texts(batch=3, texts=2)
    wanted = others.mean(0).expand_as(outputs)
    answer.gives(outputs, others, torch.zeros(4, dtype=torch.bool), wanted=wanted)


@replace_heads.also
def _more() -> Iterator[tuple]:
    """any number of texts, heads and places."""
    yield *_texts(1, 4, 3, 3, 2), torch.tensor([False, True, False])
    yield *_texts(4, 1, 2, 4, 3), torch.tensor([False, True])


replace_heads.slip(
    "a head that is off says the mean of the heads that are on",
    "What it says itself, about other texts, belongs there.",
    lambda outputs, _, on: torch.where(
        on[:, None, None], outputs, outputs[:, on].sum(1, keepdim=True) / on.sum().clamp(min=1)
    ),
)
replace_heads.slip(
    "the median stands there, not the mean",
    "Average over the texts.",
    lambda outputs, others, on: torch.where(on[:, None, None], outputs, others.median(0).values),
)
replace_heads.slip(
    "the mean of this text's own places stands there",
    "It still knows of this text: average over the other texts.",
    lambda outputs, _, on: torch.where(on[:, None, None], outputs, outputs.mean(2, keepdim=True)),
)
