"""Exercise of lesson 5a: the weights of Luong's general score."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers, softmax_rows

general = Exercise(
    "luong-general",
    "05a_look_back",
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


def _suspects(s: Tensor, h: Tensor, W: Tensor) -> list[Suspect]:
    scores = _scores(s, h, W)
    return [
        Suspect("the scores are returned, not the weights", "A softmax is missing.", scores),
        Suspect(
            "the softmax runs over the queries",
            "With one query a step every weight would be 1. Which axis holds the source positions?",
            scores.softmax(dim=1),
        ),
        Suspect(
            "the softmax runs over the batch",
            "Sources do not compete with each other.",
            scores.softmax(dim=0),
        ),
        Suspect(
            "the scores are divided by the root of the encoder's size",
            "Luong's scores are not scaled at all: W learns their size.",
            softmax_rows(scores / h.shape[-1] ** 0.5),
        ),
        Suspect(
            "a tanh bends the scores",
            "That belongs to the additive score; this one is bilinear.",
            softmax_rows(scores.tanh()),
        ),
        Suspect(
            "a tanh bends W h",
            "That belongs to the additive score; this one is bilinear.",
            softmax_rows(s @ torch.tanh(h @ W.T).mT),
        ),
    ]


@general.check
def _same_sizes(answer: Answer) -> None:
    """Scores go through W, not through its transpose."""
    s, h, W = numbers(2, 3, 7) / 2, numbers(2, 5, 7, seed=1) / 2, numbers(7, 7, seed=2) / 2
    suspects = [
        Suspect(
            "W is transposed",
            "With other sizes this would not run. s^T W h: which side of W meets s?",
            softmax_rows(_scores(s, h, W.T)),
        ),
        Suspect("W is not used", "That is the dot score.", softmax_rows(_scores(s, h, torch.eye(7)))),
        *_suspects(s, h, W),
    ]
    wanted = softmax_rows(_scores(s, h, W))
    answer.gives(s, h, W, wanted=wanted, suspects=suspects)


@general.check
def _other_sizes(answer: Answer) -> None:
    """decoder and encoder may have other sizes."""
    s, h, W = numbers(2, 1, 3), numbers(2, 5, 7, seed=1) / 2, numbers(3, 7, seed=2) / 2
    wanted, suspects = softmax_rows(_scores(s, h, W)), _suspects(s, h, W)
    answer.gives(s, h, W, wanted=wanted, suspects=suspects)


@general.also
def _more() -> Iterator[tuple]:
    """any number of sentences."""
    yield numbers(3, 2, 4) / 2, numbers(3, 3, 5, seed=1) / 2, numbers(4, 5, seed=2)
    yield numbers(1, 4, 2), numbers(1, 2, 2, seed=3), numbers(2, 2, seed=4)


general.slip(
    "a tanh bends s W",
    "That belongs to the additive score; this one is bilinear.",
    lambda s, h, W: torch.softmax(torch.tanh(s @ W) @ h.mT, -1),
)
general.slip(
    "the context is returned, not the weights",
    "Return what multiplies the encoder states.",
    lambda s, h, W: torch.softmax(s @ W @ h.mT, -1) @ h,
)
general.slip(
    "the scores are divided by their sum, without the exponential",
    "Scores may be negative, and so may their sum: softmax takes exp first.",
    lambda s, h, W: (s @ W @ h.mT) / (s @ W @ h.mT).sum(-1, keepdim=True),
)
