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
        "aten.hardshrink_backward.default": _backward([0.5]),
        "aten.softshrink_backward.default": _backward([0.5]),
    }
)


@cases("gelu_backward.default")
def _(d):
    case = _backward([])(d)
    case.kwargs = d.pick([{}, {"approximate": "tanh"}])
    return case
