"""Comparisons, logic and bits."""

import torch
from operator_draw import ANY, FLOATS, INTEGERS, Case

from operator_cases.operands import two
from operator_cases.registry import cases

COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]


@cases(*(f"{name}.Tensor" for name in COMPARISONS))
def _(d):
    a, b = two(d, low=-1.4, high=1.4, odd=True)
    if d.bool():  # values that really are equal
        a, b = a.to(torch.float32).round(), b.to(torch.float32).round()
    return Case([a, b])


@cases(*(f"{name}.Scalar" for name in COMPARISONS))
def _(d):
    if d.bool():  # a number as the tensor's type rounds it
        number = d.pick([0.1, 0.3, -1.7])
        return Case([torch.full([2], number, dtype=getattr(torch, d.pick(sorted(set(FLOATS))))), number])
    return Case(
        [d.tensor(dtype=d.pick(ANY), low=-2, high=2, odd=True), d.pick([0, 1, -1, 0.1, 0.5, 1.0, True])]
    )


@cases("logical_and.default", "logical_or.default", "logical_xor.default")
def _(d):
    return Case(two(d, low=-1, high=1, odd=True))


@cases("bitwise_and.Tensor", "bitwise_or.Tensor", "bitwise_xor.Tensor")
def _(d):
    high = d.pick([9, 2**30, 2**45])
    dtypes = ("int64", "bool") if high > 2**31 else (*INTEGERS, "bool")
    return Case(two(d, dtypes, -high, high))


@cases("bitwise_and.Scalar", "bitwise_or.Scalar", "bitwise_xor.Scalar")
def _(d):
    return Case(
        [d.tensor(dtype=d.pick((*INTEGERS, "bool")), low=-9, high=9), d.pick([d.int(-9, 9), d.bool()])]
    )


@cases("bitwise_left_shift.Tensor", "bitwise_right_shift.Tensor", "__lshift__.Tensor", "__rshift__.Tensor")
def _(d):
    a, b = d.pair_of_shapes()
    return Case([d.tensor(a, "int64", -40, 40), d.tensor(b, "int64", *d.pick([(0, 5), (-2, 66)]))])


@cases("bitwise_left_shift.Tensor_Scalar", "bitwise_right_shift.Tensor_Scalar")
@cases("__lshift__.Scalar", "__rshift__.Scalar")
def _(d):
    return Case([d.tensor(dtype="int64", low=-40, high=40), d.int(0, 5)])
