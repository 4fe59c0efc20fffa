"""Typical wrong answers to join-patches."""

import math

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


def _cut(patches: Tensor, columns: int) -> Tensor:
    """Give (batch, rows, columns, size, size)."""
    size = math.isqrt(patches.shape[-1])
    return patches.unflatten(-1, (size, size)).unflatten(1, (-1, columns))


@wrong("the patches are reshaped without a transpose")
def _straight(patches: Tensor, columns: int) -> Tensor:
    return patches.reshape(len(patches), -1, columns * math.isqrt(patches.shape[-1]))


@wrong("each piece is turned over: its rows stand as columns")
def _turned(patches: Tensor, columns: int) -> Tensor:
    return _cut(patches, columns).permute(0, 1, 4, 2, 3).flatten(3).flatten(1, 2)


@wrong("the patches are laid out column by column")
def _column_first(patches: Tensor, columns: int) -> Tensor:
    rows = patches.shape[1] // columns
    return _cut(patches, rows).transpose(1, 2).transpose(2, 3).flatten(3).flatten(1, 2)


@wrong("columns is taken for the number of rows")
def _rows_for_columns(patches: Tensor, columns: int) -> Tensor:
    return _cut(patches, patches.shape[1] // columns).transpose(2, 3).flatten(3).flatten(1, 2)


@wrong("the picture is turned over: rows stand as columns")
def _picture_turned(patches: Tensor, columns: int) -> Tensor:
    return _cut(patches, columns).transpose(2, 3).flatten(3).flatten(1, 2).mT


@wrong("all patches stand in one row")
def _one_row(patches: Tensor, columns: int) -> Tensor:
    size = math.isqrt(patches.shape[-1])
    return torch.cat(patches.unflatten(-1, (size, size)).unbind(1), dim=-1)


@wrong("all patches stand below each other")
def _one_column(patches: Tensor, columns: int) -> Tensor:
    return patches.unflatten(-1, (-1, math.isqrt(patches.shape[-1]))).flatten(1, 2)


@wrong("the rows of patches stand upside down")
def _upside_down(patches: Tensor, columns: int) -> Tensor:
    return _cut(patches, columns).flip(1).transpose(2, 3).flatten(3).flatten(1, 2)


@wrong("only the first picture is put together")
def _first_only(patches: Tensor, columns: int) -> Tensor:
    return _cut(patches, columns).transpose(2, 3).flatten(3).flatten(1, 2)[0]
