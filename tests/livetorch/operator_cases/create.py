"""Tensors from nothing and conversions of type."""

import torch
from operator_draw import ANY, Case

from operator_cases.registry import CASES, cases


def _typed(d):
    return d.pick([{}, {"dtype": getattr(torch, d.pick(ANY))}])


@cases("zeros.default", "ones.default")
def _(d):
    return Case([d.shape()], _typed(d))


@cases("full.default")
def _(d):
    return Case([d.shape(), d.number(low=0)], _typed(d))


@cases("zeros_like.default", "ones_like.default")
def _(d):
    return Case([d.tensor(dtype=d.pick(ANY))], _typed(d))


@cases("full_like.default")
def _(d):
    return Case([d.tensor(dtype=d.pick(ANY)), d.number(low=0)], _typed(d))


@cases("fill.Scalar")
def _(d):
    return Case([d.tensor(dtype=d.pick(ANY)), d.number(low=0)])


@cases("fill.Tensor")
def _(d):
    return Case([d.tensor(dtype=d.pick(ANY)), d.tensor([], d.pick(("float32", "int64")), low=0)])


@cases("scalar_tensor.default")
def _(d):
    return Case([d.number(low=0)], _typed(d))


@cases("new_zeros.default", "new_ones.default")
def _(d):
    return Case([d.tensor(dtype=d.pick(ANY)), d.shape()], _typed(d))


@cases("new_full.default")
def _(d):
    return Case([d.tensor(dtype=d.pick(ANY)), d.shape(), d.number(low=0)], _typed(d))


def _range_type(d):
    return d.pick([{}, {"dtype": torch.float32}, {"dtype": torch.int64}])


def _range_end(d, kwargs):
    """An end of a range; of whole numbers a whole one: torch changed what int64 `arange(4.5)` gives."""
    return d.pick([0, 3, 7, 3.0] if kwargs.get("dtype") == torch.int64 else [0, 3, 2.5, 4.5])


@cases("arange.default")
def _(d):
    kwargs = _range_type(d)
    return Case([_range_end(d, kwargs)], kwargs)


@cases("arange.start")
def _(d):
    start, kwargs = d.int(-5, 5), _range_type(d)
    return Case([start, start + _range_end(d, kwargs)], kwargs)


@cases("arange.start_step")
def _(d):
    return Case(d.pick([[0, 9, 2], [5, -4, -3], [0.0, 2.0, 0.25], [1, 4], [0, 3, 0.5]]), d.pick([{}]))


@cases("linspace.default")
def _(d):
    return Case([d.number(kinds=("int", "float")), d.number(kinds=("int", "float")), d.int(0, 7)], loose=True)


@cases("eye.default")
def _(d):
    return Case([d.int(0, 5)], _typed(d))


@cases("eye.m")
def _(d):
    return Case([d.int(0, 5), d.int(0, 5)], _typed(d))


@cases("tril_indices.default", "triu_indices.default")
def _(d):
    return Case(
        [d.int(0, 5), d.int(0, 5), *d.pick([[], [d.int(-3, 3)]])], d.pick([{}, {"dtype": torch.int32}])
    )


@cases("_to_copy.default")
def _(d):
    return Case([_castable(d)], _typed(d))


def _castable(d):
    return d.tensor(dtype=d.pick(ANY), low=-90, high=90, odd=False)


@cases("to.dtype")
def _(d):
    return Case([_castable(d), getattr(torch, d.pick(ANY))])


EMPTY = {  # their values are anything; the runtime gives zeros
    "empty.memory_format": lambda d: Case([d.shape()], _typed(d)),
    "empty_strided.default": lambda d: Case([[2, 3], [3, 1]], _typed(d)),
    "empty_permuted.default": lambda d: Case([[2, 3], [1, 0]], _typed(d)),
    "empty_like.default": lambda d: Case([d.tensor(dtype=d.pick(ANY))], _typed(d)),
    "new_empty.default": lambda d: Case([d.tensor(dtype=d.pick(ANY)), d.shape()], _typed(d)),
    "new_empty_strided.default": lambda d: Case([d.tensor(dtype=d.pick(ANY)), [2, 3], [3, 1]], _typed(d)),
}
CASES.update({f"aten.{name}": build for name, build in EMPTY.items()})
CASES["aten._assert_async.msg"] = lambda d: Case(
    [torch.ones([], dtype=d.pick([torch.bool, torch.int64])), "no"]
)
