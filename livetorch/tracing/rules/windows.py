"""Convolution and pooling by picking windows, a matrix product and adding up: no operators of their own.

The places of all windows are whole numbers that depend on sizes only: a constant of the Program.
"""

from collections.abc import Callable, Sequence
from math import ceil, prod

import torch
from torch import Tensor

from livetorch.tracing.reader.refusals import Refusal

aten = torch.ops.aten
Sizes = Sequence[int]


def _spread(sizes: Sizes | int, count: int) -> list[int]:
    sizes = [sizes] if isinstance(sizes, int) else list(sizes)
    return sizes * count if len(sizes) == 1 else sizes


def _places(padded: Sizes, kernel: Sizes, stride: Sizes, dilation: Sizes) -> tuple[Tensor, list[int]]:
    """List the places of window elements in the flat padded input, (kernel, windows), and the sizes out."""
    out = [
        (n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(padded, kernel, stride, dilation, strict=True)
    ]
    places, count = torch.zeros((), dtype=torch.int64), len(out)
    for axis, (n, k, s, d) in enumerate(zip(out, kernel, stride, dilation, strict=True)):
        here = torch.arange(k)[:, None] * d + torch.arange(n) * s
        sizes = [1] * axis + [k] + [1] * (count - 1) + [n] + [1] * (count - 1 - axis)
        places = places * padded[axis] + here.reshape(sizes)
    return places.reshape(prod(kernel), prod(out)), out


def _padded(x: Tensor, padding: Sizes, value: float = 0.0, more: Sizes | None = None) -> Tensor:
    more = more or [0] * len(padding)
    pads = [side for p, m in zip(reversed(padding), reversed(more), strict=True) for side in (p, p + m)]
    return aten.constant_pad_nd.default(x, pads, value) if any(pads) else x


def _cropped(x: Tensor, padding: Sizes, sizes: Sizes) -> Tensor:
    for axis, (p, n) in enumerate(zip(padding, sizes, strict=True)):
        x = x.narrow(x.dim() - len(sizes) + axis, p, n)
    return x


def _picked(x: Tensor, places: Tensor, spatial: int) -> Tensor:
    """Pick all windows: (..., *sizes) -> (..., kernel, windows)."""
    flat = x.reshape(*x.shape[:-spatial], -1)
    return aten.index.Tensor(flat, [None] * (flat.dim() - 1) + [places])


def _added(windows: Tensor, places: Tensor, sizes: Sizes) -> Tensor:
    """Add windows up where they overlap: (..., kernel, windows) -> (..., *sizes)."""
    flat = windows.new_zeros(*windows.shape[:-2], prod(sizes))
    flat = aten.index_put.default(flat, [None] * (flat.dim() - 1) + [places], windows, True)
    return flat.reshape(*windows.shape[:-2], *sizes)


def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
) -> Tensor:
    """Convolve (batch, channels, *sizes) with (out channels, channels / groups, *kernel)."""
    count = weight.dim() - 2
    stride, padding, dilation, extra = (
        _spread(s, count) for s in (stride, padding, dilation, output_padding)
    )
    kernel, batch = list(weight.shape[2:]), input.shape[0]
    if transposed:
        edges = zip(input.shape[2:], stride, dilation, kernel, strict=True)
        sizes = [(n - 1) * s + d * (k - 1) + 1 for n, s, d, k in edges]
        places, _ = _places(sizes, kernel, stride, dilation)
        out = _spread_out(input, weight, groups, places, sizes)
        kept = [n - 2 * p + e for n, p, e in zip(sizes, padding, extra, strict=True)]
        out = _cropped(_padded(out, [0] * count, more=extra), padding, kept)
    else:
        x = _padded(input, padding)
        places, sizes = _places(x.shape[2:], kernel, stride, dilation)
        windows = _grouped(_picked(x, places, count), groups)  # (batch, groups, channels * kernel, windows)
        out = weight.reshape(groups, -1, windows.shape[2]) @ windows
        out = out.reshape(batch, -1, *sizes)
    return out if bias is None else out + bias.reshape(-1, *[1] * count)


def _grouped(windows: Tensor, groups: int) -> Tensor:
    return windows.reshape(windows.shape[0], groups, -1, windows.shape[-1])


def _spread_out(x: Tensor, weight: Tensor, groups: int, places: Tensor, sizes: Sizes) -> Tensor:
    """Send each element of x through the kernel to its window, and add up."""
    x = x.reshape(x.shape[0], groups, -1, places.shape[1])
    windows = weight.reshape(groups, x.shape[2], -1).transpose(1, 2) @ x
    return _added(windows.reshape(x.shape[0], -1, *places.shape), places, sizes)


def convolution_backward(
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    bias_sizes: Sizes | None,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    transposed: bool,
    output_padding: Sizes,
    groups: int,
    output_mask: Sequence[bool],
) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
    """Give the gradients for input, weight and bias."""
    if transposed:
        raise Refusal("the gradient of a transposed convolution cannot be traced", "Use a convolution.")
    count = weight.dim() - 2
    stride, padding, dilation = (_spread(s, count) for s in (stride, padding, dilation))
    x = _padded(input, padding)
    places, _ = _places(x.shape[2:], weight.shape[2:], stride, dilation)
    for_input = for_weight = for_bias = None
    if output_mask[0]:
        whole = _spread_out(grad_output, weight, groups, places, x.shape[2:])
        for_input = _cropped(whole, padding, input.shape[2:])
    if output_mask[1]:
        windows = _grouped(_picked(x, places, count), groups)
        flat = grad_output.reshape(x.shape[0], groups, -1, places.shape[1])
        for_weight = (flat @ windows.transpose(-1, -2)).sum(0).reshape(weight.shape)
    if output_mask[2]:
        for_bias = grad_output.sum([0, *range(2, grad_output.dim())])
    return for_input, for_weight, for_bias


def _pooling(
    sizes: Sizes,
    kernel: Sizes | int,
    stride: Sizes | int,
    padding: Sizes | int,
    dilation: Sizes | int,
    ceil_mode: bool,
) -> tuple[list[int], list[int], Tensor, list[int]]:
    """Give padding, further padding at the end, places and output sizes of 2-D pooling."""
    kernel, padding, dilation = (_spread(s, 2) for s in (kernel, padding, dilation))
    stride = _spread(stride, 2) if stride else kernel
    more = [0, 0]
    if ceil_mode:
        for i in range(2):
            room = sizes[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1
            last = ceil(room / stride[i]) * stride[i]
            more[i] = last - room if last < sizes[i] + padding[i] else 0
    padded = [n + 2 * p + m for n, p, m in zip(sizes, padding, more, strict=True)]
    places, out = _places(padded, kernel, stride, dilation)
    return padding, more, places, out


def max_pool(
    self: Tensor,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes | int = 0,
    dilation: Sizes | int = 1,
    ceil_mode: bool = False,
) -> tuple[Tensor, Tensor]:
    """Give the largest element of each window, and its place in the flat input."""
    sizes = self.shape[-2:]
    padding, more, places, out = _pooling(sizes, kernel_size, stride, padding, dilation, ceil_mode)
    least = float("-inf") if self.is_floating_point() else torch.iinfo(self.dtype).min
    numbers = _padded(torch.arange(prod(sizes)).reshape(*sizes), padding, 0, more).reshape(-1)
    return _largest(_padded(self, padding, least, more), places, numbers, out)


def adaptive_max_pool(self: Tensor, output_size: Sizes) -> tuple[Tensor, Tensor]:
    """Give the largest element of so many windows, which may differ in size, and its place."""
    rows, columns = (_stretches(n, count) for n, count in zip(self.shape[-2:], output_size, strict=True))
    places = rows[:, None, :, None] * self.shape[-1] + columns[:, None]
    places = places.reshape(len(rows) * len(columns), -1)
    return _largest(self, places, torch.arange(prod(self.shape[-2:])), list(output_size))


def _stretches(size: int, count: int) -> Tensor:
    """List the places in each of so many stretches of an axis, the last one repeated in short ones."""
    starts = torch.arange(count) * size // count
    lengths = -(-(torch.arange(count) + 1) * size // count) - starts
    return starts + torch.minimum(torch.arange(int(lengths.max()))[:, None], lengths - 1)


def _largest(padded: Tensor, places: Tensor, numbers: Tensor, out: Sizes) -> tuple[Tensor, Tensor]:
    windows = _picked(padded, places, 2)
    values, which = windows.max(-2)
    strange = windows != windows  # of several NaN the last one counts
    last = windows.shape[-2] - 1 - strange.flip(-2).to(torch.int64).argmax(-2)
    which = torch.where(values != values, last, which)
    indices = numbers[places][which, torch.arange(places.shape[1])]
    return values.reshape(*padded.shape[:-2], *out), indices.reshape(*padded.shape[:-2], *out)


def max_pool_backward(
    grad_output: Tensor,
    self: Tensor,
    kernel_size: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    ceil_mode: bool,
    indices: Tensor,
) -> Tensor:
    """Give each gradient to the element that was the largest."""
    return adaptive_max_pool_backward(grad_output, self, indices)


def adaptive_max_pool_backward(grad_output: Tensor, self: Tensor, indices: Tensor) -> Tensor:
    """Give each gradient to the element that was the largest."""
    flat = self.new_zeros(*self.shape[:-2], prod(self.shape[-2:]))
    flat = flat.scatter_add(-1, indices.flatten(-2), grad_output.flatten(-2))
    return flat.reshape(self.shape)


def average_pool(
    self: Tensor,
    kernel_size: Sizes,
    stride: Sizes = (),
    padding: Sizes | int = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """Give the mean of each window."""
    padding, more, places, out = _pooling(self.shape[-2:], kernel_size, stride, padding, 1, ceil_mode)
    windows = _picked(_padded(self, padding, 0.0, more), places, 2).sum(-2)
    counts = _counts(self.shape[-2:], padding, more, places, count_include_pad, divisor_override)
    if self.is_floating_point():
        return (windows / counts).reshape(*self.shape[:-2], *out)
    counts = torch.as_tensor(counts, dtype=self.dtype)
    return torch.div(windows, counts, rounding_mode="trunc").reshape(*self.shape[:-2], *out)


def average_pool_backward(
    grad_output: Tensor,
    self: Tensor,
    kernel_size: Sizes,
    stride: Sizes,
    padding: Sizes,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Tensor:
    """Give each element its share of the gradients of its windows."""
    sizes = self.shape[-2:]
    padding, more, places, _ = _pooling(sizes, kernel_size, stride, padding, 1, ceil_mode)
    share = grad_output.flatten(-2) / _counts(
        sizes, padding, more, places, count_include_pad, divisor_override
    )
    padded = [n + 2 * p + m for n, p, m in zip(sizes, padding, more, strict=True)]
    return _cropped(
        _added(share.unsqueeze(-2).expand(*share.shape[:-1], *places.shape), places, padded), padding, sizes
    )


def _counts(
    sizes: Sizes, padding: Sizes, more: Sizes, places: Tensor, count_pad: bool, override: int | None
) -> Tensor | int:
    if override:
        return override
    inside = torch.ones(*sizes)
    inside = _padded(inside, padding, 1.0 if count_pad else 0.0)
    return _picked(_padded(inside, [0, 0], 0.0, more), places, 2).sum(0)


RULES: dict[str, Callable] = {
    "aten.convolution.default": convolution,
    "aten.convolution_backward.default": convolution_backward,
    "aten.max_pool2d_with_indices.default": max_pool,
    "aten.max_pool2d_with_indices_backward.default": max_pool_backward,
    "aten.adaptive_max_pool2d.default": adaptive_max_pool,
    "aten.adaptive_max_pool2d_backward.default": adaptive_max_pool_backward,
    "aten.avg_pool2d.default": average_pool,
    "aten.avg_pool2d_backward.default": average_pool_backward,
}
