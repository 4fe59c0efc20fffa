"""Exercise of lesson 3a: the mask of a decoder, padding and future."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise

decoder = Exercise(
    "decoder-mask",
    "03a_masked_softmax",
    """Write f(valid_lens, length): valid_lens (batch,) counts the real tokens of each sentence, the rest of
    its `length` positions is padding. Return a bool mask (batch, queries, keys) that allows a key when it is
    not in the query's future and not padding.""",
    (
        "Padding depends on sentence and key, the future on query and key. Which shapes have the two masks?",
        "padding: (batch, 1, keys), future: (queries, keys). "
        "`&` repeats an axis of size 1, and allows a key only if both masks do.",
        "`torch.arange(length) < valid_lens[:, None]` has shape (batch, keys); "
        "`[:, None, :]` puts an axis in its middle.",
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
    rows, keys = range(length), range(length)
    wanted = [[[j < n and j <= i for j in keys] for i in rows] for n in lens.tolist()]
    answer.gives(lens, length, wanted=torch.tensor(wanted))


@decoder.also
def _more() -> Iterator[tuple]:
    """other lengths."""
    yield torch.tensor([4, 1, 2, 3]), 4
    yield torch.tensor([2]), 6


def _real(lens: Tensor, length: int) -> Tensor:
    return torch.arange(length) < lens[:, None]


def _past(length: int) -> Tensor:
    return torch.ones(length, length).tril() > 0


@decoder.mistake("padding can be seen")
def _only_causal(valid_lens, length):
    """Where do valid_lens come in?"""
    return torch.ones(len(valid_lens), length, length).tril().bool()


@decoder.mistake("the future can be seen")
def _only_padding(valid_lens, length):
    """Compare key and query too."""
    return (torch.arange(length) < valid_lens[:, None])[:, None].expand(-1, length, -1)


@decoder.mistake("a key is allowed when one of the two masks allows it")
def _either(valid_lens, length):
    """It must pass both: and, not or."""
    return _only_causal(valid_lens, length) | _only_padding(valid_lens, length)


@decoder.mistake("the padding mask counts one token too many")
def _one_too_many(valid_lens, length):
    """With length 2, positions 0 and 1 are real: is position 2?"""
    return _only_causal(valid_lens, length) & (torch.arange(length) <= valid_lens[:, None])[:, None]


@decoder.mistake("the padding mask hides queries")
def _padded_queries(valid_lens, length):
    """What must not be read is padding as a key. Nobody reads the output of a padded query, so its row may
    stay: valid_lens belong on the axis of the keys, and on no other."""
    return _only_causal(valid_lens, length) & (torch.arange(length) < valid_lens[:, None])[:, :, None]


@decoder.mistake("a token may not attend to itself")
def _not_itself(valid_lens, length):
    """The diagonal belongs to the past: <= or <?"""
    return _only_padding(valid_lens, length) & torch.ones(length, length).tril(-1).bool()


@decoder.mistake("the mask is True where a key may not be attended")
def _upside_down(valid_lens, length):
    """Here True = may attend."""
    return ~neither_padding_nor_future(valid_lens, length)


@decoder.mistake("each query looks forward instead of back")
def _forward(valid_lens, length):
    """Rows are queries: query 0 may see key 0 only."""
    return _only_padding(valid_lens, length) & torch.ones(length, length).triu().bool()


@decoder.mistake("the batch axis is taken for the queries")
def _broadcast_by_accident(valid_lens, length):
    """(batch, keys) & (queries, keys) fits here by accident. Padding needs an axis for queries."""
    return torch.ones(length, length).tril().bool() & (torch.arange(length) < valid_lens[:, None])


@decoder.mistake("the padding is allowed, the real tokens are hidden")
def _padding_allowed_real_tokens_hidden(v, n):
    """positions < valid_lens are real."""
    return _past(n) & ~_real(v, n)[:, None]


@decoder.mistake("the mask holds 0.0 and 1.0, not True and False")
def _mask_holds_0_0_1(v, n):
    """Return a bool tensor."""
    return (_past(n) & _real(v, n)[:, None]).float()


@decoder.mistake("the shortest sentence decides for all")
def _shortest(valid_lens, length):
    """Each sentence has a length of its own."""
    return neither_padding_nor_future(valid_lens.min().repeat(len(valid_lens)), length)


@decoder.mistake("the longest sentence decides for all")
def _longest(valid_lens, length):
    """Each sentence has a length of its own."""
    return neither_padding_nor_future(valid_lens.amax().expand_as(valid_lens), length)


@decoder.mistake("the first sentence decides for all")
def _first_length(valid_lens, length):
    """Each sentence has a length of its own."""
    mask = (torch.arange(length) < valid_lens[0]) & torch.ones(length, length).tril().bool()
    return mask.expand(len(valid_lens), length, length)


@decoder.mistake("the last sentence decides for all")
def _last_sentence(valid_lens, length):
    """Each sentence has a length of its own."""
    return neither_padding_nor_future(valid_lens[-1].expand_as(valid_lens), length)


@decoder.mistake("the padding is looked for in front of the tokens")
def _padded_in_front(valid_lens, length):
    """The first valid_lens positions are real."""
    real = torch.arange(length) >= length - valid_lens[:, None]
    return real[:, None] & torch.ones(length, length, dtype=torch.bool).tril()
