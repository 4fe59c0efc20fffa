"""Activations and their gradients."""

from operator_draw import FLOATS, Case

from operator_cases.registry import CASES, cases

for _name in ["silu", "mish", "relu6", "hardsigmoid", "hardswish", "log_sigmoid_forward"]:
    CASES[f"aten.{_name}.default"] = lambda d: Case(
        [d.tensor(dtype=d.pick(FLOATS), low=-7, high=7)], loose=True
    )


@cases("gelu.default")
def _(d):
    x = d.tensor(dtype=d.pick(FLOATS), low=-4, high=4)
    return Case([x], d.pick([{}, {"approximate": "tanh"}, {"approximate": "none"}]), loose=True)


def _activation(*choices):
    return lambda d: Case([d.tensor(dtype=d.pick(FLOATS), low=-4, high=4), *d.pick(choices)], loose=True)


CASES["aten.elu.default"] = _activation([], [0.5], [1.3, 0.9], [1.3, 0.9, 0.7])
CASES["aten.leaky_relu.default"] = _activation([], [0.2])
CASES["aten.softplus.default"] = _activation([], [2], [0.5, 1])
CASES["aten.hardtanh.default"] = _activation([], [-0.5, 2.0])
CASES["aten.hardshrink.default"] = CASES["aten.softshrink.default"] = _activation([], [1.0])
CASES["aten.threshold.default"] = _activation([0.1, 2.0], [0, -1])


@cases("prelu.default")
def _(d):
    shape = d.shape(min_rank=2)
    return Case([d.tensor(shape), d.tensor([d.pick([1, shape[1]])])])


def _backward(*choices, low=-4, high=4):
    def build(d):
        shape = d.shape()
        return Case([d.tensor(shape), d.tensor(shape, low=low, high=high), *d.pick(choices)], loose=True)

    return build


CASES.update(
    {
        "aten.silu_backward.default": _backward([]),
        "aten.hardsigmoid_backward.default": _backward([]),
        "aten.hardswish_backward.default": _backward([]),
        "aten.sigmoid_backward.default": _backward([], low=0, high=1),
        "aten.tanh_backward.default": _backward([], low=-1, high=1),
        "aten.threshold_backward.default": _backward([0], [1.0]),
        "aten.leaky_relu_backward.default": _backward([0.1, False]),
        "aten.softplus_backward.default": _backward([1.0, 20.0], [2, 1]),
        "aten.hardtanh_backward.default": _backward([-1.0, 1.0], [0, 2]),
        "aten.hardshrink_backward.default": _backward([0.5]),
        "aten.softshrink_backward.default": _backward([0.5]),
    }
)


@cases("gelu_backward.default")
def _(d):
    case = _backward([])(d)
    case.kwargs = d.pick([{}, {"approximate": "tanh"}])
    return case


@cases("elu_backward.default")
def _(d):
    shape = d.shape()
    return Case([d.tensor(shape), 1.2, 0.9, 0.8, d.bool(), d.tensor(shape, low=-0.9, high=2)], loose=True)
