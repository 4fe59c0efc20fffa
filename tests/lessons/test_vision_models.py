import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies.statistics import wilson_interval
from attn_lessons.studies.vision import recipe
from attn_lessons.studies.vision.baselines import Logistic, SmallCNN
from attn_lessons.studies.vision.digits import Digits, load_digits
from attn_lessons.studies.vision.recipe import (
    MODELS,
    count_right,
    digit_logits,
    digit_loss,
    final_training_digits,
    load_reader,
    train_reader,
)
from livetorch import trace


def test_the_final_training_leaves_the_test_part_out():
    digits = final_training_digits()
    assert len(digits.labels) == 1437
    seen = {tuple(row) for row in digits.images.flatten(1).tolist()}
    assert not any(tuple(row) in seen for row in load_digits("test").images.flatten(1).tolist())


@pytest.mark.parametrize(("kind", "seed"), [(kind, 0) for kind in MODELS] + [("transformer", 3)])
def test_training_again_follows_the_stored_losses(kind, seed):
    _, losses = train_reader(kind, seed=seed, stop_after=4)
    _, stored = load_reader(kind, seed=seed)
    assert len(stored) == recipe.NUM_EPOCHS * 45
    assert losses == pytest.approx(stored[:4], rel=1e-4)


def test_what_is_trained_on_can_be_chosen():
    few = Digits(*(tensor[:40] for tensor in load_digits("training")))
    model, losses = train_reader("logistic", digits=few)
    assert len(losses) == recipe.NUM_EPOCHS * 2
    assert count_right(model, few) >= 30


def test_moving_the_images_changes_what_is_seen():
    moved, plain = (train_reader("cnn", shift=shift, stop_after=2)[1] for shift in (True, False))
    assert moved != plain


@pytest.mark.parametrize("kind", MODELS)
def test_the_loss_is_the_mean_negative_log_probability_of_the_label(kind):
    model, digits = load_reader(kind)[0], load_digits("test")
    probabilities = digit_logits(model, digits.images).softmax(dim=-1)
    expected = -probabilities[torch.arange(360), digits.labels].log().mean()
    assert_close(digit_loss(model, *digits), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("make", [Logistic, SmallCNN])
def test_baselines_refuse_other_images_as_the_transformer_does(make):
    with pytest.raises(
        ValueError, match=r"images must have shape \(batch, height=8, width=8\), got \(1, 28, 28\)"
    ):
        make()(torch.zeros(1, 28, 28))
    with pytest.raises(ValueError, match="got 0 to 255"):
        make()(torch.tensor([0.0, 255.0]).repeat(32).reshape(1, 8, 8))


def test_unknown_models_are_refused():
    with pytest.raises(
        ValueError, match="kind must be one of transformer, no_positions, cnn, logistic, got 'vgg'"
    ):
        train_reader("vgg")
    with pytest.raises(ValueError, match=r"\(kind, seed\) must be one of .* got \('cnn', 9\)"):
        load_reader("cnn", seed=9)


def test_the_model_can_be_traced_and_then_serves_any_image_and_mask():
    model = load_reader()[0].requires_grad_(False)
    images, _ = load_digits("test")

    def read(image, seen):
        logits, weights = model(image[None], patch_mask=seen)
        return {"logits": logits[0], "weights": weights[:, 0, :, 0, 1:]}

    program = trace(read, image=images[0], seen=torch.ones(4, 4, dtype=torch.bool))
    seen = torch.arange(16).reshape(4, 4) % 5 > 0
    got, expected = program.run(image=images[7], seen=seen), read(images[7], seen)
    assert_close(got["logits"], expected["logits"], rtol=0, atol=1e-4)
    assert_close(got["weights"], expected["weights"], rtol=0, atol=1e-5)


def test_impossible_counts_are_refused():
    with pytest.raises(ValueError, match="right must be at most total, got right=8, total=7"):
        wilson_interval(8, 7)
    with pytest.raises(ValueError, match="total must be at least 1, got total=0"):
        wilson_interval(0, 0)
    with pytest.raises(TypeError, match="right must be an int, got float"):
        wilson_interval(0.5, 7)
    with pytest.raises(ValueError, match="z must be above 0"):
        wilson_interval(5, 7, z=0)
