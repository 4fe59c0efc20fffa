"""Exercise of lesson 7a: add sinusoidal positions to a batch of tokens."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

add = Exercise(
    "add-positions",
    "07a_adding_positions",
    """Write f(x): x (batch, length, d_model), d_model even. Return x plus the sinusoidal positions: sin(p /
    10000^(2i / d_model)) is added to number 2i of the token at position p, the cosine to number 2i + 1.""",
    (
        "Which axis of `x` is the position? Its size gives how many positions are needed.",
        """`angles = positions[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)` is (length,
        d_model / 2).""",
        "Sines go to the even columns and cosines to the odd ones: `P[:, 0::2]`, `P[:, 1::2]`.",
    ),
    "result (batch, length, d_model)",
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


def _table(length: int, size: int) -> Tensor:
    """Sines and cosines one by one."""
    angles = [[p / 10000 ** (2 * i / size) for i in range(size // 2)] for p in range(length)]
    return torch.tensor([[wave(angle) for angle in row for wave in (math.sin, math.cos)] for row in angles])


@add.check
def _each_position_its_own(answer: Answer) -> None:
    """Every position gets its own vector, the same in each sentence."""
    x = numbers(5, 3, 6)
    answer.gives(x, wanted=x + _table(3, 6))


@add.check
def _longer_than_the_batch(answer: Answer) -> None:
    """one long sentence works, in float16 too."""
    x = numbers(1, 67, 2).half()
    answer.gives(x, wanted=x + _table(67, 2).half())


@add.also
def _more() -> Iterator[tuple]:
    """any length and size: 2000 positions in float16 too."""
    yield (numbers(2, 300, 4),)
    yield (numbers(3, 7, 10, dtype=torch.float64),)
    yield (numbers(1, 2000, 6).half(),)


def _waves(x: Tensor, base: float = 10000.0, power: float = -1, step: float = 1, first: float = 0) -> Tensor:
    rates = base ** (torch.arange(0, x.shape[2], 2, dtype=torch.float64) / x.shape[2])
    angles = (first + step * torch.arange(x.shape[1]))[:, None] * rates**power
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1).to(x.dtype)


@add.mistake("the position is counted along the batch")
def _batch_axis(x):
    """All tokens of a sentence get the same vector, so their order stays unknown. Which axis of x is the
    length?"""
    sentences = _waves(x.new_zeros(1, len(x), x.shape[2]))
    return x + sentences[:, None]


@add.mistake("the positions are returned without the tokens")
def _tokens_forgotten(x):
    """Add them to x."""
    return _waves(x).expand_as(x)


@add.mistake("positions start at 1")
def _from_one(x):
    """The first token stands at p = 0."""
    return x + _waves(x, first=1)


@add.mistake("sine and cosine have changed places")
def _cosine_first(x):
    """At p = 0 number 0 is sin(0) = 0."""
    return x + _waves(x).unflatten(-1, (-1, 2)).flip(-1).flatten(-2)


@add.mistake("all sines come first, then all cosines")
def _halves(x):
    """They alternate: sine, cosine, sine, cosine. (Some libraries keep them apart.)"""
    return x + torch.cat([_waves(x)[:, ::2], _waves(x)[:, 1::2]], dim=-1)


@add.mistake("the exponent counts i, not 2i")
def _half_exponent(x):
    """The last wavelength should come near 10000, not near its square root."""
    return x + _waves(x, power=-0.5)


@add.mistake("each number has a wavelength of its own")
def _own_wavelength(x):
    """Sine and cosine of a pair share one angle: numbers 2i and 2i + 1."""
    angles = torch.arange(x.shape[1])[:, None] / 10000 ** (torch.arange(x.shape[2]) / x.shape[2])
    return x + torch.where(torch.arange(x.shape[2]) % 2 == 0, angles.sin(), angles.cos())


@add.mistake("the position is multiplied by the wavelength")
def _multiplied(x):
    """Later pairs should turn more slowly: divide."""
    return x + _waves(x, power=1)


@add.mistake("only sines are used")
def _only_sines(x):
    """The odd numbers take the cosine."""
    return x + _waves(x)[:, ::2].repeat_interleave(2, 1)


@add.mistake("the base is 1000, not 10000")
def _base_1000(x):
    """10000 to the power 2i / d_model."""
    return x + _waves(x, 1000.0)


@add.mistake("the base is 100000, not 10000")
def _base_100000(x):
    """10000 to the power 2i / d_model."""
    return x + _waves(x, 1e5)


@add.mistake("the positions are subtracted, not added")
def _subtracted(x):
    """x plus the positions."""
    return x - _waves(x)


@add.mistake("the tokens are multiplied by the positions")
def _times_positions(x):
    """x plus the positions."""
    return x * _waves(x)


@add.mistake("the exponent is twice too large")
def _doubled_exponent(x):
    """2i is the number of the column already: the last wavelength stays below 10000."""
    return x + _waves(x, power=-2)


@add.mistake("the wavelengths stand in reverse order")
def _slow_first(x):
    """Pair 0 is the fast one, with wavelength 1."""
    return x + _waves(x).unflatten(1, (-1, 2)).flip(1).flatten(1)


@add.mistake("only cosines are used")
def _only_cosines(x):
    """The even numbers take the sine."""
    return x + _waves(x)[:, 1::2].repeat_interleave(2, 1)


@add.mistake("positions are counted from the end")
def _from_the_end(x):
    """The first token stands at p = 0."""
    return x + _waves(x).flip(0)


@add.mistake("the position's share of the length is used, not the position")
def _share_of_length(x):
    """p counts 0, 1, 2, ...: it is not divided by the length."""
    return x + _waves(x, step=1 / x.shape[1])


@add.mistake("`x` was changed in place")
def _in_place(x):
    x += _waves(x)
    return x
