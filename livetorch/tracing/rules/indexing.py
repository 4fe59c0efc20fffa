"""Our own ways to take operators apart: masks as indices, batch norm, distances.

They hold for tensors that depend on an input; a rule that gives NotImplemented leaves the operator as it is.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from livetorch.tracing.reader.refusals import Refusal
from livetorch.tracing.rules import counting, packed, sampling, solving, windows

aten = torch.ops.aten


def _is_mask(index: Tensor | None) -> bool:
    return index is not None and index.dtype in (torch.bool, torch.uint8)


def _index(self: Tensor, indices: list[Tensor | None]) -> Tensor:
    if not any(map(_is_mask, indices)):
        return NotImplemented
    return aten.index.Tensor(self, _as_places(indices))


def _index_put(
    self: Tensor, indices: list[Tensor | None], values: Tensor, accumulate: bool = False
) -> Tensor:
    if not any(map(_is_mask, indices)):
        return NotImplemented
    masks = [index for index in indices if index is not None]
    if len(masks) == 1 and (values.numel() == 1 or values.dim() <= _after_mask(self, indices)):
        mask = masks[0].bool().reshape(masks[0].shape + (1,) * _after_mask(self, indices))
        values = values.reshape(()) if values.numel() == 1 else values
        return torch.where(mask, self + values if accumulate else values, self)
    return aten.index_put.default(self, _as_places(indices), values, accumulate)


def _after_mask(self: Tensor, indices: list[Tensor | None]) -> int:
    """Count the axes behind those of the only mask."""
    at = next(i for i, index in enumerate(indices) if index is not None)
    return self.dim() - at - sum(index.dim() for index in indices[at : at + 1] if index is not None)


def _masked_select(self: Tensor, mask: Tensor) -> Tensor:
    self, mask = torch.broadcast_tensors(self, mask)
    return aten.index.Tensor(self, [mask])


def _take(self: Tensor, index: Tensor) -> Tensor:
    return aten.index.Tensor(self.reshape(-1), [index])


def _index_fill(self: Tensor, dim: int, index: Tensor, value: Tensor | float) -> Tensor:
    whole = torch.atleast_1d(self)
    places = [None] * (dim % whole.dim()) + [index]
    return aten.index_put.default(whole, places, torch.as_tensor(value, dtype=self.dtype)).reshape(self.shape)


def _as_places(indices: list[Tensor | None]) -> list[Tensor | None]:
    """Turn masks among the indices into lists of places (an error later on if a mask depends on an input)."""
    places: list[Tensor | None] = []
    for index in indices:
        places += torch.nonzero(index).unbind(1) if index is not None and _is_mask(index) else [index]
    return places


def _unsafe_split(self: Tensor, sizes: int | list[int], dim: int = 0) -> list[Tensor]:
    return list(torch.split(self, sizes, dim))


def in_training() -> Refusal:
    """Explain that batch norm in training writes into tensors."""
    return Refusal(
        "batch norm in training writes the running mean and variance that it is given",
        "Call .eval() first, if a module gives them; else pass None for both: in training they are not read.",
    )


def _batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    if training and running_mean is not None:
        raise in_training()
    shape = (1, -1) + (1,) * (input.dim() - 2)
    dims = [0, *range(2, input.dim())]
    if training or running_mean is None or running_var is None:
        mean, variance = input.mean(dims), input.var(dims, correction=0)
    else:
        mean, variance = running_mean, running_var
    scale = torch.rsqrt(variance + eps)
    out = (input - mean.reshape(shape)) * scale.reshape(shape)
    out = out if weight is None else out * weight.reshape(shape)
    out = out if bias is None else out + bias.reshape(shape)
    return (out, mean, scale) if training else (out, mean.new_empty(0), mean.new_empty(0))


def _distance(x1: Tensor, x2: Tensor, p: float, compute_mode: int | None) -> Tensor:
    gaps = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    if p == torch.inf:  # here, and only here, torch passes NaN over
        gaps = torch.where(gaps.isnan(), 0, gaps)
    return counting.distances(gaps, p)


def _with_product(func: Callable) -> Callable:
    """Leave a product times 0 out, as torch does unless in half precision: it may be NaN."""

    def added(self: Tensor, one: Tensor, other: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
        if not self.is_floating_point() and (beta % 1 or alpha % 1):
            return func(self, one, other, beta=int(beta), alpha=int(alpha))
        if alpha != 0 or self.dtype in (torch.float16, torch.bfloat16):
            return NotImplemented
        sizes = [*one.shape[-2:-1], *other.shape[-1:]] if other.dim() > 1 else one.shape[:1]
        return torch.zeros(sizes, dtype=self.dtype) if beta == 0 else (self * beta).expand(sizes).clone()

    return added


def _distance_backward(grad: Tensor, x1: Tensor, x2: Tensor, p: float, cdist: Tensor) -> Tensor:
    difference = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    if p == 2:
        share = torch.where(cdist == 0, 0, grad / cdist).unsqueeze(-1)
        return (difference * share).sum(-2)
    if p == 1:
        return (torch.sign(difference) * grad.unsqueeze(-1)).sum(-2)
    raise Refusal(f"the gradient of cdist with p={p} cannot be traced", "Use p=1 or p=2.")


def _trilinear(
    i1: Tensor,
    i2: Tensor,
    i3: Tensor,
    expand1: list[int],
    expand2: list[int],
    expand3: list[int],
    sumdim: list[int],
    unroll_dim: int = 1,
) -> Tensor:
    factors = []
    for factor, dims in ((i1, expand1), (i2, expand2), (i3, expand3)):
        for dim in sorted(dims):
            factor = factor.unsqueeze(dim)
        factors.append(factor)
    inner = factors[0] * factors[1]
    early = [dim for dim in sumdim if dim in expand3]  # torch sums these before it goes on
    inner = inner.sum(early, keepdim=True) if early else inner
    out = inner * factors[2]
    return out.sum(sumdim) if sumdim else out


def _convert(a: Tensor, dtype: torch.dtype) -> Tensor:
    return a.to(dtype)


RULES: dict[str, Callable] = {
    "aten.index.Tensor": _index,
    "aten._unsafe_index.Tensor": lambda self, indices: aten.index.Tensor(self, indices),
    "aten.index_put.default": _index_put,
    "aten._unsafe_index_put.default": aten.index_put.default,
    "aten.index_fill.int_Scalar": _index_fill,
    "aten.index_fill.int_Tensor": _index_fill,
    "aten.take.default": _take,
    "aten.masked_select.default": _masked_select,
    "aten.unsafe_split.Tensor": _unsafe_split,
    "aten.unsafe_split_with_sizes.default": _unsafe_split,
    "aten.native_batch_norm.default": _batch_norm,
    **windows.RULES,
    **sampling.RULES,
    **counting.RULES,
    **solving.RULES,
    **packed.RULES,
    "aten._cdist_forward.default": _distance,
    **{str(f): _with_product(f) for f in (aten.addmm.default, aten.addmv.default, aten.addbmm.default)},
    "aten._cdist_backward.default": _distance_backward,
    "aten._trilinear.default": _trilinear,
    "aten._is_all_true.default": lambda self: self.all(),
    "prims.convert_element_type.default": _convert,
}
