"""Fourier transforms of every kind of length: powers of two, small ones, large primes."""

from operator_draw import Case

from livetorch.program.fourier import fourier  # noqa: F401  # enters the operator
from operator_cases.registry import cases


@cases("livetorch.fourier.default")
def _(d):
    shape = [*d.shape(max_rank=2), d.pick([1, 2, 3, 4, 7, 8, 15, 16, 17, 30, 32, 101, 128])]
    dtype = d.pick(["float32", "float64"])
    imaginary = d.pick([None, d.tensor(shape, dtype)])
    return Case([d.tensor(shape, dtype), imaginary, d.bool()], loose=True)
