"""Texts to pick from, and heatmaps that are as wide as what is typed."""

import pytest
import torch

from livetorch import Heatmap, Text, Tokens, Typed, explore
from livetorch.figure.still import picture

VOCABULARY = ["<pad>", *"abcdefgh"]


def same(word, word_length):
    numbers = word[:, None] + 10 * word
    return {"output": numbers / 100, "length": word_length}


def figure(value: str, ticks, **more):
    view = Heatmap(xticks=ticks, yticks=ticks)
    return explore(same, word=Text(value, vocabulary=VOCABULARY, length=8, **more), view=view)


def labels_in(svg: str) -> list[str]:
    return [part.split("<")[0] for part in svg.split(">") if part.split("<")[0] in [*"abcdefgh", "·"]]


def picture_of(figure) -> str:
    return picture(figure.spec["views"], None, figure.spec["controls"], figure.outputs)


def test_typed_labels_say_that_the_matrix_is_cut():
    view = figure("abc", Typed("word")).spec["views"][0]
    assert view["xticks"] == {"text": "word", "unit": "character", "crop": True}
    assert view["source"] == {"output": "output"}


def test_plain_labels_keep_every_column():
    assert labels_in(picture_of(figure("abc", "word"))).count("·") == 2 * 5


@pytest.mark.parametrize("text", ["abc", "abcdefgh"])
def test_the_picture_shows_what_is_typed(text):
    assert labels_in(picture_of(figure(text, Typed("word")))) == [*text, *text]


def test_a_row_of_tokens_ends_where_the_text_does():
    view = Tokens("output", tokens=Typed("word"), query_tokens=[*"12345678"])
    word = Text("abc", vocabulary=VOCABULARY, length=8)
    assert labels_in(picture_of(explore(same, word=word, view=view))) == [*"abc"]


def test_typed_needs_a_text_control():
    with pytest.raises(ValueError, match="xticks='length' must name a text control"):
        figure("abc", Typed("length"))


def test_examples_are_in_the_figure_only_where_given():
    (with_examples,) = figure("abc", "word", examples=["cab", "bad"]).spec["controls"]
    assert with_examples["examples"] == ["cab", "bad"]
    (without,) = figure("abc", "word").spec["controls"]
    assert "examples" not in without


@pytest.mark.parametrize("examples", ["cab", [1, 2]])
def test_examples_are_a_list_of_texts(examples):
    with pytest.raises(TypeError, match="examples must be a list of texts"):
        Text("abc", vocabulary=VOCABULARY, examples=examples)


def test_an_example_sets_the_same_ids_as_typing_it():
    live = figure("abc", "word", examples=["cab"])
    live.set(word="cab")
    assert torch.equal(live.outputs["output"], same(torch.tensor([3, 1, 2, 0, 0, 0, 0, 0]), 3)["output"])
