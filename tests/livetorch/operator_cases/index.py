"""Picking and placing by indices."""

import torch
from operator_draw import ANY, PLACES, Case

from operator_cases.registry import cases


@cases("index_select.default")
def _(d):
    x = d.tensor(d.shape(min_side=1), d.pick(ANY))
    axis = d.axis(x.dim())
    length = x.shape[axis] if x.dim() else 1
    index = d.index([d.int(0, 5) if x.dim() else 1], length, d.pick(PLACES))
    return Case([x, axis, index])


@cases("embedding.default")
def _(d):
    rows = d.int(1, 6)
    weight = d.tensor([rows, d.int(0, 4)])
    return Case([weight, d.index(d.shape(), rows, d.pick(PLACES)), *d.pick([[], [0]])])


@cases("embedding_dense_backward.default")
def _(d):
    rows, width = d.int(1, 6), d.int(1, 4)
    indices = d.index(d.shape(max_rank=2), rows)
    grad = d.tensor([*indices.shape, width])
    return Case([grad, indices, rows, d.pick([-1, 0]), d.bool()], loose=True)


def _smaller(d, shape, axis):
    """An index shape for gather and scatter: no longer than `shape` except along the axis."""
    return [d.int(0, 5) if k == axis % len(shape) else d.int(0, n) for k, n in enumerate(shape)]


def _indexed(d, dtypes=("float32",), distinct=False):
    x = d.tensor(d.shape(min_side=1), d.pick(dtypes))
    axis = d.axis(x.dim())
    if x.dim() == 0:
        return x, axis, d.index([], 1)
    shape = _smaller(d, list(x.shape), axis)
    index = d.index(shape, x.shape[axis])
    if distinct:  # each place named once, so that the order of writing does not matter
        shape[axis] = min(shape[axis], x.shape[axis])
        index = d.values([x.shape[axis] if k == axis % x.dim() else n for k, n in enumerate(shape)])
        index = index.argsort(axis).narrow(axis, 0, shape[axis]).contiguous()
    return x, axis, index


@cases("gather.default")
def _(d):
    return Case(list(_indexed(d, ANY)))


@cases("scatter.src")
def _(d):
    x, axis, index = _indexed(d, distinct=True)
    return Case([x, axis, index, d.tensor([n + d.int(0, 1) for n in index.shape])])


@cases("scatter.value")
def _(d):
    x, axis, index = _indexed(d, ANY)
    return Case([x, axis, index, d.pick([1, 0, 2.0]) if x.is_floating_point() else 1])


@cases("scatter.reduce")
def _(d):
    x, axis, index = _indexed(d)
    return Case(
        [x, axis, index, d.tensor(list(index.shape))], {"reduce": d.pick(["add", "multiply"])}, loose=True
    )


@cases("scatter.value_reduce")
def _(d):
    x, axis, index = _indexed(d)
    return Case([x, axis, index, 1.5], {"reduce": d.pick(["add", "multiply"])}, loose=True)


@cases("scatter_add.default")
def _(d):
    x, axis, index = _indexed(d)
    return Case([x, axis, index, d.tensor([n + d.int(0, 1) for n in index.shape])], loose=True)


@cases("scatter_reduce.two")
def _(d):
    x, axis, index = _indexed(d)
    reduce = d.pick(["sum", "prod", "mean", "amax", "amin"])
    source = d.tensor(list(index.shape))
    return Case([x, axis, index, source, reduce], d.pick([{}, {"include_self": False}]), loose=True)


@cases("index_add.default", "index_copy.default")
def _index_slices(d, name):
    x = d.tensor(d.shape(min_rank=1, min_side=1))
    axis = d.axis(x.dim())
    length = x.shape[axis]
    index = (
        d.values([length]).argsort()[: d.int(0, length)] if "copy" in name else d.index([d.int(0, 4)], length)
    )
    shape = list(x.shape)
    shape[axis] = len(index)
    kwargs = d.pick([{}, {"alpha": 0.5}]) if "add" in name else {}
    return Case([x, axis, index, d.tensor(shape)], kwargs, loose=True)


def _indices(d, shape, distinct=False):
    """Integer tensors, masks and gaps for `x[...]`."""
    covered = d.int(1, len(shape))
    picked = d.shape(max_rank=2, min_side=0 if not distinct else 1)
    indices = []
    for axis in range(covered):
        kind = d.int(0, 3)
        if kind == 0 and axis < covered - 1:
            indices.append(None)
        else:
            own = d.part_of(picked)
            indices.append(d.index(own, shape[axis], d.pick(PLACES), negative=True))
    return indices


@cases("index.Tensor")
def _index(d, name):
    x = d.tensor(d.shape(min_rank=1, min_side=1), d.pick(ANY))
    indices = _indices(d, x.shape)
    if "unsafe" not in name and d.int(0, 3) == 0:
        indices = [d.tensor(list(x.shape[: d.int(1, x.dim())]), "bool")]
        if d.bool() and x.dim() == indices[0].dim() + 1:
            indices = [*indices, None]
    return Case([x, indices])


@cases("index_put.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1, min_side=1))
    accumulate = d.bool()
    indices = _indices(d, x.shape)
    if not accumulate:  # a value each place agrees on, whatever the order of writing
        return Case([x, indices, d.tensor([])])
    target = torch.ops.aten.index.Tensor(x, indices)
    return Case([x, indices, d.tensor(d.part_of(list(target.shape))), True], loose=True)


@cases("masked_scatter.default")
def _(d):
    x = d.tensor()
    return Case([x, d.tensor(d.part_of(list(x.shape)), "bool"), d.tensor([x.numel() + 1])])


@cases("one_hot.default")
def _(d):
    index = d.index(d.shape(min_side=1), 4)
    return Case([index, *d.pick([[], [-1], [6]])])
