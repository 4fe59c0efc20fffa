"""Typical wrong answers to decoder-mask."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.decoder_mask import neither_padding_nor_future


@wrong("padding can be seen")
def _only_causal(valid_lens: Tensor, length: int) -> Tensor:
    return torch.ones(len(valid_lens), length, length).tril().bool()


@wrong("the future can be seen")
def _only_padding(valid_lens: Tensor, length: int) -> Tensor:
    return (torch.arange(length) < valid_lens[:, None])[:, None].expand(-1, length, -1)


@wrong("a key is allowed when one of the two masks allows it")
def _either(valid_lens: Tensor, length: int) -> Tensor:
    return _only_causal(valid_lens, length) | _only_padding(valid_lens, length)


@wrong("the padding mask counts one token too many")
def _one_too_many(valid_lens: Tensor, length: int) -> Tensor:
    return _only_causal(valid_lens, length) & (torch.arange(length) <= valid_lens[:, None])[:, None]


@wrong("the padding mask hides queries")
def _padded_queries(valid_lens: Tensor, length: int) -> Tensor:
    return _only_causal(valid_lens, length) & (torch.arange(length) < valid_lens[:, None])[:, :, None]


@wrong("a token may not attend to itself")
def _not_itself(valid_lens: Tensor, length: int) -> Tensor:
    return _only_padding(valid_lens, length) & torch.ones(length, length).tril(-1).bool()


@wrong("the mask is True where a key may not be attended")
def _upside_down(valid_lens: Tensor, length: int) -> Tensor:
    return ~neither_padding_nor_future(valid_lens, length)


@wrong("each query looks forward instead of back")
def _forward(valid_lens: Tensor, length: int) -> Tensor:
    return _only_padding(valid_lens, length) & torch.ones(length, length).triu().bool()


@wrong("the batch axis is taken for the queries")
def _broadcast_by_accident(valid_lens: Tensor, length: int) -> Tensor:
    return torch.ones(length, length).tril().bool() & (torch.arange(length) < valid_lens[:, None])


@wrong("the shortest sentence decides for all")
def _shortest(valid_lens: Tensor, length: int) -> Tensor:
    return neither_padding_nor_future(valid_lens.min().repeat(len(valid_lens)), length)


@wrong("looked for in front of the tokens")
def _padded_in_front(valid_lens: Tensor, length: int) -> Tensor:
    real = torch.arange(length) >= length - valid_lens[:, None]
    return real[:, None] & torch.ones(length, length, dtype=torch.bool).tril()


@wrong("the first sentence decides for all")
def _first_length(valid_lens: Tensor, length: int) -> Tensor:
    mask = (torch.arange(length) < valid_lens[0]) & torch.ones(length, length).tril().bool()
    return mask.expand(len(valid_lens), length, length)
