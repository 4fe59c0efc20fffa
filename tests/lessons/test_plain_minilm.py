"""The plain file of lesson 13a: pieces, weights and maps are those of the encoder in the lesson."""

import runpy
import sys

import minilm as plain
import pytest
import torch
from built_site import ROOT
from torch.testing import assert_close

from attn_lessons.studies.minilm.agreement import suggestions
from attn_lessons.studies.minilm.encoder import FOLDER, load_encoder, read_typed

PATH = ROOT / "attn_lessons/studies/minilm" / FOLDER
VOCABULARY, WEIGHTS = plain.load(PATH)
TEXTS = [
    *suggestions()[::12],
    "Don't touch the café's naïve snake_case sign!",
    "An antidisestablishmentarian " * 9,
    "",
]


def test_the_weights_are_the_lessons_bit_for_bit():
    encoder = load_encoder()
    assert tuple(VOCABULARY) == encoder.vocabulary
    tensors = dict(encoder.tensors)
    tensors["words"] = torch.cat([tensors.pop(f"words.{number}") for number in range(1, 5)])
    assert WEIGHTS.keys() == tensors.keys()
    assert all(torch.equal(WEIGHTS[name], tensors[name]) for name in WEIGHTS)


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_and_maps_are_the_lessons(text):
    tokens, expected = read_typed(text)
    pieces = plain.cut(text, VOCABULARY)
    assert len(pieces) == len(tokens)
    assert [p for p in pieces if p != "[UNK]"] == [t for t in tokens if t in VOCABULARY and t != "[UNK]"]
    assert_close(plain.maps(pieces, VOCABULARY, WEIGHTS), expected, rtol=1e-4, atol=1e-5)


def test_it_runs_by_itself(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["minilm.py", str(PATH), "What did the girl eat?"])
    runpy.run_path(str(ROOT / "plain/minilm.py"), run_name="__main__")
    assert "eat looks at what" in " ".join(capsys.readouterr().out.split())
