"""What slides over places: convolutions and pools as products with, and choices from, windows."""

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
    return (found[0] if groups == 1 else torch.cat(found, -1)).movedim(-1, channels).contiguous()


def windows(input, axes: int, kernel_size, stride, padding, dilation, fill: float = 0.0):
    """Give (..., places, kernel) for sizes that are one number or one for each axis."""
    kernel = _each(kernel_size, axes)
    edges = [(p, p) for p in _each(padding, axes)]
    return _windows(input, axes, kernel, _each(stride, axes), edges, _each(dilation, axes), fill)


def pool(axes: int, input, kernel_size, stride, padding, dilation, fill: float):
    """Give (..., places, window)."""
    if input.dim() not in (axes + 1, axes + 2):
        raise RuntimeError(
            f"Expected {axes + 1}D or {axes + 2}D (batch mode) tensor for input, but got: {list(input.shape)}"
        )
    for p, k in zip(_each(padding, axes), _each(kernel_size, axes), strict=True):
        if p > k // 2:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={dilation}"
            )
    cut = windows(input, axes, kernel_size, stride or kernel_size, padding, dilation, fill)
    return cut.flatten(-axes)


def folded(input, output_size, kernel_size, dilation, padding, stride):
    """Sum windows back into the places that they were cut from."""
    height, width = (n + 2 * p for n, p in zip(_each(output_size, 2), _each(padding, 2), strict=True))
    spots = torch.arange(height * width).reshape(1, 1, height, width)
    cut = windows(spots, 2, kernel_size, stride, 0, dilation)  # (1, 1, y, x, h, w)
    h, w = cut.shape[-2:]
    if input.shape[-1] != cut.shape[2] * cut.shape[3] or input.shape[1] % (h * w):
        raise RuntimeError(
            f"Given output_size={tuple(_each(output_size, 2))}, kernel_size={tuple(_each(kernel_size, 2))}, expected size of input's dimension 2 to match the "
            f"calculated number of sliding blocks {cut.shape[2]} * {cut.shape[3]} = {cut.shape[2] * cut.shape[3]}, but got input.size(2)={input.shape[-1]}."
        )
    channels = input.shape[1] // (h * w)
    flat = input.reshape(input.shape[0] * channels, -1)
    found = flat.new_zeros(flat.shape[0], height * width).index_add(
        1, cut.permute(0, 1, 4, 5, 2, 3).reshape(-1), flat
    )
    py, px = _each(padding, 2)
    found = found.reshape(input.shape[0], channels, height, width)
    return found[..., py : height - py, px : width - px]
