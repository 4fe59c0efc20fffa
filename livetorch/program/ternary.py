"""Matrices whose rows or columns hold only -s, 0 and s: a letter for four numbers, and the scales s."""

from __future__ import annotations

import torch
from torch import Tensor

# 81 = 3^4 printable signs that JSON and HTML leave as they are
ALPHABET = "".join(chr(code) for code in range(33, 127) if chr(code) not in "\"&'<\\")[:81]
_LETTER = {sign: number for number, sign in enumerate(ALPHABET)}
_SMALLEST = 4096  # numbers; below, nothing is gained


def ternary(tensor: Tensor) -> tuple[str, Tensor, int] | None:
    """Write a matrix with three values a row (or a column) without loss.

    Args:
        tensor: float32 of any shape.
    Returns: the signs as text, four to a letter; the scales, float16; the axis that has one scale each (0:
        rows). None if the tensor is no such matrix, is small, or has scales that float16 does not hold.

    >>> rows = torch.tensor([[0.5], [2.0]]) * torch.tensor([1.0, 0.0, -1.0]).repeat(2, 1000)
    >>> text, scales, axis = ternary(rows)
    >>> len(text), scales, axis
    (1500, tensor([0.5000, 2.0000], dtype=torch.float16), 0)
    """
    if tensor.dim() != 2 or tensor.dtype != torch.float32 or tensor.numel() < _SMALLEST:
        return None
    for axis in (0, 1):
        # the first line says for nearly every other matrix that it is none
        if _split(tensor.narrow(axis, 0, 1), axis) and (found := _split(tensor, axis)):
            return _letters(found[0]), found[1], axis
    return None


def _split(tensor: Tensor, axis: int) -> tuple[Tensor, Tensor] | None:
    """Give signs and scales of a matrix that has no more."""
    scales, signs = tensor.abs().amax(dim=1 - axis), tensor.sign()
    half = scales.half()
    exact = torch.equal(half.float(), scales) and torch.equal(signs * scales.unsqueeze(1 - axis), tensor)
    return (signs, half) if exact else None


def from_ternary(text: str, scales: Tensor, axis: int, shape: tuple[int, ...]) -> Tensor:
    """Read what `ternary` wrote.

    Args:
        text: four numbers to a letter.
        scales: (rows,) or (columns,).
        axis: which of the two.
        shape: (rows, columns).
    Returns: float32 of that shape.

    >>> from_ternary(ALPHABET[80] + ALPHABET[40], torch.tensor([0.5, 2.0]), 0, (2, 3))
    tensor([[0.5000, 0.5000, 0.5000],
            [2.0000, 0.0000, 0.0000]])
    """
    numbers = torch.tensor([_LETTER[sign] for sign in text])
    digits = torch.stack([numbers // 3**place % 3 for place in range(4)], dim=-1).reshape(-1) - 1
    return digits[: shape[0] * shape[1]].reshape(shape) * scales.float().unsqueeze(1 - axis)


def _letters(signs: Tensor) -> str:
    digits = signs.reshape(-1).to(torch.int64) + 1
    digits = torch.nn.functional.pad(digits, (0, -len(digits) % 4)).reshape(-1, 4)
    numbers = (digits * torch.tensor([1, 3, 9, 27])).sum(dim=-1)
    return "".join(ALPHABET[number] for number in numbers.tolist())
