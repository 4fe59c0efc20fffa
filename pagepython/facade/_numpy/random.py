"""NumPy's global generator (MT19937): the same numbers from the same seed. The new ones are in _generator."""

import math
import operator
import random as _python

import torch
from numpy import absent, asarray, generic, ndarray
from numpy._generator import Generator, default_rng

__all__ = ["Generator", "default_rng"]

_source = (
    _python.Random()
)  # draws doubles from 53 bits as NumPy does; only its way from a seed to a state is another
_spare: list[float] = []  # normal numbers are drawn in pairs


def seed(seed: int | None = None) -> None:
    """Begin anew."""
    _spare.clear()
    if seed is None:
        return _source.seed()
    word = operator.index(seed)
    if not 0 <= word < 2**32:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    words = [word]
    for k in range(1, 624):
        words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + k) & 0xFFFFFFFF)
    return _source.setstate((3, (*words, 624), None))


def _filled(size, draw, kind=torch.float64, given=()):
    """Draw so many numbers; of given numbers each draw takes its own, where they are arrays."""
    given = [one.item() if isinstance(one, generic) else one for one in given]
    shape = () if size is None else (size,) if isinstance(size, int) else tuple(size)
    if any(isinstance(one, list | tuple | ndarray) for one in given):
        held = [asarray(one)._held for one in given]
        try:
            full = tuple(torch.broadcast_shapes(*(t.shape for t in held), shape))
        except RuntimeError:
            full = None
        if full is None or (size is not None and full != shape):
            raise ValueError("shape mismatch: objects cannot be broadcast to a single shape")
        rows = zip(*(t.expand(full).reshape(-1).tolist() for t in held), strict=True)
        return ndarray(torch.tensor([draw(*row) for row in rows], dtype=kind).reshape(full))
    if size is None:
        return draw(*given)
    if min(shape, default=0) < 0:
        raise ValueError("negative dimensions are not allowed")
    return ndarray(torch.tensor([draw(*given) for _ in range(math.prod(shape))], dtype=kind).reshape(shape))


def _normal() -> float:
    """Draw by Marsaglia's polar method."""
    if _spare:
        return _spare.pop()
    square = 0.0
    while not 0 < square < 1:
        x, y = 2 * _source.random() - 1, 2 * _source.random() - 1
        square = x * x + y * y
    factor = math.sqrt(-2 * math.log(square) / square)
    _spare.append(factor * x)
    return factor * y


def _below(count: int) -> int:
    """Draw a whole number from 0 to count - 1: too large ones are drawn again."""
    mask = (1 << (count - 1).bit_length()) - 1
    if count == 1:
        return 0
    if mask >= 2**32:
        raise absent.NotInPage("numpy.random.randint over more than 2**32 numbers is not in the page.")
    while (value := _source.getrandbits(32) & mask) >= count:
        pass
    return value


def random_sample(size=None):
    """Draw from 0 to 1."""
    return _filled(size, _source.random)


random = random_sample


def rand(*shape: int):
    """Draw from 0 to 1."""
    return random_sample(shape or None)


def standard_normal(size=None):
    """Draw normal numbers."""
    return _filled(size, _normal)


def randn(*shape: int):
    """Draw normal numbers."""
    return standard_normal(shape or None)


def _bell(draw):
    """Make the draw with a mean and a spread of one without."""

    def one(loc, scale):
        if scale < 0:
            raise ValueError("scale < 0")
        return loc + scale * draw()

    return one


def normal(loc: float = 0.0, scale: float = 1.0, size=None):
    """Draw normal numbers with a mean and a spread."""
    return _filled(size, _bell(_normal), given=(loc, scale))


def uniform(low: float = 0.0, high: float = 1.0, size=None):
    """Draw from low to high."""
    return _filled(size, lambda a, b: a + (b - a) * _source.random(), given=(low, high))


def randint(low: int, high: int | None = None, size=None):
    """Draw whole numbers from low to high - 1."""
    low, high = (0, low) if high is None else (low, high)

    def draw(low, high):
        if low >= high:
            raise ValueError("low >= high" if low else "high <= 0")
        return low + _below(high - low)

    return _filled(size, draw, torch.int64, (low, high))


def exponential(scale: float = 1.0, size=None):
    """Draw waiting times."""
    return _filled(size, lambda scale: -scale * math.log(1 - _source.random()), given=(scale,))


def choice(a, size=None, replace=True, p=None):
    """Draw of some things, or of the numbers below one."""

    def places(count: int, draws: int) -> list[int]:
        if replace:
            return [_below(count) for _ in range(draws)]
        return permutation(count)._held[:draws].tolist()

    return _chosen(a, size, p, _source.random, places, replace)


def _chosen(a, size, p, double, places, replace: bool):
    """Draw of some things by their shares, or all alike by ``places(count, draws)``."""
    things = None if isinstance(a, int) else asarray(a)
    count = a if things is None else len(things)
    shape = () if size is None else (size,) if isinstance(size, int) else tuple(size)
    draws = math.prod(shape)
    if not count and draws:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if not replace and draws > count:
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")
    shares = None if p is None else asarray(p)._held.double()
    found = places(count, draws) if p is None else _weighed(shares, count, draws, replace, double)
    found = ndarray(torch.tensor(found, dtype=torch.int64).reshape(shape)) if size is not None else found[0]
    return found if things is None else things[found]


def _weighed(shares, count: int, draws: int, replace: bool, double) -> list[int]:
    """Draw places by their shares; without putting back, in rounds, as NumPy does."""
    shares = shares.clone()
    if len(shares) != count:
        raise ValueError("'a' and 'p' must have same size")
    if (shares < 0).any():
        raise ValueError("probabilities are not non-negative")
    if abs(float(shares.sum()) - 1) > 1.5e-8:
        raise ValueError("probabilities do not sum to 1")
    if not replace and draws > int((shares > 0).sum()):
        raise ValueError("Fewer non-zero entries in p than size")
    found: list[int] = []
    while len(found) < draws:
        given = torch.tensor([double() for _ in range(draws - len(found))], dtype=torch.float64)
        if not replace and found:
            shares[found] = 0
        edges = shares.cumsum(0)
        new = torch.searchsorted(edges / edges[-1], given, right=True).tolist()
        found += new if replace else list(dict.fromkeys(new))
    return found


def shuffle(x) -> None:
    """Bring a list or the rows of an array into another order."""
    for i in reversed(range(1, len(x))):
        j = _below(i + 1)
        if isinstance(x, ndarray):
            x._held[[i, j]] = x._held[[j, i]]
        else:
            x[i], x[j] = x[j], x[i]


def permutation(x):
    """Give the numbers below x, or the rows of an array, in another order."""
    rows = ndarray(torch.arange(x) if isinstance(x, int) else torch.as_tensor(getattr(x, "_held", x)).clone())
    shuffle(rows)
    return rows


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    return absent.make(f"numpy.random.{name}")
