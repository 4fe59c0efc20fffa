"""The derivatives of activations, of softmax and of normalisation."""

import math

from torch._call import call
from torch._rules.table import RULES, _mm, _unreduced, rule


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
    "self": lambda: (
        g
        * call(
            "where",
            c.self <= 0,
            (c.self * c.input_scale).exp() * (c.alpha * c.scale * c.input_scale),
            g.new_ones([]) * c.scale,
        )
    )
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


@rule("_linalg_det")
def _(c, g):
    def back():
        return (g[0] * c.out).unsqueeze(-1).unsqueeze(-1) * call("linalg_inv_ex", c.A)[0].mT

    return {"A": back}


@rule("_linalg_solve_ex")
def _(c, g):
    def by_right():
        return call("_linalg_solve_ex", c.A.mT, g[0])[0]

    return {"A": lambda: -_mm(by_right(), c.out.mT), "B": by_right}


@rule("linalg_inv_ex")
def _(c, g):
    return {"A": lambda: -_mm(_mm(c.out.mT, g[0]), c.out.mT)}
