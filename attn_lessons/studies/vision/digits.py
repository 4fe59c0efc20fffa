"""Handwritten digits: 1,797 images of 8 x 8 pixels, and a split into three parts that never changes.

Chapter: notebooks/12b_looked_at_or_needed.ipynb
"""

import csv
import gzip
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad

from attn_helpers import _check

IMAGE_SIZE = 8
NUM_CLASSES = 10
_LETTERS = {"training": "t", "validation": "v", "test": "e"}
PARTS = tuple(_LETTERS)


class Digits(NamedTuple):
    """Images (batch, height, width) from 0 (paper) to 1 (ink), and the digits that they show.

    Source: Alpaydin and Kaynak 1998.

    Args:
        images: (batch, 8, 8), float32, 0 to 1 in sixteenths.
        labels: (batch,), int64, 0 to 9.

    >>> digits = load_digits("test")
    >>> digits.images.shape, digits.labels.shape
    (torch.Size([360, 8, 8]), torch.Size([360]))
    """

    images: Tensor
    labels: Tensor


def load_digits(part: str | None = None) -> Digits:
    """Read the digits, all of them or one part of the split.

    Formula: pixel = (inked pixels of a 4 x 4 block of the scan) / 16
    Source: Alpaydin and Kaynak 1998; the file is scikit-learn's.

    Thirteen people wrote them, and their digits are in all three parts.

    Args:
        part: "training" (1,077 images), "validation" (360, on which settings were chosen), "test" (360, which
            took part in no choice); None for all 1,797.
    Returns: images (batch, 8, 8) and labels (batch,), in the order of the file.

    >>> images, labels = load_digits("training")
    >>> images.shape, labels[:5]
    (torch.Size([1077, 8, 8]), tensor([1, 2, 3, 4, 5]))
    """
    if part is not None:
        _check.choice("part", part, _LETTERS)
    folder = files("attn_lessons.studies.vision")
    packed = folder.joinpath("digits.csv.gz").read_bytes()
    rows = csv.reader(gzip.decompress(packed).decode("ascii").splitlines())
    table = torch.tensor([[int(number) for number in row] for row in rows])  # (batch, 65)
    if part is not None:
        letters = folder.joinpath("digits_split.txt").read_text(encoding="ascii").replace("\n", "")
        table = table[torch.tensor([letter == _LETTERS[part] for letter in letters])]
    images = table[:, :-1].reshape(-1, IMAGE_SIZE, IMAGE_SIZE) / 16  # (batch, 8, 8)
    return Digits(images, table[:, -1])


def shift_images(images: Tensor, down: Tensor, right: Tensor) -> Tensor:
    """Move each image by up to one pixel; paper comes in at the edge, what leaves is lost.

    Formula: shifted[b, i, j] = images[b, i - down[b], j - right[b]], 0 outside

    Args:
        images: (batch, height, width).
        down, right: (batch,) int64, each -1, 0 or 1.

    >>> image = torch.tensor([[[1.0, 2.0], [3.0, 4.0]]])
    >>> shift_images(image, down=torch.tensor([1]), right=torch.tensor([0]))
    tensor([[[0., 0.],
             [1., 2.]]])
    """
    _check.floating(images=images)
    _check.rank("(batch, height, width)", images=images)
    for name, moves in {"down": down, "right": right}.items():
        _check_moves(name, moves, len(images))
    height, width = images.shape[1:]
    rows = 1 + torch.arange(height) - down[:, None]  # (batch, height), in the padded image
    cols = 1 + torch.arange(width) - right[:, None]  # (batch, width)
    batch = torch.arange(len(images))[:, None, None]
    return pad(images, (1, 1, 1, 1))[batch, rows[:, :, None], cols[:, None]]  # (batch, height, width)


def _check_moves(name: str, moves: Tensor, batch: int) -> None:
    if not isinstance(moves, Tensor) or moves.dtype != torch.int64:
        got = moves.dtype if isinstance(moves, Tensor) else type(moves).__name__
        raise TypeError(f"{name} must be an int64 torch.Tensor, got {got}.")
    if moves.shape != (batch,):
        raise ValueError(f"{name} must have shape (batch={batch},), got {_check.shape_text(moves)}.")
    if _check.values_known(moves) and bool((moves.abs() > 1).any()):
        raise ValueError(f"{name} must be -1, 0 or 1, got {moves.unique().tolist()}.")


def digit_batches(
    digits: Digits, batch_size: int = 32, *, shift: bool = True, seed: int = 0
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield batches without end: each epoch in a new order, half of the images moved by up to one pixel.

    Args:
        batch_size: images in a batch, at least 1; the last batch of an epoch may be smaller.
    Yields: images (batch, 8, 8) and labels (batch,).

    >>> images, labels = next(digit_batches(load_digits("training")))
    >>> images.shape, labels.shape
    (torch.Size([32, 8, 8]), torch.Size([32]))
    """
    _check.count("batch_size", batch_size, least=1)
    if len(digits.images) == 0:
        raise ValueError("digits must hold at least 1 image, got 0.")
    return _endless(digits, batch_size, shift, torch.Generator().manual_seed(seed))


def _endless(
    digits: Digits, batch_size: int, shift: bool, generator: torch.Generator
) -> Iterator[tuple[Tensor, Tensor]]:
    while True:
        for rows in torch.randperm(len(digits.images), generator=generator).split(batch_size):
            images, labels = digits.images[rows], digits.labels[rows]
            if shift:
                moves = torch.randint(-1, 2, (2, len(rows)), generator=generator)
                moves = moves * (torch.rand(len(rows), generator=generator) < 0.5)
                images = shift_images(images, *moves)
            yield images, labels
