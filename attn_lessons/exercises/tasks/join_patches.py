"""Exercise of lesson 12a: put the pieces of pictures together again."""

import math

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, numbers

joining = Exercise(
    "join-patches",
    "12a_picture_in_pieces",
    """Write f(patches, columns): patches (batch, patches, size * size), cut from pictures row by row, each
    patch written as one row of pixels; columns is the number of patches in a row of the picture. Return the
    pictures (batch, height, width).""",
    (
        "First give the patches their shape back: (batch, rows, columns, size, size).",
        "A row of pixels runs through all patches of a row, so the axis `columns` must stand "
        "behind the first `size`.",
        "`transpose(2, 3)` makes (batch, rows, size, columns, size). Then reshape to (batch, height, width).",
    ),
    "pictures (batch, height, width)",
)


@joining.solution
def join(patches: Tensor, columns: int) -> Tensor:
    """Give the patches their shape, let each row of pixels run through its patches, and close the gaps."""
    batch, number, area = patches.shape
    size = int(area**0.5)
    blocks = patches.reshape(batch, number // columns, columns, size, size)
    rows = blocks.transpose(2, 3)  # (batch, rows, size, columns, size)
    return rows.reshape(batch, -1, columns * size)  # (batch, height, width)


def _by_loops(patches: Tensor, columns: int) -> Tensor:
    batch, number, area = patches.shape
    size = round(area**0.5)
    pictures = torch.zeros(batch, number // columns * size, columns * size)
    for patch in range(number):
        top, left = patch // columns * size, patch % columns * size
        for i in range(size):
            for j in range(size):
                pictures[:, top + i, left + j] = patches[:, patch, i * size + j]
    return pictures


@joining.check
def _the_picture_is_whole(answer: Answer) -> None:
    """Each piece stands in its place and the right way up."""
    patches = numbers(2, 6, 4)  # 2 rows of 3 patches of 2 x 2
    answer.gives(patches, 3, wanted=_by_loops(patches, 3))


@joining.check
def _other_sizes(answer: Answer) -> None:
    """larger pieces, a single row of them, a single piece, any number of pictures."""
    for batch, number, area, columns in ((2, 4, 9, 2), (1, 3, 4, 3), (5, 1, 16, 1), (3, 8, 1, 2)):
        patches = numbers(batch, number, area, seed=number)
        answer.gives(patches, columns, wanted=_by_loops(patches, columns))


def _cut(patches: Tensor, columns: int) -> Tensor:
    """Give (batch, rows, columns, size, size)."""
    size = math.isqrt(patches.shape[-1])
    return patches.unflatten(-1, (size, size)).unflatten(1, (-1, columns))


@joining.mistake("the patches are reshaped without a transpose")
def _straight(patches, columns):
    """The shape fits, but the pixels of a patch now stand side by side. A row of pixels runs through all
    patches of its row."""
    return patches.reshape(len(patches), -1, columns * math.isqrt(patches.shape[-1]))


@joining.mistake("each piece is turned over: its rows stand as columns")
def _turned(patches, columns):
    """Pixel i * size + j of a patch stands in its row i and column j."""
    return _cut(patches, columns).permute(0, 1, 4, 2, 3).flatten(3).flatten(1, 2)


@joining.mistake("the patches are laid out column by column")
def _column_first(patches, columns):
    """Patch 2 stands to the right of patch 1, not below it."""
    rows = patches.shape[1] // columns
    return _cut(patches, rows).transpose(1, 2).transpose(2, 3).flatten(3).flatten(1, 2)


@joining.mistake("columns is taken for the number of rows")
def _rows_for_columns(patches, columns):
    """`columns` says how many patches stand side by side; the number of rows follows."""
    return _cut(patches, patches.shape[1] // columns).transpose(2, 3).flatten(3).flatten(1, 2)


@joining.mistake("the picture is turned over: rows stand as columns")
def _picture_turned(patches, columns):
    """Each piece is right, but height and width are exchanged at the end."""
    return _cut(patches, columns).transpose(2, 3).flatten(3).flatten(1, 2).mT


@joining.mistake("all patches stand in one row")
def _one_row(patches, columns):
    """After `columns` patches a new row of the picture begins."""
    size = math.isqrt(patches.shape[-1])
    return torch.cat(patches.unflatten(-1, (size, size)).unbind(1), dim=-1)


@joining.mistake("all patches stand below each other")
def _one_column(patches, columns):
    """`columns` patches stand side by side."""
    return patches.unflatten(-1, (-1, math.isqrt(patches.shape[-1]))).flatten(1, 2)


@joining.mistake("the rows of patches stand upside down")
def _upside_down(patches, columns):
    """Patch 1 is the upper left one."""
    return _cut(patches, columns).flip(1).transpose(2, 3).flatten(3).flatten(1, 2)
