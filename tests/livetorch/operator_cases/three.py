"""Elementwise operators with three operands, and those that choose."""

import torch
from operator_draw import ANY, FLOATS, Case

from operator_cases.operands import NOT_BOOL, tensor_and_number, two
from operator_cases.registry import cases


def _condition(d, shape):
    return d.tensor(d.part_of(shape), "bool")


@cases("where.self")
def _(d):
    a, b = two(d, odd=True)
    shape = list(torch.broadcast_shapes(a.shape, b.shape))
    return Case([_condition(d, shape), a, b])


@cases("where.ScalarOther")
def _(d):
    x, number = tensor_and_number(d)
    return Case([_condition(d, list(x.shape)), x, number])


@cases("where.ScalarSelf")
def _(d):
    x, number = tensor_and_number(d)
    return Case([_condition(d, list(x.shape)), number, x])


@cases("where.Scalar")
def _(d):
    kinds = (d.pick(["int", "float"]),)
    return Case([d.tensor(dtype="bool"), d.number(kinds=kinds), d.number(kinds=kinds)])


@cases("clamp.default")
def _(d):
    low, high = d.number(-2, 0, ("int", "float")), d.number(0, 2, ("int", "float"))
    bounds = d.pick([[low, high], [low], [None, high], [low, None]])
    return Case([d.tensor(dtype=d.pick(NOT_BOOL), odd=True), *bounds])


@cases("clamp.Tensor")
def _(d):
    x, low = two(d, ("float32",), odd=True)
    high = low + 1
    return Case([x, *d.pick([[low, high], [low], [None, high]])])


@cases("clamp_min.default", "clamp_max.default")
def _(d):
    return Case([d.tensor(dtype=d.pick(NOT_BOOL), odd=True), d.number(-2, 2, ("int", "float"))])


@cases("clamp_min.Tensor", "clamp_max.Tensor")
def _(d):
    return Case(two(d, NOT_BOOL, odd=True))


@cases("masked_fill.Scalar")
def _(d):
    x = d.tensor(dtype=d.pick(ANY))
    number = d.pick([0, 1, True, 2] if not x.is_floating_point() else [0, float("-inf"), -1e9, 0.3, True])
    if x.dtype == torch.float16 and number == -1e9:
        number = -1e4
    return Case([x, _condition(d, list(x.shape)), number])


@cases("masked_fill.Tensor")
def _(d):
    x = d.tensor(dtype=d.pick(FLOATS))
    return Case([x, _condition(d, list(x.shape)), d.tensor([], "float32")])


@cases("addcmul.default", "addcdiv.default")
def _(d):
    a, b = two(d, ("float32",))
    c = d.tensor(list(torch.broadcast_shapes(a.shape, b.shape)), low=0.5, high=3)
    return Case([a, b, c], d.pick([{}, {"value": 0.3}, {"value": 2}]), loose=True)


@cases("lerp.Scalar")
def _(d):
    return Case([*two(d, ("float32",)), d.number(-1, 2, ("int", "float"))], loose=True)


@cases("lerp.Tensor")
def _(d):
    a, b = two(d, ("float32",))
    return Case([a, b, d.tensor(list(b.shape), low=-1, high=2)], loose=True)


@cases("isclose.default")
def _(d):
    a, _ = two(d, ("float32",), odd=True)
    b = a + d.pick([0, 1e-6, 1e-3]) * d.tensor(list(a.shape))
    return Case([a, b, *d.pick([[], [1e-3], [1e-3, 1e-2], [0.0, 1e-4, True]])])


@cases("heaviside.default")
def _(d):
    return Case(two(d, ("float32",), odd=True))
