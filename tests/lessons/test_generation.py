"""Writing with the language model: windows, prompts, cache."""

import functools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some
from sampling import sample
from torch.testing import assert_close

from attn_lessons.studies.text.alice import load_language_model
from attn_lessons.studies.text.characters import alice_part, encode_text
from attn_lessons.studies.text.generation import CachedReader, append_id, generate, padded_window, window_of

LONG = alice_part("validation")[:200]
SETTINGS = [
    {"temperature": 0},
    {"temperature": 0.7},
    {"top_k": 5},
    {"temperature": 1.3, "top_k": 20, "seed": 4},
]


@functools.cache
def model():
    return load_language_model()[0]


def likeliest(prompt, number):
    """Write greedily with the plain loop of the chapter."""
    ids = encode_text(prompt).tolist()
    for _ in range(number):
        window = torch.tensor([[0, *ids[-63:]]] if ids else [[0]])
        ids.append(int(model()(window)[0][0, -1].argmax()))
    return ids[len(prompt) :]


@pytest.mark.parametrize("prompt", ["", "Alice", LONG])
def test_temperature_zero_writes_the_likeliest_character_each_time(prompt):
    text = generate(model(), prompt, 30, temperature=0)
    assert encode_text(text).tolist() == likeliest(prompt, 30)


@pytest.mark.parametrize("settings", sample(SETTINGS, 1))
@pytest.mark.parametrize("prompt", ["", "Alice was", LONG[:50], LONG])
def test_the_cache_gives_the_same_text(prompt, settings):
    plain, cached = (generate(model(), prompt, 40, cache=cache, **settings) for cache in (False, True))
    assert plain == cached
    assert len(plain) == 40


def test_the_cached_logits_are_those_of_the_whole_window():
    reader = CachedReader(model())
    for length in (5, 6, 7, 20, 64):
        window = window_of(encode_text(LONG[:length]), 64)
        assert_close(reader.read(window), model()(window[None])[0][0, -1], rtol=1e-4, atol=1e-4)


def test_the_cache_saves_work_until_the_window_slides():
    reader, ids = CachedReader(model()), encode_text(LONG)
    computed = []
    for length in (10, 11, 12, 63, 64, 65):
        before = reader.computed
        reader.read(window_of(ids[:length], 64))
        computed.append(reader.computed - before)
    assert computed == [11, 1, 1, 51, 64, 64]


def test_another_text_is_read_anew():
    reader = CachedReader(model())
    reader.read(window_of(encode_text("Alice"), 64))
    logits = reader.read(window_of(encode_text("Alicia"), 64))
    window = window_of(encode_text("Alicia"), 64)
    assert_close(logits, model()(window[None])[0][0, -1], rtol=1e-4, atol=1e-4)


def test_the_same_window_can_be_read_again():
    reader, window = CachedReader(model()), window_of(encode_text("Alice"), 64)
    assert_close(reader.read(window), reader.read(window), rtol=1e-4, atol=1e-4)


def test_only_the_last_characters_are_seen():
    ends = [generate(model(), prompt, 20, seed=2) for prompt in (LONG, LONG[-63:], "???" + LONG[-63:])]
    assert ends[0] == ends[1] == ends[2]
    logits = [model()(window_of(encode_text(text), 64)[None])[0][0, -1] for text in (LONG, "?" + LONG[-62:])]
    assert not torch.allclose(*logits)


def test_more_text_than_the_window_needs_cropping():
    with pytest.raises(ValueError, match=r"a length of 1 to 64 \(the window\), got length=200"):
        model()(encode_text(LONG)[None])


def test_the_seed_decides_the_text():
    texts = [generate(model(), "Alice", 40, seed=seed) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_no_characters_asked_for_is_no_text():
    assert generate(model(), "Alice", 0) == ""


@given(some.lists(some.integers(1, 9), max_size=9), some.integers(2, 6), some.integers(9, 12))
def test_the_page_and_the_loop_look_at_the_same_window(ids, max_length, field):
    padded = torch.tensor(ids + [0] * (field - len(ids)))
    window, last = padded_window(padded, torch.tensor(len(ids)), max_length)
    expected = window_of(torch.tensor(ids, dtype=torch.int64), max_length)
    assert window.tolist() == expected.tolist() + [0] * (max_length - len(expected))
    assert last == len(expected) - 1


@given(some.lists(some.integers(1, 9), max_size=5))
def test_a_field_takes_one_more_and_drops_the_first_when_full(ids):
    padded = torch.tensor(ids + [0] * (5 - len(ids)))
    after = append_id(padded, torch.tensor(len(ids)), torch.tensor(7))
    expected = [*ids, 7][-5:]
    assert after.tolist() == expected + [0] * (5 - len(expected))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: generate(model(), "¿Qué?", 3), ValueError, "characters of the vocabulary, got '¿é'"),
        (lambda: generate(model(), None, 3), TypeError, "text must be a str, got NoneType"),
        (lambda: generate(model(), "A", -1), ValueError, "num_characters must be at least 0"),
        (lambda: generate(model(), "A", 2.5), TypeError, "num_characters must be an int, got float"),
        (lambda: generate(model(), "A", 1, temperature=-1), ValueError, "temperature must be at least 0"),
        (lambda: generate(model(), "A", 1, top_k=0), ValueError, "top_k must be at least 1"),
        (lambda: generate(model(), "A", 1, seed="x"), TypeError, "seed must be an int"),
        (lambda: window_of(torch.zeros(2, 2), 5), ValueError, r"ids must have shape \(length,\)"),
        (lambda: window_of(torch.zeros(2), 0), ValueError, "max_length must be at least 1, got max_length=0"),
        (
            lambda: padded_window(torch.zeros(2, 2), torch.tensor(1), 5),
            ValueError,
            r"ids must have shape \(field,\)",
        ),
        (
            lambda: padded_window(torch.zeros(2), torch.tensor(1), 0),
            ValueError,
            "max_length must be at least 1",
        ),
    ],
)
def test_wrong_arguments_are_named(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_a_wrong_setting_is_named_even_when_nothing_is_to_be_written():
    with pytest.raises(ValueError, match="temperature must be at least 0"):
        generate(model(), "Alice", 0, temperature=-1)
