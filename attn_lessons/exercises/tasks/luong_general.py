"""Exercise of lesson 5c: the weights of Luong's general score."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers, softmax_rows

general = Exercise(
    "luong-general",
    "05c_look_back",
    """Write f(decoder_states, encoder_states, W): (batch, queries, decoder), (batch, keys, encoder), and W
    (decoder, encoder). Return the weights (batch, queries, keys) of Luong's general score s^T W h.""",
    (
        "`decoder_states @ W` has shape (batch, queries, encoder): now both sides have the same size.",
        "A matrix product with the encoder states' last two axes swapped gives all scores at once.",
    ),
    "weights (batch, queries, keys)",
)


@general.solution
def compare_through_a_matrix(decoder_states, encoder_states, W):
    """Bring the decoder states to the encoder's size, then take dot products."""
    scores = decoder_states @ W @ encoder_states.mT
    return torch.softmax(scores, dim=-1)  # (batch, queries, keys)


def _scores(s: Tensor, h: Tensor, W: Tensor) -> Tensor:
    """One pair at a time."""
    pairs = [[[float(one @ (W @ other)) for other in hs] for one in ss] for ss, hs in zip(s, h, strict=True)]
    return torch.tensor(pairs)


@general.check
def _same_sizes(answer: Answer) -> None:
    """Scores go through W, not through its transpose."""
    s, h, W = numbers(2, 3, 7) / 2, numbers(2, 5, 7, seed=1) / 2, numbers(7, 7, seed=2) / 2
    answer.gives(s, h, W, wanted=softmax_rows(_scores(s, h, W)))


@general.check
def _other_sizes(answer: Answer) -> None:
    """decoder and encoder may have other sizes."""
    s, h, W = numbers(2, 1, 3), numbers(2, 5, 7, seed=1) / 2, numbers(3, 7, seed=2) / 2
    answer.gives(s, h, W, wanted=softmax_rows(_scores(s, h, W)))


@general.check
def _large_scores(answer: Answer) -> None:
    """scores of a few hundred do not overflow, rows may lie far apart."""
    s, h, W = torch.tensor([[[40.0, 0.0], [-40.0, 10.0]]]), numbers(1, 3, 2, seed=5), 4 * torch.eye(2)
    answer.gives(s, h, W, wanted=softmax_rows(_scores(s, h, W)))


@general.also
def _more() -> Iterator[tuple]:
    """any number of sentences."""
    yield numbers(3, 2, 4) / 2, numbers(3, 3, 5, seed=1) / 2, numbers(4, 5, seed=2)
    yield numbers(1, 4, 2), numbers(1, 2, 2, seed=3), numbers(2, 2, seed=4)


@general.mistake("W is transposed")
def _other_side(decoder_states, encoder_states, W):
    """With other sizes this would not run. s^T W h: which side of W meets s?"""
    return torch.softmax(decoder_states @ W.T @ encoder_states.mT, dim=-1)


@general.mistake("W is not used")
def _dot(decoder_states, encoder_states, W):
    """That is the dot score."""
    return torch.softmax(decoder_states @ encoder_states.mT, dim=-1)


@general.mistake("the scores are returned, not the weights")
def _no_softmax(decoder_states, encoder_states, W):
    """A softmax is missing."""
    return torch.einsum("bqd,de,bke->bqk", decoder_states, W, encoder_states)


@general.mistake("the softmax runs over the queries")
def _second_axis(decoder_states, encoder_states, W):
    """With one query a step every weight would be 1. Which axis holds the source positions?"""
    return torch.softmax(decoder_states @ (encoder_states @ W.T).mT, dim=1)


@general.mistake("the softmax runs over the batch")
def _first_axis(decoder_states, encoder_states, W):
    """Sources do not compete with each other."""
    return torch.softmax(torch.bmm(decoder_states @ W, encoder_states.mT), dim=0)


@general.mistake("the scores are divided by the root of the encoder's size")
def _scaled(decoder_states, encoder_states, W):
    """Luong's scores are not scaled at all: W learns their size."""
    scores = decoder_states @ W @ encoder_states.mT
    return torch.softmax(scores / encoder_states.shape[-1] ** 0.5, dim=-1)


@general.mistake("a tanh bends the scores")
def _bent(decoder_states, encoder_states, W):
    """That belongs to the additive score; this one is bilinear."""
    return torch.softmax(torch.tanh(decoder_states @ W @ encoder_states.mT), dim=-1)


@general.mistake("a tanh bends W h")
def _bent_inside(decoder_states, encoder_states, W):
    """That belongs to the additive score; this one is bilinear."""
    return torch.softmax(decoder_states @ torch.tanh(encoder_states @ W.T).transpose(1, 2), dim=-1)


@general.mistake("a tanh bends s W")
def _bent_before(s, h, W):
    """That belongs to the additive score; this one is bilinear."""
    return torch.softmax(torch.tanh(s @ W) @ h.mT, -1)


@general.mistake("the context is returned, not the weights")
def _context(s, h, W):
    """Return what multiplies the encoder states."""
    return torch.softmax(s @ W @ h.mT, -1) @ h


@general.mistake("the scores are divided by their sum, without the exponential")
def _no_exponential(decoder_states, encoder_states, W):
    """Scores may be negative, and so may their sum: softmax takes exp first."""
    scores = decoder_states @ W @ encoder_states.mT
    return scores / scores.sum(-1, keepdim=True)


@general.mistake("the axes of the weights are in the wrong order: (batch, keys, queries)")
def _turned(decoder_states, encoder_states, W):
    return compare_through_a_matrix(decoder_states, encoder_states, W).mT


@general.mistake("for large scores the weights are NaN")
def _own_softmax(decoder_states, encoder_states, W):
    """e to 89 is more than float32 can hold. `torch.softmax` takes the largest score away first."""
    heights = (decoder_states @ W @ encoder_states.mT).exp()
    return heights / heights.sum(-1, keepdim=True)
