"""Views, joining and turning."""

import torch
from operator_draw import ANY, Case

from operator_cases.registry import cases


# ---------------- views
@cases("alias.default", "clone.default", "detach.default", "lift_fresh_copy.default", "contiguous.default")
def _(d):
    return Case([d.tensor(dtype=d.pick(ANY))])


@cases("view.default", "reshape.default")
def _(d):
    x = d.tensor(d.shape(min_side=1), d.pick(ANY))
    count = x.numel()
    divisor = d.pick([k for k in range(1, count + 1) if count % k == 0])
    return Case([x, d.pick([[count], [-1], [divisor, -1], [divisor, count // divisor, 1]])])


@cases("expand.default")
def _(d):
    target = d.shape()
    x = d.tensor(d.part_of(target), d.pick(ANY))
    missing = len(target) - x.dim()
    size = [
        -1 if k >= missing and x.shape[k - missing] == n and d.bool() else n for k, n in enumerate(target)
    ]
    return Case([x, size])


@cases("permute.default")
def _(d):
    x = d.tensor(dtype=d.pick(ANY))
    order = d.order(x.dim())
    return Case([x, [axis - x.dim() if d.bool() else axis for axis in order]])


@cases("transpose.int")
def _(d):
    x = d.tensor(dtype=d.pick(ANY))
    return Case([x, d.axis(x.dim()), d.axis(x.dim())])


@cases("t.default")
def _(d):
    return Case([d.tensor(d.shape(max_rank=2))])


def _with_ones(d):
    return d.tensor([d.pick([1, 1, 2, 3]) for _ in range(d.int(0, 4))])


@cases("squeeze.default")
def _(d):
    return Case([_with_ones(d)])


@cases("squeeze.dim")
def _(d):
    x = _with_ones(d)
    return Case([x, d.axis(x.dim())])


@cases("squeeze.dims")
def _(d):
    x = _with_ones(d)
    return Case([x, d.axes(x.dim())])


@cases("unsqueeze.default")
def _(d):
    x = d.tensor(d.shape(max_rank=3))
    return Case([x, d.axis(x.dim() + 1)])


def _slice(d, shape):
    axis = d.axis(len(shape))
    places = [None, 0, 1, 2, -1, -3, 9, -9, 2**63 - 1]
    return [axis, d.pick(places), d.pick(places), d.pick([1, 1, 2, 3])]


@cases("slice.Tensor")
def _(d):
    x = d.tensor(d.shape(min_rank=1), d.pick(ANY))
    return Case([x, *_slice(d, x.shape)[: d.int(0, 4)]])


@cases("slice_scatter.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1))
    where = _slice(d, x.shape)
    part = torch.ops.aten.slice.Tensor(x, *where)
    return Case([x, d.tensor(list(part.shape)), *where])


@cases("select.int")
def _(d):
    x = d.tensor(d.shape(min_rank=1, min_side=1), d.pick(ANY))
    axis = d.axis(x.dim())
    return Case([x, axis, d.int(-x.shape[axis], x.shape[axis] - 1)])


@cases("select_scatter.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1, min_side=1))
    axis = d.axis(x.dim())
    index = d.int(-x.shape[axis], x.shape[axis] - 1)
    return Case([x, d.tensor(list(x.select(axis, index).shape)), axis, index])


def _diagonal(d, rank):
    first, second = d.order(rank)[:2]
    return [d.int(-3, 3), first - rank if d.bool() else first, second]


@cases("diagonal.default")
def _(d):
    x = d.tensor(d.shape(min_rank=2), d.pick(ANY))
    return Case([x, *d.pick([[], _diagonal(d, x.dim())])])


@cases("diagonal_scatter.default")
def _(d):
    x = d.tensor(d.shape(min_rank=2))
    where = _diagonal(d, x.dim())
    return Case([x, d.tensor(list(x.diagonal(*where).shape)), *where])


@cases("unfold.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1, min_side=1))
    axis = d.axis(x.dim())
    return Case([x, axis, d.int(1, x.shape[axis]), d.int(1, 3)])


@cases("as_strided.default")
def _(d):
    x = d.tensor([24])
    return Case([x, *d.pick([[[2, 3], [3, 1]], [[2, 3], [1, 2], 4], [[4, 4], [0, 1]], [[], [], 5]])])


@cases("as_strided_scatter.default")
def _(d):
    return Case([d.tensor([24]), d.tensor([2, 3]), [2, 3], d.pick([[3, 1], [12, 2]]), d.int(0, 6)])


@cases("copy.default")
def _(d):
    x = d.tensor(dtype=d.pick(ANY))
    return Case([x, d.tensor(d.part_of(list(x.shape)), d.pick(ANY), odd=False)])


# ---------------- joining and turning
@cases("cat.default")
def _(d):
    shape = d.shape(min_rank=1)
    axis = d.axis(len(shape))
    parts = []
    for _ in range(d.int(1, 4)):
        own = list(shape)
        own[axis] = d.int(0, 3)
        parts.append(d.tensor(own, d.pick(ANY)))
    if d.bool():
        parts.append(torch.zeros(0))
    return Case([parts, axis])


@cases("stack.default")
def _(d):
    shape = d.shape(max_rank=3)
    return Case([[d.tensor(shape, d.pick(ANY)) for _ in range(d.int(1, 3))], d.axis(len(shape) + 1)])


@cases("split.Tensor")
def _(d):
    x = d.tensor(d.shape(min_rank=1))
    return Case([x, d.int(1, 3), d.axis(x.dim())])


@cases("split_with_sizes.default", "split.sizes")
def _(d):
    x = d.tensor(d.shape(min_rank=1))
    axis = d.axis(x.dim())
    cut = d.int(0, x.shape[axis])
    return Case([x, [cut, x.shape[axis] - cut], axis])


@cases("chunk.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1))
    return Case([x, d.int(1, 4), d.axis(x.dim())])


@cases("unbind.int")
def _(d):
    x = d.tensor(d.shape(min_rank=1, min_side=1))
    return Case([x, d.axis(x.dim())])


@cases("repeat.default")
def _(d):
    x = d.tensor(d.shape(max_rank=3), d.pick(ANY))
    return Case([x, [d.int(0, 3) for _ in range(x.dim() + d.int(0, 1))]])


@cases("tile.default")
def _(d):
    return Case([d.tensor(d.shape(max_rank=3)), [d.int(1, 3) for _ in range(d.int(0, 3))]])


@cases("repeat_interleave.self_int")
def _(d):
    x = d.tensor(d.shape(min_rank=1))
    return Case([x, d.int(1, 3), *d.pick([[], [None], [d.axis(x.dim())]])])


@cases("flip.default")
def _(d):
    x = d.tensor(dtype=d.pick(ANY))
    return Case([x, d.axes(x.dim())])


@cases("roll.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1))
    axes = d.axes(x.dim(), min_size=1)
    return Case([x, *d.pick([[[d.int(-5, 5)]], [[d.int(-5, 5) for _ in axes], axes]])])


@cases("tril.default", "triu.default")
def _(d):
    return Case([d.tensor(d.shape(min_rank=2), d.pick(ANY)), *d.pick([[], [d.int(-4, 4)]])])


@cases("constant_pad_nd.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1, min_side=2), d.pick(ANY))
    pad = [d.int(-1, 2) for _ in range(2 * d.int(1, x.dim()))]
    return Case([x, pad, *d.pick([[], [1], [True]])])


@cases("diag_embed.default")
def _(d):
    x = d.tensor(d.shape(min_rank=1, max_rank=3))
    return Case([x, *d.pick([[], _diagonal(d, x.dim() + 1)])])
