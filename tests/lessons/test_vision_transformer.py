import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies.training import seeded
from attn_lessons.studies.vision.patches import patchify
from attn_lessons.studies.vision.vision_transformer import VisionTransformer, check_images


def small(**options):
    sizes = {"image_size": 6, "patch_size": 2, "num_classes": 5, "d_model": 12, "num_heads": 3} | options
    return seeded(lambda: VisionTransformer(**sizes), seed=0).eval()


def far_from_start(model):
    """Move every parameter, so that what starts near 0 or 1 counts."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def test_sizes_and_weights():
    logits, weights = small(num_layers=4)(torch.rand(7, 6, 6))
    assert logits.shape == (7, 5)
    assert weights.shape == (4, 7, 3, 10, 10)
    assert_close(weights.sum(dim=-1), torch.ones(4, 7, 3, 10))


def test_tokens_are_class_token_and_embedded_patches_plus_positions():
    model, images = far_from_start(small()), torch.rand(2, 6, 6)
    tokens = model.tokens(images)
    assert_close(tokens[:, 0], (model.class_token + model.positions[0]).expand(2, 12))
    expected = patchify(images, 2) @ model.embed.weight.T + model.embed.bias + model.positions[1:]
    assert_close(tokens[:, 1:], expected)


def test_every_parameter_gets_a_gradient():
    model = small()
    model(torch.rand(2, 6, 6))[0].square().sum().backward()
    assert all(p.grad is not None and p.grad.any() for p in model.parameters())


def test_without_positions_an_image_is_a_bag_of_patches():
    model, images = far_from_start(small(positions=False)), torch.rand(2, 6, 6)
    moved = images.roll(2, dims=2)  # whole patches move to the right
    assert_close(model(moved)[0], model(images)[0], rtol=1e-4, atol=1e-5)
    with_positions = far_from_start(small())
    assert (with_positions(moved)[0] - with_positions(images)[0]).abs().max() > 0.01


def test_masking_equals_leaving_the_tokens_out():
    model, images = far_from_start(small()), torch.rand(2, 6, 6)
    seen = torch.tensor([[True, False, True]] * 3)
    kept = torch.cat([torch.tensor([True]), seen.flatten()])
    without = model.encode(model.tokens(images)[:, kept])[0]
    assert_close(model(images, patch_mask=seen)[0], without, rtol=1e-4, atol=1e-5)


def test_each_image_of_a_batch_may_have_its_own_mask():
    model, images = far_from_start(small()), torch.rand(2, 6, 6)
    seen = torch.rand(2, 3, 3) < 0.5
    expected = torch.cat([model(images[i : i + 1], patch_mask=seen[i])[0] for i in range(2)])
    assert_close(model(images, patch_mask=seen)[0], expected, rtol=1e-4, atol=1e-5)


def test_all_patches_masked_leaves_the_class_token_looking_at_itself():
    logits, weights = small()(torch.rand(2, 6, 6), patch_mask=torch.zeros(3, 3, dtype=torch.bool))
    assert torch.equal(weights[..., 0], torch.ones(2, 2, 3, 10))
    assert_close(logits[0], logits[1])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_it_works_in_other_precisions(dtype):
    logits, weights = small().to(dtype)(torch.rand(2, 6, 6, dtype=dtype))
    assert logits.dtype == weights.dtype == dtype
    assert logits.isfinite().all()


@pytest.mark.parametrize("shape", [(1, 28, 28), (1, 6, 8), (6, 6), (1, 1, 6, 6)])
def test_images_of_another_size_are_refused(shape):
    with pytest.raises(ValueError, match=r"images must have shape \(batch, height=6, width=6\), got \("):
        small()(torch.zeros(shape))


def test_images_of_another_dtype_are_refused():
    with pytest.raises(TypeError, match=r"images must be floating-point, got torch.uint8. Use images.float"):
        small()(torch.zeros(1, 6, 6, dtype=torch.uint8))
    with pytest.raises(TypeError, match=r"the model's dtype torch.float32, got torch.float64"):
        small()(torch.zeros(1, 6, 6, dtype=torch.float64))
    with pytest.raises(TypeError, match=r"images must be a torch.Tensor, got list"):
        small()([[0.0] * 6] * 6)


@pytest.mark.parametrize(("value", "got"), [(16.0, "0 to 16"), (-0.5, "-0.5 to 0"), (float("nan"), "nan")])
def test_images_of_another_range_are_refused(value, got):
    images = torch.zeros(1, 6, 6)
    images[0, 2, 3] = value
    with pytest.raises(ValueError, match=rf"images must lie between 0 \(paper\) and 1 \(ink\), got {got}"):
        check_images(images, 6)


def test_a_patch_size_or_a_head_count_that_does_not_divide_is_refused():
    with pytest.raises(ValueError, match="must divide height and width, got patch_size=3, height=8, width=8"):
        VisionTransformer(patch_size=3)
    with pytest.raises(ValueError, match="divisible by num_heads, got d_model=32, num_heads=5"):
        VisionTransformer(num_heads=5)


def test_wrong_patch_masks_are_refused():
    images = torch.zeros(2, 6, 6)
    with pytest.raises(TypeError, match=r"patch_mask must be a bool torch.Tensor .*got torch.float32"):
        small()(images, patch_mask=torch.ones(3, 3))
    for shape in ((9,), (3, 2), (5, 3, 3)):
        with pytest.raises(ValueError, match=r"\(rows=3, columns=3\) or \(batch, rows, columns\), got"):
            small()(images, patch_mask=torch.ones(shape, dtype=torch.bool))


def test_no_images_give_no_answers():
    assert small()(torch.zeros(0, 6, 6))[0].shape == (0, 5)
