"""Sorting and searching."""

import torch
from operator_draw import Case

from operator_cases.reduced import keep, reduced
from operator_cases.registry import cases


@cases("sort.stable", "argsort.stable")
def _(d):
    x = reduced(d, ("float32", "float16", "int64", "bool"))
    return Case([x], {"stable": True, "dim": d.axis(x.dim()), "descending": d.bool()})


ORDERED = ("float32", "float16", "int64", "uint8")


@cases("sort.default", "argsort.default")
def _(d):
    x = reduced(d, (*ORDERED, "bool"))
    return Case([x, *d.pick([[], [d.axis(x.dim()), d.bool()]])])


@cases("topk.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1), d.pick(ORDERED), odd=True)
    axis = d.axis(x.dim())
    return Case([x, d.int(0, x.shape[axis]), axis, d.bool()])


@cases("kthvalue.default")
def _(d):
    x = reduced(d, ORDERED, min_side=1)
    axis = d.axis(x.dim())
    return Case([x, d.int(1, x.shape[axis] if x.dim() else 1), axis, *keep(d)])


@cases("mode.default")  # of what is without NaN: the others are refused
def _(d):
    x = reduced(d, ("float32", "int64"), min_side=1)
    return Case([x.nan_to_num(), d.axis(x.dim()), *keep(d)])


@cases("median.dim", "nanmedian.dim")
def _(d):
    x = reduced(d, ("float32", "int64"), min_side=1)
    return Case([x, d.axis(x.dim()), *keep(d)])


@cases("median.default", "nanmedian.default")
def _(d):
    return Case([reduced(d, ("float32",))])


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
