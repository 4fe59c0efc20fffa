"""Exercise of chapter 07: add sinusoidal positions to a batch of tokens."""

import math

import torch
from torch import Tensor

from ._answer import Answer
from ._compare import Suspect
from ._exercise import Exercise
from ._inputs import numbers

__all__ = ["add"]

add = Exercise(
    "add-positions",
    "07_positions",
    "Write f(x): x (batch, length, d_model), d_model even. Return x plus the sinusoidal positions: sin(p / "
    "10000^(2i / d_model)) is added to number 2i of the token at position p, the cosine to number 2i + 1.",
    (
        "Which axis of `x` is the position? Its size gives how many positions are needed.",
        "`angles = positions[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)` is (length, "
        "d_model / 2).",
        "Sines go to the even places and cosines to the odd ones: `P[:, 0::2]`, `P[:, 1::2]`.",
    ),
)


@add.solution
def add_sines_and_cosines(x):
    """Make one vector for each position and add it to the tokens of every sentence."""
    _, length, d_model = x.shape
    positions = torch.arange(length)[:, None]  # (length, 1)
    wavelengths = 10000 ** (torch.arange(0, d_model, 2) / d_model)
    angles = positions / wavelengths  # (length, d_model / 2)
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1)
    waves = waves.flatten(1)  # (length, d_model)
    return x + waves.to(x.dtype)  # (batch, length, d_model)


def _table(length: int, size: int, angle: object = None, wave: object = None) -> Tensor:
    """Sines and cosines one by one."""
    angle = angle or (lambda p, i: p / 10000 ** (2 * i / size))
    wave = wave or (lambda p, c: (math.cos if c % 2 else math.sin)(angle(p, c // 2)))
    return torch.tensor([[wave(p, c) for c in range(size)] for p in range(length)])


@add.check
def _each_position_its_own(answer: Answer) -> None:
    """Every position gets its own vector, the same in each sentence."""
    x, half = numbers(5, 3, 6), 3
    right = _table(3, 6)
    rate = lambda i: 10000 ** (2 * i / 6)  # noqa: E731
    by_batch = _table(5, 6)[:, None]
    suspects = [
        Suspect(
            "the position is counted along the batch",
            "All tokens of a sentence get the same vector, so their order stays unknown. Which axis of x is "
            "the length?",
            x + by_batch,
        ),
        Suspect("the positions are returned without the tokens", "Add them to x.", right.expand(5, 3, 6)),
        Suspect("positions start at 1", "The first token stands at p = 0.", x + _table(4, 6)[1:]),
        Suspect(
            "sine and cosine have changed places",
            "At p = 0 number 0 is sin(0) = 0.",
            x + _table(3, 6, wave=lambda p, c: (math.sin if c % 2 else math.cos)(p / rate(c // 2))),
        ),
        Suspect(
            "all sines come first, then all cosines",
            "They alternate: sine, cosine, sine, cosine. (Some libraries keep them apart.)",
            x + torch.cat([right[:, 0::2], right[:, 1::2]], dim=1),
        ),
        Suspect(
            "the exponent counts i, not 2i",
            "The last wavelength should come near 10000, not near its square root.",
            x + _table(3, 6, angle=lambda p, i: p / 10000 ** (i / 6)),
        ),
        Suspect(
            "each number has a wavelength of its own",
            "Sine and cosine of a pair share one angle: numbers 2i and 2i + 1.",
            x + _table(3, 6, wave=lambda p, c: (math.cos if c % 2 else math.sin)(p / 10000 ** (c / 6))),
        ),
        Suspect(
            "the position is multiplied by the wavelength",
            "Later pairs should turn more slowly: divide.",
            x + _table(3, 6, angle=lambda p, i: p * rate(i)),
        ),
        Suspect("only sines are used", "The odd numbers take the cosine.", x + _sines(3, half, rate)),
    ]
    answer.gives(x, wanted=x + right, axes="batch length d_model", suspects=suspects)


def _sines(length: int, half: int, rate: object) -> Tensor:
    return torch.tensor([[math.sin(p / rate(i)) for i in range(half) for _ in (0, 1)] for p in range(length)])


@add.check
def _longer_than_the_batch(answer: Answer) -> None:
    """one long sentence works, in float16 too."""
    x = numbers(1, 67, 2).half()
    answer.gives(x, wanted=x + _table(67, 2).half(), axes="batch length d_model", named="float16 result")


def _waves(positions: Tensor, d_model: int, step: int = 2) -> Tensor:
    frequencies = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model) * step / 2)
    angles = positions[:, None] * frequencies
    waves = torch.zeros(len(positions), d_model)
    waves[:, 0::2], waves[:, 1::2] = angles.sin(), angles.cos()
    return waves


@add.wrong("the position is counted along the batch")
def _batch_axis(x: Tensor) -> Tensor:
    table = _waves(torch.arange(100), x.shape[-1])[:, None]  # (positions, 1, d_model)
    return x + table[: x.size(0)]


@add.wrong("the positions are returned without the tokens")
def _tokens_forgotten(x: Tensor) -> Tensor:
    return _waves(torch.arange(x.shape[1]), x.shape[2]).expand_as(x)


@add.wrong("positions start at 1")
def _from_one(x: Tensor) -> Tensor:
    return x + _waves(torch.arange(1, x.shape[1] + 1), x.shape[2])


@add.wrong("sine and cosine have changed places")
def _cosine_first(x: Tensor) -> Tensor:
    waves = _waves(torch.arange(x.shape[1]), x.shape[2])
    return x + waves.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)


@add.wrong("all sines come first, then all cosines")
def _halves(x: Tensor) -> Tensor:
    waves = _waves(torch.arange(x.shape[1]), x.shape[2])
    return x + torch.cat([waves[:, ::2], waves[:, 1::2]], dim=-1)


@add.wrong("the exponent counts i, not 2i")
def _half_exponent(x: Tensor) -> Tensor:
    return x + _waves(torch.arange(x.shape[1]), x.shape[2], step=1)


@add.wrong("each number has a wavelength of its own")
def _own_wavelength(x: Tensor) -> Tensor:
    angles = torch.arange(x.shape[1])[:, None] / 10000 ** (torch.arange(x.shape[2]) / x.shape[2])
    return x + torch.where(torch.arange(x.shape[2]) % 2 == 0, angles.sin(), angles.cos())


@add.wrong("`x` was changed in place")
def _in_place(x: Tensor) -> Tensor:
    x += _waves(torch.arange(x.shape[1]), x.shape[2])
    return x


@add.wrong("the dtype of the float16 result is wrong")
def _to_float32(x: Tensor) -> Tensor:
    return x + _waves(torch.arange(x.shape[1]), x.shape[2])
