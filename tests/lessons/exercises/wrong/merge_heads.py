"""Typical wrong answers to merge-heads."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("the heads are reshaped without a transpose")
def _no_transpose(heads: Tensor) -> Tensor:
    batch, count, length, dim = heads.shape
    return heads.contiguous().view(batch, length, count * dim)


@wrong("the numbers of the heads are woven together")
def _woven(heads: Tensor) -> Tensor:
    return heads.permute(0, 2, 3, 1).flatten(2)


@wrong("the heads are averaged")
def _averaged(heads: Tensor) -> Tensor:
    return heads.mean(1)


@wrong("the heads are added up")
def _added(heads: Tensor) -> Tensor:
    return torch.einsum("bhld->bld", heads)


@wrong("the heads are put one after the other along the length")
def _longer(heads: Tensor) -> Tensor:
    return heads.flatten(1, 2)


@wrong("the heads still have an axis of their own")
def _not_flat(heads: Tensor) -> Tensor:
    return heads.transpose(1, 2)


@wrong("only the first head is kept")
def _first_head(heads: Tensor) -> Tensor:
    return heads.select(1, 0)


@wrong("the heads are in the wrong order")
def _last_first(heads: Tensor) -> Tensor:
    return torch.cat(heads.unbind(1)[::-1], dim=-1)


@wrong("the axes of the outputs are in the wrong order")
def _channels_first(heads: Tensor) -> Tensor:
    return heads.transpose(-1, -2).flatten(1, 2)


@wrong("the first head stands in the place of all")
def _repeated(heads: Tensor) -> Tensor:
    return heads[:, 0].repeat(1, 1, heads.shape[1])
