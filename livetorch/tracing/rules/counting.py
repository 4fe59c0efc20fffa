"""Counts, bags and pairs by adding up at places: histograms, `mode`, `embedding_bag`, `pdist`, `put`."""

from collections.abc import Callable

import torch
from torch import Tensor

from livetorch.tracing.reader.refusals import Refusal

aten = torch.ops.aten
_SUM, _MEAN, _LARGEST = 0, 1, 2  # torch's numbers for the modes of embedding_bag


def histogram(self: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """Count the numbers in each of `bins` equal parts of min..max: any shape -> (bins,)."""
    flat = self.reshape(-1)
    low, high = (torch.full((), float(edge), dtype=self.dtype) for edge in (min, max))
    if min == max and flat.numel():
        low, high = flat.amin(), flat.amax()
    alike = low == high
    low, high = torch.where(alike, low - 1, low), torch.where(alike, high + 1, high)
    places = ((flat - low) * bins / (high - low)).nan_to_num(0).clamp(0, bins - 1).to(torch.int64)
    inside = ((flat >= low) & (flat <= high)).to(self.dtype)
    return torch.zeros(bins, dtype=self.dtype).scatter_add(0, places, inside)


def bincount(self: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Count each whole number: (n,) -> (minlength,); for a larger one the page has no place."""
    with torch._C._DisableTorchDispatch():  # a look at the example, to say what is wrong with it
        largest = int(self.max()) if self.numel() else 0
    if largest >= minlength:
        raise Refusal(
            f"bincount with minlength={minlength} gives a shape that depends on the numbers "
            f"(here up to {largest})",
            "Give it a minlength above all of them.",
        )
    torch._assert_async(
        (self < minlength).all(), f"bincount meets more than its minlength={minlength} has room for"
    )
    each = torch.ones_like(self) if weights is None else weights
    each = each if weights is None or weights.dtype == torch.float32 else each.to(torch.float64)
    counts = torch.zeros(minlength, dtype=torch.int64 if weights is None else each.dtype)
    return counts.scatter_add(0, self.to(torch.int64), each.to(counts.dtype))


def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = _SUM,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Add up, average or take the largest of the rows in each bag: (vocabulary, d) -> (bags, d)."""
    starts = [int(start) for start in offsets]
    ends = starts[1:] if include_last_offset else [*starts[1:], indices.shape[0]]
    spans = list(zip(starts, ends, strict=False))
    rows = weight.index_select(0, indices)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    counted = indices != padding_idx
    out = torch.zeros(len(spans), weight.shape[1], dtype=weight.dtype)
    largest = torch.zeros(len(spans), weight.shape[1], dtype=torch.int64)
    for bag, (start, end) in enumerate(spans):
        if end > start:
            kept = counted[start:end].unsqueeze(-1)
            out[bag], first = _bag(rows[start:end], kept, mode)
            largest[bag] = indices[start:end][first]
    bag_of = torch.tensor([bag for bag, (start, end) in enumerate(spans) for _ in range(start, end)])
    sizes = torch.zeros(len(spans), dtype=torch.int64).index_add(0, bag_of, counted.to(torch.int64))
    return out, bag_of, sizes, largest


def _bag(rows: Tensor, kept: Tensor, mode: int) -> tuple[Tensor, Tensor]:
    """Reduce the rows of one bag; say in which row the largest of each column is."""
    if mode == _LARGEST:
        values = torch.where(kept, rows, -torch.inf)
        return torch.where(kept.any(), values.amax(0), 0), values.argmax(0)
    total = torch.where(kept, rows, 0).sum(0)
    return total / kept.sum().clamp(min=1) if mode == _MEAN else total, torch.zeros(
        rows.shape[1], dtype=torch.int64
    )


def embedding_bag_backward(
    grad: Tensor,
    indices: Tensor,
    offset2bag: Tensor,
    bag_size: Tensor,
    maximum_indices: Tensor,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: Tensor | None,
    padding_idx: int = -1,
) -> Tensor:
    """Give each row of the table its share of the gradients of the bags it is in."""
    if scale_grad_by_freq:
        raise Refusal("scale_grad_by_freq of embedding_bag cannot be traced", "Leave it out.")
    out = torch.zeros(num_weights, grad.shape[1], dtype=grad.dtype)
    if mode == _LARGEST:
        return out.scatter_add(0, maximum_indices, grad * (bag_size > 0).unsqueeze(-1))
    share = grad / bag_size.clamp(min=1).unsqueeze(-1) if mode == _MEAN else grad
    share = share[offset2bag] * (indices != padding_idx).unsqueeze(-1)
    share = share if per_sample_weights is None else share * per_sample_weights.unsqueeze(-1)
    return out.index_add(0, indices, share)


def distances(gaps: Tensor, p: float) -> Tensor:
    """Give the norms of gaps along the last axis; where those that are not 0 are counted, NaN stays NaN."""
    if p == 0:
        return gaps.abs().ceil().clamp(max=1).sum(-1)
    return torch.linalg.vector_norm(gaps, p, dim=-1)


def pair_distances(self: Tensor, p: float = 2.0) -> Tensor:
    """Give the distance of each pair of rows: (n, d) -> (n (n - 1) / 2,)."""
    first, second = torch.triu_indices(self.shape[0], self.shape[0], 1)
    return distances(self[first] - self[second], p)


def put(self: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Write numbers to places of the tensor seen as one row."""
    flat = self.reshape(-1)
    return aten.index_put.default(flat, [index.reshape(-1)], source.reshape(-1), accumulate).reshape(
        self.shape
    )


RULES: dict[str, Callable] = {
    "aten.histc.default": histogram,
    "aten.bincount.default": bincount,
    "aten._embedding_bag.default": embedding_bag,
    "aten._embedding_bag_forward_only.default": embedding_bag,
    "aten._embedding_bag_dense_backward.default": embedding_bag_backward,
    "aten._embedding_bag_backward.default": lambda grad, indices, offsets, *args: embedding_bag_backward(
        grad, indices, *args[:6], *args[7:]
    ),
    "aten._pdist_forward.default": pair_distances,
    "aten.put.default": put,
}
