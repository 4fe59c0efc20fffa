"""Exercise of chapter 05: the weights of Luong's general score."""

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise
from ._inputs import numbers, softmax_rows

__all__ = ["general"]

general = Exercise(
    "luong-general",
    "05_seq2seq_attention",
    "Write f(decoder_states, encoder_states, W): (batch, queries, decoder), (batch, keys, encoder), and W "
    "(decoder, "
    "encoder). Return the weights (batch, queries, keys) of Luong's general score s^T W h.",
    (
        "`decoder_states @ W` has shape (batch, queries, encoder): now both sides have the same size.",
        "A matrix product with the encoder states' last two axes swapped gives all scores at once.",
    ),
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
    answer.gives(s, h, W, wanted=wanted, axes="batch queries keys", suspects=suspects, named="weights")


@general.check
def _other_sizes(answer: Answer) -> None:
    """decoder and encoder may have other sizes."""
    s, h, W = numbers(2, 1, 3), numbers(2, 5, 7, seed=1) / 2, numbers(3, 7, seed=2) / 2
    wanted, suspects = softmax_rows(_scores(s, h, W)), _suspects(s, h, W)
    answer.gives(s, h, W, wanted=wanted, axes="batch queries keys", suspects=suspects, named="weights")


@general.wrong("the scores are returned, not the weights")
def _no_softmax(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.einsum("bqd,de,bke->bqk", decoder_states, W, encoder_states)


@general.wrong("the softmax runs over the queries")
def _second_axis(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(decoder_states @ (encoder_states @ W.T).mT, dim=1)


@general.wrong("the softmax runs over the batch")
def _first_axis(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(torch.bmm(decoder_states @ W, encoder_states.mT), dim=0)


@general.wrong("the scores are divided by the root of the encoder's size")
def _scaled(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    scores = decoder_states @ W @ encoder_states.mT
    return torch.softmax(scores / encoder_states.shape[-1] ** 0.5, dim=-1)


@general.wrong("a tanh bends the scores")
def _bent(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(torch.tanh(decoder_states @ W @ encoder_states.mT), dim=-1)


@general.wrong("a tanh bends W h")
def _bent_inside(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(decoder_states @ torch.tanh(encoder_states @ W.T).transpose(1, 2), dim=-1)


@general.wrong("W is transposed")
def _other_side(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(decoder_states @ W.T @ encoder_states.mT, dim=-1)


@general.wrong("W is not used")
def _dot(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return torch.softmax(decoder_states @ encoder_states.mT, dim=-1)


@general.wrong("the axes of the weights are in the wrong order: (batch, keys, queries)")
def _turned(decoder_states: Tensor, encoder_states: Tensor, W: Tensor) -> Tensor:
    return compare_through_a_matrix(decoder_states, encoder_states, W).mT
