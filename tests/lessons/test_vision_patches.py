import pytest
import torch

from attn_lessons.studies.vision.patches import paint_patches, patch_grid, patchify, unpatchify


def patches_by_loops(images, size):
    batch, height, width = images.shape
    return torch.stack(
        [
            torch.stack(
                [
                    images[b, r : r + size, c : c + size].flatten()
                    for r in range(0, height, size)
                    for c in range(0, width, size)
                ]
            )
            for b in range(batch)
        ]
    )


@pytest.mark.parametrize(("height", "width", "size"), [(8, 8, 2), (6, 15, 3), (5, 7, 1), (8, 8, 8)])
def test_patches_are_those_that_loops_cut_out(height, width, size):
    images = torch.rand(2, height, width)
    assert torch.equal(patchify(images, size), patches_by_loops(images, size))


def test_patchify_keeps_the_dtype_and_carries_gradients():
    images = torch.rand(2, 4, 6, dtype=torch.float64, requires_grad=True)
    assert patchify(images.half(), 2).dtype == torch.float16
    assert torch.autograd.gradcheck(lambda x: patchify(x, 2), images)


def test_unpatchify_undoes_patchify():
    images = torch.rand(2, 6, 15)
    assert torch.equal(unpatchify(patchify(images, 3), columns=5), images)


@pytest.mark.parametrize("shape", [(3, 8), (2, 1, 8, 8)])
def test_images_of_another_rank_are_refused(shape):
    with pytest.raises(ValueError, match=r"images must have shape \(batch, height, width\), got "):
        patchify(torch.zeros(shape), 2)


def test_a_patch_size_that_does_not_divide_is_refused():
    with pytest.raises(ValueError, match="must divide height and width, got patch_size=3, height=8, width=9"):
        patchify(torch.zeros(1, 8, 9), 3)
    with pytest.raises(ValueError, match="patch_size must be at least 1, got patch_size=0"):
        patch_grid(8, 8, 0)
    with pytest.raises(TypeError, match="patch_size must be an int, got float"):
        patch_grid(8, 8, 2.0)


def test_images_of_whole_numbers_are_refused():
    with pytest.raises(TypeError, match=r"images must be floating-point, got torch.uint8"):
        patchify(torch.zeros(1, 8, 8, dtype=torch.uint8), 2)


def test_patches_that_make_no_image_are_refused():
    with pytest.raises(ValueError, match=r"patches must have shape \(batch, patches, patch_size\^2\), got"):
        unpatchify(torch.zeros(6, 4), 3)
    for patches, columns in ((torch.zeros(1, 6, 5), 3), (torch.zeros(1, 6, 4), 4)):
        with pytest.raises(ValueError, match=f"columns must divide their number.*columns={columns}"):
            unpatchify(patches, columns)


def test_painting_covers_the_named_patches_and_nothing_else():
    painted = paint_patches(torch.ones(2, 4, 6), torch.tensor([[True, False, False], [False, False, True]]))
    expected = torch.ones(4, 6)
    expected[:2, :2] = expected[2:, 4:] = 0
    assert torch.equal(painted, expected.expand(2, 4, 6))


def test_each_image_may_be_painted_elsewhere_and_in_any_grey():
    patches = torch.tensor([[[True, False]], [[False, True]]])
    painted = paint_patches(torch.zeros(2, 2, 4), patches, value=0.5)
    assert painted[:, 0].tolist() == [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]]


def test_painting_nothing_changes_nothing_and_the_original_stays():
    images = torch.rand(2, 4, 4)
    before = images.clone()
    assert torch.equal(paint_patches(images, torch.zeros(2, 2, dtype=torch.bool)), before)
    paint_patches(images, torch.ones(2, 2, dtype=torch.bool))
    assert torch.equal(images, before)


def test_patches_that_do_not_fit_are_refused():
    images = torch.zeros(2, 4, 6)
    for shape in ((3, 3), (2, 2), (5, 2, 3)):
        with pytest.raises(ValueError, match="patches must cut each image into squares"):
            paint_patches(images, torch.zeros(shape, dtype=torch.bool))
    with pytest.raises(ValueError, match=r"patches \(rows, columns\) or \(batch, rows, columns\), got"):
        paint_patches(images, torch.zeros(6, dtype=torch.bool))
    with pytest.raises(
        TypeError, match=r"patches must be a bool torch.Tensor \(True = paint\), got torch.int64"
    ):
        paint_patches(images, torch.zeros(2, 3, dtype=torch.int64))
