"""Exercise of lesson 6b: a convolution, written as the matrix of its shares."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

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


def _by_cells(kernel: Tensor, length: int, *, shift: int = 0, wrapped: bool = False) -> Tensor:
    """Fill the band cell by cell; `shift` moves the kernel to the right."""
    numbers_of = kernel.tolist()
    reach, matrix = len(numbers_of) // 2, torch.zeros(length, length, dtype=kernel.dtype)
    for i in range(length):
        for m, share in enumerate(numbers_of):
            j = i + m - reach + shift
            if wrapped or 0 <= j < length:
                matrix[i, j % length] += share
    return matrix


@band.check
def _five_places(answer: Answer) -> None:
    """three different numbers stand on five rows."""
    right = _by_cells(KERNEL, 5)
    off = torch.arange(5) - torch.arange(5)[:, None]
    ends = right.clone()
    ends[0, 0] += KERNEL[0]
    ends[4, 4] += KERNEL[2]
    suspects = [
        Suspect(
            "the kernel is turned round",
            "Its first number weighs the neighbour before: column i - 1 of row i.",
            _by_cells(KERNEL.flip(0), 5),
        ),
        Suspect(
            "the ends wrap round",
            "The first place has no neighbour before it: beyond the ends stands nothing.",
            _by_cells(KERNEL, 5, wrapped=True),
        ),
        Suspect(
            "each row is made to add up to 1",
            "That is attention's habit. A convolution takes its kernel as it is.",
            right / right.sum(dim=1, keepdim=True),
        ),
        Suspect(
            "the kernel begins at the output's own place",
            "Its middle stands on the diagonal: take the reach away.",
            _by_cells(KERNEL, 5, shift=1),
        ),
        Suspect(
            "the kernel ends at the output's own place",
            "That is a causal convolution. Here its middle stands on the diagonal.",
            _by_cells(KERNEL, 5, shift=-1),
        ),
        Suspect(
            "the cells say who is a neighbour, not how much",
            "Put the kernel's numbers there.",
            (off.abs() <= 1).float(),
        ),
        Suspect(
            "the last number of each end stands for what lies beyond it",
            "Beyond the ends stands nothing.",
            ends,
        ),
        Suspect(
            "only the diagonal is filled",
            "Neighbours are heard, too.",
            torch.eye(5) * KERNEL[1],
        ),
        Suspect(
            "all cells are filled with the ends of the kernel",
            "Beyond its reach stands 0.",
            KERNEL[(off + 1).clamp(0, 2)],
        ),
    ]
    answer.gives(KERNEL, 5, wanted=right, suspects=suspects)


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


def _wrapped_on_the_left(kernel: Tensor, length: int) -> Tensor:
    return (
        _by_cells(kernel, length)
        + (_by_cells(kernel, length, wrapped=True) - _by_cells(kernel, length)).triu()
    )


band.slip(
    "the first rows wrap round, the last do not",
    "Column -1 counts from the end in Python: ask that the column is not below 0 either.",
    _wrapped_on_the_left,
)
