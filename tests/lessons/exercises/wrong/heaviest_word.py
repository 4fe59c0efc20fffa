"""Typical wrong answers to heaviest-word."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.heaviest_word import heaviest_words


@wrong("[CLS] and [SEP] are among the candidates")
def _specials_kept(weights: Tensor, words: Tensor, query: int) -> Tensor:
    row = weights[:, query].clone()
    row[:, query] = -1
    return row.argmax(-1)


@wrong("the query itself is among the candidates")
def _self_kept(weights: Tensor, words: Tensor, query: int) -> Tensor:
    return torch.where(words, weights[:, query], -torch.inf).argmax(dim=1)


@wrong("every key is a candidate")
def _no_mask(weights: Tensor, words: Tensor, query: int) -> Tensor:
    return weights.argmax(dim=-1)[:, query]


@wrong("the mask is read upside down")
def _inverted(weights: Tensor, words: Tensor, query: int) -> Tensor:
    return weights[:, query].masked_fill(words, -1).argmax(dim=-1)


@wrong("the column of the query was read")
def _column(weights: Tensor, words: Tensor, query: int) -> Tensor:
    allowed = words & (torch.arange(len(words)) != query)
    return weights[..., query].masked_fill(~allowed, -1).argmax(dim=-1)


@wrong("the places are counted among the words only")
def _cut_out(weights: Tensor, words: Tensor, query: int) -> Tensor:
    allowed = words & (torch.arange(len(words)) != query)
    return weights[:, query, allowed].argmax(dim=-1)


@wrong("the weight is returned, not its place")
def _values(weights: Tensor, words: Tensor, query: int) -> Tensor:
    allowed = words & (torch.arange(len(words)) != query)
    return (weights[:, query] * allowed).amax(dim=-1)


@wrong("the heads were averaged first")
def _mean_head(weights: Tensor, words: Tensor, query: int) -> Tensor:
    return heaviest_words(weights.mean(dim=0, keepdim=True), words, query)[0]


@wrong("a key that is no word wins when all words have weight 0")
def _filled_with_zero(weights: Tensor, words: Tensor, query: int) -> Tensor:
    allowed = words & (torch.arange(len(words)) != query)
    return (weights[:, query] * allowed).argmax(dim=-1)


@wrong("`words` was changed in place")
def _in_place(weights: Tensor, words: Tensor, query: int) -> Tensor:
    words[query] = False
    return weights[:, query].masked_fill(~words, -1).argmax(dim=-1)


@wrong("the heads are averaged")
def _one_for_all(weights: Tensor, words: Tensor, query: int) -> Tensor:
    return heaviest_words(weights.mean(0, keepdim=True), words, query).repeat(len(weights))


@wrong("the places behind it are one too small")
def _cut_out(weights: Tensor, words: Tensor, query: int) -> Tensor:
    row = weights[:, query].masked_fill(~words, -1)
    return torch.cat([row[:, :query], row[:, query + 1 :]], dim=1).argmax(-1)


@wrong("the second heaviest word is taken")
def _second(weights: Tensor, words: Tensor, query: int) -> Tensor:
    others = words & (torch.arange(len(words)) != query)
    return weights[:, query].masked_fill(~others, -1).argsort(-1, descending=True)[:, 1]
