import pytest
from train_translator import train_copier

from attn_lessons.studies.translation import copying
from attn_lessons.studies.translation.copying import accuracy_by_length, load_copier, make_copier


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
