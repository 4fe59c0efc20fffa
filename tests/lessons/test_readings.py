import numpy as np
import pytest
import torch
from torch.testing import assert_close

from attn_lessons.studies.minilm.head_scores import (
    word_mask,
)
from attn_lessons.studies.minilm.readings import (
    find_reading,
    load_head_effects,
    load_paragraph,
    load_readings,
)
from attn_lessons.studies.minilm.sentences import HELD_OUT, PARAGRAPH, SETS
from tools.minilm.store import in_parts

every_set = pytest.mark.parametrize("name", SETS)


@every_set
def test_every_row_of_every_stored_map_adds_up_to_1(name):
    for reading in load_readings(name):
        n = len(reading.tokens)
        assert reading.weights.shape == (6, 12, n, n)
        assert_close(reading.weights.sum(dim=-1), torch.ones(6, 12, n))
        assert reading.weights.min() >= 0


@every_set
def test_the_stored_tokens_are_those_of_the_sentences(name):
    for entry, reading in zip(SETS[name], load_readings(name), strict=True):
        assert reading.text == entry.text
        assert (reading.tokens[0], reading.tokens[-1]) == ("[CLS]", "[SEP]")
        joined = "".join(reading.tokens[1:-1]).replace("##", "")
        assert joined == entry.text.lower().replace(" ", "")
        assert [reading.tokens[reading.place(word)] for word in entry[1:]] == [w.lower() for w in entry[1:]]
        assert (reading.ids[0], reading.ids[-1]) == (101, 102)


@every_set
def test_the_stored_effects_are_cosine_distances_and_0_for_what_was_not_masked(name):
    for reading in load_readings(name):
        n = len(reading.tokens)
        assert reading.effects.shape == (n, n)
        assert reading.value_norms.shape == (6, 12, n)
        for effects in (reading.effects, reading.effect):
            assert effects.min() >= 0
            assert effects.max() < 2
            assert effects[..., [0, -1]].max() < 1e-5
        words = word_mask(reading.tokens)
        assert reading.effect[words].min() > 0
        assert reading.value_norms.min() > 0


def test_the_stored_paragraph_is_the_paragraph():
    tokens, weights, values = load_paragraph()
    assert "".join(tokens[1:-1]).replace("##", "") == PARAGRAPH.lower().replace(" ", "")
    assert_close(weights.sum(dim=-1), torch.ones(len(tokens)))
    assert values.shape == (len(tokens), 32)


def test_the_stored_head_effects_are_small_positive_numbers():
    effects = load_head_effects()
    assert effects.shape == (len(HELD_OUT), 6, 12)
    assert effects.min() >= 0
    assert 0 < effects.max() < 1


@every_set
def test_every_stored_sentence_is_found_by_its_text(name):
    entry = SETS[name][-1]
    assert find_reading(entry.text).place("[CLS]") == 0
    assert_close(find_reading(entry.text).weights, load_readings(name)[-1].weights)


def test_what_a_caller_does_to_a_reading_does_not_reach_the_next_one():
    load_readings("passive")[0].weights.zero_()
    assert load_readings("passive")[0].weights.sum() > 0


@pytest.mark.parametrize(("layer", "head"), [(6, 0), (0, 12)])
def test_a_head_that_does_not_exist_is_refused(layer, head):
    reading = find_reading("Bees make honey.")
    assert reading.head(5, 11).shape == (6, 6)
    with pytest.raises(ValueError, match=r"must be in 0..(5|11), got (layer|head)="):
        reading.head(layer, head)
    with pytest.raises(ValueError, match="layer must be at least 0, got layer=-1"):
        reading.head(-1, head)
    with pytest.raises(TypeError, match="head must be an int, got float"):
        reading.head(0, 1.0)


def test_unknown_sentences_sets_and_words_are_refused():
    with pytest.raises(ValueError, match=r"must be one of the 86 stored sentences, got 'Bees sleep.'"):
        find_reading("Bees sleep.")
    with pytest.raises(ValueError, match=r"name must be one of selection, .*, got 'all'"):
        load_readings("all")
    with pytest.raises(ValueError, match=r"exactly one of \[CLS\] bees .* got 'wasps'"):
        find_reading("Bees make honey.").place("wasps")
    with pytest.raises(ValueError, match="got 'the'"):
        find_reading("The nurse gently woke the baby.").place("the")


def test_rounded_rows_keep_their_sum_and_are_off_by_less_than_one_part():
    weights = torch.softmax(torch.randn(3, 5, 13, dtype=torch.float64) * 3, dim=-1)
    parts = in_parts(weights)
    assert parts.dtype == np.uint16
    assert set(parts.astype(int).sum(axis=-1).ravel()) == {65_535}
    assert np.abs(parts / 65_535 - weights.numpy()).max() < 1 / 65_535
    with pytest.raises(ValueError, match=r"must add up to 1, got a sum of 0.9"):
        in_parts(torch.tensor([[0.5, 0.4]]))
