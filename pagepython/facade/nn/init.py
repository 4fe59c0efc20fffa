"""``torch.nn.init``: numbers to begin with."""

import math

import torch
from torch._absent import refuser
from torch._surface import hold


def _quiet(function):
    def fill(tensor, *args, **kwargs):
        with torch.no_grad():
            function(tensor, *args, **kwargs)
        return tensor

    return fill


uniform_ = _quiet(lambda t, a=0.0, b=1.0, generator=None: t.uniform_(a, b, generator=generator))
normal_ = _quiet(lambda t, mean=0.0, std=1.0, generator=None: t.normal_(mean, std, generator=generator))
constant_ = _quiet(lambda t, val: t.fill_(val))
zeros_ = _quiet(lambda t: t.fill_(0))
ones_ = _quiet(lambda t: t.fill_(1))
eye_ = _quiet(lambda t: t.copy_(torch.eye(*t.shape)))


def _fans(tensor) -> tuple[int, int]:
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def calculate_gain(nonlinearity: str, param=None) -> float:
    slope = 0.01 if param is None else param
    gains = {"tanh": 5 / 3, "relu": math.sqrt(2), "leaky_relu": math.sqrt(2 / (1 + slope**2)), "selu": 3 / 4}
    return gains.get(nonlinearity, 1.0)


def xavier_uniform_(tensor, gain=1.0, generator=None):
    bound = gain * math.sqrt(6 / sum(_fans(tensor)))
    return uniform_(tensor, -bound, bound, generator=generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    return normal_(tensor, 0.0, gain * math.sqrt(2 / sum(_fans(tensor))), generator=generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    bound = math.sqrt(3) * calculate_gain(nonlinearity, a) / math.sqrt(_fans(tensor)[mode == "fan_out"])
    return uniform_(tensor, -bound, bound, generator=generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return normal_(
        tensor,
        0.0,
        calculate_gain(nonlinearity, a) / math.sqrt(_fans(tensor)[mode == "fan_out"]),
        generator=generator,
    )


hold("nn.init", globals())
__getattr__ = refuser(__name__)
