"""Exercise of lesson 7a: add sinusoidal positions to a batch of tokens."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

add = Exercise(
    "add-positions",
    "07a_adding_positions",
    """Write f(x): x (batch, length, d_model), d_model even. Return x plus the sinusoidal positions: sin(p /
    10000^(2i / d_model)) is added to number 2i of the token at position p, the cosine to number 2i + 1.""",
    (
        "Which axis of `x` is the position? Its size gives how many positions are needed.",
        """`angles = positions[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)` is (length,
        d_model / 2).""",
        "Sines go to the even places and cosines to the odd ones: `P[:, 0::2]`, `P[:, 1::2]`.",
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
            """All tokens of a sentence get the same vector, so their order stays unknown. Which axis of x is
            the length?""",
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
    answer.gives(x, wanted=x + right, suspects=suspects)


def _sines(length: int, half: int, rate: object) -> Tensor:
    return torch.tensor([[math.sin(p / rate(i)) for i in range(half) for _ in (0, 1)] for p in range(length)])


@add.check
def _longer_than_the_batch(answer: Answer) -> None:
    """one long sentence works, in float16 too."""
    x = numbers(1, 67, 2).half()
    answer.gives(x, wanted=x + _table(67, 2).half(), named="float16 result")


@add.also
def _more() -> Iterator[tuple]:
    """any length and size: 2000 positions in float16 too."""
    yield (numbers(2, 300, 4),)
    yield (numbers(3, 7, 10, dtype=torch.float64),)
    yield (numbers(1, 2000, 6).half(),)


def _waves(x: Tensor, base: float = 10000.0, sign: int = 1, power: float = -1) -> Tensor:
    rates = base ** (torch.arange(0, x.shape[2], 2) / x.shape[2])
    angles = torch.arange(x.shape[1])[:, None] * rates**power
    return (sign * torch.stack([angles.sin(), angles.cos()], -1).flatten(1)).to(x.dtype)


for base in (100.0, 1000.0, 1e5):
    add.slip(
        f"the base is {base:g}, not 10000",
        "10000 to the power 2i / d_model.",
        lambda x, b=base: x + _waves(x, b),
    )
add.slip("the positions are subtracted, not added", "x plus the positions.", lambda x: x - _waves(x))
add.slip("the tokens are multiplied by the positions", "x plus the positions.", lambda x: x * _waves(x))
add.slip(
    "the position is multiplied by the wavelength",
    "Later pairs should turn more slowly: divide.",
    lambda x: x + _waves(x, power=1),
)
add.slip(
    "the exponent is twice too large",
    "2i is the number of the column already: the last wavelength stays below 10000.",
    lambda x: x + _waves(x, power=-2),
)
add.slip(
    "the wavelengths stand in reverse order",
    "Pair 0 is the fast one, with wavelength 1.",
    lambda x: x + _waves(x).unflatten(1, (-1, 2)).flip(1).flatten(1),
)
add.slip(
    "only cosines are used",
    "The even numbers take the sine.",
    lambda x: x + _waves(x)[:, 1::2].repeat_interleave(2, 1),
)
add.slip(
    "positions are counted from the end", "The first token stands at p = 0.", lambda x: x + _waves(x).flip(0)
)
add.slip(
    "the position's share of the length is used, not the position",
    "p counts 0, 1, 2, ...: it is not divided by the length.",
    lambda x: x + _shares(x),
)


def _shares(x: Tensor) -> Tensor:
    rates = 10000 ** (torch.arange(0, x.shape[2], 2) / x.shape[2])
    angles = torch.arange(x.shape[1])[:, None] / x.shape[1] / rates
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1).to(x.dtype)
