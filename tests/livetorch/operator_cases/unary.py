"""Elementwise operators on one tensor."""

from operator_draw import ANY, FLOATS, INTEGERS, Case

from operator_cases.registry import CASES, cases

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
