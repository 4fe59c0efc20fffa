"""Exercise of lesson 7b: turn queries and keys by their positions."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Mistake, Suspect, numbers

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
    answer.gives(x, start, wanted=right, suspects=suspects)


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


@rotary.also
def _more() -> Iterator[tuple]:
    """other starts and sizes."""
    yield numbers(2, 4, 2), 0
    yield numbers(1, 5, 8, seed=1), 100
    yield numbers(3, 1, 6, seed=2), 2


def _mixed(
    x: Tensor, start: int, signs: tuple = (1, -1, 1, 1), base: float = 10000.0, shift: float = 0
) -> Tensor:
    rates = base ** (torch.arange(0, x.shape[2], 2, dtype=torch.float64) / x.shape[2])
    angles = (torch.arange(start, start + x.shape[1])[:, None] / rates + shift).to(x.dtype)
    a, b, c, s = x[..., ::2], x[..., 1::2], angles.cos(), angles.sin()
    new = signs[0] * a * c + signs[1] * b * s, signs[2] * a * s + signs[3] * b * c
    return torch.stack(new, -1).flatten(-2)


for base in (100.0, 1000.0, 1e5):
    rotary.slip(
        f"the base is {base:g}, not 10000",
        "10000 to the power 2i / dim.",
        lambda x, n, b=base: _mixed(x, n, base=b),
    )
_PLUS = "a cos - b sin, a sin + b cos: three plus, one minus."
for signs in ((1, 1, 1, 1), (1, -1, 1, -1), (1, -1, -1, 1), (1, 1, 1, -1)):
    rotary.slip("a sign of the turn is wrong", _PLUS, lambda x, n, signs=signs: _mixed(x, n, signs))
rotary.slip("each number is only multiplied by its cosine", _PLUS, lambda x, n: _mixed(x, n, (1, 0, 0, 1)))
rotary.slip(
    "sine and cosine have changed places",
    "At position 0 nothing turns: cos 0 = 1, sin 0 = 0.",
    lambda x, n: _mixed(x.unflatten(-1, (-1, 2)).flip(-1).flatten(-2), n, (-1, 1, 1, 1)),
)
rotary.slip(
    "start is added to the angle, not to the position",
    "The first token stands at position start: p = start, start + 1, ..., then divide.",
    lambda x, n: _mixed(x, 0, shift=n),
)
rotary.slip(
    "the position is multiplied by the wavelength",
    "Later pairs should turn more slowly: divide.",
    lambda x, n: _mixed(x, n, base=1e-4),
)
