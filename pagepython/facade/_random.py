"""Random numbers: those that torch draws on a cpu, from the same generator (MT19937) in the same way."""

from __future__ import annotations

import contextlib
import math
import random

from pyodide.ffi import to_js
from torch import _dtype, _handle, _record, _views
from torch._autograd import no_grad
from torch._call import call
from torch._create import tensor
from torch._index import put
from torch._tensor import Tensor

DEFAULT = 67280421310721
make = _handle.bridge.random


class Generator:
    """A source of random numbers with a state of its own."""

    def __init__(self, device="cpu") -> None:
        self.manual_seed(DEFAULT)

    def manual_seed(self, seed: int) -> Generator:
        self._seed, self._source = seed, make.Generator.new(seed & 0xFFFFFFFF)
        return self

    def initial_seed(self) -> int:
        return self._seed

    def seed(self) -> int:
        self.manual_seed(random.SystemRandom().getrandbits(63))
        return self._seed

    def get_state(self):
        return self._source.copy(), self._seed

    def set_state(self, state) -> None:
        self._source, self._seed = state[0].copy(), state[1]


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


def _numbers(name: str, count: int, kind, generator: Generator | None):
    """Draw numbers, which stay on the page's side."""
    _refuse_to_record()
    return getattr(make, name)((generator or default_generator)._source, count, kind == _dtype.float64)


def _refuse_to_record() -> None:
    if _record.current():
        raise _record.CannotRecord(
            "RandomOperatorError",
            "the function draws random numbers, which a live figure cannot repeat; draw them outside.",
        )


def _tensor(drawn, shape, kind) -> Tensor:
    return Tensor._of(_handle.bridge.make(drawn, to_js(list(shape)), kind.name))


def _chances(count: int, generator: Generator | None) -> list[float]:
    """Draw numbers of 53 bits for Python to look at."""
    return make.uniforms((generator or default_generator)._source, count, True).to_py().tolist()


def _draw(draw):
    def make(*size, generator=None, dtype=None, device=None, requires_grad=False, **named) -> Tensor:
        shape = _views.ints(size or (named["size"],))
        dtype = dtype or _dtype.get_default_dtype()
        made = _tensor(_numbers(draw, math.prod(shape), dtype, generator), shape, dtype)
        return made.requires_grad_() if requires_grad else made

    return make


rand, randn = _draw("uniforms"), _draw("normals")


def rand_like(self, **more):
    return rand(self.shape, **({"dtype": self.dtype} | more))


def randn_like(self, **more):
    return randn(self.shape, **({"dtype": self.dtype} | more))


def _integers(count: int, low: int, high: int, generator: Generator | None):
    _refuse_to_record()
    if high <= low:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    return make.integers((generator or default_generator)._source, count, low, high - low)


def randint(low, high=None, size=None, *, generator=None, dtype=None, device=None) -> Tensor:
    if size is None:
        low, high, size = 0, low, high
    return _tensor(_integers(math.prod(size), int(low), int(high), generator), size, dtype or _dtype.int64)


def randperm(n, *, generator=None, dtype=None, device=None) -> Tensor:
    return _tensor(make.shuffled((generator or default_generator)._source, n), [n], dtype or _dtype.int64)


def bernoulli(self, p=None, *, generator=None) -> Tensor:
    if p is None:
        drawn = _tensor(_numbers("uniforms", self.numel(), self.dtype, generator), self.shape, _dtype.float64)
        return call("lt", drawn, self.to(_dtype.float64)).to(self.dtype)
    drawn = _tensor(_numbers("uniforms", self.numel(), _dtype.float64, generator), self.shape, _dtype.float64)
    return call("lt", drawn, p).to(self.dtype)


def multinomial(self, num_samples, replacement=False, *, generator=None) -> Tensor:
    rows = self.tolist() if self.dim() == 2 else [self.tolist()]
    for row in rows:
        if any(not x >= 0 or math.isinf(x) for x in row):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if sum(row) <= 0:
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if replacement and num_samples > 1:
        raise NotImplementedError(
            "multinomial with replacement and several samples is not in the page's torch."
        )
    waits = iter([-math.log1p(-u) for u in _chances(sum(map(len, rows)), generator)])
    picked = []
    for row in rows:
        scores = [x / max(next(waits), 1e-45) for x in row]
        picked.append(sorted(range(len(row)), key=lambda k: -scores[k])[:num_samples])
    return tensor(picked if self.dim() == 2 else picked[0], dtype=_dtype.int64)


def _fill(draw):
    def fill(self, first=0.0, second=1.0, *, generator=None):
        with no_grad():
            put(self, ..., draw(self, first, second, generator))
        return self

    return fill


def _like(self, name: str, generator) -> Tensor:
    return _tensor(_numbers(name, self.numel(), self.dtype, generator), self.shape, self.dtype)


uniform_ = _fill(lambda t, low, high, g: _like(t, "uniforms", g) * (high - low) + low)
normal_ = _fill(lambda t, mean, std, g: _like(t, "normals", g) * std + mean)
random_ = _fill(
    lambda t, low, high, g: _tensor(_integers(t.numel(), int(low), int(high), g), t.shape, t.dtype)
)
exponential_ = _fill(
    lambda t, rate, _, g: (
        -(-_tensor(_numbers("uniforms", t.numel(), _dtype.float64, g), t.shape, _dtype.float64)).log1p()
        / (rate or 1.0)
    )
)


def bernoulli_(self, p=0.5, *, generator=None):
    with no_grad():
        put(self, ..., bernoulli(self, p, generator=generator))
    return self
