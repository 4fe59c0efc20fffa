"""Activations as modules."""

from __future__ import annotations

from torch.nn import functional
from torch.nn.module import Module


def _module(name: str, function, *options):
    """Make a module of a function and of the names of its options with their defaults."""

    def start(self, *args, **kwargs) -> None:
        Module.__init__(self)
        values = dict(options) | dict(zip([key for key, _ in options], args, strict=False)) | kwargs
        self._given = {key: value for key, value in values.items() if key != "inplace"}
        self._told = [
            f"{key}={value!r}"
            for key, value in values.items()
            if key in ("approximate", "dim", "alpha", "negative_slope", "beta", "threshold")
        ]

    def forward(self, input):
        return function(input, **self._given)

    return type(
        name,
        (Module,),
        {
            "__init__": start,
            "forward": forward,
            "extra_repr": lambda self: ", ".join(self._told),
            "__doc__": f"{name} as a module.",
        },
    )


ReLU = _module("ReLU", functional.relu, ("inplace", False))
GELU = _module("GELU", functional.gelu, ("approximate", "none"))
ELU = _module("ELU", functional.elu, ("alpha", 1.0), ("inplace", False))
LeakyReLU = _module("LeakyReLU", functional.leaky_relu, ("negative_slope", 0.01), ("inplace", False))
SiLU = _module("SiLU", functional.silu, ("inplace", False))
Softplus = _module("Softplus", functional.softplus, ("beta", 1.0), ("threshold", 20.0))
Tanh = _module("Tanh", lambda x: x.tanh())
Sigmoid = _module("Sigmoid", lambda x: x.sigmoid())
Softmax = _module("Softmax", functional.softmax, ("dim", None))
LogSoftmax = _module("LogSoftmax", functional.log_softmax, ("dim", None))


class Identity(Module):
    """What comes in goes out."""

    def __init__(self, *_, **__) -> None:
        super().__init__()

    def forward(self, input):
        return input
