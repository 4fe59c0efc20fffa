"""Reductions, and operators along one axis."""

import torch
from operator_draw import ANY, FLOATS, Case

from operator_cases.operands import two
from operator_cases.reduced import axes_or_none, keep, reduced
from operator_cases.registry import cases


@cases("sum.default", "prod.default")
def _(d):
    return Case(
        [reduced(d, ANY)], d.pick([{}, {"dtype": torch.float64}, {"dtype": torch.float32}]), loose=True
    )


@cases("mean.default")
def _(d):
    return Case([reduced(d)], d.pick([{}, {"dtype": torch.float64}]), loose=True)


@cases("sum.dim_IntList")
def _(d):
    x = reduced(d, ANY)
    kwargs = d.pick([{}, {"dtype": torch.float64}])
    return Case([x, axes_or_none(d, x), *keep(d)], kwargs, loose=True)


@cases("mean.dim")
def _(d):
    x = reduced(d)
    return Case([x, axes_or_none(d, x), *keep(d)], loose=True)


@cases("prod.dim_int")
def _(d):
    x = reduced(d, ANY, low=-2, high=2)
    return Case([x, d.axis(x.dim()), *keep(d)], loose=True)


@cases("amax.default", "amin.default")
def _(d):
    x = reduced(d, ANY, min_side=1)
    return Case([x, *d.pick([[], [d.axes(x.dim()), *keep(d)]])])


@cases("max.default", "min.default")
def _(d):
    return Case([reduced(d, ANY, min_side=1)])


@cases("max.dim", "min.dim")
def _(d):
    x = d.distinct(d.shape(min_side=1)) if d.bool() else reduced(d, ("float32", "int64", "bool"), min_side=1)
    return Case([x, d.axis(x.dim()), *keep(d)])


@cases("argmax.default", "argmin.default")
def _(d):
    x = d.distinct(d.shape(min_side=1)) if d.bool() else reduced(d, ("float32", "int64"), min_side=1)
    return Case([x, *d.pick([[], [None], [d.axis(x.dim()), *keep(d)]])])


@cases("aminmax.default")
def _(d):
    x = reduced(d, ("float32", "int64"), min_side=1)
    return Case([x], d.pick([{}, {"dim": d.axis(x.dim()), "keepdim": d.bool()}]))


@cases("var.default", "std.default")
def _(d):
    return Case([reduced(d, odd=False), *d.pick([[], [True], [False]])], loose=True)


@cases("var.dim", "std.dim")
def _(d):
    x = reduced(d, odd=False)
    return Case([x, axes_or_none(d, x), *d.pick([[], [True], [False, True]])], loose=True)


@cases("var.correction", "std.correction", "var_mean.correction", "std_mean.correction")
def _(d):
    x = reduced(d, ("float32", "float64"), odd=False)
    options = {"correction": d.pick([None, 0, 1, 2, 0.5]), "keepdim": d.bool()}
    return Case([x, *d.pick([[], [axes_or_none(d, x)]])], d.pick([{}, options]), loose=True)


@cases("any.default", "all.default")
def _(d):
    return Case([reduced(d, ANY, low=-0.6, high=0.6)])


@cases("any.dim", "all.dim")
def _(d):
    x = reduced(d, ANY, low=-0.6, high=0.6)
    return Case([x, d.axis(x.dim()), *keep(d)])


@cases("any.dims", "all.dims")
def _(d):
    x = reduced(d, ANY, low=-0.6, high=0.6)
    return Case([x, d.pick([None, d.axes(x.dim(), min_size=1)]), *keep(d)])


ORDERS = [0, 1, 2, 3, 2.5, -1, float("inf"), float("-inf")]


@cases("linalg_vector_norm.default")
def _(d):
    x = reduced(d, ("float32", "float64"), min_side=1)
    rest = d.pick([[], [d.pick(ORDERS), axes_or_none(d, x), *keep(d)]])
    return Case(
        [x, *rest], d.pick([{}, {"dtype": torch.float64}]) if x.dtype == torch.float32 else {}, loose=True
    )


@cases("norm.Scalar")
def _(d):
    return Case([reduced(d, ("float32",), min_side=1), *d.pick([[], [1], [3]])], loose=True)


@cases("norm.ScalarOpt_dim")
def _(d):
    x = reduced(d, ("float32",), min_side=1)
    return Case([x, d.pick([None, 1, 2, 3]), d.axes(x.dim(), min_size=1), *keep(d)], loose=True)


@cases("dist.default")
def _(d):
    return Case([*two(d, ("float32",)), *d.pick([[], [1], [3]])], loose=True)


@cases("logsumexp.default")
def _(d):
    x = reduced(d, ("float32", "float64"))
    return Case([x, d.axes(x.dim(), min_size=1), *keep(d)], loose=True)


@cases("count_nonzero.default")
def _(d):
    x = reduced(d, ANY, low=-1, high=1)
    return Case([x, *d.pick([[], [d.axis(x.dim())]])])


@cases("count_nonzero.dim_IntList")
def _(d):
    x = reduced(d, ANY, low=-1, high=1)
    return Case([x, d.axes(x.dim(), min_size=1)])


@cases("_softmax.default", "_log_softmax.default")
def _(d):
    x = reduced(d, FLOATS)
    return Case([x, d.axis(x.dim()), False], loose=True)


@cases("softmax.int", "log_softmax.int", "_safe_softmax.default")
def _(d):
    x = reduced(d, ("float32", "float64"))
    if x.dim() and d.bool():
        x[..., :1] = float("-inf")
    return Case([x, d.axis(x.dim()), *d.pick([[], [torch.float64]])], loose=True)


@cases("cumsum.default", "cumprod.default")
def _(d):
    x = reduced(d, ANY, low=-2, high=2)
    return Case([x, d.axis(x.dim())], d.pick([{}, {"dtype": torch.float64}]), loose=True)


@cases("logcumsumexp.default")
def _(d):
    x = reduced(d, ("float32", "float64"), odd=False)
    return Case([x, d.axis(x.dim())], loose=True)


@cases("cummax.default", "cummin.default")
def _(d):
    x = reduced(d, ("float32", "int64", "bool"))
    return Case([x, d.axis(x.dim())])
