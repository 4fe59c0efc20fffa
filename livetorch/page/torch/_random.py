"""Random numbers: those that torch draws on a cpu, from the same generator (MT19937) in the same way."""

from __future__ import annotations

import contextlib
import math
import random

from torch import _dtype, _views
from torch._create import tensor
from torch._tensor import Tensor

WORDS, MULTIPLIER, DEFAULT = 624, 1812433253, 67280421310721


class Generator:
    """A source of random numbers with a state of its own."""

    def __init__(self, device="cpu") -> None:
        self._twister = random.Random()
        self.manual_seed(DEFAULT)

    def manual_seed(self, seed: int) -> Generator:
        self._seed, word = seed, seed & 0xFFFFFFFF
        words = [word]
        for place in range(1, WORDS):
            word = (MULTIPLIER * (word ^ word >> 30) + place) & 0xFFFFFFFF
            words.append(word)
        self._twister.setstate((3, (*words, WORDS), None))
        self._spare = None
        return self

    def initial_seed(self) -> int:
        return self._seed

    def seed(self) -> int:
        self.manual_seed(random.SystemRandom().getrandbits(63))
        return self._seed

    def get_state(self):
        return self._twister.getstate(), self._spare, self._seed

    def set_state(self, state) -> None:
        twister, self._spare, self._seed = state
        self._twister.setstate(twister)

    def words(self, count: int) -> list[int]:
        """Draw numbers of 32 bits."""
        drawn = self._twister.getrandbits(32 * count) if count else 0
        data = drawn.to_bytes(4 * count, "little")
        return list(memoryview(data).cast("I")) if count else []

    def doubles(self, count: int) -> list[float]:
        """Draw numbers between 0 and 1 with 53 bits."""
        words = self.words(2 * count)
        return [((words[2 * k] << 32 | words[2 * k + 1]) & (2**53 - 1)) * 2.0**-53 for k in range(count)]

    def floats(self, count: int) -> list[float]:
        """Draw numbers between 0 and 1 with 24 bits."""
        return [(word & 0xFFFFFF) * 2.0**-24 for word in self.words(count)]


default_generator = Generator()


def manual_seed(seed: int) -> Generator:
    return default_generator.manual_seed(seed)


def get_rng_state():
    return default_generator.get_state()


def set_rng_state(state) -> None:
    default_generator.set_state(state)


def initial_seed() -> int:
    return default_generator.initial_seed()


@contextlib.contextmanager
def fork_rng(devices=(), enabled=True):
    """Leave the random numbers as they were before."""
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


def uniforms(count: int, dtype, generator: Generator) -> list[float]:
    """Draw numbers between 0 and 1 as a type has them."""
    return generator.doubles(count) if dtype == _dtype.float64 else generator.floats(count)


def normals(count: int, dtype, generator: Generator) -> list[float]:
    """Draw normal numbers: 16 and more by blocks, fewer in pairs."""
    if count >= 16:
        u = uniforms(count, dtype, generator)
        for start in range(0, count - 15, 16):
            u[start : start + 16] = _block(u[start : start + 16])
        if count % 16:
            u[-16:] = _block(uniforms(16, dtype, generator))
        return u
    made = []
    for _ in range(count):
        if generator._spare is not None:
            made.append(generator._spare)
            generator._spare = None
            continue
        angle, length = generator.doubles(2)
        radius = math.sqrt(-2 * math.log1p(-length))
        made.append(radius * math.cos(2 * math.pi * angle))
        generator._spare = radius * math.sin(2 * math.pi * angle)
    return made


def _block(u: list[float]) -> list[float]:
    radii = [math.sqrt(-2 * math.log(1 - x)) for x in u[:8]]
    angles = [2 * math.pi * x for x in u[8:]]
    return [r * math.cos(a) for r, a in zip(radii, angles, strict=True)] + [r * math.sin(a) for r, a in zip(radii, angles, strict=True)]


def _draw(draw):
    def make(*size, generator=None, dtype=None, device=None, requires_grad=False, **named) -> Tensor:
        shape = _views.ints(size or (named["size"],))
        dtype = dtype or _dtype.get_default_dtype()
        made = tensor(draw(math.prod(shape), dtype, generator or default_generator), dtype=dtype).reshape(shape)
        return made.requires_grad_() if requires_grad else made

    return make


rand, randn = _draw(uniforms), _draw(normals)


def rand_like(self, **more):
    return rand(self.shape, **({"dtype": self.dtype} | more))


def randn_like(self, **more):
    return randn(self.shape, **({"dtype": self.dtype} | more))


def _integers(count: int, low: int, high: int, generator: Generator) -> list[int]:
    if high <= low:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    span = high - low
    if span < 2**28:
        return [low + word % span for word in generator.words(count)]
    words = generator.words(2 * count)
    return [low + (words[2 * k] << 32 | words[2 * k + 1]) % span for k in range(count)]


def randint(low, high=None, size=None, *, generator=None, dtype=None, device=None) -> Tensor:
    if size is None:
        low, high, size = 0, low, high
    made = _integers(math.prod(size), int(low), int(high), generator or default_generator)
    return tensor(made, dtype=dtype or _dtype.int64).reshape(list(size))


def randperm(n, *, generator=None, dtype=None, device=None) -> Tensor:
    words = (generator or default_generator).words(max(0, n - 1))
    order = list(range(n))
    for place, word in enumerate(words):
        other = place + word % (n - place)
        order[place], order[other] = order[other], order[place]
    return tensor(order, dtype=dtype or _dtype.int64)


def bernoulli(self, p=None, *, generator=None) -> Tensor:
    if p is None:
        source = generator or default_generator
        drawn = source.doubles(self.numel()) if self.dtype == _dtype.float64 else source.floats(self.numel())
        return tensor([float(u < chance) for u, chance in zip(drawn, self._flat(), strict=True)], dtype=self.dtype).reshape(self.shape)
    drawn = (generator or default_generator).doubles(self.numel())
    return tensor([float(u < p) for u in drawn], dtype=self.dtype).reshape(self.shape)


def multinomial(self, num_samples, replacement=False, *, generator=None) -> Tensor:
    generator = generator or default_generator
    rows = self.tolist() if self.dim() == 2 else [self.tolist()]
    for row in rows:
        if any(not x >= 0 or math.isinf(x) for x in row):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if sum(row) <= 0:
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if replacement and num_samples > 1:
        raise NotImplementedError("multinomial with replacement and several samples is not in the page's torch.")
    waits = iter([-math.log1p(-u) for u in generator.doubles(sum(map(len, rows)))])
    picked = []
    for row in rows:
        scores = [x / max(next(waits), 1e-45) for x in row]
        picked.append(sorted(range(len(row)), key=lambda k: -scores[k])[:num_samples])
    return tensor(picked if self.dim() == 2 else picked[0], dtype=_dtype.int64)


def _fill(draw):
    def fill(self, first=0.0, second=1.0, *, generator=None):
        made = draw(self.numel(), self.dtype, generator or default_generator, first, second)
        values = tensor(made, dtype=self.dtype).reshape(self.shape)
        from torch._autograd import no_grad
        from torch._index import put

        with no_grad():
            put(self, ..., values)
        return self

    return fill


uniform_ = _fill(lambda n, d, g, low, high: [low + u * (high - low) for u in uniforms(n, d, g)])
normal_ = _fill(lambda n, d, g, mean, std: [mean + z * std for z in normals(n, d, g)])
random_ = _fill(lambda n, d, g, low, high: [float(x) for x in _integers(n, int(low), int(high), g)])


def exponential_(self, lambd=1.0, *, generator=None):
    from torch._index import put

    drawn = (generator or default_generator).doubles(self.numel())
    put(self, ..., tensor([-math.log1p(-u) / lambd for u in drawn], dtype=self.dtype).reshape(self.shape))
    return self


def bernoulli_(self, p=0.5, *, generator=None):
    from torch._index import put

    put(self, ..., bernoulli(self, p, generator=generator))
    return self
