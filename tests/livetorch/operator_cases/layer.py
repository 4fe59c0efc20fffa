"""Layer normalisation."""

from operator_draw import Case

from operator_cases.registry import cases


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
