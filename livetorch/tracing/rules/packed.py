"""Packed sequences: rows of several lengths, laid out step by step."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


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


RULES: dict[str, Callable] = {
    "aten._pack_padded_sequence.default": pack,
    "aten._pad_packed_sequence.default": unpack,
}
