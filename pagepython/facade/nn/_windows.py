"""What slides over places: convolutions and pools as products with, and choices from, windows."""

from __future__ import annotations

import torch
from torch._call import call


def _each(value, axes: int) -> list[int]:
    return [value] * axes if isinstance(value, int) else list(value) * (axes if len(value) == 1 else 1)


def _windows(input, axes: int, kernel: list, stride: list, edges: list, dilation: list, fill: float = 0.0):
    """Give (..., places, kernel): what stands under the kernel at each place."""
    if any(edge for pair in edges for edge in pair):
        around = [edge for pair in reversed(edges) for edge in pair]
        input = call("constant_pad_nd", input, around, fill)
    first = input.dim() - axes
    wide = [d * (k - 1) + 1 for d, k in zip(dilation, kernel, strict=True)]
    if any(input.shape[first + k] < length for k, length in enumerate(wide)):
        sizes = " x ".join(map(str, input.shape[first:]))
        raise RuntimeError(
            f"Calculated padded input size per channel: ({sizes}). Kernel size: ({' x '.join(map(str, wide))}). "
            "Kernel size can't be greater than actual input size"
        )
    for k in range(axes):
        input = input.unfold(first + k, wide[k], stride[k])
        input = input[..., :: dilation[k]] if dilation[k] != 1 else input
    return input


def convolution(axes: int, input, weight, bias, stride, padding, dilation, groups):
    """Multiply every window with the kernel and sum."""
    if input.dim() not in (axes + 1, axes + 2):
        raise RuntimeError(
            f"Expected {axes + 1}D (unbatched) or {axes + 2}D (batched) input to conv{axes}d, but got input of size: {list(input.shape)}"
        )
    channels = input.dim() - axes - 1
    if input.shape[channels] != weight.shape[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected input{list(input.shape)} to have "
            f"{weight.shape[1] * groups} channels, but got {input.shape[channels]} channels instead"
        )
    kernel, stride, dilation = list(weight.shape[2:]), _each(stride, axes), _each(dilation, axes)
    reach = [d * (k - 1) for d, k in zip(dilation, kernel, strict=True)]
    if padding == "same":
        edges = [(r // 2, r - r // 2) for r in reach]
    else:
        edges = [(p, p) for p in _each(0 if padding == "valid" else padding, axes)]
    windows = _windows(input, axes, kernel, stride, edges, dilation)
    windows = windows.movedim(channels, channels + axes)  # (..., places, channels, kernel)
    parts = zip(windows.chunk(groups, channels + axes), weight.chunk(groups), strict=True)
    biases = [None] * groups if bias is None else bias.chunk(groups)
    found = [
        call("linear", x.flatten(-axes - 1), w.flatten(1), b) for (x, w), b in zip(parts, biases, strict=True)
    ]
    return (found[0] if groups == 1 else torch.cat(found, -1)).movedim(-1, channels)


def pool(input, kernel_size, stride, padding, fill: float):
    """Give (..., rows, columns, window) of a picture."""
    kernel = _each(kernel_size, 2)
    edges = [(p, p) for p in _each(padding, 2)]
    stride = kernel if stride is None else _each(stride, 2)
    return _windows(input, 2, kernel, stride, edges, [1, 1], fill).flatten(-2)
