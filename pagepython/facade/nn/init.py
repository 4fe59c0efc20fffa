"""``torch.nn.init``: numbers to begin with."""

import math
import warnings
from statistics import NormalDist

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


@_quiet
def trunc_normal_(t, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
            stacklevel=2,
        )
    whole = NormalDist(mean, std)
    if whole.cdf(b) - whole.cdf(a) > 0.3:  # drawn again where it lies outside
        low, high = t.new_tensor([a, b]).tolist()
        drawn = t.normal_(mean, std, generator=generator)
        while (outside := (drawn < low) | (drawn > high)).any():
            again = torch.empty_like(drawn).normal_(mean, std, generator=generator)
            drawn = torch.where(outside, again, drawn)
        t.copy_(drawn)
        return
    # drawn evenly, and kept as often as the curve is high there
    peak, drawn, waiting = (
        ((max(a, min(mean, b)) - mean) / std) ** 2,
        t,
        torch.ones(t.shape, dtype=torch.bool),
    )
    while waiting.any():
        tried = torch.empty_like(t).uniform_(a, b, generator=generator)
        drawn = torch.where(waiting, tried, drawn)
        height = 0.5 * (peak - ((tried - mean) / std) ** 2)
        waiting = waiting & (torch.empty_like(t).uniform_(generator=generator).log() > height)
    t.copy_(drawn)


@_quiet
def orthogonal_(t, gain=1, generator=None):
    if t.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not t.numel():
        return
    drawn = t.new_empty((t.shape[0], t.numel() // t.shape[0])).normal_(0, 1, generator=generator)
    q, r = torch.linalg.qr(drawn if drawn.shape[0] >= drawn.shape[1] else drawn.T)
    q = q * r.diagonal().sign()
    t.copy_((q if drawn.shape[0] >= drawn.shape[1] else q.T).reshape(t.shape)).mul_(gain)


hold("nn.init", globals())
__getattr__ = refuser(__name__)
