"""Typical wrong answers to band-matrix."""

import torch
from exercises.wrong_answers import wrong
from torch import Tensor


def _diagonals(kernel: Tensor, length: int, shift: int = 0) -> Tensor:
    reach = len(kernel) // 2
    matrix = kernel.new_zeros(length, length)
    for m, share in enumerate(kernel):
        at = m - reach + shift
        if abs(at) < length:
            matrix += torch.diag(share.expand(length - abs(at)), at)
    return matrix


@wrong("the kernel is turned round")
def _turned(kernel: Tensor, length: int) -> Tensor:
    return _diagonals(kernel, length).T


@wrong("the ends wrap round")
def _wrapped(kernel: Tensor, length: int) -> Tensor:
    reach = len(kernel) // 2
    whole = torch.eye(length, dtype=kernel.dtype)
    return sum(share * whole.roll(m - reach, dims=1) for m, share in enumerate(kernel))


@wrong("each row is made to add up to 1")
def _shares(kernel: Tensor, length: int) -> Tensor:
    matrix = _diagonals(kernel, length)
    return matrix / matrix.sum(dim=1, keepdim=True)


@wrong("the kernel begins at the output's own place")
def _begins(kernel: Tensor, length: int) -> Tensor:
    return _diagonals(kernel, length, len(kernel) // 2)


@wrong("the kernel ends at the output's own place")
def _causal(kernel: Tensor, length: int) -> Tensor:
    return _diagonals(kernel, length, -(len(kernel) // 2))


@wrong("the cells say who is a neighbour, not how much")
def _neighbours(kernel: Tensor, length: int) -> Tensor:
    return _diagonals(torch.ones_like(kernel), length)


@wrong("only the diagonal is filled")
def _diagonal(kernel: Tensor, length: int) -> Tensor:
    return kernel[len(kernel) // 2] * torch.eye(length, dtype=kernel.dtype)


@wrong("all cells are filled with the ends of the kernel")
def _no_end(kernel: Tensor, length: int) -> Tensor:
    places = torch.arange(length)
    step = places - places[:, None] + len(kernel) // 2
    return kernel[step.clamp(0, len(kernel) - 1)]


@wrong("the last number of each end stands for what lies beyond it")
def _repeated_ends(kernel: Tensor, length: int) -> Tensor:
    reach = len(kernel) // 2
    matrix = kernel.new_zeros(length, length)
    for i in range(length):
        for m in range(len(kernel)):
            matrix[i, min(max(i + m - reach, 0), length - 1)] += kernel[m]
    return matrix


@wrong("the first rows wrap round, the last do not")
def _negative_columns(kernel: Tensor, length: int) -> Tensor:
    reach, matrix = len(kernel) // 2, kernel.new_zeros(length, length)
    for i in range(length):
        for step in range(-reach, reach + 1):
            if i + step < length:
                matrix[i, i + step] = kernel[step + reach]
    return matrix
