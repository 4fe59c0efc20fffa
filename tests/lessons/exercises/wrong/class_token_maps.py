"""Typical wrong answers to class-token-maps."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


@wrong("the maps show who looks at the class token")
def _column(weights: Tensor, columns: int) -> Tensor:
    return weights[..., 1:, 0].unflatten(-1, (-1, columns))


@wrong("the maps show what the first patch looks at")
def _first_patch(weights: Tensor, columns: int) -> Tensor:
    layers, heads, tokens, _ = weights.shape
    return weights[:, :, 1, 1:].reshape(layers, heads, (tokens - 1) // columns, columns)


@wrong("the maps begin with the weight of the class token on itself")
def _shifted(weights: Tensor, columns: int) -> Tensor:
    rows = (weights.shape[-1] - 1) // columns
    return weights[:, :, 0, : rows * columns].unflatten(-1, (rows, columns))


@wrong("the patches are laid out column by column")
def _column_first(weights: Tensor, columns: int) -> Tensor:
    seen = weights[:, :, 0, 1:]
    return torch.stack(seen.split(seen.shape[-1] // columns, dim=-1), dim=-1)


@wrong("rows and columns of the map are swapped")
def _transposed(weights: Tensor, columns: int) -> Tensor:
    return weights[:, :, 0, 1:].unflatten(-1, (-1, columns)).transpose(-1, -2)


@wrong("columns is taken for the number of rows")
def _rows_for_columns(weights: Tensor, columns: int) -> Tensor:
    return weights[:, :, 0, 1:].unflatten(-1, (columns, -1))


@wrong("the weights are divided by their sum")
def _renormalised(weights: Tensor, columns: int) -> Tensor:
    seen = weights[:, :, 0, 1:] / (1 - weights[:, :, 0, :1])
    return seen.unflatten(-1, (-1, columns))


@wrong("the heads are averaged")
def _averaged(weights: Tensor, columns: int) -> Tensor:
    return weights.mean(dim=1)[:, 0, 1:].unflatten(-1, (-1, columns))


@wrong("the last token is taken for the class token")
def _last_token(weights: Tensor, columns: int) -> Tensor:
    return weights[:, :, -1, :-1].unflatten(-1, (-1, columns))


@wrong("each map is divided by its largest weight")
def _brightest(weights: Tensor, columns: int) -> Tensor:
    row = weights[:, :, 0, 1:]
    return (row / row.max(-1, keepdim=True).values).unflatten(-1, (-1, columns))
