"""Elementwise operators on one, two and three tensors."""

import torch
from operator_draw import ANY, FLOATS, INTEGERS, Case

from operator_cases.registry import CASES, cases

# ---------------- one tensor, element by element
UNARY = {  # limits of sensible inputs: names
    (-4, 4): "sin cos tanh sigmoid exp exp2 expm1 erf erfc sinh cosh atan asinh tan reciprocal angle",
    (-360, 360): "deg2rad rad2deg",
    (-0.3, 6): "sqrt rsqrt log log2 log10 lgamma digamma i0 special_i1",
    (-1.05, 1.05): "acos asin atanh erfinv",
    (0.9, 6): "acosh",
    (-0.9, 6): "log1p",
}


def _unary(low, high, dtypes, odd=True):
    return lambda d: Case([d.tensor(dtype=d.pick(dtypes), low=low, high=high, odd=odd)])


for (_low, _high), _names in UNARY.items():
    for _name in _names.split():
        CASES[f"aten.{_name}.default"] = _unary(_low, _high, ANY)
CASES["aten.sinc.default"] = _unary(-2.9, 2.9, ("float32", "float64"))
for _name in ["neg", "abs"]:
    CASES[f"aten.{_name}.default"] = _unary(-3, 3, [t for t in ANY if t != "bool"])
CASES["aten.sign.default"] = CASES["aten.sgn.default"] = _unary(-3, 3, ANY)
for _name in ["relu", "positive", "ceil", "floor", "round", "trunc"]:
    CASES[f"aten.{_name}.default"] = _unary(-5, 5, [t for t in ANY if t != "bool"])
CASES["aten.frac.default"] = _unary(-5, 5, FLOATS, odd=False)
CASES["aten.square.default"] = _unary(-5, 5, ANY)
for _name in ["isfinite", "isinf", "isnan", "isneginf", "isposinf", "logical_not"]:
    CASES[f"aten.{_name}.default"] = _unary(-1, 1, ANY)
CASES["aten.signbit.default"] = lambda d: Case([d.tensor(dtype=d.pick(ANY), odd=True).nan_to_num()])
CASES["aten.bitwise_not.default"] = _unary(-9, 9, (*INTEGERS, "bool"))


@cases("round.decimals")
def _(d):
    return Case([d.tensor(dtype="float32", low=-900, high=900)], {"decimals": d.int(-2, 2)}, loose=True)


@cases("nan_to_num.default")
def _(d):
    numbers = [d.pick([None, d.number(kinds=("float",))]) for _ in range(3)]
    return Case([d.tensor(dtype=d.pick(ANY), odd=True), *numbers[: d.int(0, 3)]])


@cases("logit.default")
def _(d):
    x = d.tensor(dtype=d.pick(FLOATS), low=0.01, high=0.99)
    if x.numel() and d.bool():
        x.view(-1)[0] = 1.0
    return Case([x, *d.pick([[], [None], [0.1], [1e-6]])], loose=True)


# ---------------- two operands
def two(d, dtypes=ANY, low=-3, high=3, odd=False):
    """Two tensors that broadcast; each of any dtype."""
    a, b = d.pair_of_shapes()
    return [d.tensor(shape, d.pick(dtypes), low, high, odd) for shape in (a, b)]


def _tensor_number(d, dtypes=ANY, low=-3, high=3, odd=False):
    return [d.tensor(dtype=d.pick(dtypes), low=low, high=high, odd=odd), d.number(low, high)]


NOT_BOOL = [t for t in ANY if t != "bool"]


def _no_bool_number(args):
    """Torch does not subtract bools; a bool number becomes an integer."""
    return [int(a) if isinstance(a, bool) else a for a in args]


@cases("add.Tensor", "add.Scalar", "sub.Tensor", "sub.Scalar", "rsub.Tensor", "rsub.Scalar")
def _sum_like(d, name):
    dtypes = ANY if name.startswith("add") else NOT_BOOL
    args = _tensor_number(d, dtypes, odd=True) if name.endswith("Scalar") else two(d, dtypes, odd=True)
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
    return Case(_tensor_number(d, odd=True))


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


# ---------------- three operands
def _condition(d, shape):
    return d.tensor(d.part_of(shape), "bool")


@cases("where.self")
def _(d):
    a, b = two(d, odd=True)
    shape = list(torch.broadcast_shapes(a.shape, b.shape))
    return Case([_condition(d, shape), a, b])


@cases("where.ScalarOther")
def _(d):
    x, number = _tensor_number(d)
    return Case([_condition(d, list(x.shape)), x, number])


@cases("where.ScalarSelf")
def _(d):
    x, number = _tensor_number(d)
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
