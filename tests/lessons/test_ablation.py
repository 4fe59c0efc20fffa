"""Taking heads out of the language model: the formula, against the model's own switch and a slow loop."""

import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies.text.ablation import mean_outputs, replaced_heads
from attn_lessons.studies.text.language_model import LanguageModel

ALL_ON = torch.ones(3, 2, dtype=torch.bool)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return LanguageModel(7, max_length=6, d_model=8, num_heads=2, num_layers=3).eval().double()


def ids(batch=4, length=5, seed=1):
    drawn = torch.randint(7, (batch, length), generator=torch.Generator().manual_seed(seed))
    drawn[:, 0] = 0
    return drawn


def nothing(length=5):
    return torch.zeros(3, 2, length, 4, dtype=torch.float64)


def test_with_all_heads_on_it_is_the_model(model):
    logits, weights, _ = replaced_heads(model, ids(), ALL_ON, nothing() + 9)
    assert_close((logits, weights), model(ids()))


@pytest.mark.parametrize("off", [(0, 0), (1, 1), (2, 0)])
def test_zeros_in_their_place_are_the_models_own_switch(model, off):
    heads = ALL_ON.clone()
    heads[off] = False
    logits, weights, _ = replaced_heads(model, ids(), heads, nothing())
    assert_close((logits, weights), model(ids(), head_mask=heads.double()))
    assert not torch.allclose(logits, model(ids())[0])


def test_means_are_those_of_a_loop_over_texts_and_of_each_place(model):
    texts = ids(6)
    _, _, outputs = replaced_heads(model, texts, ALL_ON, nothing())
    slow = sum(replaced_heads(model, text[None], ALL_ON, nothing())[2][0] for text in texts) / 6
    means = mean_outputs(model, texts)
    assert_close(means, slow)
    assert_close(means, outputs.mean(dim=0))
    assert not means.requires_grad
    assert not torch.allclose(means[:, :, 1], means[:, :, 2])


def test_a_head_replaced_by_what_it_says_changes_nothing(model):
    text = ids(1)
    own = mean_outputs(model, text)  # the mean over one text is the text's own
    logits, _, _ = replaced_heads(model, text, ~ALL_ON, own)
    assert_close(logits, model(text)[0])


def test_wrong_shapes_are_named(model):
    with pytest.raises(ValueError, match=r"heads must be bool of shape \(layers=3, heads=2\)"):
        replaced_heads(model, ids(), ALL_ON[:2], nothing())
    with pytest.raises(ValueError, match=r"heads must be bool"):
        replaced_heads(model, ids(), ALL_ON.double(), nothing())
    with pytest.raises(ValueError, match=r"instead must have shape \(layers=3, heads=2, window, dim\)"):
        replaced_heads(model, ids(), ALL_ON, nothing()[0])
