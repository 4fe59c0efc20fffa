"""Exercise of chapter 03: the mask of a decoder, padding and future."""

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise

__all__ = ["decoder"]

decoder = Exercise(
    "decoder-mask",
    "03_masked_softmax",
    "Write f(valid_lens, length): valid_lens (batch,) counts the real tokens of each sentence, the rest of "
    "its `length` positions is padding. Return a bool mask (batch, queries, keys) that allows a key when it "
    "is not in the query's future and not padding.",
    (
        "Padding depends on sentence and key, the future on query and key. Which shapes have the two masks?",
        "padding: (batch, 1, keys), future: (queries, keys). A key must be allowed by both.",
        "`torch.arange(length) < valid_lens[:, None]` has shape (batch, keys); put an axis in its middle.",
    ),
)


@decoder.solution
def neither_padding_nor_future(valid_lens, length):
    """Allow what the padding mask and the causal mask both allow."""
    positions = torch.arange(length)
    padding = positions < valid_lens[:, None, None]  # (batch, 1, keys)
    past = positions <= positions[:, None]  # (queries, keys)
    return padding & past  # (batch, queries, keys)


@decoder.check
def _as_many_sentences_as_positions(answer: Answer) -> None:
    """Neither padding nor the future is seen."""
    _decoder_gives(answer, torch.tensor([1, 3, 2]), 3)


@decoder.check
def _fewer_sentences(answer: Answer) -> None:
    """any number of sentences will do."""
    _decoder_gives(answer, torch.tensor([5, 2]), 5)


def _decoder_gives(answer: Answer, lens: Tensor, length: int) -> None:
    real = lens.tolist()

    def table(rule: object) -> Tensor:
        rows, keys = range(length), range(length)
        return torch.tensor([[[rule(n, i, j) for j in keys] for i in rows] for n in real])

    suspects = [
        Suspect("padding can be seen", "Where do valid_lens come in?", table(lambda n, i, j: j <= i)),
        Suspect("the future can be seen", "Compare key and query too.", table(lambda n, i, j: j < n)),
        Suspect(
            "a key is allowed when one of the two masks allows it",
            "It must pass both: and, not or.",
            table(lambda n, i, j: j < n or j <= i),
        ),
        Suspect(
            "the padding mask counts one token too many",
            "With length 2, positions 0 and 1 are real: is position 2?",
            table(lambda n, i, j: j <= n and j <= i),
        ),
        Suspect(
            "the padding mask hides queries, not keys",
            "What must not be read is padding as a key; nobody reads the output of a padded query. On which "
            "axis do valid_lens belong?",
            table(lambda n, i, j: i < n and j <= i),
        ),
        Suspect(
            "a token may not attend to itself",
            "The diagonal belongs to the past: <= or <?",
            table(lambda n, i, j: j < n and j < i),
        ),
        Suspect(
            "the mask is True where a key may not be attended",
            "Here True = may attend.",
            ~table(lambda n, i, j: j < n and j <= i),
        ),
        Suspect(
            "each query looks forward instead of back",
            "Rows are queries: query 0 may see key 0 only.",
            table(lambda n, i, j: j < n and j >= i),
        ),
    ]
    if len(real) == length:
        mixed = [[[j < real[i] and j <= i for j in range(length)] for i in range(length)]]
        suspects.append(
            Suspect(
                "the batch axis is taken for the queries",
                "(batch, keys) & (queries, keys) fits here by accident. Padding needs an axis for queries.",
                torch.tensor(mixed[0]),
            )
        )
    wanted = table(lambda n, i, j: j < n and j <= i)
    answer.gives(lens, length, wanted=wanted, axes="batch queries keys", suspects=suspects, named="mask")


@decoder.wrong("padding can be seen")
def _only_causal(valid_lens: Tensor, length: int) -> Tensor:
    return torch.ones(len(valid_lens), length, length).tril().bool()


@decoder.wrong("the future can be seen")
def _only_padding(valid_lens: Tensor, length: int) -> Tensor:
    return (torch.arange(length) < valid_lens[:, None])[:, None].expand(-1, length, -1)


@decoder.wrong("a key is allowed when one of the two masks allows it")
def _either(valid_lens: Tensor, length: int) -> Tensor:
    return _only_causal(valid_lens, length) | _only_padding(valid_lens, length)


@decoder.wrong("the padding mask counts one token too many")
def _one_too_many(valid_lens: Tensor, length: int) -> Tensor:
    return _only_causal(valid_lens, length) & (torch.arange(length) <= valid_lens[:, None])[:, None]


@decoder.wrong("the padding mask hides queries, not keys")
def _padded_queries(valid_lens: Tensor, length: int) -> Tensor:
    return _only_causal(valid_lens, length) & (torch.arange(length) < valid_lens[:, None])[:, :, None]


@decoder.wrong("a token may not attend to itself")
def _not_itself(valid_lens: Tensor, length: int) -> Tensor:
    return _only_padding(valid_lens, length) & torch.ones(length, length).tril(-1).bool()


@decoder.wrong("the mask is True where a key may not be attended")
def _upside_down(valid_lens: Tensor, length: int) -> Tensor:
    return ~neither_padding_nor_future(valid_lens, length)


@decoder.wrong("each query looks forward instead of back")
def _forward(valid_lens: Tensor, length: int) -> Tensor:
    return _only_padding(valid_lens, length) & torch.ones(length, length).triu().bool()


@decoder.wrong("the batch axis is taken for the queries")
def _broadcast_by_accident(valid_lens: Tensor, length: int) -> Tensor:
    return torch.ones(length, length).tril().bool() & (torch.arange(length) < valid_lens[:, None])
