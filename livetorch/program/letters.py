"""Matrices whose rows or columns hold 63 values, -31 s to 31 s: a letter for a number, and the scales s."""

import string

import torch
from torch import Tensor

# Bytes in base64 would hide from gzip that small numbers are frequent: it makes a letter 5.6 bits.
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-"
MOST = 31  # the largest number
_LETTERS = bytes.maketrans(bytes(range(len(ALPHABET))), ALPHABET.encode())
_PLACES = bytes.maketrans(ALPHABET.encode(), bytes(range(len(ALPHABET))))
_SMALLEST = 4096  # numbers; below, nothing is gained


def rounded(matrix: Tensor, axis: int) -> Tensor:
    """Round a matrix to what `lettered` keeps without loss.

    Args:
        matrix: float32, (rows, columns).
        axis: which of the two has one scale each (0: rows).

    >>> rounded(torch.tensor([[31.0, 14.9, -31.0]]), 0)
    tensor([[ 31.,  15., -31.]])
    """
    scales = (matrix.abs().amax(dim=1 - axis, keepdim=True) / MOST).half().float()
    whole = (matrix / scales.clamp_min(1e-30)).round().clamp(-MOST, MOST)
    return whole * scales


def lettered(tensor: Tensor) -> tuple[str, Tensor, int] | None:
    """Write a matrix as letters without loss.

    Args:
        tensor: float32 of any shape.
    Returns: a letter for each number; the scales, float16; the axis that has one scale each (0: rows). None
        if the tensor is no such matrix, is small, or has scales that float16 does not hold.

    >>> rows = torch.tensor([[0.5], [2.0]]) * torch.arange(-31.0, 32.0).repeat(2, 40)
    >>> text, scales, axis = lettered(rows)
    >>> text[:4], len(text), scales, axis
    ('ABCD', 5040, tensor([0.5000, 2.0000], dtype=torch.float16), 0)
    """
    if tensor.dim() != 2 or tensor.dtype != torch.float32 or tensor.numel() < _SMALLEST:
        return None
    for axis in (0, 1):
        # the first and the last line say for nearly every other matrix that it is none
        lines = (tensor.narrow(axis, at, 1) for at in (0, tensor.shape[axis] - 1))
        if all(_split(line, axis) for line in lines) and (found := _split(tensor, axis)):
            return found[0].numpy().tobytes().translate(_LETTERS).decode("ascii"), found[1], axis
    return None


def _split(tensor: Tensor, axis: int) -> tuple[Tensor, Tensor] | None:
    """Give the places in the alphabet, and the scales, of a matrix that has no more."""
    scales = tensor.abs().amax(dim=1 - axis, keepdim=True) / MOST
    whole = (tensor / scales.clamp_min(1e-30)).round()
    exact = torch.equal(scales.half().float(), scales) and torch.equal(whole * scales, tensor)
    return ((whole + MOST).to(torch.uint8), scales.half().flatten()) if exact else None


def from_letters(text: str, scales: Tensor, axis: int, shape: tuple[int, ...]) -> Tensor:
    """Read what `lettered` wrote.

    Args:
        text: a letter for each number.
        scales: (rows,) or (columns,).
        axis: which of the two.
        shape: (rows, columns).
    Returns: float32 of that shape.
    Raises: ValueError for a letter that stands for no number.

    >>> from_letters("fg-e", torch.tensor([0.5, 2.0]), 0, (2, 2))
    tensor([[ 0.0000,  0.5000],
            [62.0000, -2.0000]])
    """
    if strange := text.encode().translate(None, ALPHABET.encode()):
        raise ValueError(f"a constant has no letter {strange.decode()[0]!r}: it is written in {ALPHABET}.")
    places = torch.frombuffer(bytearray(text.encode().translate(_PLACES)), dtype=torch.uint8)
    return (places.reshape(shape).float() - MOST) * scales.float().unsqueeze(1 - axis)
