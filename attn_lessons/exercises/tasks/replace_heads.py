"""Exercise of lesson 10b: put what a head says on average in the place of what it says."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

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
    answer.gives(outputs, others, on, wanted=torch.where(on[:, None, None], outputs, others.mean(0)))


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


@replace_heads.mistake("a head that is off says 0")
def _silent(outputs, _others, on):
    """The rest of the model has never met a silent head. Put its mean over the other texts there."""
    return outputs * on[:, None, None]


@replace_heads.mistake("heads that are on are replaced, those that are off are kept")
def _upside_down(outputs, others, on):
    """True means on: the output of such a head stays."""
    return torch.where(on[:, None, None], others.mean(0), outputs)


@replace_heads.mistake("the mean is taken over these texts, not over the others")
def _own_mean(outputs, _others, on):
    """A mean over the texts at hand still knows of them."""
    return torch.where(on[:, None, None], outputs, outputs.mean(0))


@replace_heads.mistake("the mean runs over the places as well")
def _over_places(outputs, others, on):
    """A head says other things at the first place than at the tenth: average over the texts only."""
    return torch.where(on[:, None, None], outputs, others.mean(dim=(0, 2), keepdim=True)[0])


@replace_heads.mistake("the mean runs over the heads as well")
def _over_heads(outputs, others, on):
    """Each head has a mean of its own."""
    return torch.where(on[:, None, None], outputs, others.flatten(0, 1).mean(0))


@replace_heads.mistake("the mean runs over texts, places and numbers together")
def _over_places_and_numbers(outputs, others, on):
    """Average over the first axis only."""
    return torch.where(on[:, None, None], outputs, others.mean((0, 2, 3), keepdim=True))


@replace_heads.mistake("the mean runs over everything")
def _over_everything(outputs, others, on):
    """Average over the first axis only."""
    return torch.where(on[:, None, None], outputs, others.mean())


@replace_heads.mistake("the sum over the other texts stands there, not the mean")
def _summed(outputs, others, on):
    """Divide by their number."""
    return torch.where(on[:, None, None], outputs, others.sum(0))


@replace_heads.mistake("all heads are replaced")
def _all_heads(outputs, others, on):
    """A head that is on keeps its output."""
    return others.mean(0).expand_as(outputs)


@replace_heads.mistake("no head is replaced")
def _all_kept(outputs, _others, _on):
    """Where on is False, the mean belongs."""
    return outputs


@replace_heads.mistake("one other text stands there, not the mean of all")
def _first_text(outputs, others, on):
    """Average over all texts."""
    return torch.where(on[:, None, None], outputs, others[0])


@replace_heads.mistake("the mean is added to what the head says")
def _added(outputs, others, on):
    """It replaces the output."""
    return outputs + ~on[:, None, None] * others.mean(0)


@replace_heads.mistake("a head that is off says the mean of the heads that are on")
def _the_others_on(outputs, _, on):
    """What it says itself, about other texts, belongs there."""
    return torch.where(
        on[:, None, None], outputs, outputs[:, on].sum(1, keepdim=True) / on.sum().clamp(min=1)
    )


@replace_heads.mistake("the median stands there, not the mean")
def _median(outputs, others, on):
    """Average over the texts."""
    return torch.where(on[:, None, None], outputs, others.median(0).values)


@replace_heads.mistake("the mean of this text's own places stands there")
def _own_places(outputs, _others, on):
    """It still knows of this text: average over the other texts."""
    return torch.where(on[:, None, None], outputs, outputs.mean(dim=-2, keepdim=True))
