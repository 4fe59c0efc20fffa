"""Typical wrong answers to rotary."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor

from attn_lessons.exercises.tasks.rotary import turn_by_position


def _angles(positions: Tensor, dim: int, step: int = 2) -> Tensor:
    return torch.outer(positions.float(), 10000.0 ** (-torch.arange(dim // 2) * step / dim))


def _complex_turn(x: Tensor, angles: Tensor) -> Tensor:
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


@wrong("the positions start at 0 in place of `start`")
def _no_start(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, _angles(torch.arange(x.shape[1]), x.shape[2]))


@wrong("the position is counted along the batch")
def _batch_axis(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, _angles(start + torch.arange(len(x)), x.shape[2])[:, None])


@wrong("the pairs are turned the other way")
def _clockwise(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, -_angles(start + torch.arange(x.shape[1]), x.shape[2]))


@wrong("number i is paired with number i + dim / 2")
def _halves(x: Tensor, start: int) -> Tensor:
    angles = _angles(start + torch.arange(x.shape[1]), x.shape[2])
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], dim=-1)


@wrong("all pairs are turned by the same angle")
def _one_angle(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, _angles(start + torch.arange(x.shape[1]), x.shape[2], step=0))


@wrong("the exponent counts i, not 2i")
def _half_exponent(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, _angles(start + torch.arange(x.shape[1]), x.shape[2], step=1))


@wrong("the vectors are added, not turned")
def _added(x: Tensor, start: int) -> Tensor:
    angles = _angles(start + torch.arange(x.shape[1]), x.shape[2])
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


@wrong("the pairs stand in the wrong order")
def _not_woven(x: Tensor, start: int) -> Tensor:
    return turn_by_position(x, start).unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)


@wrong("the turned first number is used to turn the second")
def _old_pair_lost(x: Tensor, start: int) -> Tensor:
    angles, y = _angles(start + torch.arange(x.shape[1]), x.shape[2]), x.clone()
    y[..., 0::2] = y[..., 0::2] * angles.cos() - y[..., 1::2] * angles.sin()
    y[..., 1::2] = y[..., 0::2] * angles.sin() + y[..., 1::2] * angles.cos()
    return y


@wrong("`x` was changed in place")
def _in_place(x: Tensor, start: int) -> Tensor:
    x[:] = turn_by_position(x, start)
    return x


@wrong("start is added to the angle")
def _turned_by_start(x: Tensor, start: int) -> Tensor:
    angles = start + torch.arange(x.shape[1])[:, None] / 10000 ** (
        torch.arange(0, x.shape[2], 2) / x.shape[2]
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack(
        [a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1
    ).flatten(2)


@wrong("the position is multiplied by the wavelength")
def _ever_faster(x: Tensor, start: int) -> Tensor:
    waves = 10000 ** (torch.arange(0, x.shape[2], 2, dtype=torch.float64) / x.shape[2])
    angles = (torch.arange(start, start + x.shape[1])[:, None] * waves).to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack(
        [a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1
    ).flatten(2)
