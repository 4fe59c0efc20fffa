"""Sequences of several lengths without what fills them up (``torch.nn.utils.rnn``)."""

from collections import namedtuple

import torch


class PackedSequence(namedtuple("PackedSequence", "data batch_sizes sorted_indices unsorted_indices")):
    """The rows of all sequences, step by step; in each step those of the sequences that are so long."""

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = sorted_indices.argsort()
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    is_cuda = False

    def to(self, *args, **kwargs):
        return self._replace(data=self.data.to(*args, **kwargs))

    def cpu(self):
        return self


PackedSequence.__module__ = "torch.nn.utils.rnn"


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = torch.as_tensor(lengths, dtype=torch.int64)
    order = None
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    steps, many = input.transpose(0, 1) if batch_first else input, lengths.tolist()
    if len(many) != steps.shape[1]:
        told = f"Expected `len(lengths)` to be equal to batch_size, but got {len(many)} (batch_size={steps.shape[1]})"
        raise RuntimeError(told)
    if min(many) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if many != sorted(many, reverse=True):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to "
            "pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability."
        )
    if many[0] > steps.shape[0]:
        raise RuntimeError(f"Expected lengths of at most {steps.shape[0]}, but got {many[0]}")
    sizes = [sum(length > at for length in many) for at in range(many[0])]
    rows = torch.cat([steps[at, :size] for at, size in enumerate(sizes)])
    return PackedSequence(rows, torch.tensor(sizes), order)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    data, sizes = sequence.data, sequence.batch_sizes.tolist()
    lengths = torch.tensor([sum(size > row for size in sizes) for row in range(sizes[0])])
    if total_length is not None and total_length < len(sizes):
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {len(sizes)}"
        )
    steps, fill = [], lambda count: data.new_full((count, *data.shape[1:]), padding_value)
    for part in data.split(sizes):
        steps.append(torch.cat([part, fill(sizes[0] - len(part))]) if len(part) < sizes[0] else part)
    steps += [fill(sizes[0])] * ((total_length or 0) - len(sizes))
    padded, order = torch.stack(steps, 1 if batch_first else 0), sequence.unsorted_indices
    if order is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, order), lengths[order]


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[:length] for row, length in zip(rows, torch.as_tensor(lengths).tolist(), strict=True)]


def unpack_sequence(packed_sequences):
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)
