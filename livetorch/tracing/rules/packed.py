"""Rows that lie packed: sequences of several lengths step by step, and tokens by their experts."""

from collections.abc import Callable

import torch
from torch import Tensor

from livetorch.tracing.reader.refusals import Refusal


def pack(input: Tensor, lengths: Tensor, batch_first: bool) -> tuple[Tensor, Tensor]:
    """Lay out the rows that each step still has, and say how many: (steps, rows, ...) -> (all, ...)."""
    steps = input.transpose(0, 1) if batch_first else input
    counts = [int((lengths > step).sum()) for step in range(int(lengths.max()))]
    return torch.cat([steps[step, :count] for step, count in enumerate(counts)]), torch.tensor(counts)


def unpack(
    data: Tensor, batch_sizes: Tensor, batch_first: bool, padding_value: float, total_length: int
) -> tuple[Tensor, Tensor]:
    """Lay out packed rows as a table, filled up at their ends."""
    counts = batch_sizes.tolist()
    lengths = torch.tensor([sum(count > row for count in counts) for row in range(counts[0])])
    steps = [
        torch.cat([part, part.new_full((counts[0] - len(part), *part.shape[1:]), padding_value)])
        for part in data.split(counts)
    ]
    steps += [torch.full_like(steps[0], padding_value)] * max(0, total_length - len(counts))
    table = torch.stack(steps)
    return (table.transpose(0, 1) if batch_first else table), lengths


def grouped(
    self: Tensor,
    mat2: Tensor,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: torch.dtype | None = None,
) -> Tensor:
    """Multiply each row by its group's matrix: (rows, n), (groups, n, m), where groups end -> (rows, m).

    How many rows a group has is known when it runs: all groups are computed, and one is picked for each row.
    """
    if offs is None or bias is not None or (self.dim(), mat2.dim()) != (2, 3):
        raise Refusal("this product of groups cannot be traced", "Write it with torch.bmm.")
    rows = torch.arange(len(self))
    group = (rows[:, None] >= offs).sum(-1).clamp(max=len(mat2) - 1)
    return torch.matmul(self, mat2)[group, rows].to(out_dtype or self.dtype)


RULES: dict[str, Callable] = {
    "aten._grouped_mm.default": grouped,
    "aten._pack_padded_sequence.default": pack,
    "aten._pad_packed_sequence.default": unpack,
}
