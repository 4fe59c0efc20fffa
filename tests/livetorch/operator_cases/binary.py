"""Elementwise arithmetic with two operands."""

import torch
from operator_draw import ANY, FLOATS, INTEGERS, Case

from operator_cases.operands import NOT_BOOL, tensor_and_number, two
from operator_cases.registry import cases


def _no_bool_number(args):
    """Torch does not subtract bools; a bool number becomes an integer."""
    return [int(a) if isinstance(a, bool) else a for a in args]


@cases("add.Tensor", "add.Scalar", "sub.Tensor", "sub.Scalar", "rsub.Tensor", "rsub.Scalar")
def _sum_like(d, name):
    dtypes = ANY if name.startswith("add") else NOT_BOOL
    args = tensor_and_number(d, dtypes, odd=True) if name.endswith("Scalar") else two(d, dtypes, odd=True)
    args = _no_bool_number(args)
    if d.bool():
        return Case(args)
    floats = all(torch.is_tensor(a) and a.is_floating_point() for a in args)
    alpha = d.number(kinds=("float",)) if floats else d.int(-3, 3)
    if all(torch.is_tensor(a) and a.dtype == torch.bool for a in args) or args[0].dtype == torch.bool:
        alpha = 1
    return Case(args, {"alpha": alpha}, loose=True)


@cases("maximum.default", "minimum.default", "fmax.default", "fmin.default")
def _(d):
    return Case(two(d, odd=True))


@cases("mul.Scalar", "div.Scalar")
def _(d):
    return Case(tensor_and_number(d, odd=True))


@cases("mul.Tensor", "div.Tensor")
def _(d):
    args = two(d, odd=True)
    return Case(d.pick([args, [args[0], d.number()]]))


def _away_from_zero(value):
    if torch.is_tensor(value):
        return torch.where(value == 0, torch.ones_like(value), value)
    return value or 2


@cases("floor_divide.default", "remainder.Tensor", "fmod.Tensor")
def _(d):
    a, b = two(d, ("float32", "float64", *INTEGERS), -9, 9, odd=True)
    return Case([a, _away_from_zero(b)])


@cases("floor_divide.Scalar", "remainder.Scalar", "fmod.Scalar")
def _(d):
    number = _away_from_zero(d.number(-5, 5, ("int", "float")))
    return Case([d.tensor(dtype=d.pick(("float32", *INTEGERS)), low=-9, high=9), number])


@cases("remainder.Scalar_Tensor")
def _(d):
    x = d.tensor(dtype=d.pick(("float32", "int64")), low=-5, high=5)
    return Case([d.number(-9, 9, ("int", "float")), _away_from_zero(x)])


@cases("div.Tensor_mode")
def _(d):
    a, b = two(d, ("float32", "float64", *INTEGERS), -9, 9, odd=True)
    return Case([a, _away_from_zero(b)], {"rounding_mode": d.pick([None, "floor", "trunc"])})


@cases("div.Scalar_mode")
def _(d):
    number = _away_from_zero(d.number(-5, 5, ("int", "float")))
    x = d.tensor(dtype=d.pick(("float32", *INTEGERS)), low=-9, high=9)
    return Case([x, number], {"rounding_mode": d.pick([None, "floor", "trunc"])})


@cases("pow.Tensor_Tensor")
def _(d):
    if d.bool():
        a, b = two(d, FLOATS, -2, 3, odd=True)
        return Case([a, b])
    a, b = two(d, ("int64", "int32"), -3, 4)
    return Case([a, b])


@cases("pow.Tensor_Scalar")
def _(d):
    if d.bool():
        exponent = d.pick([0, 1, 2, 3, -1, -2, 0.5, -0.5, 1.5, 2.0, 3.0])
        return Case([d.tensor(dtype=d.pick(FLOATS), odd=True), exponent])
    return Case([d.tensor(dtype=d.pick(INTEGERS)), d.pick([0, 1, 2, 3, 0.5, 2.0])])


@cases("pow.Scalar")
def _(d):
    return Case(
        [d.pick([0, 1, 2, -1, 0.5, 2.0, 10]), d.tensor(dtype=d.pick((*FLOATS, "int64")), low=0, high=4)]
    )


@cases("gcd.default", "lcm.default")
def _(d):
    return Case(two(d, INTEGERS, -30, 30))


@cases("atan2.default")
def _(d):
    return Case(two(d, odd=True))


@cases("copysign.Tensor")
def _(d):
    a, b = two(d, odd=True)
    return Case([a, b.nan_to_num()])  # the sign of NaN means nothing


@cases("hypot.default")
def _(d):
    a, b = two(d, ("float32",), odd=True)
    dtype = getattr(torch, d.pick(FLOATS))
    return Case([a.to(dtype), b.to(dtype)])


@cases("logaddexp.default", "logaddexp2.default")
def _(d):
    return Case(two(d, ("float32", "float64"), odd=True), loose=True)


@cases("xlogy.Tensor")
def _(d):
    a, b = d.pair_of_shapes()
    return Case([d.tensor(a, d.pick(ANY), odd=True), d.tensor(b, "float32", 0.0, 3, odd=True)])


@cases("ldexp.Tensor")
def _(d):
    a, b = d.pair_of_shapes()
    dtype = d.pick(FLOATS)
    a = a or [1]  # without axes torch keeps a type that no rule of promotion gives
    return Case([d.tensor(a, dtype), d.tensor(b, d.pick(("int64", dtype)))])
