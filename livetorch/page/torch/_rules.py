"""The derivative of each operator: from the gradient of what it gave to the gradients of what it was given.

A rule gets what was saved of the call (arguments by name, ``out``) and the gradient ``g`` of its result, or a list
where there are several results. It gives a gradient for each argument by name, as a function where it costs something:
only what is wanted is computed. Gradients of what was broadcast are summed by the tape (_autograd.py).
"""

from __future__ import annotations

import math

from torch._call import call
from torch._dtype import bool_

RULES: dict = {}


def rule(*names: str):
    """File a rule under the names of its operators."""

    def file(function):
        RULES.update(dict.fromkeys(names, function))
        return function

    return file


def _zeros(g, shape):
    return g.new_zeros(list(shape))


def _axes(dim, rank: int) -> tuple[int, ...]:
    if dim is None or dim in ([], ()):
        return tuple(range(rank))
    return tuple(d % max(rank, 1) for d in ([dim] if isinstance(dim, int) else dim))


def _unreduced(g, shape, dim, keepdim: bool):
    """Give what a reduction left its axes back, of length 1, so that it broadcasts."""
    if keepdim or not shape:
        return g
    for axis in sorted(_axes(dim, len(shape))):
        g = g.unsqueeze(axis)
    return g


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
    "relu": lambda c: c.out > 0,
    "relu6": lambda c: (c.self > 0) & (c.self < 6),
    "silu": lambda c: (lambda s: s * (1 + c.self * (1 - s)))(c.self.sigmoid()),
    "deg2rad": lambda c: math.pi / 180,
    "rad2deg": lambda c: 180 / math.pi,
    "logit": lambda c: 1 / (c.self * (1 - c.self)),
    "frac": lambda c: 1,
}
for _name, _derivative in _X.items():
    RULES[_name] = lambda c, g, derivative=_derivative: {"self": lambda: g * derivative(c)}
for _name in ("round", "floor", "ceil", "trunc", "sign", "sgn", "heaviside", "floor_divide"):
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
        return g * (
            base * 0 if isinstance(power, int | float) and power == 0 else power * base ** (power - 1)
        )

    def by_power():
        log = call("log", base) if hasattr(base, "log") else math.log(base) if base > 0 else float("-inf")
        part = c.out * log
        return g * (call("where", base == 0, part * 0, part) if hasattr(base, "log") else part)

    return {"self": by_base, "exponent": by_power}


@rule("maximum", "minimum", "fmax", "fmin")
def _(c, g):
    def share(mine, other):
        return (mine == c.out).to(g.dtype) / (1 + ((mine == other) & (mine == c.out)).to(g.dtype))

    return {"self": lambda: g * share(c.self, c.other), "other": lambda: g * share(c.other, c.self)}


RULES["atan2"] = lambda c, g: {
    "self": lambda: g * c.other / (c.self**2 + c.other**2),
    "other": lambda: -g * c.self / (c.self**2 + c.other**2),
}
RULES["hypot"] = lambda c, g: {"self": lambda: g * c.self / c.out, "other": lambda: g * c.other / c.out}
RULES["logaddexp"] = lambda c, g: {
    "self": lambda: g * (c.self - c.out).exp(),
    "other": lambda: g * (c.other - c.out).exp(),
}
RULES["xlogy"] = lambda c, g: {"self": lambda: g * c.other.log(), "other": lambda: g * c.self / c.other}
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


@rule("clamp", "clamp_min", "clamp_max", "hardtanh")
def _(c, g):
    low, high = (
        c._bound.get(name) if name in c._bound else c._bound.get(f"{name}_val") for name in ("min", "max")
    )

    def inside():
        kept = None
        for edge, beyond in ((low, lambda: c.self >= low), (high, lambda: c.self <= high)):
            if edge is not None:
                kept = beyond() if kept is None else kept & beyond()
        return g * kept

    return {
        "self": inside,
        "min": lambda: g * (c.self < low),
        "max": lambda: g * (c.self > high),
    }


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


# --- activations ---
@rule("gelu")
def _(c, g):
    return {
        "self": lambda: (
            call("gelu_backward", g, c.self, approximate=c.approximate)
            if not _twice(g, c.self)
            else g * _gelu(c)
        )
    }


def _twice(*tensors) -> bool:
    return any(t.requires_grad for t in tensors)


def _gelu(c):
    x = c.self
    if c.approximate == "tanh":
        k = math.sqrt(2 / math.pi)
        t = (k * (x + 0.044715 * x**3)).tanh()
        return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * k * (1 + 3 * 0.044715 * x * x)
    return 0.5 * (1 + (x / math.sqrt(2)).erf()) + x * (-0.5 * x * x).exp() / math.sqrt(2 * math.pi)


RULES["softplus"] = lambda c, g: {
    "self": lambda: (
        g * call("where", c.self * c.beta > c.threshold, g.new_ones([]), (c.self * c.beta).sigmoid())
    )
}
RULES["elu"] = lambda c, g: {
    "self": lambda: g * call("where", c.self > 0, g.new_ones([]) * c.scale, c.out + c.alpha * c.scale)
}
RULES["leaky_relu"] = lambda c, g: {"self": lambda: call("where", c.self > 0, g, g * c.negative_slope)}
RULES["threshold"] = lambda c, g: {"self": lambda: g * (c.self > c.threshold)}
RULES["log_sigmoid_forward"] = lambda c, g: {"self": lambda: g[0] * (-c.self).sigmoid()}


@rule("softmax", "_softmax", "_safe_softmax")
def _(c, g):
    g = g.to(c.out.dtype)
    return {"self": lambda: c.out * (g - (g * c.out).sum(c.dim, keepdim=True))}


@rule("log_softmax", "_log_softmax")
def _(c, g):
    return {"self": lambda: g - c.out.exp() * g.sum(c.dim, keepdim=True)}


@rule("logsumexp")
def _(c, g):
    def back():
        shape = c.shape("self")
        out, up = (_unreduced(t, shape, c.dim, c.keepdim) for t in (c.out, g))
        return up * (c.self - out).exp()

    return {"self": back}


# --- products ---
def _mm(a, b):
    return call("matmul", a, b)


@rule("matmul", "mm", "bmm", "mv", "dot", "vdot")
def _(c, g):
    names = list(c._bound)
    a, b = (c._checked(c._bound[name]) for name in names)

    def by_first():
        if a.dim() == 1 and b.dim() == 1:
            return g * b
        if b.dim() == 1:
            return g.unsqueeze(-1) * b
        up = g.unsqueeze(-2) if a.dim() == 1 else g
        found = _mm(up, b.mT)
        return found.squeeze(-2) if a.dim() == 1 else found

    def by_second():
        if a.dim() == 1 and b.dim() == 1:
            return g * a
        if a.dim() == 1:
            return a.unsqueeze(-1) * g.unsqueeze(-2)
        if b.dim() == 1:
            return _mm(a.mT, g.unsqueeze(-1)).squeeze(-1)
        return _mm(a.mT, g)

    return {names[0]: by_first, names[1]: by_second}


@rule("addmm", "baddbmm")
def _(c, g):
    one, two = ("mat1", "mat2") if "mat1" in c._bound else ("batch1", "batch2")
    return {
        "self": lambda: g * c.beta,
        one: lambda: _mm(g, c._checked(c._bound[two]).mT) * c.alpha,
        two: lambda: _mm(c._checked(c._bound[one]).mT, g) * c.alpha,
    }


@rule("linear")
def _(c, g):
    rows = g.reshape(-1, g.shape[-1])
    return {
        "input": lambda: _mm(g, c.weight),
        "weight": lambda: _mm(rows.mT, c.input.reshape(-1, c.shape("input")[-1])),
        "bias": lambda: rows.sum(0),
    }


# --- reductions ---
@rule("sum", "mean")
def _(c, g):
    shape = c.shape("self")
    dim, keep = c._bound.get("dim"), c._bound.get("keepdim", False)

    def back():
        up = _unreduced(g, shape, dim, keep).expand(shape)
        return up

    return {"self": back}


@rule("mean")
def _(c, g):
    count = (
        math.prod(c.shape("self")[axis] for axis in _axes(c._bound.get("dim"), len(c.shape("self"))))
        if c.shape("self")
        else 1
    )
    return {"self": lambda: RULES["sum"](c, g)["self"]() / count}


@rule("prod")
def _(c, g):
    def back():
        shape, dim = c.shape("self"), c._bound.get("dim")
        out, up = (_unreduced(t, shape, dim, c._bound.get("keepdim", False)) for t in (c.out, g))
        if bool((c.self == 0).any()):
            raise NotImplementedError(
                "the derivative of prod where a factor is 0 is not in the page's torch."
            )
        return up * out / c.self

    return {"self": back}


@rule("var", "std")
def _(c, g):
    def back():
        x, dim = c.self, c._bound.get("dim")
        n = math.prod(x.shape[axis] for axis in _axes(dim, x.dim()))
        less = c._bound.get("correction")
        less = (
            (1 if less is None else less) if "correction" in c._bound else int(c._bound.get("unbiased", True))
        )
        keep = c._bound.get("keepdim", False)
        up = _unreduced(g, x.shape, dim, keep)
        centred = x - x.mean(dim=_axes(dim, x.dim()), keepdim=True)
        if c._std:
            spread = _unreduced(c.out, x.shape, dim, keep)
            return call("where", spread == 0, centred * 0, up * centred / ((n - less) * spread))
        return up * 2 * centred / (n - less)

    return {"self": back}


def _std(c, g):
    c._std = True
    return _var(c, g)


def _plain_var(c, g):
    c._std = False
    return _var(c, g)


_var = RULES["var"]
RULES["std"], RULES["var"] = _std, _plain_var


@rule("amax", "amin")
def _(c, g):
    def back():
        shape = c.shape("self")
        out, up = (_unreduced(t, shape, c.dim, c.keepdim) for t in (c.out, g))
        here = (c.self == out).to(g.dtype)
        return up * here / here.sum(_axes(c.dim, len(shape)), keepdim=True)

    return {"self": back}


@rule("max", "min", "median", "kthvalue", "topk", "sort", "cummax", "cummin", "mode")
def _(c, g):
    def back():
        if len(c._results) == 1:  # of all numbers: ties share
            here = (c.self == c.out).to(g.dtype)
            return g * here / here.sum()
        up, places, shape = g[0], c.outs[1], c.shape("self")
        if not shape:
            return up
        if up.dim() < len(shape):
            up, places = up.unsqueeze(c.dim), places.unsqueeze(c.dim)
        return call("scatter_add", _zeros(up, shape), c.dim, places, up)

    return {"self": back}


@rule("cumsum")
def _(c, g):
    return {"self": lambda: g.flip(c.dim).cumsum(c.dim).flip(c.dim)}


@rule("cumprod")
def _(c, g):
    def back():
        if bool((c.self == 0).any()):
            raise NotImplementedError(
                "the derivative of cumprod where a factor is 0 is not in the page's torch."
            )
        return (g * c.out).flip(c.dim).cumsum(c.dim).flip(c.dim) / c.self

    return {"self": back}


@rule("linalg_vector_norm", "norm")
def _(c, g):
    def back():
        order = c._bound.get("ord", c._bound.get("p", 2))
        shape, dim, keep = c.shape("self"), c._bound.get("dim"), c._bound.get("keepdim", False)
        out, up = (_unreduced(t, shape, dim, keep) for t in (c.out, g))
        if order == 2:
            return call(
                "where", out == 0, up * c.self * 0, up * c.self / call("where", out == 0, out + 1, out)
            )
        if order == 1:
            return up * c.self.sign()
        if order == math.inf:
            here = (c.self.abs() == out).to(g.dtype)
            return up * c.self.sign() * here / here.sum(_axes(dim, len(shape)), keepdim=True)
        return up * c.self.sign() * c.self.abs() ** (order - 1) / out ** (order - 1)

    return {"self": back}


# --- shapes and places ---
RULES["permute"] = lambda c, g: {"self": lambda: g.permute(c.back)}
RULES["reshape"] = lambda c, g: {"self": lambda: g.reshape(c.shape("self"))}
RULES["select"] = lambda c, g: {
    "self": lambda: call("select_scatter", _zeros(g, c.shape("self")), g, c.dim, c.index)
}
RULES["slice"] = lambda c, g: {
    "self": lambda: call("slice_scatter", _zeros(g, c.shape("self")), g, c.dim, c.start, c.stop, c.step)
}


@rule("as_strided")
def _(c, g):
    def back():
        shape = c.shape("self")
        spots = c.remade(call("arange", math.prod(shape)).reshape(shape)).reshape(-1)
        return call("index_add", _zeros(g, [math.prod(shape)]), 0, spots, g.reshape(-1)).reshape(shape)

    return {"self": back}


@rule("cat")
def _(c, g):
    return {"tensors": g.split([t.shape[c.dim] for t in c._bound["tensors"]], c.dim)}


RULES["stack"] = lambda c, g: {"tensors": g.unbind(c.dim)}
RULES["flip"] = lambda c, g: {"self": lambda: g.flip(c.dims)}


@rule("roll")
def _(c, g):
    shifts = [-s for s in c.shifts] if isinstance(c.shifts, tuple | list) else -c.shifts
    return {"self": lambda: call("roll", g, shifts, c.dims)}


@rule("repeat", "tile")
def _(c, g):
    def back():
        times = list(c._bound.get("repeats", c._bound.get("dims")))
        shape = list(c.shape("self"))
        times = [1] * (len(shape) - len(times)) + times
        shape = [1] * (len(times) - len(shape)) + shape
        cut = g.reshape([part for pair in zip(times, shape, strict=True) for part in pair])
        return cut.sum(tuple(range(0, 2 * len(times), 2))).reshape(c.shape("self"))

    return {"self": back}


@rule("repeat_interleave")
def _(c, g):
    def back():
        shape = list(c.shape("self"))
        if c.dim is None:
            return g.reshape(-1, c.repeats).sum(1).reshape(shape)
        axis = c.dim % len(shape)
        return g.reshape([*shape[: axis + 1], c.repeats, *shape[axis + 1 :]]).sum(axis + 1)

    return {"self": back}


RULES["tril"] = lambda c, g: {"self": lambda: g.tril(c.diagonal)}
RULES["triu"] = lambda c, g: {"self": lambda: g.triu(c.diagonal)}
RULES["diag_embed"] = lambda c, g: {"self": lambda: g.diagonal(c.offset, c.dim1, c.dim2)}
RULES["constant_pad_nd"] = lambda c, g: {"self": lambda: call("constant_pad_nd", g, [-p for p in c.pad])}
RULES["gather"] = lambda c, g: {
    "self": lambda: call("scatter_add", _zeros(g, c.shape("self")), c.dim, c.index, g)
}
RULES["index_select"] = lambda c, g: {
    "self": lambda: call("index_add", _zeros(g, c.shape("self")), c.dim, c.index, g)
}
RULES["index"] = lambda c, g: {
    "self": lambda: call("index_put", _zeros(g, c.shape("self")), list(c.indices), g, True)
}
RULES["embedding"] = lambda c, g: {
    "weight": lambda: call(
        "embedding_dense_backward", g, c.indices, c.shape("weight")[0], c.padding_idx, False
    )
}
RULES["scatter_add"] = lambda c, g: {"self": g, "src": lambda: g.gather(c.dim, c.index)}
RULES["index_add"] = lambda c, g: {"self": g, "source": lambda: g.index_select(c.dim, c.index) * c.alpha}
RULES["select_scatter"] = lambda c, g: {
    "self": lambda: call("select_scatter", g, g.new_zeros(c.shape("src")), c.dim, c.index), "src": lambda: g.select(c.dim, c.index)
}  # fmt: skip
RULES["slice_scatter"] = lambda c, g: {
    "self": lambda: call("slice_scatter", g, g.new_zeros(c.shape("src")), c.dim, c.start, c.end, c.step),
    "src": lambda: g.narrow(c.dim, c.start or 0, c.shape("src")[c.dim]) if c.step == 1 else _missing_step(),
}


def _missing_step():
    raise NotImplementedError("the derivative of slice_scatter with a step is not in the page's torch.")


@rule("scatter")
def _(c, g):
    if c._bound.get("reduce"):
        raise NotImplementedError("the derivative of scatter with reduce is not in the page's torch.")
    return {
        "self": lambda: call("scatter", g, c.dim, c.index, 0),
        "src": lambda: g.gather(c.dim, c.index),
    }


@rule("index_put")
def _(c, g):
    places = list(c.indices)

    def kept():
        return g if c.accumulate else call("index_put", g, places, g.new_zeros([]), False)

    return {"self": kept, "values": lambda: call("index", g, places)}


# --- normalisation ---
@rule("layer_norm")
def _(c, g):
    axes = tuple(range(-len(c.normalized_shape), 0))

    def normal():
        mean = c.input.mean(axes, keepdim=True)
        root = (c.input.var(axes, correction=0, keepdim=True) + c.eps).rsqrt()
        return (c.input - mean) * root, root

    def by_input():
        x, root = normal()
        up = g if c.weight is None else g * c.weight
        return root * (up - up.mean(axes, keepdim=True) - x * (up * x).mean(axes, keepdim=True))

    rest = tuple(range(len(c.shape("input")) - len(c.normalized_shape)))
    return {
        "input": by_input,
        "weight": lambda: (g * normal()[0]).sum(rest) if rest else g * normal()[0],
        "bias": lambda: g.sum(rest) if rest else g,
    }


@rule("linalg_inv_ex")
def _(c, g):
    return {"A": lambda: -_mm(_mm(c.out.mT, g[0]), c.out.mT)}


def boolean(t) -> bool:
    """Tell whether a tensor is a mask."""
    return t.dtype == bool_
