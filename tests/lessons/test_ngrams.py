"""Tables of counts and compressors, the baselines of lesson 10b."""

import math

import pytest
from torch.testing import assert_close

from attn_lessons.studies.text.ngrams import COMPRESSORS, CharacterCounts, compressor_bits

TEXT = "abracadabra, abracadabra"
LETTERS = sorted({*TEXT, "x", "y"})


def test_one_character_by_hand():
    counts = CharacterCounts("aab", 1, vocabulary_size=4)
    # a twice, b once; two different ones, so two more counts are spread evenly over four characters
    assert_close([counts.probability("", c) for c in "abx"], [2.5 / 5, 1.5 / 5, 0.5 / 5])


def test_two_characters_by_hand():
    counts = CharacterCounts("aab", 2, vocabulary_size=4)
    # after a: a once, b once; the two counts more are spread as the single characters are
    assert_close(counts.probability("a", "b"), (1 + 2 * 1.5 / 5) / 4)
    assert_close(counts.probability("a", "x"), (0 + 2 * 0.5 / 5) / 4)
    # nothing was ever seen after b
    assert_close(counts.probability("b", "a"), counts.probability("", "a"))


@pytest.mark.parametrize("length", [1, 2, 3, 5])
@pytest.mark.parametrize("before", ["", "a", "xa", "abr", "zzzzzz", TEXT])
def test_probabilities_sum_to_one_and_none_is_zero(length, before):
    counts = CharacterCounts(TEXT, length, vocabulary_size=len(LETTERS))
    shares = [counts.probability(before, letter) for letter in LETTERS]
    assert math.isclose(sum(shares), 1)
    assert min(shares) > 0


def test_only_the_last_characters_matter():
    counts = CharacterCounts(TEXT, 3, vocabulary_size=len(LETTERS))
    assert counts.probability("xxab", "r") == counts.probability("ab", "r") > counts.probability("b", "r")


def test_bits_are_the_mean_of_the_logarithms():
    counts = CharacterCounts(TEXT, 2, vocabulary_size=len(LETTERS))
    shares = counts.probability("c", "a"), counts.probability("a", "d")
    assert_close(counts.bits_per_character("ad", before="xc"), -sum(map(math.log2, shares)) / 2)
    shares = counts.probability("", "a"), counts.probability("a", "d")
    assert_close(counts.bits_per_character("ad"), -sum(map(math.log2, shares)) / 2)


def test_a_longer_context_helps_where_the_text_repeats():
    bits = [
        CharacterCounts(TEXT * 20, n, vocabulary_size=len(LETTERS)).bits_per_character(TEXT, before=TEXT)
        for n in (1, 2, 3, 6)
    ]
    assert bits == sorted(bits, reverse=True)
    assert bits[-1] < 0.2


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_a_compressor_needs_less_for_what_it_has_seen(kind):
    text = "".join(chr(97 + i * i * 31 % 23) for i in range(500))
    assert compressor_bits(kind, text, before=text) < compressor_bits(kind, text)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: CharacterCounts("", 1, vocabulary_size=3),
            ValueError,
            "text must have at least 1 character",
        ),
        (lambda: CharacterCounts(7, 1, vocabulary_size=3), TypeError, "text must be a str, got int"),
        (lambda: CharacterCounts("a", 0, vocabulary_size=3), ValueError, "length must be at least 1"),
        (
            lambda: CharacterCounts("a", 1, vocabulary_size=0),
            ValueError,
            "vocabulary_size must be at least 1",
        ),
        (
            lambda: compressor_bits("zip", "a"),
            ValueError,
            "unknown compressor 'zip'; choose one of zlib, bz2",
        ),
        (lambda: compressor_bits("bz2", ""), ValueError, "text must have at least 1 character"),
    ],
)
def test_wrong_arguments_are_named(call, error, text):
    with pytest.raises(error, match=text):
        call()
