import functools

import pytest
import torch

from attn_lessons.studies.two_heads import (
    DifferenceModel,
    difference_batches,
    difference_error,
    difference_loss,
    train_difference,
)


@functools.cache
def trained(num_heads):
    return train_difference(num_heads)[0]


def test_two_heads_learn_to_subtract():
    assert difference_error(trained(2)) < 0.002


def test_one_head_gets_no_further_than_the_variance_of_one_number():
    assert difference_error(trained(1)) == pytest.approx(1 / 3, abs=0.02)


def test_no_weights_of_one_head_beat_the_bound():
    names, numbers, asked, answers = next(difference_batches(4000))
    places = (names.unsqueeze(1) == asked.unsqueeze(-1)).int().argmax(dim=-1)
    first, second = numbers.gather(1, places).unbind(1)
    errors = [
        (scale * (share * first + (1 - share) * second) - answers).square().mean().item()
        for share in torch.linspace(0, 1, 11)
        for scale in torch.linspace(-2, 2, 21)
    ]
    assert min(errors) == pytest.approx(1 / 3, abs=0.02)


def test_each_of_the_two_heads_looks_at_one_of_the_two_names():
    names, numbers, asked, _ = next(difference_batches(100, seed=7))
    _, weights = trained(2)(names, numbers, asked)
    looked = names.gather(1, weights[:, :, 0].argmax(dim=-1))
    assert torch.equal(looked.sort(dim=-1).values, asked.sort(dim=-1).values)


def test_switching_one_of_the_two_heads_off_costs_at_least_what_one_head_costs():
    names, numbers, asked, answers = next(difference_batches(1000, seed=7))
    for off in torch.tensor([[0.0, 1.0], [1.0, 0.0]]):
        outputs, _ = trained(2)(names, numbers, asked, head_mask=off)
        assert (outputs - answers).square().mean() > 0.3


def test_one_head_and_two_have_the_same_number_of_parameters():
    counts = [sum(p.numel() for p in DifferenceModel(heads).parameters()) for heads in (1, 2)]
    assert counts[0] == counts[1]


def test_training_again_gives_the_same_losses():
    assert train_difference(2, stop_after=5)[1] == train_difference(2, stop_after=5)[1]


def test_the_loss_is_the_mean_of_the_squared_errors():
    model, batch = DifferenceModel(2), next(difference_batches(5))
    outputs, _ = model(*batch[:3])
    errors = [(got - true) ** 2 for got, true in zip(outputs.tolist(), batch[3].tolist(), strict=True)]
    assert difference_loss(model, *batch).item() == pytest.approx(sum(errors) / 5, rel=1e-5)
