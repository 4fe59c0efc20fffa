"""The decoder-only model of lesson 10b, and the one that is stored."""

import functools
import math
from importlib.resources import files

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from attn_lessons.studies.text import alice
from attn_lessons.studies.text.alice import (
    bits_per_character,
    load_language_model,
    train_language_model,
)
from attn_lessons.studies.text.characters import alice_part, vocabulary
from attn_lessons.studies.text.language_model import LanguageModel
from attn_lessons.studies.text.ngrams import CharacterCounts

SIZES = {"max_length": 11, "d_model": 6, "num_heads": 3, "num_layers": 2}
IDS = torch.tensor([[0, 3, 1, 4, 1], [0, 2, 6, 5, 3]])


def small_model():
    return LanguageModel(7, **SIZES).eval()


def test_no_place_knows_what_comes_after_it():
    model = small_model()
    other = IDS.clone()
    other[:, 3:] = 6
    logits, changed = model(IDS)[0], model(other)[0]
    assert_close(logits[:, :3], changed[:, :3])
    assert not torch.allclose(logits[:, 3], changed[:, 3])


def test_weights_have_an_axis_for_layers_and_their_rows_sum_to_one():
    _, weights = small_model()(IDS)
    assert weights.shape == (2, 2, 3, 5, 5)  # (batch, layers, heads, queries, keys)
    assert_close(weights.sum(-1), torch.ones(2, 2, 3, 5))
    assert weights.triu(diagonal=1).abs().max() == 0


def test_the_table_of_characters_is_used_twice():
    model = small_model()
    names = dict(model.named_parameters())
    assert sum(p.shape[0] == 7 for p in names.values()) == 1


def test_heads_switched_off_leave_what_the_other_heads_add():
    model = small_model()
    nothing, one = torch.zeros(2, 3), torch.tensor([[1.0, 0, 1], [1, 1, 1]])
    assert_close(model(IDS, head_mask=torch.ones(2, 3)), model(IDS))
    by_hand = small_model()
    by_hand.load_state_dict(model.state_dict())
    with torch.no_grad():
        by_hand.blocks[0].attention.W_o.weight[:, 2:4] = 0  # what head 2 of layer 1 writes
    assert_close(model(IDS, head_mask=one)[0], by_hand(IDS)[0])
    same_last = torch.tensor([[0, 5, 2, 5, 1]])  # without heads no place hears of another
    assert_close(model(IDS[:1], head_mask=nothing)[0][:, -1], model(same_last, head_mask=nothing)[0][:, -1])


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda m: m(IDS[0]), r"ids must have shape \(batch, length\), got \(5,\)"),
        (lambda m: m(IDS[:, :0]), r"ids must have a length of 1 to 11 \(the window\), got length=0"),
        (lambda m: m(IDS.repeat(1, 3)), r"ids must have a length of 1 to 11 \(the window\), got length=15"),
        (
            lambda m: m(IDS, head_mask=torch.ones(3)),
            r"head_mask must have shape \(layers=2, heads=3\), got \(3,\)",
        ),
        (lambda m: LanguageModel(7, **SIZES | {"num_heads": 4}), "d_model must be divisible by num_heads"),
        (lambda m: LanguageModel(7, **SIZES | {"num_layers": 0}), "num_layers must be at least 1"),
        (lambda m: bits_per_character(m, "all", stride=1), "part must be one of"),
        (lambda m: bits_per_character(m, "test", stride=12), r"stride must be in 1..11, got stride=12"),
    ],
)
def test_wrong_arguments_are_named(call, text):
    with pytest.raises(ValueError, match=text):
        call(small_model())


class Even(nn.Module):
    """A model that finds all characters equally likely."""

    max_length = 64

    def forward(self, ids):
        return torch.zeros(*ids.shape, 66), None


def test_bits_of_a_model_that_knows_nothing_are_the_logarithm_of_the_vocabulary():
    assert math.isclose(bits_per_character(Even(), "test"), math.log2(66), rel_tol=1e-6)


class LastTwo(nn.Module):
    """A bigram model in the clothes of a language model; it also counts what it is asked."""

    max_length = 64

    def __init__(self):
        super().__init__()
        counts = CharacterCounts(alice_part("train"), 2, vocabulary_size=65)
        letters = vocabulary()[1:]
        rows = [[counts.probability(before, c) for c in letters] for before in ("", *letters)]
        self.table = nn.functional.pad(torch.tensor(rows).log(), (1, 0), value=-torch.inf)
        self.counts = counts

    def forward(self, ids):
        return self.table[ids], None


def test_each_character_is_counted_once_and_in_its_place():
    model = LastTwo()
    assert_close(bits_per_character(model, "test"), model.counts.bits_per_character(alice_part("test")))


@functools.cache
def stored():
    return load_language_model()


def test_the_stored_weights_are_small_and_were_trained_as_the_recipe_says():
    path = files("attn_lessons.studies.text").joinpath("weights", f"{alice.NAME}.npz")
    assert len(path.read_bytes()) < 300_000
    assert sum(p.numel() for p in stored()[0].parameters()) < 130_000
    assert len(stored()[1]) == alice.NUM_STEPS


def test_training_starts_as_the_stored_training_did():
    _, losses = train_language_model(stop_after=12)
    assert_close(losses, stored()[1][:12], rtol=1e-3, atol=1e-3)


def test_the_seed_decides_the_start_and_leaves_the_readers_random_numbers_alone():
    torch.manual_seed(3)
    before = torch.random.get_rng_state()
    one, again, other = (train_language_model(seed=seed, stop_after=2)[1] for seed in (1, 1, 2))
    assert one == again != other
    assert torch.equal(torch.random.get_rng_state(), before)
