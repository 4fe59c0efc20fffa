"""Exercise of lesson 6b: a convolution, written as the matrix of its shares."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

band = Exercise(
    "band-matrix",
    "06b_attention_or_convolution",
    """Write f(kernel, length): kernel (width,) of odd width. Return the matrix (length, length) whose row i
    holds the kernel with its middle in column i, and 0 elsewhere, so that matrix @ x is what a convolution
    makes of x.""",
    (
        "How far is column j from row i? `torch.arange(length)` minus itself as a column: "
        "step 0 is the middle.",
        "Step 0 takes `kernel[reach]` with `reach = len(kernel) // 2`, step 1 the number after it.",
        "Beyond the reach stands 0: `torch.where(step.abs() <= reach, ..., 0.0)`.",
    ),
    "matrix (queries, keys)",
)


@band.solution
def banded(kernel, length):
    """Look up each cell's step in the kernel; beyond its reach stands 0."""
    reach = len(kernel) // 2
    places = torch.arange(length)
    step = places - places[:, None]  # (queries, keys): from the output to the input
    looked_up = kernel[(step + reach).clamp(0, len(kernel) - 1)]
    return torch.where(step.abs() <= reach, looked_up, 0.0)


KERNEL = torch.tensor([0.25, 0.5, 0.125])


def _by_cells(kernel: Tensor, length: int) -> Tensor:
    """Fill the band cell by cell."""
    reach, matrix = len(kernel) // 2, torch.zeros(length, length, dtype=kernel.dtype)
    for i in range(length):
        for m, share in enumerate(kernel.tolist()):
            if 0 <= i + m - reach < length:
                matrix[i, i + m - reach] = share
    return matrix


@band.check
def _five_places(answer: Answer) -> None:
    """three different numbers stand on five rows."""
    answer.gives(KERNEL, 5, wanted=_by_cells(KERNEL, 5))


@band.check
def _is_torchs_convolution(answer: Answer) -> None:
    """the matrix does what torch's convolution does."""
    kernel, x = numbers(5, seed=3), numbers(7, seed=4)
    wanted = torch.nn.functional.conv1d(x[None, None], kernel[None, None], padding=2)[0, 0]
    matrix = _by_cells(kernel, 7)
    torch.testing.assert_close(matrix @ x, wanted)
    answer.gives(kernel, 7, wanted=matrix)


@band.also
def _more() -> Iterator[tuple]:
    """other widths, also one wider than the sequence."""
    yield numbers(1), 4
    yield numbers(7, seed=1), 3
    yield numbers(3, seed=2, dtype=torch.float64), 6
    yield numbers(5, seed=5), 1


def _diagonals(kernel: Tensor, length: int, shift: int = 0) -> Tensor:
    reach = len(kernel) // 2
    matrix = kernel.new_zeros(length, length)
    for m, share in enumerate(kernel):
        at = m - reach + shift
        if abs(at) < length:
            matrix += torch.diag(share.expand(length - abs(at)), at)
    return matrix


@band.mistake("the kernel is turned round")
def _turned(kernel, length):
    """Its first number weighs the neighbour before: column i - 1 of row i."""
    return _diagonals(kernel, length).T


@band.mistake("the ends wrap round")
def _wrapped(kernel, length):
    """The first place has no neighbour before it: beyond the ends stands nothing."""
    reach = len(kernel) // 2
    whole = torch.eye(length, dtype=kernel.dtype)
    return sum(share * whole.roll(m - reach, dims=1) for m, share in enumerate(kernel))


@band.mistake("each row is made to add up to 1")
def _shares(kernel, length):
    """That is attention's habit. A convolution takes its kernel as it is."""
    matrix = _diagonals(kernel, length)
    return matrix / matrix.sum(dim=1, keepdim=True)


@band.mistake("the kernel begins at the output's own place")
def _begins(kernel, length):
    """Its middle stands on the diagonal: take the reach away."""
    return _diagonals(kernel, length, len(kernel) // 2)


@band.mistake("the kernel ends at the output's own place")
def _causal(kernel, length):
    """That is a causal convolution. Here its middle stands on the diagonal."""
    return _diagonals(kernel, length, -(len(kernel) // 2))


@band.mistake("the cells say who is a neighbour, not how much")
def _neighbours(kernel, length):
    """Put the kernel's numbers there."""
    return _diagonals(torch.ones_like(kernel), length)


@band.mistake("the last number of each end stands for what lies beyond it")
def _repeated_ends(kernel, length):
    """Beyond the ends stands nothing."""
    reach = len(kernel) // 2
    matrix = kernel.new_zeros(length, length)
    for i in range(length):
        for m in range(len(kernel)):
            matrix[i, min(max(i + m - reach, 0), length - 1)] += kernel[m]
    return matrix


@band.mistake("only the diagonal is filled")
def _diagonal(kernel, length):
    """Neighbours are heard, too."""
    return kernel[len(kernel) // 2] * torch.eye(length, dtype=kernel.dtype)


@band.mistake("the whole band holds the middle of the kernel")
def _middle_only(kernel, length):
    """Step -1 takes the number before the middle, step 1 the one after it."""
    return _diagonals(kernel[len(kernel) // 2].expand_as(kernel), length)


@band.mistake("all cells are filled with the ends of the kernel")
def _no_end(kernel, length):
    """Beyond its reach stands 0."""
    places = torch.arange(length)
    step = places - places[:, None] + len(kernel) // 2
    return kernel[step.clamp(0, len(kernel) - 1)]


@band.mistake("the first rows wrap round, the last do not")
def _negative_columns(kernel, length):
    """Column -1 counts from the end in Python: ask that the column is not below 0 either."""
    reach, matrix = len(kernel) // 2, kernel.new_zeros(length, length)
    for i in range(length):
        for step in range(-reach, reach + 1):
            if i + step < length:
                matrix[i, i + step] = kernel[step + reach]
    return matrix
