"""Cutting images into patches, and painting patches out.

Chapter: notebooks/12a_picture_in_pieces.ipynb
"""

import math

import torch
from torch import Tensor

from attn_helpers import _check


def patchify(images: Tensor, patch_size: int) -> Tensor:
    """Cut images into square patches, row by row, and write each patch as one vector.

    Formula: patches[b, r * columns + c, i * size + j] = images[b, r * size + i, c * size + j]
    Source: Dosovitskiy et al. 2021, section 3.1.

    Here size is patch_size, and columns the number of patches in a row.

    Args:
        images: (batch, height, width), floating-point.
        patch_size: at least 1; must divide height and width.
    Returns: patches (batch, patches, patch_size^2), with (height / patch_size) (width / patch_size) patches.

    >>> patchify(torch.arange(16.0).reshape(1, 4, 4), patch_size=2)[0]
    tensor([[ 0.,  1.,  4.,  5.],
            [ 2.,  3.,  6.,  7.],
            [ 8.,  9., 12., 13.],
            [10., 11., 14., 15.]])
    """
    _check.floating(images=images)
    _check.rank("(batch, height, width)", images=images)
    batch, height, width = images.shape
    rows, columns = patch_grid(height, width, patch_size)
    blocks = images.reshape(batch, rows, patch_size, columns, patch_size)
    blocks = blocks.transpose(2, 3)  # (batch, rows, columns, patch_size, patch_size)
    return blocks.reshape(batch, rows * columns, patch_size**2)  # (batch, patches, patch_size^2)


def patch_grid(height: int, width: int, patch_size: int) -> tuple[int, int]:
    """Return how many rows and columns of patches an image has.

    Formula: rows = height / patch_size, columns = width / patch_size
    Source: Dosovitskiy et al. 2021, section 3.1.

    Args:
        height, width: size of the image in pixels, at least 1.
        patch_size: at least 1; must divide both.

    >>> patch_grid(8, 12, patch_size=2)
    (4, 6)
    """
    for name, size in {"height": height, "width": width, "patch_size": patch_size}.items():
        _check.count(name, size, least=1)
    if height % patch_size or width % patch_size:
        raise ValueError(
            "patch_size must divide height and width, "
            f"got patch_size={patch_size}, height={height}, width={width}."
        )
    return height // patch_size, width // patch_size


def paint_patches(images: Tensor, patches: Tensor, *, value: float = 0.0) -> Tensor:
    """Paint patches of images over with one grey.

    Formula: painted[b, i, j] = value where patches[b, i // patch_size, j // patch_size], else images[b, i, j]

    Args:
        images: (batch, height, width), floating-point.
        patches: bool, (rows, columns) or (batch, rows, columns), True = paint; a patch has height / rows
            pixels a side.
        value: the grey, 0 for paper, 1 for ink.

    >>> paint_patches(torch.ones(1, 2, 4), torch.tensor([[True, False]]))
    tensor([[[0., 0., 1., 1.],
             [0., 0., 1., 1.]]])
    """
    _check.floating(images=images)
    if not isinstance(patches, Tensor) or patches.dtype != torch.bool:
        got = patches.dtype if isinstance(patches, Tensor) else type(patches).__name__
        raise TypeError(f"patches must be a bool torch.Tensor (True = paint), got {got}.")
    shapes = f"images {_check.shape_text(images)}, patches {_check.shape_text(patches)}"
    if images.dim() != 3 or patches.dim() not in (2, 3):
        raise ValueError(
            "images must have shape (batch, height, width) and patches (rows, columns) or "
            f"(batch, rows, columns), got {shapes}."
        )
    (height, width), (rows, columns) = images.shape[1:], patches.shape[-2:]
    fits = rows and columns and not height % rows and not width % columns and height * columns == width * rows
    if not fits or (patches.dim() == 3 and patches.shape[0] not in (1, images.shape[0])):
        raise ValueError(f"patches must cut each image into squares, got {shapes}.")
    pixels = patches.repeat_interleave(height // rows, -2).repeat_interleave(height // rows, -1)
    return torch.where(pixels, torch.as_tensor(value, dtype=images.dtype), images)


def unpatchify(patches: Tensor, columns: int) -> Tensor:
    """Put patches together to images again: undo `patchify`.

    Formula: images[b, r * size + i, c * size + j] = patches[b, r * columns + c, i * size + j]

    Here size is patch_size.

    Args:
        patches: (batch, patches, patch_size^2).
        columns: patches in a row of the image; must divide the number of patches.
    Returns: images (batch, height, width).

    >>> images = torch.rand(3, 4, 6)
    >>> torch.equal(unpatchify(patchify(images, patch_size=2), columns=3), images)
    True
    """
    _check.count("columns", columns, least=1)
    _check.rank("(batch, patches, patch_size^2)", patches=patches)
    batch, number, area = patches.shape
    size = math.isqrt(area)
    if size**2 != area or number % columns:
        raise ValueError(
            "patches must have a square last axis, and columns must divide their number, "
            f"got patches {_check.shape_text(patches)}, columns={columns}."
        )
    blocks = patches.reshape(batch, number // columns, columns, size, size)
    blocks = blocks.transpose(2, 3)  # (batch, rows, patch_size, columns, patch_size)
    return blocks.reshape(batch, number // columns * size, columns * size)  # (batch, height, width)
