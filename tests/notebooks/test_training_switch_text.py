"""Lesson 10b trains for real when its one switch is turned."""

import functools

import nbformat
from built_site import ROOT
from sampling import weekly

from attn_lessons.studies.text import alice

CHAPTER = ROOT / "notebooks" / "10b_inside_the_writer.ipynb"
OFF = "TRAIN = False"
FEW = 52  # steps; all 8,000 are the same code


def cell(name: str) -> str:
    """Give the source of one cell."""
    (found,) = (each for each in nbformat.read(CHAPTER, as_version=4).cells if each.id == name)
    return found.source


@weekly
def test_the_switch_trains(monkeypatch, capsys):
    few = functools.partial(alice.train_language_model, stop_after=FEW)
    monkeypatch.setattr(alice, "train_language_model", few)
    source = cell("switch")
    assert source.count(OFF) == 1
    names: dict = {}
    exec(cell("imports"), names)
    exec(source.replace(OFF, "TRAIN = True"), names)
    assert len(names["losses"]) == FEW
    assert "step 50: loss 2.95" in capsys.readouterr().out
