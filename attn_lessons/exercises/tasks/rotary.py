"""Exercise of lesson 7b: turn queries and keys by their positions."""

import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Reply, numbers

rotary = Exercise(
    "rotary",
    "07b_turning_and_lowering",
    """Write f(x, start): x (batch, length, dim), dim even; the first token stands at position `start`. Turn
    each pair (x[2i], x[2i + 1]) of the token at position p by the angle p / 10000^(2i / dim),
    counter-clockwise.""",
    (
        "(a, b) turned by t is (a cos t - b sin t, a sin t + b cos t).",
        "`a = x[..., 0::2]` and `b = x[..., 1::2]` are (batch, length, dim / 2), as the angles should be.",
        "`torch.stack([new_a, new_b], dim=-1).flatten(-2)` puts the pairs back in order.",
    ),
    "vectors (batch, length, dim)",
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


def _turned(x: Tensor, start: int) -> Tensor:
    """Turn one pair at a time."""
    result, (batch, length, dim) = x.clone(), x.shape
    for n in range(batch):
        for p in range(length):
            for i in range(0, dim, 2):
                t, a, b = (p + start) / 10000 ** (i / dim), x[n, p, i].item(), x[n, p, i + 1].item()
                result[n, p, i] = a * math.cos(t) - b * math.sin(t)
                result[n, p, i + 1] = a * math.sin(t) + b * math.cos(t)
    return result


@rotary.check
def _pairs_are_turned(answer: Answer) -> None:
    """Each pair is turned by the angle of its position."""
    x = numbers(5, 3, 4)
    answer.gives(x, 7, wanted=_turned(x, 7))


@rotary.check
def _lengths_stay(answer: Answer) -> Reply | None:
    """vectors keep their lengths, scores see offsets only."""
    q, k = numbers(1, 1, 6), numbers(1, 1, 6, seed=1)
    if not torch.allclose(answer(q, 5).norm(), q.norm(), rtol=1e-3):
        seen = f"Length {answer(q, 5).norm():.4f}, before {q.norm():.4f}."
        return Reply("turning changes the length of a vector", seen, "cos^2 + sin^2 = 1: which pair is lost?")
    near, far = ((answer(q, start + 2) * answer(k, start)).sum().item() for start in (0, 50))
    if abs(near - far) > 1e-2:
        seen = f"Two steps apart: {near:.4f} at the start, {far:.4f} fifty positions later."
        return Reply("the score depends on more than the offset", seen, "Do angles grow evenly with p?")
    return None


@rotary.also
def _more() -> Iterator[tuple]:
    """other starts and sizes."""
    yield numbers(2, 4, 2), 0
    yield numbers(1, 5, 8, seed=1), 100
    yield numbers(3, 1, 6, seed=2), 2


def _angles(x: Tensor, start: float, base: float = 10000.0, power: float = -1) -> Tensor:
    rates = base ** (torch.arange(0, x.shape[2], 2, dtype=torch.float64) / x.shape[2])
    return ((start + torch.arange(x.shape[1]))[:, None] * rates**power).to(x.dtype)


def _mixed(x: Tensor, angles: Tensor, signs: Sequence[int] = (1, -1, 1, 1)) -> Tensor:
    a, b, c, s = x[..., ::2], x[..., 1::2], angles.cos(), angles.sin()
    new = signs[0] * a * c + signs[1] * b * s, signs[2] * a * s + signs[3] * b * c
    return torch.stack(new, -1).flatten(-2)


@rotary.mistake("the positions start at 0 in place of `start`")
def _no_start(x, start):
    """With a cache the first token given is not the first of the sequence."""
    return _mixed(x, _angles(x, 0))


@rotary.mistake("the position is counted along the batch")
def _batch_axis(x, start):
    """Which axis of x is the length?"""
    return _mixed(x, _angles(x.transpose(0, 1), start)[:, None])


@rotary.mistake("the pairs are turned the other way")
def _clockwise(x, start):
    """Look at the signs: a cos - b sin, a sin + b cos."""
    return _mixed(x, -_angles(x, start))


@rotary.mistake("number i is paired with number i + dim / 2")
def _halves(x, start):
    """Many libraries do so (an equal score, other vectors); here neighbours 2i and 2i + 1 are a pair."""
    turned = _mixed(x.unflatten(-1, (2, -1)).mT.flatten(-2), _angles(x, start))
    return turned.unflatten(-1, (-1, 2)).mT.flatten(-2)


@rotary.mistake("all pairs are turned by the same angle")
def _one_angle(x, start):
    """The first pair is the fast hand; later ones turn more slowly."""
    return _mixed(x, _angles(x, start, power=0))


@rotary.mistake("the exponent counts i, not 2i")
def _half_exponent(x, start):
    """Pair i has the exponent 2i / dim."""
    return _mixed(x, _angles(x, start, power=-0.5))


@rotary.mistake("the vectors are added, not turned")
def _added(x, start):
    """Rotary multiplies by a turn; it adds nothing."""
    return x + torch.stack([_angles(x, start).sin(), _angles(x, start).cos()], dim=-1).flatten(-2)


@rotary.mistake("the pairs stand in the wrong order")
def _not_woven(x, start):
    """All first numbers come before all second ones now: stack on a new last axis, then flatten."""
    return turn_by_position(x, start).unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)


@rotary.mistake("the turned first number is used to turn the second")
def _old_pair_lost(x, start):
    """Both new numbers need the old pair: keep it until both are computed."""
    angles, y = _angles(x, start), x.clone()
    y[..., 0::2] = y[..., 0::2] * angles.cos() - y[..., 1::2] * angles.sin()
    y[..., 1::2] = y[..., 0::2] * angles.sin() + y[..., 1::2] * angles.cos()
    return y


@rotary.mistake("the base is 1000, not 10000")
def _base_1000(x, start):
    """10000 to the power 2i / dim."""
    return _mixed(x, _angles(x, start, base=1000.0))


@rotary.mistake("the base is 100000, not 10000")
def _base_100000(x, start):
    """10000 to the power 2i / dim."""
    return _mixed(x, _angles(x, start, base=1e5))


@rotary.mistake("a sign of the turn is wrong")
def _all_plus(x, start):
    """a cos - b sin, a sin + b cos: three plus, one minus."""
    return _mixed(x, _angles(x, start), (1, 1, 1, 1))


@rotary.mistake("a sign of the turn is wrong")
def _minus_below(x, start):
    """a cos - b sin, a sin + b cos: three plus, one minus."""
    return _mixed(x, _angles(x, start), (1, -1, 1, -1))


@rotary.mistake("a sign of the turn is wrong")
def _minus_across(x, start):
    """a cos - b sin, a sin + b cos: three plus, one minus."""
    return _mixed(x, _angles(x, start), (1, -1, -1, 1))


@rotary.mistake("a sign of the turn is wrong")
def _minus_last(x, start):
    """a cos - b sin, a sin + b cos: three plus, one minus."""
    return _mixed(x, _angles(x, start), (1, 1, 1, -1))


@rotary.mistake("each number is only multiplied by its cosine")
def _only_cosines(x, start):
    """a cos - b sin, a sin + b cos: three plus, one minus."""
    return _mixed(x, _angles(x, start), (1, 0, 0, 1))


@rotary.mistake("sine and cosine have changed places")
def _swapped(x, start):
    """At position 0 nothing turns: cos 0 = 1, sin 0 = 0."""
    return _mixed(x.unflatten(-1, (-1, 2)).flip(-1).flatten(-2), _angles(x, start), (-1, 1, 1, 1))


@rotary.mistake("start is added to the angle, not to the position")
def _turned_by_start(x, start):
    """The first token stands at position start: p = start, start + 1, ..., then divide."""
    return _mixed(x, _angles(x, 0) + start)


@rotary.mistake("the position is multiplied by the wavelength")
def _ever_faster(x, start):
    """Later pairs should turn more slowly: divide."""
    return _mixed(x, _angles(x, start, power=1))


@rotary.mistake("`x` was changed in place")
def _in_place(x, start):
    x[:] = turn_by_position(x, start)
    return x
