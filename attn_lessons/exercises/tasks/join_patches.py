"""Exercise of lesson 12a: put the pieces of pictures together again."""

import torch
from torch import Tensor

from attn_lessons.exercises.checking import Answer, Exercise, Suspect, numbers

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
    "the pictures (batch, height, width)",
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
    wanted = _by_loops(patches, 3)
    upright = patches.unflatten(-1, (2, 2))
    suspects = [
        Suspect(
            "the patches are reshaped without a transpose",
            """The shape fits, but the pixels of a patch now stand side by side. A row of pixels runs through
            all patches of its row.""",
            patches.reshape(2, 4, 6),
        ),
        Suspect(
            "each piece is turned over: its rows stand as columns",
            "Pixel i * size + j of a patch stands in its row i and column j.",
            _by_loops(upright.mT.flatten(2), 3),
        ),
        Suspect(
            "the patches are laid out column by column",
            "Patch 2 stands to the right of patch 1, not below it.",
            _by_loops(patches.unflatten(1, (3, 2)).transpose(1, 2).flatten(1, 2), 3),
        ),
        Suspect(
            "columns is taken for the number of rows",
            "`columns` says how many patches stand side by side; the number of rows follows.",
            _by_loops(patches, 2),
        ),
        Suspect(
            "the picture is turned over: rows stand as columns",
            "Each piece is right, but height and width are exchanged at the end.",
            wanted.mT,
        ),
        Suspect(
            "all patches stand in one row",
            "After `columns` patches a new row of the picture begins.",
            _by_loops(patches, 6),
        ),
        Suspect(
            "all patches stand below each other",
            "`columns` patches stand side by side.",
            _by_loops(patches, 1),
        ),
    ]
    answer.gives(patches, 3, wanted=wanted, suspects=suspects)


@joining.check
def _other_sizes(answer: Answer) -> None:
    """Larger pieces, a single row of them, a single piece."""
    for number, area, columns in ((4, 9, 2), (3, 4, 3), (1, 16, 1), (8, 1, 2)):
        patches = numbers(2, number, area, seed=number)
        wanted = _by_loops(patches, columns)
        answer.gives(patches, columns, wanted=wanted)


joining.slip(
    "the rows of patches stand upside down",
    "Patch 1 is the upper left one.",
    lambda patches, columns: _by_loops(patches.unflatten(1, (-1, columns)).flip(1).flatten(1, 2), columns),
)
joining.slip(
    "only the first picture is put together",
    "Keep the axis of the batch: each picture of it has its own patches.",
    lambda patches, columns: _by_loops(patches[:1], columns)[0],
)
