"""Checks of arguments at the public edge: every message names the argument, the axes expected and what came.

Shapes and dtypes are always checked. Values (are the lengths in range?) are checked only when there are
values to look at: while a function is being traced, vectorised or compiled, a tensor stands for many values.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from livetorch._torch import need_torch

need_torch(torch.__version__)  # the first file of the package that asks for torch


def values_known(*items: object) -> bool:
    """Tell whether the values of all the tensors among `items` may be read by plain Python code."""
    if torch.compiler.is_compiling() or torch._C._get_tracing_state() is not None:
        return False
    if torch._C._len_torch_dispatch_stack() > 0 or torch._C._functorch.peek_interpreter_stack() is not None:
        return False
    plain = (Tensor, torch.nn.Parameter)
    tensors = [item for item in items if isinstance(item, Tensor)]
    return all(type(tensor) in plain and not tensor.is_meta for tensor in tensors)


def shape_text(tensor: Tensor) -> str:
    """Write a shape as (2, 3) whatever kind of integers it holds."""
    return str(tuple(tensor.shape))


def floating(**tensors: Tensor) -> None:
    """Refuse anything that is not a tensor of real floating-point numbers, and a mix of dtypes."""
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} must be a torch.Tensor, got {type(tensor).__name__}.")
        if not tensor.is_floating_point():
            raise TypeError(f"{name} must be floating-point, got {tensor.dtype}. Use {name}.float().")
    if len({tensor.dtype for tensor in tensors.values()}) > 1:
        got = ", ".join(f"{name}={tensor.dtype}" for name, tensor in tensors.items())
        raise TypeError(f"{_names(tensors)} must have the same dtype, got {got}.")


def rank_at_least(rank: int, axes: str, **tensors: Tensor) -> None:
    """Refuse tensors with fewer axes than the formula names."""
    for name, tensor in tensors.items():
        if tensor.dim() < rank:
            raise ValueError(f"{name} must have shape {axes.format(name)}, got {shape_text(tensor)}.")


def rank(axes: str, **tensors: Tensor) -> None:
    """Refuse tensors that have more or fewer axes than a text such as "(batch, {}, dim)" names."""
    for name, tensor in tensors.items():
        if tensor.dim() != axes.removesuffix(",)").count(",") + 1:
            raise ValueError(f"{name} must have shape {axes.format(name)}, got {shape_text(tensor)}.")


def same_batch(**tensors: Tensor) -> None:
    """Refuse leading axes (all but the last two) that do not broadcast against each other."""
    leading = [tuple(tensor.shape[:-2]) for tensor in tensors.values()]
    for i, first in enumerate(leading):
        for second in leading[i + 1 :]:
            pairs = zip(reversed(first), reversed(second), strict=False)
            if any(a != b and a != 1 and b != 1 for a, b in pairs):
                got = ", ".join(f"{name} {shape_text(tensor)}" for name, tensor in tensors.items())
                raise ValueError(f"the batch axes of {_names(tensors)} must broadcast, got {got}.")


def queries_and_keys(queries: Tensor, keys: Tensor, *, same_dim: bool = True) -> None:
    """Check queries (..., queries, dim) against keys (..., keys, dim)."""
    floating(queries=queries, keys=keys)
    rank_at_least(2, "(..., {}, dim)", queries=queries, keys=keys)
    if same_dim and queries.shape[-1] != keys.shape[-1]:
        raise ValueError(
            "queries and keys must have the same dim (last axis), "
            f"got queries dim={queries.shape[-1]}, keys dim={keys.shape[-1]}."
        )
    if queries.shape[-1] == 0 or keys.shape[-1] == 0:
        got = f"queries {shape_text(queries)}, keys {shape_text(keys)}"
        raise ValueError(f"queries and keys must have dim >= 1, got {got}.")
    same_batch(queries=queries, keys=keys)


def keys_and_values(keys: Tensor, values: Tensor) -> None:
    """Check values (..., keys, value_dim) against keys (..., keys, dim)."""
    floating(keys=keys, values=values)
    rank_at_least(2, "(..., keys, value_dim)", values=values)
    if keys.shape[-2] != values.shape[-2]:
        raise ValueError(
            "keys and values must have the same length, "
            f"got keys={keys.shape[-2]}, values={values.shape[-2]}."
        )
    same_batch(keys=keys, values=values)


def parameter(name: str, tensor: Tensor, like: Tensor, of: str = "queries", **axes: int | None) -> None:
    """Check a weight against the axes it needs; None leaves a size open."""
    floating(**{name: tensor})
    if tensor.dtype != like.dtype:
        raise TypeError(f"{name} must have the dtype of {of}, got {name}={tensor.dtype}, {of}={like.dtype}.")
    fits = tensor.dim() == len(axes) and all(
        size is None or size == got for size, got in zip(axes.values(), tensor.shape, strict=True)
    )
    if not fits:
        wanted = ", ".join(axis if size is None else f"{axis}={size}" for axis, size in axes.items())
        raise ValueError(f"{name} must have shape ({wanted}), got {shape_text(tensor)}.")


def last_axis(name: str, tensor: Tensor, axis: str, size: int) -> None:
    """Refuse a tensor whose last axis is not what a layer was made for."""
    if tensor.shape[-1] != size:
        raise ValueError(f"{name} must have {axis}={size} (last axis), got {name} {shape_text(tensor)}.")


def positive(name: str, value: float | Tensor) -> None:
    """Refuse a number, or a tensor whose value can be seen, that is not above zero."""
    if isinstance(value, bool) or not isinstance(value, int | float | Tensor | torch.SymFloat | torch.SymInt):
        raise TypeError(f"{name} must be a number or a tensor without axes, got {type(value).__name__}.")
    if isinstance(value, Tensor) and value.numel() != 1:
        raise ValueError(f"{name} must be one number, got a tensor of shape {shape_text(value)}.")
    # `not (x > 0)` rather than `x <= 0`: NaN is refused too
    if values_known(value) and not bool(value > 0):
        raise ValueError(f"{name} must be above 0, got {name}={float(value):g}.")


def choice(what: str, name: object, known: dict[str, Any]) -> None:
    """Refuse a name that is not in a registry, and list those that are."""
    if name not in known:
        raise ValueError(f"unknown {what} {name!r}; choose one of {', '.join(known)}.")


def count(name: str, value: int, *, least: int = 0) -> None:
    """Refuse a size that is not a whole number, or is below `least`."""
    if isinstance(value, bool) or not isinstance(value, int | torch.SymInt):
        raise TypeError(f"{name} must be an int, got {type(value).__name__}.")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {name}={value}.")


def whole_lens(valid_lens: Tensor | Sequence[Any] | int, device: torch.device | None = None) -> Tensor:
    """Refuse lengths that are not whole numbers; a list becomes a tensor."""
    lens = valid_lens if isinstance(valid_lens, Tensor) else torch.as_tensor(valid_lens, device=device)
    if lens.is_floating_point() or lens.is_complex() or lens.dtype == torch.bool:
        seen = f" {lens.tolist()}" if values_known(lens) else ""
        raise TypeError(f"valid_lens must be whole numbers (an integer tensor), got {lens.dtype}{seen}.")
    return lens


def lens_in_range(lens: Tensor, num_keys: int) -> None:
    """Refuse lengths that no sequence of num_keys can have."""
    if values_known(lens) and lens.numel() and not bool(((lens >= 0) & (lens <= num_keys)).all()):
        raise ValueError(f"valid_lens must lie between 0 and keys={num_keys}, got {lens.tolist()}.")


def bool_mask(mask: Tensor) -> None:
    """Refuse a mask that is not a bool tensor."""
    if not isinstance(mask, Tensor):
        raise TypeError(f"mask must be a bool torch.Tensor, got {type(mask).__name__}.")
    if mask.dtype != torch.bool:
        raise TypeError(
            f"mask must be bool (True = may attend), got {mask.dtype}. Use mask.bool() or mask > 0."
        )


def broadcasts(shape: Sequence[int], target: Sequence[int], both_ways: bool = False) -> bool:
    """Whether `shape` broadcasts to `target` as it is (or, both_ways, to a common shape)."""
    if len(shape) > len(target) and not both_ways:
        return False
    pairs = zip(reversed(shape), reversed(target), strict=False)
    return all(size in (1, wanted) or (both_ways and wanted == 1) for size, wanted in pairs)


def axes_text(shape: Sequence[int]) -> str:
    """Write the shape of scores with the names of its axes."""
    names = {1: ["keys"], 2: ["queries", "keys"], 3: ["batch", "queries", "keys"]}
    axes = names.get(len(shape)) or ["batch", *["heads"] * (len(shape) - 3), "queries", "keys"]
    return ", ".join(f"{axis}={size}" for axis, size in zip(axes, shape, strict=True))


def fit_mask(mask: Tensor, scores: Tensor) -> Tensor:
    """Give a mask the axes of the scores, by the rule in the docstring of `masked_softmax`."""
    bool_mask(mask)
    missing = scores.dim() - mask.dim()
    by_batch = mask
    if missing > 0 and mask.dim() >= 2:
        by_batch = mask.reshape(mask.shape[0], *[1] * missing, *mask.shape[1:])  # (batch, 1, ..., keys)
    reads = [broadcasts(by_batch.shape, scores.shape)]
    reads.append(mask.dim() <= 2 and broadcasts(mask.shape, scores.shape))
    if all(reads) and missing > 0 and mask.dim() == 2 and mask.shape[0] != 1:
        raise ValueError(
            f"mask {shape_text(mask)} could be (batch, keys) or (queries, keys) for scores with "
            f"{axes_text(scores.shape)}. Write mask[:, None, :] or mask[None]."
        )
    if not any(reads):
        raise ValueError(
            f"mask must broadcast to the scores with {axes_text(scores.shape)}, got mask {shape_text(mask)}."
        )
    return by_batch if reads[0] else mask


def fit_lens(valid_lens: Tensor | Sequence[Any] | int, scores: Tensor) -> Tensor:
    """Give lengths (batch,) or (batch, queries) the axes of the scores without the last."""
    lens = whole_lens(valid_lens, scores.device)
    lens_in_range(lens, scores.shape[-1])
    wanted = tuple(scores.shape[:-1])  # (batch, heads, queries)
    if scores.dim() > 2 and lens.dim() == 1:
        fitted = lens.reshape(lens.shape[0], *[1] * (scores.dim() - 2))
    elif scores.dim() > 2 and lens.dim() == 2:
        fitted = lens.reshape(lens.shape[0], *[1] * (scores.dim() - 3), lens.shape[1])
    else:
        fitted = lens
    if not broadcasts(fitted.shape, wanted):
        raise ValueError(
            "valid_lens must have shape (batch,) or (batch, queries), "
            f"got valid_lens {shape_text(lens)} for scores with {axes_text(scores.shape)}."
        )
    return fitted


def _names(tensors: dict[str, Tensor]) -> str:
    *first, last = tensors
    return f"{', '.join(first)} and {last}" if first else last
