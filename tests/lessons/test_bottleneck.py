import pytest
from train_translator import train_copier

from attn_lessons.studies.translation import copying
from attn_lessons.studies.translation.copying import accuracy_by_length, load_copier, make_copier


def test_attention_copies_strings_of_every_length_it_was_trained_on():
    shares = accuracy_by_length(load_copier("bahdanau")[0], [1, 5, 10, 15, 20])
    assert min(shares) >= 0.95


@pytest.mark.parametrize("times", [1, 3])
def test_one_fixed_vector_copies_short_strings_and_fails_on_long_ones(times):
    short, long = accuracy_by_length(load_copier("fixed", times)[0], [4, 20])
    assert short >= 0.95
    assert long <= 0.05


@pytest.mark.parametrize(("attention", "times"), copying.STORED)
def test_training_again_follows_the_stored_losses(attention, times):
    _, losses = train_copier(attention, times, stop_after=6)
    _, stored = load_copier(attention, times)
    assert len(stored) == copying.NUM_STEPS * times
    assert losses == pytest.approx(stored[:6], rel=1e-4)


def test_the_same_strings_are_asked_every_time():
    model = load_copier("fixed")[0]
    assert accuracy_by_length(model, [8, 10]) == accuracy_by_length(model, [8, 10])


def test_models_that_are_not_stored_are_named():
    with pytest.raises(ValueError, match="attention must be one of bahdanau, fixed, got 'dot'"):
        make_copier("dot")
    with pytest.raises(ValueError, match=r"must be one of .* got \('bahdanau', 3\)"):
        load_copier("bahdanau", 3)
