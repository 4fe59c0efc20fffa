"""Exercise of chapter 07: turn queries and keys by their positions."""

import math

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise
from ._inputs import numbers
from ._mistake import Mistake

__all__ = ["rotary"]

rotary = Exercise(
    "rotary",
    "07_positions",
    "Write f(x, start): x (batch, length, dim), dim even; the first token stands at position `start`. Turn "
    "each pair "
    "(x[2i], x[2i + 1]) of the token at position p by the angle p / 10000^(2i / dim), counter-clockwise.",
    (
        "(a, b) turned by t is (a cos t - b sin t, a sin t + b cos t).",
        "`a = x[..., 0::2]` and `b = x[..., 1::2]` are (batch, length, dim / 2), as the angles should be.",
        "`torch.stack([new_a, new_b], dim=-1).flatten(-2)` puts the pairs back in order.",
    ),
)


@rotary.solution
def turn_by_position(x, start):
    """Turn neighbouring numbers by an angle that grows with the position."""
    length, dim = x.shape[-2:]
    positions = torch.arange(start, start + length)[:, None]  # (length, 1)
    wavelengths = 10000 ** (torch.arange(0, dim, 2) / dim)
    cos, sin = (positions / wavelengths).cos(), (positions / wavelengths).sin()
    a, b = x[..., 0::2], x[..., 1::2]  # (batch, length, dim / 2)
    turned = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return turned.flatten(-2)  # (batch, length, dim)


def _turned(x: Tensor, angle: object, *, halves: bool = False) -> Tensor:
    """Turn one pair at a time; angle(batch, position, pair)."""
    result, (batch, length, dim) = x.clone(), x.shape
    for n in range(batch):
        for p in range(length):
            for i in range(dim // 2):
                one, two = (i, i + dim // 2) if halves else (2 * i, 2 * i + 1)
                t, a, b = angle(n, p, i), x[n, p, one].item(), x[n, p, two].item()
                result[n, p, one] = a * math.cos(t) - b * math.sin(t)
                result[n, p, two] = a * math.sin(t) + b * math.cos(t)
    return result


@rotary.check
def _pairs_are_turned(answer: Answer) -> None:
    """Each pair is turned by the angle of its position."""
    x, start, dim = numbers(5, 3, 4), 7, 4
    right = _turned(x, lambda n, p, i: (p + start) / 10000 ** (2 * i / dim))
    suspects = [
        Suspect(
            "the positions start at 0 in place of `start`",
            "With a cache the first token given is not the first of the sequence.",
            _turned(x, lambda n, p, i: p / 10000 ** (2 * i / dim)),
        ),
        Suspect(
            "the position is counted along the batch",
            "Which axis of x is the length?",
            _turned(x, lambda n, p, i: (n + start) / 10000 ** (2 * i / dim)),
        ),
        Suspect(
            "the pairs are turned the other way",
            "Look at the signs: a cos - b sin, a sin + b cos.",
            _turned(x, lambda n, p, i: -(p + start) / 10000 ** (2 * i / dim)),
        ),
        Suspect(
            "number i is paired with number i + dim / 2",
            "Many libraries do so (an equal score, other vectors); here neighbours 2i and 2i + 1 are a pair.",
            _turned(x, lambda n, p, i: (p + start) / 10000 ** (2 * i / dim), halves=True),
        ),
        Suspect(
            "all pairs are turned by the same angle",
            "The first pair is the fast hand; later ones turn more slowly.",
            _turned(x, lambda n, p, i: p + start),
        ),
        Suspect(
            "the exponent counts i, not 2i",
            "Pair i has the exponent 2i / dim.",
            _turned(x, lambda n, p, i: (p + start) / 10000 ** (i / dim)),
        ),
        Suspect(
            "the vectors are added, not turned",
            "Rotary multiplies by a turn; it adds nothing.",
            x
            + (
                _turned(torch.tensor([0.0, 1.0] * 2).expand(1, 3, 4), _fast_first) * torch.tensor([-1, 1] * 2)
            ),
        ),
        Suspect(
            "the pairs stand in the wrong order",
            "All first numbers come before all second ones now: stack on a new last axis, then flatten.",
            torch.cat([right[..., 0::2], right[..., 1::2]], dim=-1),
        ),
        Suspect(
            "the turned first number is used to turn the second",
            "Both new numbers need the old pair: keep it until both are computed.",
            _one_after_the_other(x, start),
        ),
    ]
    answer.gives(x, start, wanted=right, axes="batch length dim", suspects=suspects, named="vectors")


def _fast_first(n: int, p: int, i: int) -> float:
    return (p + 7) / 10000 ** (2 * i / 4)


def _one_after_the_other(x: Tensor, start: int) -> Tensor:
    result, (batch, length, dim) = x.clone(), x.shape
    for n in range(batch):
        for p in range(length):
            for i in range(dim // 2):
                t, b = (p + start) / 10000 ** (2 * i / dim), x[n, p, 2 * i + 1]
                a = x[n, p, 2 * i] * math.cos(t) - b * math.sin(t)
                result[n, p, 2 * i : 2 * i + 2] = torch.stack([a, a * math.sin(t) + b * math.cos(t)])
    return result


@rotary.check
def _lengths_stay(answer: Answer) -> Mistake | None:
    """vectors keep their lengths, scores see offsets only."""
    q, k = numbers(1, 1, 6), numbers(1, 1, 6, seed=1)
    if not torch.allclose(answer(q, 5).norm(), q.norm(), rtol=1e-3):
        seen = f"Length {answer(q, 5).norm():.4f}, before {q.norm():.4f}."
        return Mistake(
            "turning changes the length of a vector", seen, "cos^2 + sin^2 = 1: which pair is lost?"
        )
    near, far = ((answer(q, start + 2) * answer(k, start)).sum().item() for start in (0, 50))
    if abs(near - far) > 1e-2:
        seen = f"Two steps apart: {near:.4f} at the start, {far:.4f} fifty positions later."
        return Mistake("the score depends on more than the offset", seen, "Do angles grow evenly with p?")
    return None


def _angles(positions: Tensor, dim: int, step: int = 2) -> Tensor:
    return torch.outer(positions.float(), 10000.0 ** (-torch.arange(dim // 2) * step / dim))


def _complex_turn(x: Tensor, angles: Tensor) -> Tensor:
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


@rotary.wrong("the positions start at 0 in place of `start`")
def _no_start(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, _angles(torch.arange(x.shape[1]), x.shape[2]))


@rotary.wrong("the position is counted along the batch")
def _batch_axis(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, _angles(start + torch.arange(len(x)), x.shape[2])[:, None])


@rotary.wrong("the pairs are turned the other way")
def _clockwise(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, -_angles(start + torch.arange(x.shape[1]), x.shape[2]))


@rotary.wrong("number i is paired with number i + dim / 2")
def _halves(x: Tensor, start: int) -> Tensor:
    angles = _angles(start + torch.arange(x.shape[1]), x.shape[2])
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()], dim=-1)


@rotary.wrong("all pairs are turned by the same angle")
def _one_angle(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, _angles(start + torch.arange(x.shape[1]), x.shape[2], step=0))


@rotary.wrong("the exponent counts i, not 2i")
def _half_exponent(x: Tensor, start: int) -> Tensor:
    return _complex_turn(x, _angles(start + torch.arange(x.shape[1]), x.shape[2], step=1))


@rotary.wrong("the vectors are added, not turned")
def _added(x: Tensor, start: int) -> Tensor:
    angles = _angles(start + torch.arange(x.shape[1]), x.shape[2])
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


@rotary.wrong("the pairs stand in the wrong order")
def _not_woven(x: Tensor, start: int) -> Tensor:
    return turn_by_position(x, start).unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)


@rotary.wrong("the turned first number is used to turn the second")
def _old_pair_lost(x: Tensor, start: int) -> Tensor:
    angles, y = _angles(start + torch.arange(x.shape[1]), x.shape[2]), x.clone()
    y[..., 0::2] = y[..., 0::2] * angles.cos() - y[..., 1::2] * angles.sin()
    y[..., 1::2] = y[..., 0::2] * angles.sin() + y[..., 1::2] * angles.cos()
    return y


@rotary.wrong("`x` was changed in place")
def _in_place(x: Tensor, start: int) -> Tensor:
    x[:] = turn_by_position(x, start)
    return x
