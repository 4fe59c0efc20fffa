"""Chapters with stored models train for real when their one switch is turned; notebooks run with it off."""

import functools

import nbformat
from built_site import ROOT
from sampling import weekly

from attn_lessons.studies.translation import date_translator
from attn_lessons.studies.vision import recipe

OFF = "TRAIN = False"
FEW = 55  # steps; all 1,000 are the same code


def cell(chapter: str, name: str) -> str:
    """Give the source of one cell."""
    notebook = nbformat.read(ROOT / "notebooks" / f"{chapter}.ipynb", as_version=4)
    (found,) = (each for each in notebook.cells if each.id == name)
    return found.source


@weekly
def test_the_switch_of_lesson_05b_trains(monkeypatch, capsys):
    few = functools.partial(date_translator.train_translator, stop_after=FEW)
    monkeypatch.setattr(date_translator, "train_translator", few)
    monkeypatch.chdir(ROOT / "notebooks")  # as a kernel runs: the plain file is imported from there
    source = cell("05b_trained_translator", "switch")
    assert source.count(OFF) == 1
    names: dict = {}
    exec(cell("05b_trained_translator", "imports"), names)
    exec(source.replace(OFF, "TRAIN = True"), names)  # it compares the first 50 losses itself
    steps = {kind: len(losses) for kind, (_, losses) in names["translators"].items()}
    assert steps == dict.fromkeys(("bahdanau", "dot"), FEW)
    assert capsys.readouterr().out.count("step 50: loss 2.23") == 2


def test_the_switch_of_lesson_12b_trains(monkeypatch):
    few = functools.partial(recipe.train_reader, stop_after=FEW)
    monkeypatch.setattr(recipe, "train_reader", few)
    source = cell("12b_looked_at_or_needed", "switch")  # it compares the first 20 losses itself
    assert source.count(OFF) == 1
    names: dict = {}
    exec(cell("12b_looked_at_or_needed", "imports"), names)
    exec(source.replace(OFF, "TRAIN = True"), names)
    assert len(names["losses"]) == FEW
    assert not names["model"].training
