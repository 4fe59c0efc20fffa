import multi_head
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from attn_lessons.studies.two_heads import (
    DifferenceModel,
    difference_batches,
)


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


def test_one_head_and_two_have_the_same_number_of_parameters():
    counts = [sum(p.numel() for p in DifferenceModel(heads).parameters()) for heads in (1, 2)]
    assert counts[0] == counts[1]


def test_the_plain_model_is_the_books():
    own = DifferenceModel(2, num_names=4, d_model=8).double()
    plain = multi_head.Subtract(2).double()
    plain.load_state_dict(own.state_dict())
    names, numbers, asked, _ = next(difference_batches(9, num_names=4))
    assert_close(plain(names, numbers.double(), asked), own(names, numbers.double(), asked))

    layer = nn.MultiheadAttention(8, 2, batch_first=True, dtype=torch.float64)
    projections = zip(("W_q", "W_k", "W_v"), layer.in_proj_weight.chunk(3), strict=True)
    state = {f"{name}.weight": part for name, part in projections}
    state |= {f"{name}.bias": torch.zeros(8) for name in ("W_q", "W_k", "W_v")}
    state |= {f"W_o.{name}": value for name, value in layer.out_proj.state_dict().items()}
    plain.attention.load_state_dict(state)
    x = torch.randn(3, 5, 8, dtype=torch.float64)
    theirs = layer(x, x, x, average_attn_weights=False)
    assert_close(plain.attention(x, x, x), theirs)


def test_the_plain_rows_name_the_two_numbers_that_are_subtracted():
    names, numbers, asked, answers = multi_head.rows(200, torch.Generator().manual_seed(0))
    assert (asked[:, 0] != asked[:, 1]).all()
    for row in range(200):
        has = dict(zip(names[row].tolist(), numbers[row].tolist(), strict=True))
        first, second = asked[row].tolist()
        assert answers[row].item() == pytest.approx(has[first] - has[second], abs=1e-6)


def test_the_plain_model_learns_with_two_heads_and_not_with_one():
    errors = []
    for num_heads in (1, 2):
        torch.manual_seed(2)
        errors.append(multi_head.train(multi_head.Subtract(num_heads), steps=200, seed=2))
    assert errors[0] == pytest.approx(1 / 3, abs=0.04)
    assert errors[1] < 0.01
