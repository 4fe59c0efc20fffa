"""Normalisation, losses, convolution, pooling, resizing."""

import math

import torch
from operator_draw import Case

from operator_cases.registry import CASES, cases


# ---------------- normalisation and losses
def _affine(d, shape):
    """Weight and bias, or only one, or none."""
    return [d.pick([None, d.tensor(shape)]), d.pick([None, d.tensor(shape)])]


def _normalised(d):
    lead, shape = d.shape(max_rank=2), d.shape(min_rank=1, max_rank=2, min_side=2)
    return d.tensor([*lead, *shape]), shape


@cases("native_layer_norm.default")
def _(d):
    x, shape = _normalised(d)
    weight = d.pick([None, d.tensor(shape)])
    bias = None if weight is None else d.pick([None, d.tensor(shape)])
    return Case([x, shape, weight, bias, d.pick([1e-5, 1e-3])], loose=True)


@cases("layer_norm.default")
def _(d):
    x, shape = _normalised(d)
    return Case([x, shape, *d.pick([[], [d.tensor(shape), d.tensor(shape)]])], loose=True)


@cases("native_layer_norm_backward.default")
def _(d):
    x, shape = _normalised(d)
    _, mean, rstd = torch.native_layer_norm(x, shape, None, None, 1e-5)
    weight, bias = d.tensor(shape), d.tensor(shape)
    if x.numel() == 0:
        x, mean, rstd = (
            torch.ones([2, *shape]),
            torch.ones([2, *([1] * len(shape))]),
            torch.ones([2, *([1] * len(shape))]),
        )
    return Case([d.tensor(list(x.shape)), x, shape, mean, rstd, weight, bias, [True, True, True]], loose=True)


def _grouped(d):
    groups = d.int(1, 3)
    n, channels, area = d.int(1, 3), groups * d.int(1, 3), d.int(2, 4)
    return d.tensor([n, channels, area]), n, channels, area, groups


@cases("native_group_norm.default")
def _(d):
    x, n, channels, area, groups = _grouped(d)
    return Case([x, *_affine(d, [channels]), n, channels, area, groups, 1e-5], loose=True)


@cases("native_group_norm_backward.default")
def _(d):
    x, n, channels, area, groups = _grouped(d)
    _, mean, rstd = torch.native_group_norm(x, None, None, n, channels, area, groups, 1e-5)
    weight = d.tensor([channels])
    return Case(
        [d.tensor(list(x.shape)), x, mean, rstd, weight, n, channels, area, groups, [True] * 3], loose=True
    )


def _batch(d):
    shape = [d.int(2, 4), d.int(1, 3), *[d.int(1, 3) for _ in range(d.int(0, 2))]]
    channels = [shape[1]]
    return (
        d.tensor(shape),
        d.tensor(channels),
        d.tensor(channels),
        d.tensor(channels),
        d.tensor(channels, low=0.5),
    )


@cases("native_batch_norm.default")
def _(d):
    x, weight, bias, mean, var = _batch(d)
    return Case([x, weight, bias, mean, var, d.bool(), 0.1, 1e-5], loose=True)


@cases("_native_batch_norm_legit_functional.default")
def _(d):
    x, weight, bias, mean, var = _batch(d)
    return Case([x, weight, bias, mean, var, True, 0.1, 1e-5], loose=True)


@cases("_native_batch_norm_legit_no_training.default")
def _(d):
    x, weight, bias, mean, var = _batch(d)
    return Case([x, *d.pick([[weight, bias], [None, None]]), mean, var, 0.1, 1e-5], loose=True)


@cases("_native_batch_norm_legit.no_stats")
def _(d):
    x, weight, bias, *_ = _batch(d)
    return Case([x, *d.pick([[weight, bias], [None, None]]), True, 0.1, 1e-5], loose=True)


@cases("native_dropout.default")
def _(d):
    return Case([d.tensor(), *d.pick([[0.5, False], [0.0, True]])])


def _classified(d):
    classes = d.int(1, 5)
    lead = d.pick([[], [d.int(1, 4)]])
    target = d.index(lead, classes)
    ignore = d.pick([-100, -100, 0])
    return (
        d.tensor([*lead, classes]),
        target,
        d.pick([None, d.tensor([classes], low=0.5)]),
        d.int(0, 2),
        ignore,
    )


@cases("nll_loss_forward.default")
def _(d):
    return Case(list(_classified(d)), loose=True)


@cases("nll_loss_backward.default")
def _(d):
    x, target, weight, reduction, ignore = _classified(d)
    output, total = torch.ops.aten.nll_loss_forward.default(x, target, weight, reduction, ignore)
    return Case([d.tensor(list(output.shape)), x, target, weight, reduction, ignore, total], loose=True)


@cases("mse_loss.default")
def _(d):
    shape = d.shape()
    return Case([d.tensor(shape), d.tensor(shape), *d.pick([[], [0], [1], [2]])], loose=True)


def _two_sets(d):
    lead, width = d.shape(max_rank=2), d.int(1, 4)
    return d.tensor([*lead, d.int(1, 4), width]), d.tensor([*lead, d.int(1, 4), width])


@cases("_cdist_forward.default")
def _(d):
    return Case([*_two_sets(d), d.pick([0.0, 1.0, 2.0, 3.0, math.inf]), 2], loose=True)


@cases("_cdist_backward.default")
def _(d):
    a, b = _two_sets(d)
    p = d.pick([1.0, 2.0, 3.0, math.inf])
    distances = torch.ops.aten._cdist_forward.default(a, b, p, 2)
    return Case([d.tensor(list(distances.shape)), a, b, p, distances], loose=True)


# ---------------- convolution, pooling, resizing
def _convolution(d):
    rank = d.int(1, 2)
    groups, transposed = d.pick([1, 1, 2]), d.bool()
    ins, outs = groups * d.int(1, 2), groups * d.int(1, 2)
    kernel = [d.int(1, 3) for _ in range(rank)]
    stride, dilation = [d.int(1, 2) for _ in range(rank)], [d.int(1, 2) for _ in range(rank)]
    padding = [d.int(0, 2) for _ in range(rank)]
    size = [d.int(5, 7) for _ in range(rank)]
    extra = [d.int(0, max(s, w) - 1) if transposed else 0 for s, w in zip(stride, dilation, strict=True)]
    weight = [ins, outs // groups, *kernel] if transposed else [outs, ins // groups, *kernel]
    x, w = d.tensor([d.int(1, 2), ins, *size]), d.tensor(weight)
    return x, w, outs, [stride, padding, dilation, transposed, extra, groups]


@cases("convolution.default")
def _(d):
    x, w, outs, options = _convolution(d)
    return Case([x, w, d.pick([None, d.tensor([outs])]), *options], loose=True)


@cases("convolution_backward.default")
def _(d):
    x, w, outs, options = _convolution(d)
    out = torch.ops.aten.convolution.default(x, w, None, *options)
    return Case([d.tensor(list(out.shape)), x, w, [outs], *options, [True, True, True]], loose=True)


def _plane(d):
    return d.tensor([*d.shape(min_rank=1, max_rank=2, min_side=1, max_side=3), d.int(5, 7), d.int(5, 7)])


def _avg(d):
    kernel = [d.int(2, 3), d.int(2, 3)]
    return [kernel, d.pick([[], [d.int(1, 2), d.int(1, 3)]]), [d.int(0, 1), d.int(0, 1)], d.bool(), d.bool()]


@cases("avg_pool2d.default")
def _(d):
    return Case([_plane(d), *d.pick([[[2]], [*_avg(d), d.pick([None, 3])]])], loose=True)


@cases("avg_pool2d_backward.default")
def _(d):
    x, options = _plane(d), [*_avg(d), d.pick([None, 3])]
    out = torch.ops.aten.avg_pool2d.default(x, *options)
    return Case([d.tensor(list(out.shape)), x, *options], loose=True)


def _max(d):
    kernel = [d.int(2, 3), d.int(2, 3)]
    stride = d.pick([[], [d.int(1, 2), d.int(1, 3)]])
    return [kernel, stride, [d.int(0, 1), d.int(0, 1)], [1, d.int(1, 2)], d.bool()]


@cases("max_pool2d_with_indices.default")
def _(d):
    x = _plane(d)
    return Case([d.distinct(list(x.shape)) if d.bool() else x, *d.pick([[[2]], _max(d)])])


@cases("max_pool2d_with_indices_backward.default")
def _(d):
    x, options = _plane(d), _max(d)
    out, places = torch.ops.aten.max_pool2d_with_indices.default(x, *options)
    return Case([d.tensor(list(out.shape)), x, *options, places], loose=True)


@cases("_adaptive_avg_pool2d.default", "adaptive_max_pool2d.default")
def _(d):
    return Case([_plane(d), [d.int(1, 5), d.int(1, 5)]], loose=True)


@cases("_adaptive_avg_pool2d_backward.default")
def _(d):
    x = _plane(d)
    return Case([d.tensor([*x.shape[:-2], d.int(1, 5), d.int(1, 5)]), x], loose=True)


@cases("adaptive_max_pool2d_backward.default")
def _(d):
    x = _plane(d)
    out, places = torch.ops.aten.adaptive_max_pool2d.default(x, [d.int(1, 4), d.int(1, 4)])
    return Case([d.tensor(list(out.shape)), x, places], loose=True)


def _image(d, rank=2):
    return d.tensor([d.int(1, 2), d.int(1, 3), *[d.int(2, 5) for _ in range(rank)]])


def _size(d, rank=2):
    return [d.int(1, 8) for _ in range(rank)]


CASES.update(
    {
        "aten.upsample_nearest1d.default": lambda d: Case([_image(d, 1), _size(d, 1)]),
        "aten.upsample_nearest2d.default": lambda d: Case([_image(d), _size(d)]),
        "aten._upsample_nearest_exact2d.default": lambda d: Case([_image(d), _size(d)]),
        "aten.upsample_linear1d.default": lambda d: Case([_image(d, 1), _size(d, 1), d.bool()], loose=True),
        "aten.upsample_bilinear2d.default": lambda d: Case([_image(d), _size(d), d.bool()], loose=True),
    }
)
SIZE_OR_FACTORS = [[[6, 5], None], [None, [2.0, 2.0]], [None, [1.5, 0.7]]]
CASES["aten.upsample_nearest2d.vec"] = lambda d: Case([_image(d), *d.pick(SIZE_OR_FACTORS)])


@cases("upsample_bilinear2d.vec")
def _(d):
    size, factors = d.pick(SIZE_OR_FACTORS)
    return Case([_image(d), size, d.bool(), factors], loose=True)


def _resize_backward(rank, aligned):
    def build(d):
        x, size = _image(d, rank), _size(d, rank)
        args = [d.tensor([*x.shape[:2], *size]), size, list(x.shape)]
        return Case([*args, d.bool()] if aligned else args, loose=True)

    return build


CASES["aten.upsample_nearest1d_backward.default"] = _resize_backward(1, False)
CASES["aten.upsample_nearest2d_backward.default"] = _resize_backward(2, False)
CASES["aten.upsample_linear1d_backward.default"] = _resize_backward(1, True)
CASES["aten.upsample_bilinear2d_backward.default"] = _resize_backward(2, True)


def _bordered(rank):
    def build(d):
        return Case([_image(d, rank), [d.int(0, 1) for _ in range(2 * rank)]])

    return build


for _rank in (1, 2, 3):
    CASES[f"aten.reflection_pad{_rank}d.default"] = _bordered(_rank)
    CASES[f"aten.replication_pad{_rank}d.default"] = _bordered(_rank)


@cases("im2col.default")
def _(d):
    x = d.tensor([d.int(1, 2), d.int(1, 2), d.int(5, 6), d.int(5, 6)])
    both = [[d.int(*limits), d.int(*limits)] for limits in ((1, 2), (1, 2), (0, 1), (1, 2))]
    return Case([x if d.bool() else x[0], *both])
