"""Typical wrong answers to add-positions."""

import math

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


def _waves(positions: Tensor, d_model: int, step: int = 2) -> Tensor:
    frequencies = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model) * step / 2)
    angles = positions[:, None] * frequencies
    waves = torch.zeros(len(positions), d_model)
    waves[:, 0::2], waves[:, 1::2] = angles.sin(), angles.cos()
    return waves


@wrong("the position is counted along the batch")
def _batch_axis(x: Tensor) -> Tensor:
    table = _waves(torch.arange(100), x.shape[-1])[:, None]  # (positions, 1, d_model)
    return x + table[: x.size(0)]


@wrong("the positions are returned without the tokens")
def _tokens_forgotten(x: Tensor) -> Tensor:
    return _waves(torch.arange(x.shape[1]), x.shape[2]).expand_as(x)


@wrong("positions start at 1")
def _from_one(x: Tensor) -> Tensor:
    return x + _waves(torch.arange(1, x.shape[1] + 1), x.shape[2])


@wrong("sine and cosine have changed places")
def _cosine_first(x: Tensor) -> Tensor:
    waves = _waves(torch.arange(x.shape[1]), x.shape[2])
    return x + waves.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)


@wrong("all sines come first, then all cosines")
def _halves(x: Tensor) -> Tensor:
    waves = _waves(torch.arange(x.shape[1]), x.shape[2])
    return x + torch.cat([waves[:, ::2], waves[:, 1::2]], dim=-1)


@wrong("the exponent counts i, not 2i")
def _half_exponent(x: Tensor) -> Tensor:
    return x + _waves(torch.arange(x.shape[1]), x.shape[2], step=1)


@wrong("each number has a wavelength of its own")
def _own_wavelength(x: Tensor) -> Tensor:
    angles = torch.arange(x.shape[1])[:, None] / 10000 ** (torch.arange(x.shape[2]) / x.shape[2])
    return x + torch.where(torch.arange(x.shape[2]) % 2 == 0, angles.sin(), angles.cos())


@wrong("`x` was changed in place")
def _in_place(x: Tensor) -> Tensor:
    x += _waves(torch.arange(x.shape[1]), x.shape[2])
    return x


@wrong("the dtype of the float16 result is wrong")
def _to_float32(x: Tensor) -> Tensor:
    return x + _waves(torch.arange(x.shape[1]), x.shape[2])


@wrong("the exponent is twice too large")
def _doubled_exponent(x: Tensor) -> Tensor:
    columns = 2 * torch.arange(0, x.shape[2], 2, dtype=torch.float64)
    angles = torch.arange(x.shape[1])[:, None] / 10000 ** (columns / x.shape[2])
    return x + torch.stack([angles.sin(), angles.cos()], -1).flatten(1).to(x.dtype)
