"""The derivatives of what moves numbers to other places."""

import math

from torch._absent import missing
from torch._call import call
from torch._rules.table import RULES, _zeros, rule
from torch._views import places

RULES["permute"] = lambda c, g: {"self": lambda: g.permute(c.back)}
RULES["reshape"] = lambda c, g: {"self": lambda: g.reshape(c.shape("self"))}
RULES["select"] = lambda c, g: {
    "self": lambda: call("select_scatter", _zeros(g, c.shape("self")), g, c.dim, c.index)
}
RULES["slice"] = lambda c, g: {
    "self": lambda: call("slice_scatter", _zeros(g, c.shape("self")), g, c.dim, c.start, c.stop, c.step)
}


RULES["as_strided"] = lambda c, g: {
    "self": lambda: call(
        "index_add", _zeros(g, [math.prod(c.whole[0])]), 0, places(c.whole, c.part), g.reshape(-1)
    ).reshape(c.whole[0])
}
RULES["copy"] = lambda c, g: {"self": lambda: g * 0, "src": g}


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
    raise missing("the derivative of slice_scatter with a step")


@rule("scatter")
def _(c, g):
    if c._bound.get("reduce"):
        raise missing("the derivative of scatter with reduce")
    return {"self": lambda: call("scatter", g, c.dim, c.index, 0), "src": lambda: g.gather(c.dim, c.index)}


@rule("index_put")
def _(c, g):
    places = list(c.indices)

    def kept():
        return g if c.accumulate else call("index_put", g, places, g.new_zeros([]), False)

    return {"self": kept, "values": lambda: call("index", g, places)}
