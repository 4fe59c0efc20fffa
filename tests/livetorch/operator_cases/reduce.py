"""Reductions, operators along one axis, sorting."""

import torch
from operator_draw import ANY, FLOATS, Case

from operator_cases.elementwise import two
from operator_cases.registry import cases


# ---------------- reductions
def _reduced(d, dtypes=FLOATS, min_side=0, low=-3, high=3, odd=True):
    return d.tensor(d.shape(min_side=min_side), d.pick(dtypes), low, high, odd)


def _axes_or_none(d, x):
    return d.pick([None, d.axes(x.dim())])


def _keep(d):
    return d.pick([[], [True], [False]])


@cases("sum.default", "prod.default")
def _(d):
    return Case(
        [_reduced(d, ANY)], d.pick([{}, {"dtype": torch.float64}, {"dtype": torch.float32}]), loose=True
    )


@cases("mean.default")
def _(d):
    return Case([_reduced(d)], d.pick([{}, {"dtype": torch.float64}]), loose=True)


@cases("sum.dim_IntList")
def _(d):
    x = _reduced(d, ANY)
    kwargs = d.pick([{}, {"dtype": torch.float64}])
    return Case([x, _axes_or_none(d, x), *_keep(d)], kwargs, loose=True)


@cases("mean.dim")
def _(d):
    x = _reduced(d)
    return Case([x, _axes_or_none(d, x), *_keep(d)], loose=True)


@cases("prod.dim_int")
def _(d):
    x = _reduced(d, ANY, low=-2, high=2)
    return Case([x, d.axis(x.dim()), *_keep(d)], loose=True)


@cases("amax.default", "amin.default")
def _(d):
    x = _reduced(d, ANY, min_side=1)
    return Case([x, *d.pick([[], [d.axes(x.dim()), *_keep(d)]])])


@cases("max.default", "min.default")
def _(d):
    return Case([_reduced(d, ANY, min_side=1)])


@cases("max.dim", "min.dim")
def _(d):
    x = d.distinct(d.shape(min_side=1)) if d.bool() else _reduced(d, ("float32", "int64", "bool"), min_side=1)
    return Case([x, d.axis(x.dim()), *_keep(d)])


@cases("argmax.default", "argmin.default")
def _(d):
    x = d.distinct(d.shape(min_side=1)) if d.bool() else _reduced(d, ("float32", "int64"), min_side=1)
    return Case([x, *d.pick([[], [None], [d.axis(x.dim()), *_keep(d)]])])


@cases("aminmax.default")
def _(d):
    x = _reduced(d, ("float32", "int64"), min_side=1)
    return Case([x], d.pick([{}, {"dim": d.axis(x.dim()), "keepdim": d.bool()}]))


@cases("var.default", "std.default")
def _(d):
    return Case([_reduced(d, odd=False), *d.pick([[], [True], [False]])], loose=True)


@cases("var.dim", "std.dim")
def _(d):
    x = _reduced(d, odd=False)
    return Case([x, _axes_or_none(d, x), *d.pick([[], [True], [False, True]])], loose=True)


@cases("var.correction", "std.correction", "var_mean.correction", "std_mean.correction")
def _(d):
    x = _reduced(d, ("float32", "float64"), odd=False)
    options = {"correction": d.pick([None, 0, 1, 2, 0.5]), "keepdim": d.bool()}
    return Case([x, *d.pick([[], [_axes_or_none(d, x)]])], d.pick([{}, options]), loose=True)


@cases("any.default", "all.default")
def _(d):
    return Case([_reduced(d, ANY, low=-0.6, high=0.6)])


@cases("any.dim", "all.dim")
def _(d):
    x = _reduced(d, ANY, low=-0.6, high=0.6)
    return Case([x, d.axis(x.dim()), *_keep(d)])


@cases("any.dims", "all.dims")
def _(d):
    x = _reduced(d, ANY, low=-0.6, high=0.6)
    return Case([x, d.pick([None, d.axes(x.dim(), min_size=1)]), *_keep(d)])


ORDERS = [0, 1, 2, 3, 2.5, -1, float("inf"), float("-inf")]


@cases("linalg_vector_norm.default")
def _(d):
    x = _reduced(d, ("float32", "float64"), min_side=1)
    rest = d.pick([[], [d.pick(ORDERS), _axes_or_none(d, x), *_keep(d)]])
    return Case(
        [x, *rest], d.pick([{}, {"dtype": torch.float64}]) if x.dtype == torch.float32 else {}, loose=True
    )


@cases("norm.Scalar")
def _(d):
    return Case([_reduced(d, ("float32",), min_side=1), *d.pick([[], [1], [3]])], loose=True)


@cases("norm.ScalarOpt_dim")
def _(d):
    x = _reduced(d, ("float32",), min_side=1)
    return Case([x, d.pick([None, 1, 2, 3]), d.axes(x.dim(), min_size=1), *_keep(d)], loose=True)


@cases("dist.default")
def _(d):
    return Case([*two(d, ("float32",)), *d.pick([[], [1], [3]])], loose=True)


@cases("logsumexp.default")
def _(d):
    x = _reduced(d, ("float32", "float64"))
    return Case([x, d.axes(x.dim(), min_size=1), *_keep(d)], loose=True)


@cases("count_nonzero.default")
def _(d):
    x = _reduced(d, ANY, low=-1, high=1)
    return Case([x, *d.pick([[], [d.axis(x.dim())]])])


@cases("count_nonzero.dim_IntList")
def _(d):
    x = _reduced(d, ANY, low=-1, high=1)
    return Case([x, d.axes(x.dim(), min_size=1)])


# ---------------- along one axis
@cases("_softmax.default", "_log_softmax.default")
def _(d):
    x = _reduced(d, FLOATS)
    return Case([x, d.axis(x.dim()), False], loose=True)


@cases("softmax.int", "log_softmax.int", "_safe_softmax.default")
def _(d):
    x = _reduced(d, ("float32", "float64"))
    if x.dim() and d.bool():
        x[..., :1] = float("-inf")
    return Case([x, d.axis(x.dim()), *d.pick([[], [torch.float64]])], loose=True)


@cases("_softmax_backward_data.default", "_log_softmax_backward_data.default")
def _log_softmax_like(d, name):
    x = d.tensor()
    axis = d.axis(x.dim())
    output = torch.log_softmax(x, axis) if "log" in name else torch.softmax(x, axis)
    return Case([d.tensor(list(x.shape)), output, axis, torch.float32], loose=True)


@cases("cumsum.default", "cumprod.default")
def _(d):
    x = _reduced(d, ANY, low=-2, high=2)
    return Case([x, d.axis(x.dim())], d.pick([{}, {"dtype": torch.float64}]), loose=True)


@cases("logcumsumexp.default")
def _(d):
    x = _reduced(d, ("float32", "float64"), odd=False)
    return Case([x, d.axis(x.dim())], loose=True)


@cases("cummax.default", "cummin.default")
def _(d):
    x = _reduced(d, ("float32", "int64", "bool"))
    return Case([x, d.axis(x.dim())])


# ---------------- sorting
@cases("sort.stable", "argsort.stable")
def _(d):
    x = _reduced(d, ("float32", "float16", "int64", "bool"))
    return Case([x], {"stable": True, "dim": d.axis(x.dim()), "descending": d.bool()})


ORDERED = ("float32", "float16", "int64", "uint8")


@cases("sort.default", "argsort.default")
def _(d):
    x = _reduced(d, (*ORDERED, "bool"))
    return Case([x, *d.pick([[], [d.axis(x.dim()), d.bool()]])])


@cases("topk.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1), d.pick(ORDERED), odd=True)
    axis = d.axis(x.dim())
    return Case([x, d.int(0, x.shape[axis]), axis, d.bool()])


@cases("kthvalue.default")
def _(d):
    x = _reduced(d, ORDERED, min_side=1)
    axis = d.axis(x.dim())
    return Case([x, d.int(1, x.shape[axis] if x.dim() else 1), axis, *_keep(d)])


@cases("median.dim", "nanmedian.dim")
def _(d):
    x = _reduced(d, ("float32", "int64"), min_side=1)
    return Case([x, d.axis(x.dim()), *_keep(d)])


@cases("median.default", "nanmedian.default")
def _(d):
    return Case([_reduced(d, ("float32",))])


@cases("searchsorted.Tensor")
def _(d):
    values = d.tensor(d.shape(min_rank=1))
    length = d.int(1, 5)
    shape = [length] if d.bool() else [*values.shape[:-1], length]
    ordered = d.tensor(shape).sort(-1).values
    if d.bool() and values.numel():
        values = torch.where(values > 0, ordered.reshape(-1)[:1] if ordered.numel() else values, values)
    return Case([ordered, values], d.pick([{}, {"right": True}, {"side": "right", "out_int32": True}]))


@cases("searchsorted.Scalar")
def _(d):
    ordered = d.tensor([d.int(0, 5)]).sort(-1).values
    return Case([ordered, d.number(kinds=("int", "float"))], d.pick([{}, {"right": True}]))


@cases("bucketize.Tensor")
def _(d):
    x = d.tensor(odd=True)
    return Case(
        [x.round(), d.tensor([4]).round().sort().values], d.pick([{}, {"right": True}, {"out_int32": True}])
    )
