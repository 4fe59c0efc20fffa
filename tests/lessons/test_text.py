"""The text that lessons 10a and 10b learn from."""

from collections import Counter
from itertools import islice

import pytest
import torch

from attn_lessons.studies.text.characters import (
    PARTS,
    START,
    alice_part,
    alice_text,
    decode_text,
    encode_text,
    text_batches,
    vocabulary,
)


def test_the_text_is_the_whole_book_on_one_line():
    text = alice_text()
    assert text.startswith("CHAPTER I Down the Rabbit-Hole Alice was beginning")
    assert text.endswith("and the happy summer days.")
    assert Counter(text.split())["CHAPTER"] == 12
    assert "  " not in text
    assert "\n" not in text


def test_the_parts_are_the_text_in_order_and_nothing_twice():
    parts = [alice_part(part) for part in PARTS]
    assert "".join(parts) == alice_text()
    assert [round(len(part) / len(alice_text()), 3) for part in parts] == [0.8, 0.1, 0.1]


def test_training_pieces_come_from_the_training_part_only():
    text = alice_part("train")
    for _, targets in islice(text_batches(7, 31, seed=3), 5):
        assert all(decode_text(row) in text for row in targets)


def test_each_input_is_the_character_before_its_target_and_the_start_mark_at_first():
    inputs, targets = next(text_batches(5, 11))
    assert inputs.shape == targets.shape == (5, 11)
    assert torch.equal(inputs[:, 1:], targets[:, :-1])
    assert (inputs[:, 0] == 0).all()


def test_pieces_depend_on_the_seed_only():
    first, again, other = (next(text_batches(5, 11, seed=seed))[1] for seed in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_piece_may_be_the_whole_training_text_but_no_longer():
    length = len(alice_part("train"))
    assert next(text_batches(1, length))[1].shape == (1, length)
    with pytest.raises(ValueError, match=f"length must be at most {length}, got length={length + 1}"):
        next(text_batches(1, length + 1))


def test_ids_and_characters_are_one_to_one():
    assert len(set(vocabulary())) == len(vocabulary()) == 1 + len(set(alice_text()))
    assert vocabulary()[0] == START
    assert decode_text(encode_text(alice_text())) == alice_text()


def test_the_start_mark_cannot_be_typed():
    assert len(START) > 1
    assert decode_text(torch.tensor([0, 0])) == ""


def test_no_characters_are_no_ids():
    assert encode_text("").shape == (0,)
    assert encode_text("").dtype == torch.int64
    assert decode_text(encode_text("")) == ""


def test_characters_outside_the_vocabulary_are_named():
    with pytest.raises(ValueError, match="65 characters of the vocabulary, got '3é'"):
        encode_text("Alice é3")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: alice_part("all"), ValueError, "part must be one of train, validation, test, got 'all'"),
        (lambda: encode_text(["a"]), TypeError, "text must be a str, got list"),
        (
            lambda: decode_text(torch.tensor([[1]])),
            ValueError,
            r"ids must have shape \(length,\), got \(1, 1\)",
        ),
        (lambda: decode_text(torch.tensor([1, 66])), ValueError, r"ids must be in 0..65, got 1..66"),
        (lambda: decode_text(torch.tensor([-1])), ValueError, r"ids must be in 0..65, got -1..-1"),
        (lambda: next(text_batches(0, 5)), ValueError, "batch_size must be at least 1"),
        (lambda: next(text_batches(2, 0)), ValueError, "length must be at least 1"),
    ],
)
def test_wrong_arguments_are_named(call, error, text):
    with pytest.raises(error, match=text):
        call()
