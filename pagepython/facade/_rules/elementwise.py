"""The derivatives of operators that act on each number."""

import math

from torch._call import call
from torch._rules.table import RULES, rule

# --- one number in, one number out: derivative by the input x or the result y ---
_X = {
    "exp": lambda c: c.out,
    "exp2": lambda c: c.out * math.log(2),
    "expm1": lambda c: c.out + 1,
    "log": lambda c: 1 / c.self,
    "log2": lambda c: 1 / (c.self * math.log(2)),
    "log10": lambda c: 1 / (c.self * math.log(10)),
    "log1p": lambda c: 1 / (c.self + 1),
    "sqrt": lambda c: 1 / (2 * c.out),
    "rsqrt": lambda c: -0.5 * c.out**3,
    "square": lambda c: 2 * c.self,
    "reciprocal": lambda c: -c.out * c.out,
    "sin": lambda c: c.self.cos(),
    "cos": lambda c: -c.self.sin(),
    "tan": lambda c: 1 + c.out * c.out,
    "asin": lambda c: (1 - c.self * c.self).rsqrt(),
    "acos": lambda c: -((1 - c.self * c.self).rsqrt()),
    "atan": lambda c: 1 / (1 + c.self * c.self),
    "sinh": lambda c: c.self.cosh(),
    "cosh": lambda c: c.self.sinh(),
    "tanh": lambda c: 1 - c.out * c.out,
    "asinh": lambda c: (c.self * c.self + 1).rsqrt(),
    "atanh": lambda c: 1 / (1 - c.self * c.self),
    "sigmoid": lambda c: c.out * (1 - c.out),
    "erf": lambda c: 2 / math.sqrt(math.pi) * (-(c.self * c.self)).exp(),
    "erfc": lambda c: -2 / math.sqrt(math.pi) * (-(c.self * c.self)).exp(),
    "erfinv": lambda c: math.sqrt(math.pi) / 2 * (c.out * c.out).exp(),
    "abs": lambda c: c.self.sign(),
    "lgamma": lambda c: c.self.digamma(),
    "neg": lambda c: -1,
    "positive": lambda c: 1,
    "relu": lambda c: ~(c.out <= 0),
    "hardsigmoid": lambda c: ((c.self > -3) & (c.self < 3)) / 6,
    "hardswish": lambda c: call("where", c.self < 3, call("where", c.self > -3, c.self / 3 + 0.5, 0.0), 1.0),
    "mish": lambda c: (lambda t: t + c.self * c.self.sigmoid() * (1 - t * t))(
        (1 + c.self.exp()).log().tanh()
    ),
    "softshrink": lambda c: ~(c.self.abs() <= c.lambd),
    "hardshrink": lambda c: ~(c.self.abs() <= c.lambd),
    "silu": lambda c: (lambda s: s * (1 + c.self * (1 - s)))(c.self.sigmoid()),
    "deg2rad": lambda c: math.pi / 180,
    "rad2deg": lambda c: 180 / math.pi,
    "logit": lambda c: call(
        "where",
        (c.self < (c.eps or 0)) | (c.self > 1 - (c.eps or 0)),
        math.nan if c.eps is None else 0.0,
        1 / (c.self * (1 - c.self)),
    ),
    "frac": lambda c: 1,
}
for _name, _derivative in _X.items():
    RULES[_name] = lambda c, g, derivative=_derivative: {"self": lambda: g * derivative(c)}
for _name in ("round", "floor", "ceil", "trunc", "sign", "sgn", "heaviside"):
    RULES[_name] = lambda c, g: {"self": lambda: g * 0, "other": lambda: g * 0, "values": lambda: g * 0}
for _name in (
    "zeros_like", "ones_like", "full_like", "empty_like", "new_zeros", "new_ones", "new_full", "new_empty", "isclose",
    "argmax", "argmin", "one_hot", "detach",
):  # fmt: skip
    RULES[_name] = "none"
for _name in ("clone", "contiguous", "_to_copy", "to", "alias", "lift_fresh_copy", "expand"):
    RULES[_name] = lambda c, g: {"self": g}


# --- two numbers in ---
@rule("add", "sub")
def _(c, g):
    return {"self": g, "other": lambda: g * c.alpha}


RULES["sub"] = lambda c, g: {"self": g, "other": lambda: g * -c.alpha}
RULES["rsub"] = lambda c, g: {"self": lambda: g * -c.alpha, "other": g}
RULES["mul"] = lambda c, g: {"self": lambda: g * c.other, "other": lambda: g * c.self}


@rule("div")
def _(c, g):
    if c._bound.get("rounding_mode"):
        return {"self": lambda: g * 0, "other": lambda: g * 0}
    return {"self": lambda: g / c.other, "other": lambda: -g * c.self / (c.other * c.other)}


@rule("pow")
def _(c, g):
    base, power = c.self, c.exponent

    def by_base():
        if isinstance(power, int | float):
            return g * (base * 0 if power == 0 else power * base ** (power - 1))
        return call("where", power == 0, 0.0, g * (power * base ** (power - 1)))

    def by_power():
        if not hasattr(base, "log"):
            return g * (c.out * math.log(base) if base > 0 else c.out * (0.0 if base == 0 else math.nan))
        return g * call("where", base == 0, 0.0, c.out * call("log", base))

    return {"self": by_base, "exponent": by_power}


@rule("fmax", "fmin")
def _(c, g):
    here = (c.self == c.out) | c.other.isnan()
    return {"self": lambda: g * here, "other": lambda: g * ~here}


@rule("maximum", "minimum")
def _(c, g):
    def share(mine, other):
        return (mine == c.out).to(g.dtype) / (1 + ((mine == other) & (mine == c.out)).to(g.dtype))

    return {"self": lambda: g * share(c.self, c.other), "other": lambda: g * share(c.other, c.self)}


RULES["atan2"] = lambda c, g: {
    "self": lambda: g * _around(c.other, c),
    "other": lambda: -g * _around(c.self, c),
}
RULES["hypot"] = lambda c, g: {"self": lambda: g * c.self / c.out, "other": lambda: g * c.other / c.out}
RULES["logaddexp"] = lambda c, g: {
    "self": lambda: g * (c.self - c.out).exp(),
    "other": lambda: g * (c.other - c.out).exp(),
}
RULES["xlogy"] = lambda c, g: {
    "self": lambda: g * call("xlogy", c.self != 0, c.other),
    "other": lambda: g * c.self / c.other,
}
RULES["remainder"] = lambda c, g: {"self": g, "other": lambda: -g * (c.self / c.other).floor()}
RULES["fmod"] = lambda c, g: {"self": g, "other": lambda: -g * (c.self / c.other).trunc()}
RULES["lerp"] = lambda c, g: {
    "self": lambda: g * (1 - c.weight), "end": lambda: g * c.weight, "weight": lambda: g * (c.end - c.self)
}  # fmt: skip


@rule("where")
def _(c, g):
    zero = g.new_zeros([])
    return {
        "self": lambda: call("where", c.condition, g, zero),
        "other": lambda: call("where", c.condition, zero, g),
    }


RULES["hardtanh"] = lambda c, g: {"self": lambda: g * ~((c.self <= c.min_val) | (c.self >= c.max_val))}


@rule("clamp", "clamp_min", "clamp_max")
def _(c, g):
    low, high = c._bound.get("min"), c._bound.get("max")

    def inside():
        kept = None
        for edge, beyond in ((low, lambda: c.self >= low), (high, lambda: c.self <= high)):
            if edge is not None:
                kept = beyond() if kept is None else kept & beyond()
        return g * kept

    def below():
        return g * (c.self < low) * (True if high is None else low < high)

    def above():
        return g * ((c.self > high) | (False if low is None else high < low))

    return {"self": inside, "min": below, "max": above}


RULES["addcmul"] = lambda c, g: {
    "self": g, "tensor1": lambda: g * c.tensor2 * c.value, "tensor2": lambda: g * c.tensor1 * c.value
}  # fmt: skip
RULES["addcdiv"] = lambda c, g: {
    "self": g,
    "tensor1": lambda: g / c.tensor2 * c.value,
    "tensor2": lambda: -g * c.tensor1 / (c.tensor2 * c.tensor2) * c.value,
}
RULES["masked_fill"] = lambda c, g: {
    "self": lambda: g.masked_fill(c.mask, 0),
    "value": lambda: (g * c.mask).sum(),
}
RULES["nan_to_num"] = lambda c, g: {"self": lambda: g * (c.self.isfinite())}


def _around(part, c):
    """Give a part of the derivative of an angle; at the centre there is none."""
    squares = c.self**2 + c.other**2
    return call("where", squares == 0, 0.0, part / squares)
