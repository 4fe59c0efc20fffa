"""Random numbers: those that torch draws on a cpu, from the same generator (MT19937) in the same way."""

import bisect
import contextlib
import math
import random
import types

from pyodide.ffi import to_js
from torch import _dtype, _handle, _record
from torch._absent import missing
from torch._autograd import remember
from torch._call import call
from torch._create import broadcast_shapes, sizes, tensor
from torch._form import CPU, usable
from torch._index import put
from torch._inplace import tracked
from torch._mapped import by_chance
from torch._tensor import Tensor

DEFAULT = 67280421310721
make = _handle.bridge.random


class _State(tuple):
    """Where a source of random numbers stands; its bytes are PyTorch's own."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"the bytes of a generator's state ({name}) are not in the page's torch.")

    def __reduce__(self):
        raise missing("the state of a generator in a file")

    def __repr__(self) -> str:
        return "<the state of a generator; its bytes are not in the page's torch>"


class Generator:
    """A source of random numbers with a state of its own."""

    device = property(lambda self: CPU)

    def __init__(self, device="cpu") -> None:
        usable(device)
        self.manual_seed(DEFAULT)

    def manual_seed(self, seed: int) -> "Generator":
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed, self._source = seed % 2**64, make.Generator.new(seed & 0xFFFFFFFF)
        return self

    def initial_seed(self) -> int:
        return self._seed

    def seed(self) -> int:
        self.manual_seed(random.SystemRandom().getrandbits(63))
        return self._seed

    def get_state(self):
        return _State((self._source.copy(), self._seed))

    def clone_state(self) -> "Generator":
        return Generator().set_state(self.get_state())

    def set_state(self, state) -> "Generator":
        self._source, self._seed = state[0].copy(), state[1]
        return self


Generator.__module__ = "torch._C"
default_generator = Generator()


def manual_seed(seed: int) -> Generator:
    return default_generator.manual_seed(int(seed))


def get_rng_state():
    return default_generator.get_state()


def set_rng_state(new_state) -> None:
    default_generator.set_state(new_state)


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


def _numbers(name: str, count: int, kind, generator: Generator | None, *more):
    """Draw numbers, which stay on the page's side."""
    _refuse_to_record()
    source = (generator or default_generator)._source
    return getattr(make, name)(source, count, kind.name, *more)


def _refuse_to_record() -> None:
    by_chance()
    if _record.current():
        raise _record.CannotRecord(
            "RandomOperatorError",
            "the function draws random numbers, which a live figure cannot repeat; draw them outside.",
        )


def _tensor(drawn, shape, kind) -> Tensor:
    return Tensor._of(_handle.bridge.make(drawn, to_js(list(shape)), kind.name))


def _chances(count: int, generator: Generator | None) -> list[float]:
    """Draw numbers of 53 bits for Python to look at."""
    return make.uniforms((generator or default_generator)._source, count, "float64").to_py().tolist()


def _draw(draw):
    def make(size, *, generator=None, dtype=None) -> Tensor:
        shape = sizes(size)
        dtype = dtype or _dtype.get_default_dtype()
        if dtype.is_complex:
            raise missing(f"random numbers of {dtype}")
        if not dtype.is_floating_point:
            kernel = {"uniforms": "check_uniform_bounds", "normals": "normal_kernel_cpu"}[draw]
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{_dtype.NAMES[dtype.name]}'")
        return _tensor(_numbers(draw, math.prod(shape), dtype, generator), shape, dtype)

    return make


rand, randn = _draw("uniforms"), _draw("normals")


def _laid(self, kind, draw, *, new: bool = False) -> Tensor:
    """Draw for a tensor in the order in which its numbers lie in memory, as PyTorch does; ``new``: for one like it."""
    steps = self.stride()
    order = sorted(range(self.dim()), key=lambda k: (-steps[k], -self.shape[k]))
    long = [k for k in order if self.shape[k] != 1]
    in_order = long == sorted(long) if new else self.is_contiguous()
    made = _tensor(draw(self.numel(), not in_order), [self.shape[k] for k in order], kind)
    return made.permute([order.index(k) for k in range(self.dim())])


def _like(draw):
    """Make the function that draws numbers like a tensor."""

    def make(self, *, generator=None, dtype=None) -> Tensor:
        kind = dtype or self.dtype
        if not kind.is_floating_point:
            return _draw(draw)(self.shape, dtype=kind)  # which says why not
        return _laid(self, kind, lambda n, singly: _numbers(draw, n, kind, generator, singly), new=True)

    return make


rand_like, randn_like = _like("uniforms"), _like("normals")


def _integers(count: int, low: int, high: int, generator: Generator | None):
    _refuse_to_record()
    if high <= low:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if high - low > 2**53:
        raise missing("a draw of more than 2**53 whole numbers")
    return make.integers((generator or default_generator)._source, count, low, high - low)


def randint(low=None, high=None, size=None, *, generator=None, dtype=None) -> Tensor:
    if size is None:
        low, high, size = None, low, high
    low, high = (0, low) if high is None else (low or 0, high)
    size = sizes(size)
    _within(low, high, dtype)
    return _tensor(_integers(math.prod(size), int(low), int(high), generator), size, dtype or _dtype.int64)


def _within(low, high, dtype) -> None:
    """Refuse bounds that a type of whole numbers does not reach."""
    for name, end in (("from", low), ("to - 1", high - 1)) if dtype and dtype.category < 2 else ():
        limits = _dtype.iinfo(dtype) if dtype.category else types.SimpleNamespace(min=0, max=1)
        if not limits.min <= int(end) <= limits.max:
            raise RuntimeError(f"{name} is out of bounds for {dtype.name}")


def randint_like(self, low, high=None, *, generator=None, dtype=None) -> Tensor:
    low, high = (0, low) if high is None else (low, high)
    _within(low, high, dtype or self.dtype)
    return _laid(self, dtype or self.dtype, lambda n, _: _integers(n, int(low), int(high), generator))


def randperm(n, *, generator=None, dtype=None) -> Tensor:
    sizes([n])
    return _tensor(make.shuffled((generator or default_generator)._source, n), [n], dtype or _dtype.int64)


def bernoulli(self, p=None, *, generator=None) -> Tensor:
    if p is None:
        if not self.dtype.is_floating_point:
            said = _dtype.NAMES[self.dtype.name]
            raise NotImplementedError(f"\"bernoulli_tensor_cpu_p_\" not implemented for '{said}'")
        good = (self >= 0) & (self <= 1)
        if self.numel() and not bool(good.all()):  # PyTorch has drawn by then for those before it
            _numbers("uniforms", good.flatten().tolist().index(False), self.dtype, generator)
            raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
        drawn = _tensor(_numbers("uniforms", self.numel(), self.dtype, generator), self.shape, _dtype.float64)
        made = call("lt", drawn, self.detach().to(_dtype.float64)).to(self.dtype)
        remember("bernoulli", {"self": self}, [made], lambda _, g: {"self": lambda: g * 0})
        return made
    if not isinstance(p, Tensor) and not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    kind = p.dtype if isinstance(p, Tensor) else _dtype.float64
    return call("lt", _even(self, kind, generator), p).to(self.dtype)


def _even(self, kind, generator) -> Tensor:
    """Draw numbers between 0 and 1, with the digits of a type, for each number of a tensor."""
    return _laid(self, _dtype.float64, lambda n, _: _numbers("uniforms", n, kind, generator))


def _drawn(c, g):
    """Numbers that were drawn do not hang on what they were drawn with: PyTorch gives 0."""
    return {
        key: lambda v=v: (g * 0).sum_to_size(v.shape) for key, v in c._bound.items() if isinstance(v, Tensor)
    }


def normal(mean=0.0, std=1.0, size=None, *, generator=None, dtype=None) -> Tensor:
    for value in (std,):
        if bool((value < 0).any() if isinstance(value, Tensor) else value < 0):
            raise RuntimeError(
                "normal expects all elements of std >= 0.0"
                if isinstance(value, Tensor)
                else f"normal expects std >= 0.0, but found std {value}"
            )
    shape = (
        size
        if size is not None
        else broadcast_shapes(*(t.shape for t in (mean, std) if isinstance(t, Tensor)))
    )
    kind = dtype or next((t.dtype for t in (mean, std) if isinstance(t, Tensor)), None)
    given = {"mean": mean, "std": std}
    mean, std = (v.detach() if isinstance(v, Tensor) else v for v in (mean, std))
    made = randn(shape, generator=generator, dtype=kind) * std + mean
    remember("normal", given, [made], _drawn)
    return made


def multinomial(self, num_samples, replacement=False, *, generator=None) -> Tensor:
    if not self.dtype.is_floating_point:
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {_dtype.NAMES[self.dtype.name]}"
        )
    if self.dim() not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > self.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    rows = self.tolist() if self.dim() == 2 else [self.tolist()]
    for row in rows:
        if any(not x >= 0 or math.isinf(x) for x in row):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if sum(row) <= 0:
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if replacement and num_samples > 1:  # where a number falls among the sums of the shares
        drawn = iter(_chances(len(rows) * num_samples, generator))
        sums = (
            (self.detach().cumsum(-1) / self.detach().sum(-1, keepdim=True)).reshape(len(rows), -1).tolist()
        )
        picked = [
            [min(bisect.bisect_left(row, next(drawn)), len(row) - 1) for _ in range(num_samples)]
            for row in sums
        ]
    else:
        even = _even(self.detach(), _dtype.float64, generator).reshape(len(rows), -1).tolist()
        picked = []
        for row, chances in zip(rows, even, strict=True):
            scores = [x / max(-math.log1p(-u), 1e-45) for x, u in zip(row, chances, strict=True)]
            picked.append(sorted(range(len(row)), key=lambda k: -scores[k])[:num_samples])
    return tensor(picked if self.dim() == 2 else picked[0], dtype=_dtype.int64)


def _fill(draw):
    """Make ``name_(first, second)`` of a function that draws numbers for a tensor."""

    def fill(self, from_=None, to=None, *, generator=None):
        tracked(self)
        put(self, ..., draw(self, from_, to, generator))
        return self

    return fill


def _uniform(self, low, high, generator):
    low, high = 0.0 if low is None else low, 1.0 if high is None else high
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    return _even(self, self.dtype, generator).to(self.dtype) * (high - low) + low


def _whole(self, low, high, generator):
    if low is None:
        raise missing("random_() without an upper bound")
    low, high = (0, low) if high is None else (low, high)
    return randint_like(self, low, high, generator=generator)


def normal_(self, mean=0.0, std=1.0, *, generator=None):
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    tracked(self)
    kind = self.dtype if self.dtype.itemsize > 2 else _dtype.float32  # rounded once
    drawn = _laid(self, kind, lambda n, singly: _numbers("normals", n, self.dtype, generator, singly))
    put(self, ..., drawn * std + mean)
    return self


def exponential_(self, lambd=1.0, *, generator=None):
    tracked(self)
    put(self, ..., -(-_even(self, _dtype.float64, generator)).log1p() / lambd)
    return self


uniform_, random_ = _fill(_uniform), _fill(_whole)


def bernoulli_(self, p=0.5, *, generator=None):
    tracked(self)
    put(self, ..., bernoulli(self, p, generator=generator))
    return self


def seed() -> int:
    return default_generator.seed()
