"""Fourier transforms of every kind of length: powers of two, small ones, large primes."""

from operator_draw import Case

from livetorch.program.fourier import fourier  # noqa: F401  # enters the operator
from operator_cases.registry import cases


@cases("livetorch.fourier.default")
def _(d):
    size = d.pick([1, 2, 3, 4, 7, 8, 15, 16, 17, 30, 32, 101, 128])
    before, after = d.shape(max_rank=2), d.pick([[], [], [1], [3], [2, 2]])
    shape = [*before, size, *after]
    dtype = d.pick(["float32", "float64"])
    imaginary = d.pick([None, d.tensor(shape, dtype)])
    one = d.pick([len(before), -1 - len(after)])
    axes = d.pick([[one], list(range(len(shape))), list(range(len(before) + 1))])
    return Case([d.tensor(shape, dtype), imaginary, d.bool(), axes], loose=True)
