"""The plain file of lesson 12a is the model of the lesson, and it learns to read."""

import torch
import vision_transformer as plain
from torch.testing import assert_close

from attn_lessons.studies.vision.digits import load_digits
from attn_lessons.studies.vision.patches import patchify
from attn_lessons.studies.vision.recipe import load_reader, make_reader


def test_with_the_lessons_weights_the_plain_file_is_the_lessons_model():
    model, _ = load_reader("transformer", seed=0)
    copy = plain.VisionTransformer()
    copy.load_state_dict(model.state_dict())
    images = load_digits("test").images[:50]
    with torch.no_grad():
        (logits, weights), (wanted, maps) = copy(images), model(images)
    assert_close(logits, wanted, rtol=1e-4, atol=1e-4)
    assert_close(weights, maps, rtol=1e-4, atol=1e-5)


def test_a_fresh_model_has_the_parameters_of_the_lessons():
    both = (plain.VisionTransformer(), make_reader())
    sizes = [{name: value.shape for name, value in model.named_parameters()} for model in both]
    assert sizes[0] == sizes[1]
    larger = plain.VisionTransformer(12, 3, 4, d_model=8, heads=2, layers=1, hiddens=5)
    logits, weights = larger(torch.rand(2, 12, 12))
    assert (logits.shape, weights.shape) == ((2, 4), (1, 2, 2, 17, 17))


def test_images_are_cut_as_in_the_lesson():
    images = torch.rand(3, 4, 6, generator=torch.Generator().manual_seed(0))
    assert torch.equal(plain.patchify(images, 2), patchify(images, 2))


def test_the_drawn_digits_differ_and_lie_between_paper_and_ink():
    images, labels = plain.draw(300, torch.Generator().manual_seed(0))
    assert images.shape == (300, 8, 8)
    assert 0 <= images.min() < 0.1
    assert images.max() == 1
    assert labels.unique().tolist() == list(range(10))
    assert len({frozenset(strokes) for strokes in plain.SEGMENTS}) == 10
    ink = [(images[labels == digit] == 1).sum(dim=(1, 2)).unique().tolist() for digit in range(10)]
    assert all(len(counts) == 1 for counts in ink)  # moved, but nothing falls off the sheet
    assert ink[8] > ink[1]


def test_every_parameter_of_the_plain_model_learns():
    torch.manual_seed(0)
    model = plain.VisionTransformer()
    before = {name: value.clone() for name, value in model.named_parameters()}
    assert plain.train(model, steps=120) > 0.4  # guessing gets 0.1
    assert all((value != before[name]).any() for name, value in model.named_parameters())
