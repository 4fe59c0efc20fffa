"""Convolutions and pools: the same small sum at every place."""

import math

import torch
from torch._absent import missing
from torch.nn import functional, init
from torch.nn.module import Module, Parameter


class _Convolution(Module):
    axes = 0

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
        padding_mode="zeros",
    ) -> None:  # fmt: skip
        super().__init__()
        if padding_mode != "zeros":
            raise missing(f"a convolution with padding_mode={padding_mode!r}")
        if isinstance(padding, str) and padding not in ("same", "valid"):
            raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}")
        if in_channels % groups or out_channels % groups:
            raise ValueError(
                f"{'in' if in_channels % groups else 'out'}_channels must be divisible by groups"
            )
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = map(self._each, (kernel_size, stride, dilation))
        self.padding = padding if isinstance(padding, str) else self._each(padding)
        self.weight = Parameter(torch.empty((out_channels, in_channels // groups, *self.kernel_size)))
        self.register_parameter("bias", Parameter(torch.empty(out_channels)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.weight[0].numel())
            init.uniform_(self.bias, -bound, bound)

    def _each(self, value) -> tuple[int, ...]:
        return (value,) * self.axes if isinstance(value, int) else tuple(value)

    def forward(self, input):
        apply = functional.conv1d if self.axes == 1 else functional.conv2d
        return apply(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

    def extra_repr(self) -> str:
        told = [
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        ]
        told += [f"padding={self.padding}"] * (self.padding != (0,) * self.axes)
        told += [f"dilation={self.dilation}"] * (self.dilation != (1,) * self.axes)
        told += [f"groups={self.groups}"] * (self.groups != 1) + ["bias=False"] * (self.bias is None)
        return ", ".join(told)


class Conv1d(_Convolution):
    """A convolution along one axis."""

    axes = 1


class Conv2d(_Convolution):
    """A convolution over a picture."""

    axes = 2
