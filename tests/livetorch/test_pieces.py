"""Pieces of words: what Python cuts, the page cuts alike."""

import json
import re
import subprocess
from pathlib import Path
from string import ascii_lowercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from node_runner import find_node

from livetorch import Heatmap, Text, Typed, explore
from livetorch.controls.pieces import pieces_of, tokens_of
from livetorch.figure.still import picture

ROOT = Path(__file__).parents[2]
VOCABULARY = [
    *["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "cat", "##nap", "ca", ".", "'", "don", "uber", "²"],
    *ascii_lowercase,
    *(f"##{sign}" for sign in ascii_lowercase),
]
STRANGE = [
    *("The catnaps.", "don't!", "Über-cat", "  a\tb\nc  ", "", "...", "café", "nai\u0308ve", "你好 cat"),
    *("a\u200bb", "a\u00a0b", "\ufffdx", "x²", "$5 + 3 = `8`", "\u0130stanbul", "ΑΣ", "🙂 cat"),
    *("a\u0085b", "a\x1cb", "catcatcat", "x" * 120, "İ" * 3),
]


def control(**more):
    return Text(
        "The cat.", vocabulary=VOCABULARY, unit="piece", length=12, unknown=1, ends=("[CLS]", "[SEP]"), **more
    )


def in_the_page(texts: list[str]) -> list[dict]:
    """Cut texts with the page's own code."""
    script = (
        'import { text } from "./livetorch/js/controls/text.mjs";'
        'import { usedTokens } from "./livetorch/js/shared/tokens.mjs";'
        'let all = ""; for await (const part of process.stdin) all += part;'
        "const { control, texts } = JSON.parse(all);"
        "const read = (given) => ({ tokens: usedTokens(control, given),"
        " ids: Array.from(text.inputs(control, given)[control.name].data) });"
        "console.log(JSON.stringify(texts.map(read)));"
    )
    spec = json.dumps({"control": control().to_spec("text"), "texts": texts})
    done = subprocess.run(
        [find_node(), "--input-type=module", "-e", script],
        input=spec, capture_output=True, text=True, encoding="utf-8", cwd=ROOT, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_the_longest_pieces_are_taken_from_the_left():
    assert tokens_of("Catnaps.", "piece", VOCABULARY) == ["cat", "##nap", "##s", "."]
    assert pieces_of("cab", frozenset(VOCABULARY)) == ["ca", "##b"]
    assert pieces_of("好", frozenset(VOCABULARY)) is None


def test_ids_stand_between_the_ends_and_are_cut_off_before_the_last():
    ids = control().ids("the cat " * 20)
    assert len(ids) == 12
    assert (VOCABULARY[ids[0]], VOCABULARY[ids[-1]]) == ("[CLS]", "[SEP]")
    short = control().ids("The 好")
    assert [VOCABULARY[i] for i in short] == ["[CLS]", "the", "[UNK]", "[SEP]", *["[PAD]"] * 8]


def test_ids_turn_back_into_a_text():
    typed = control()
    assert typed.text(typed.ids("The catnap")) == "the catnap"


def test_strange_texts_are_cut_alike_in_python_and_in_the_page():
    for text, there in zip(STRANGE, in_the_page(STRANGE), strict=True):
        assert there == {"tokens": control().tokens(text), "ids": control().ids(text)}, repr(text)


SIGNS = st.characters(codec="utf-8", max_codepoint=0x2FFF)


@settings(max_examples=3, deadline=None)
@given(
    st.lists(
        st.text(st.characters(codec="utf-8", max_codepoint=0x2FFF), max_size=12), min_size=150, max_size=150
    )
)
def test_any_text_is_cut_alike_in_python_and_in_the_page(texts):
    for text, there in zip(texts, in_the_page(texts), strict=True):
        assert there["tokens"] == control().tokens(text), repr(text)


@pytest.mark.parametrize("ends", [("[CLS]",), ("[CLS]", "nowhere"), ("a", "b", "c")])
def test_ends_must_be_two_known_tokens(ends):
    with pytest.raises(ValueError, match="ends must be two tokens"):
        Text("a", vocabulary=VOCABULARY, unit="piece", ends=ends)


def test_a_figure_names_its_rows_by_the_pieces():
    def even(text, text_length):
        here = (text * 0 + 1.0) * (text_length > 0)
        return here[:, None] * here / 12

    text = control(suggestions=["The cat.", "A catnap."])
    figure = explore(even, text=text, view=Heatmap(yticks=Typed("text")))
    assert figure.spec["controls"][0]["suggestions"] == ["The cat.", "A catnap."]
    still = picture(figure.spec["views"], None, figure.spec["controls"], figure.outputs)
    assert [
        word for word in re.findall(">([^<]+)</text>", still) if word in ("[CLS]", "the", "cat", "[SEP]")
    ] == [
        "[CLS]",
        "the",
        "cat",
        "[SEP]",
    ]
    assert still.count(">·<") == 0
