"""Chapter 05 trains for real when its one switch is turned."""

from __future__ import annotations

import functools

import nbformat
import pytest
from built_site import ROOT

from attn_helpers.models import date_translator

CHAPTER = ROOT / "notebooks" / "05_seq2seq_attention.ipynb"
OFF = "TRAIN = False"
FEW = 55  # steps; all 1,000 are the same code


def cell(name: str) -> str:
    """Give the source of one cell."""
    (found,) = (each for each in nbformat.read(CHAPTER, as_version=4).cells if each.id == name)
    return found.source


@pytest.mark.parametrize("train", [False, True])
def test_the_switch_decides_between_stored_and_fresh_weights(train, monkeypatch, capsys):
    few = functools.partial(date_translator.train_translator, stop_after=FEW)
    monkeypatch.setattr(date_translator, "train_translator", few)
    source = cell("switch")
    assert source.count(OFF) == 1
    names: dict = {}
    exec(cell("imports"), names)
    exec(source.replace(OFF, f"TRAIN = {train}"), names)  # it compares the first 50 losses itself
    steps = {kind: len(losses) for kind, (_, losses) in names["translators"].items()}
    assert steps == dict.fromkeys(("bahdanau", "dot"), FEW if train else date_translator.NUM_STEPS)
    assert capsys.readouterr().out.count("step 50: loss 2.23") == (2 if train else 1)
