"""The plain file of lesson 11b: its model is the book's, its sequences repeat, and it starts to learn."""

import induction_heads
import pytest
import torch
from built_site import ROOT
from torch.testing import assert_close

from attn_lessons.studies.induction import recipe
from attn_lessons.studies.induction.attention_only import AttentionOnly
from attn_lessons.studies.induction.repeats import knowable, repeat_blocks

FILE = ROOT / "plain" / "induction_heads.py"


@pytest.mark.parametrize("num_layers", [1, 2, 3])
def test_with_the_same_numbers_it_is_the_books_model(num_layers):
    torch.manual_seed(0)
    book = AttentionOnly(7, 11, 6, num_layers=num_layers)
    plain = induction_heads.AttentionOnly(7, 11, 6, num_layers)
    for parameter in book.parameters():
        parameter.data += torch.randn_like(parameter)  # far from even weights
    plain.load_state_dict(book.state_dict())
    tokens = torch.randint(7, (3, 10))
    (logits, maps), (expected, weights) = plain(tokens), book(tokens)
    assert_close(logits, expected)
    assert_close(maps, weights[:, :, 0])


@pytest.mark.parametrize("off", [1, 2])
def test_a_layer_that_is_off_adds_nothing(off):
    book = recipe.load_repeater(2)[0]
    plain = induction_heads.AttentionOnly(64, 48, 64)
    plain.load_state_dict(book.state_dict())
    tokens = torch.randint(64, (4, 30), generator=torch.Generator().manual_seed(0))
    on = torch.ones(2, 1)
    on[off - 1] = 0
    assert_close(plain(tokens, off=(off,))[0], book(tokens, head_mask=on)[0], rtol=1e-4, atol=1e-4)


def test_rows_repeat_with_their_period_and_known_is_where_the_next_token_follows_a_copy():
    generator = torch.Generator().manual_seed(3)
    tokens, period, known = induction_heads.repeats(50, 24, 16, (5, 12), generator)
    assert (period.min(), period.max()) == (5, 12)
    assert torch.equal(tokens, repeat_blocks(tokens, period[:, 0]))
    assert torch.equal(known, knowable(tokens, period[:, 0])[:, :-1])


def test_a_few_steps_of_training_beat_chance():
    torch.manual_seed(0)
    model = induction_heads.AttentionOnly(8, 12, 16)
    share = induction_heads.train(model, steps=60, length=12, vocabulary=8, periods=(3, 4))
    assert share > 1.5 / 8
