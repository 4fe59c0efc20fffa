"""The derivatives of products and of what sums or picks along axes."""

import math

from torch._absent import missing
from torch._call import call
from torch._rules.table import RULES, _axes, _mm, _unreduced, _zeros, rule

# --- products ---


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
        if not bool((c.self == 0).any()):
            return up * out / c.self
        x, axis = (c.self.reshape(-1), 0) if dim is None else (c.self, dim)
        one = x.narrow(axis, 0, 1) * 0 + 1  # what stands before each number, times what stands after it
        before = call("cat", [one, x.narrow(axis, 0, x.shape[axis] - 1)], axis).cumprod(axis)
        after = call("cat", [one, x.flip(axis).narrow(axis, 0, x.shape[axis] - 1)], axis).cumprod(axis)
        return up * (before * after.flip(axis)).reshape(shape)

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
            here = ((c.self == c.out) | (c.out.isnan() & c.self.isnan())).to(g.dtype)
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
            raise missing("the derivative of cumprod where a factor is 0")
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
        if abs(order) == math.inf:
            here = (c.self.abs() == out).to(g.dtype)
            return up * c.self.sign() * here / here.sum(_axes(dim, len(shape)), keepdim=True)
        if order == 0:
            return None
        powers = c.self.abs() ** (order - 1)
        powers = powers if order >= 1 else call("where", c.self == 0, 0.0, powers)
        return up * c.self.sign() * powers / call("where", out == 0, math.inf, out ** (order - 1))

    return {"self": back}
