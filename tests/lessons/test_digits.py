import gzip
import hashlib
from importlib.resources import files

import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies.vision.digits import PARTS, Digits, digit_batches, load_digits, shift_images

FOLDER = files("attn_lessons.studies.vision")
SPLIT = FOLDER.joinpath("digits_split.txt").read_text(encoding="ascii").replace("\n", "")


def test_the_file_is_the_one_whose_checksum_stands_beside_it():
    checksum = hashlib.sha256(FOLDER.joinpath("digits.csv.gz").read_bytes()).hexdigest()
    note = FOLDER.joinpath("digits.md").read_text(encoding="utf-8")
    assert checksum in note
    assert "BSD 3-Clause License" in note
    assert "Redistributions of source code must retain" in note


def test_images_are_sixteenths_between_paper_and_ink():
    images, labels = load_digits()
    assert images.shape == (1797, 8, 8)
    assert images.dtype == torch.float32
    assert images.min() == 0
    assert images.max() == 1
    assert torch.equal((images * 16).round(), images * 16)
    assert labels.dtype == torch.int64
    assert labels.unique().tolist() == list(range(10))


def test_the_first_image_is_the_first_line_of_the_file():
    line = gzip.decompress(FOLDER.joinpath("digits.csv.gz").read_bytes()).splitlines()[0]
    numbers = torch.tensor([float(number) for number in line.split(b",")])
    images, labels = load_digits()
    assert_close(images[0].flatten() * 16, numbers[:64])
    assert labels[0] == numbers[64]


def test_the_parts_hold_every_image_once():
    parts = [load_digits(part) for part in PARTS]
    assert [len(part.labels) for part in parts] == [1077, 360, 360]
    rows = torch.cat([part.images.flatten(1) for part in parts])
    assert len(rows.unique(dim=0)) == len(load_digits().images.flatten(1).unique(dim=0))
    assert len(SPLIT) == 1797


def test_no_image_of_the_test_part_is_also_in_another_part():
    seen = {tuple(row) for part in PARTS[:2] for row in load_digits(part).images.flatten(1).tolist()}
    assert not any(tuple(row) in seen for row in load_digits("test").images.flatten(1).tolist())


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_each_digit_about_equally_often(part):
    counts = load_digits(part).labels.bincount()
    assert counts.max() - counts.min() <= 0.1 * counts.max()


def test_the_split_is_the_one_that_was_fixed_before_training():
    # a changed split would turn seen images into test images
    assert hashlib.sha256(SPLIT.encode()).hexdigest()[:16] == "19b3ad547c9785eb"


def test_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match="unknown part 'holdout'; choose one of training, validation, test"):
        load_digits("holdout")


def test_a_shift_moves_down_and_right_and_brings_in_paper():
    image = torch.arange(1.0, 7.0).reshape(1, 2, 3).expand(3, 2, 3)
    moved = shift_images(image, torch.tensor([1, 0, -1]), torch.tensor([0, 1, -1]))
    expected = [[[0, 0, 0], [1, 2, 3]], [[0, 1, 2], [0, 4, 5]], [[5, 6, 0], [0, 0, 0]]]
    assert torch.equal(moved, torch.tensor(expected, dtype=torch.float32))


def test_wrong_shifts_are_refused():
    image, move = torch.rand(2, 3, 3), torch.tensor([0, 1])
    with pytest.raises(ValueError, match=r"down must be -1, 0 or 1, got \[2\]"):
        shift_images(image, move + 2 - move, move)
    with pytest.raises(ValueError, match=r"right must have shape \(batch=2,\), got \(1,\)"):
        shift_images(image, move, move[:1])
    with pytest.raises(TypeError, match=r"right must be an int64 torch.Tensor, got torch.float32"):
        shift_images(image, move, move.float())
    with pytest.raises(ValueError, match=r"images must have shape \(batch, height, width\), got \(3, 3\)"):
        shift_images(image[0], move, move)


def numbered(size):
    return Digits(torch.arange(float(size))[:, None, None].expand(size, 2, 2), torch.arange(size))


def test_an_epoch_holds_every_image_once_in_a_new_order():
    batches = digit_batches(numbered(7), 3, shift=False)
    epochs = [[label for _ in range(3) for label in next(batches)[1].tolist()] for _ in range(2)]
    assert [sorted(epoch) for epoch in epochs] == [list(range(7))] * 2
    assert epochs[0] != epochs[1]


def test_images_and_labels_of_a_batch_belong_together():
    images, labels = next(digit_batches(numbered(7), 3, shift=False))
    assert torch.equal(images[:, 0, 0], labels.float())


def test_about_half_of_the_images_are_moved():
    digits = load_digits("training")
    images, _ = next(digit_batches(digits, 1077))
    plain, _ = next(digit_batches(digits, 1077, shift=False))
    stayed = (images == plain).all(dim=(1, 2)).float().mean()
    # half of the images, and one in nine of the others draws the move (0, 0)
    assert stayed == pytest.approx(1 / 2 + 1 / 18, abs=0.05)


def test_the_seed_decides_the_batches():
    digits = load_digits("training")
    first, again, other = (next(digit_batches(digits, seed=seed))[0] for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_batches_of_nothing_are_refused():
    with pytest.raises(ValueError, match="digits must hold at least 1 image, got 0"):
        digit_batches(numbered(0))
    with pytest.raises(ValueError, match="batch_size must be at least 1, got batch_size=0"):
        digit_batches(numbered(3), 0)
