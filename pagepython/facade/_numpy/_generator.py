"""NumPy's new generator (PCG64): ``numpy.random.default_rng`` gives the same numbers from the same seed."""

import functools
import itertools
import math
import secrets

import absent
import torch
from numpy._array import asarray, ndarray, typed

EDGE = 3.6541528853610088  # beyond it the bell curve is drawn in another way
M32, M64, M128 = 2**32 - 1, 2**64 - 1, 2**128 - 1


def _words(seed: int) -> list[int]:
    """Spread a seed over eight words, as NumPy's SeedSequence does."""
    given = [seed >> 32 * k & M32 for k in range(max(1, -(-seed.bit_length() // 32)))]
    const = 0x43B0D7E5

    def hashed(value: int, by: int = 0x931E8875) -> int:
        nonlocal const
        value ^= const
        const = const * by & M32
        value = value * const & M32
        return value ^ value >> 16

    def mixed(x: int, y: int) -> int:
        found = 0xCA01F9DD * x - 0x4973F715 * y & M32
        return found ^ found >> 16

    pool = [hashed(word) for word in (given + [0] * 4)[:4]]
    for source, there in itertools.permutations(range(4), 2):
        pool[there] = mixed(pool[there], hashed(pool[source]))
    for word in given[4:]:
        for there in range(4):
            pool[there] = mixed(pool[there], hashed(word))
    const = 0x8B51F9DD
    return [hashed(pool[k % 4], 0x58F38DED) for k in range(8)]


@functools.cache
def _ziggurat() -> tuple[list, list, list]:
    """Give the layers under the bell curve: where a draw is sure, how wide they are, how high."""
    edge, unit = EDGE, 2.0**52
    area = edge * math.exp(-0.5 * edge * edge) + math.sqrt(math.pi / 2) * math.erfc(edge / math.sqrt(2))
    wide = [0.0] * 255 + [edge]
    high = [1.0] * 255 + [math.exp(-0.5 * edge * edge)]
    for k in range(254, 0, -1):
        wide[k] = math.sqrt(-2 * math.log(area / wide[k + 1] + high[k + 1]))
        high[k] = math.exp(-0.5 * wide[k] ** 2)
    first = area / high[255]
    sure = [edge / first * unit, 0.0, *(wide[k] / wide[k + 1] * unit for k in range(1, 255))]
    return sure, [first / unit, *(x / unit for x in wide[1:])], high


class Generator:
    """Draws numbers."""

    def __init__(self, seed: int) -> None:
        low = _words(seed)
        a, b, c, d = (low[k] | low[k + 1] << 32 for k in range(0, 8, 2))
        self._add, self._spare, self._state = ((c << 64 | d) << 1 | 1) & M128, None, 0
        self._bits()
        self._state = self._state + (a << 64 | b) & M128
        self._bits()

    def _bits(self) -> int:
        self._state = self._state * 0x2360ED051FC65DA44385DF649FCCF645 + self._add & M128
        mixed, turn = (self._state >> 64 ^ self._state) & M64, self._state >> 122
        return (mixed >> turn | mixed << (64 - turn)) & M64

    def _half(self) -> int:
        if self._spare is None:
            found = self._bits()
            self._spare = found >> 32
            return found & M32
        found, self._spare = self._spare, None
        return found

    def _double(self) -> float:
        return (self._bits() >> 11) * 2.0**-53

    def _below(self, count: int) -> int:
        """Draw a whole number below another, by Lemire's way."""
        if count == 1:
            return 0
        draw, bits = (self._half, 32) if count <= 2**32 else (self._bits, 64)
        found = draw() * count
        while found & (2**bits - 1) < count and found & (2**bits - 1) < (2**bits - count) % count:
            found = draw() * count
        return found >> bits

    def _normal(self) -> float:
        sure, wide, high = _ziggurat()
        while True:
            bits = self._bits()
            layer, sign, far = bits & 0xFF, bits >> 8 & 1, bits >> 9 & (2**52 - 1)
            x = -far * wide[layer] if sign else far * wide[layer]
            if far < sure[layer]:
                return x
            if layer:
                if (high[layer - 1] - high[layer]) * self._double() + high[layer] < math.exp(-0.5 * x * x):
                    return x
                continue
            while True:
                beyond, up = -math.log1p(-self._double()) / EDGE, -math.log1p(-self._double())
                if up + up > beyond * beyond:
                    return -(EDGE + beyond) if far >> 8 & 1 else EDGE + beyond

    def _filled(self, size, draw, dtype=None, given=(), usual="float64"):
        from numpy.random import _filled

        kind, found = typed(dtype, getattr(torch, usual)), None
        if kind.name not in (usual, "int32" if usual == "int64" else usual):
            raise absent.NotInPage(
                f"dtype={kind.name} of a generator of numpy.random is not in the page; run this notebook in Jupyter."
            )
        found = _filled(size, draw, kind, given)
        return found

    def random(self, size=None, dtype=None):
        if typed(dtype, torch.float64) is torch.float32:
            return self._filled(size, lambda: (self._half() >> 8) * 2.0**-24, dtype, usual="float32")
        return self._filled(size, self._double, dtype)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._filled(size, lambda a, b: a + (b - a) * self._double(), given=(low, high))

    def standard_normal(self, size=None, dtype=None):
        return self._filled(size, self._normal, dtype)

    def normal(self, loc=0.0, scale=1.0, size=None):
        from numpy.random import _bell

        return self._filled(size, _bell(self._normal), given=(loc, scale))

    def integers(self, low, high=None, size=None, dtype=None, endpoint=False):
        low, high = (0, low) if high is None else (low, high)
        count = high - low + endpoint
        if count <= 0:
            raise ValueError("low >= high" if low else "high <= 0")
        found = self._filled(size, lambda: low + self._below(count), dtype, usual="int64")
        return asarray(found)[()] if size is None else found

    def _upto(self, most: int) -> int:
        """Draw a whole number up to another: too large ones are drawn again."""
        while (found := self._half() & (1 << most.bit_length()) - 1) > most:
            pass
        return found

    def shuffle(self, x, draw=None) -> None:
        for i in reversed(range(1, len(x))):
            j = (draw or self._upto)(i)
            if isinstance(x, ndarray):
                x._held[[i, j]] = x._held[[j, i]]
            else:
                x[i], x[j] = x[j], x[i]

    def permutation(self, x):
        rows = ndarray(torch.arange(x)) if isinstance(x, int) else asarray(x).copy()
        self.shuffle(rows)
        return rows

    def choice(self, a, size=None, replace=True, p=None):
        from numpy.random import _chosen

        return _chosen(
            a, size, p, self._double, lambda count, draws: self._places(count, draws, replace), replace
        )

    def _places(self, count: int, draws: int, replace: bool) -> list[int]:
        if replace:
            return [self._below(count) for _ in range(draws)]
        if count > 10000 and draws > count // 50:
            raise absent.NotInPage(
                "A draw of so many without putting back is not in the page; run this notebook in Jupyter."
            )
        found: list[int] = []
        for last in range(count - draws, count):  # Floyd's way
            one = self._below(last + 1)
            found.append(last if one in found else one)
        self.shuffle(found, lambda most: self._below(most + 1))
        return found

    def __repr__(self) -> str:
        return f"Generator(PCG64) at 0x{id(self):X}"

    def __getattr__(self, name: str):
        raise AttributeError(
            f"numpy.random.Generator.{name} is not in the page; run this notebook in Jupyter."
        )


def default_rng(seed=None) -> Generator:
    """Make a generator."""
    if isinstance(seed, Generator):
        return seed
    seed = secrets.randbits(128) if seed is None else seed
    if not hasattr(seed, "__index__"):
        raise absent.NotInPage(
            "A seed of numpy.random.default_rng that is no whole number is not in the page."
        )
    if seed < 0:
        raise ValueError("expected non-negative integer")
    return Generator(int(seed))
