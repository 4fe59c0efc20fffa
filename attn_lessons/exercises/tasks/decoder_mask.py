"""Exercise of lesson 3a: the mask of a decoder, padding and future."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect

decoder = Exercise(
    "decoder-mask",
    "03a_masked_softmax",
    """Write f(valid_lens, length): valid_lens (batch,) counts the real tokens of each sentence, the rest of
    its `length` positions is padding. Return a bool mask (batch, queries, keys) that allows a key when it is
    not in the query's future and not padding.""",
    (
        "Padding depends on sentence and key, the future on query and key. Which shapes have the two masks?",
        "padding: (batch, 1, keys), future: (queries, keys). A key must be allowed by both.",
        "`torch.arange(length) < valid_lens[:, None]` has shape (batch, keys); put an axis in its middle.",
    ),
    "mask (batch, queries, keys)",
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
    _decoder_gives(answer, torch.tensor([2, 3, 1]), 3)


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
            "the padding mask hides queries",
            """What must not be read is padding as a key. Nobody reads the output of a padded query, so its
            row may stay: valid_lens belong on the axis of the keys, and on no other.""",
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
    answer.gives(lens, length, wanted=wanted, suspects=suspects)


@decoder.also
def _more() -> Iterator[tuple]:
    """other lengths."""
    yield torch.tensor([4, 1, 2, 3]), 4
    yield torch.tensor([2]), 6


def _real(lens: Tensor, length: int) -> Tensor:
    return torch.arange(length) < lens[:, None]


def _past(length: int) -> Tensor:
    return torch.ones(length, length).tril() > 0


decoder.slip(
    "the padding is allowed, the real tokens are hidden",
    "positions < valid_lens are real.",
    lambda v, n: _past(n) & ~_real(v, n)[:, None],
)
decoder.slip(
    "the mask holds 0.0 and 1.0, not True and False",
    "Return a bool tensor.",
    lambda v, n: (_past(n) & _real(v, n)[:, None]).float(),
)
ONE_FOR_ALL = {
    "shortest": torch.amin,
    "longest": torch.amax,
    "first": lambda v: v[0],
    "last": lambda v: v[-1],
}
for word, length in ONE_FOR_ALL.items():
    decoder.slip(
        f"the {word} sentence decides for all",
        "Each sentence has a length of its own.",
        lambda v, n, length=length: neither_padding_nor_future(length(v).expand_as(v), n),
    )
decoder.slip(
    "the padding is looked for in front of the tokens",
    "The first valid_lens positions are real.",
    lambda v, n: _past(n) & _real(v, n).flip(-1)[:, None],
)
