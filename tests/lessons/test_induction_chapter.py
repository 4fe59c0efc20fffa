"""Lesson 11b on the page: the training step in the browser's runtime, and the lesson's training switch."""

import contextlib
import functools
from pathlib import Path

import nbformat
import pytest
import torch
from node_runner import NodeRunner
from sampling import sample, weekly
from torch.testing import assert_close

from attn_lessons.studies.induction import recipe
from livetorch.program.program import Program

CHAPTER = Path(__file__).parents[2] / "notebooks" / "11b_induction_learned.ipynb"
STEPS = 20


@functools.cache
def cells():
    return {cell.id: cell.source for cell in nbformat.read(CHAPTER, as_version=4).cells}


@pytest.fixture(scope="module")
def learning():
    """Run the first figure of the lesson and give what its cells define."""
    names = {}
    with contextlib.chdir(CHAPTER.parent):  # as a kernel runs: the plain file is imported from there
        exec(cells()["imports"], names)
    exec(cells()["live-learn"].replace("\nexplore(", "\nfigure = explore(", 1), names)
    return names


def torch_run(names, state, on, steps):
    for _ in range(steps):
        result = names["learn"](*state, rate=torch.tensor(0.005), **on)
        state = [result[name] for name in names["carried"]]
    return result


@pytest.mark.parametrize("layers", [(True, True), (False, True)])
def test_twenty_steps_in_the_page_equal_twenty_in_torch(learning, layers):
    spec = learning["figure"].spec
    assert len(spec["programs"]) == 1  # rates and layers are inputs
    on = dict(zip(("layer_1", "layer_2"), map(torch.tensor, layers), strict=True))
    start = learning["new_state"](0)
    wanted = torch_run(learning, start, on, STEPS)
    program = Program.from_json(spec["programs"][0], spec["pool"])
    inputs = dict(zip(learning["carried"], start, strict=True)) | {"rate": 0.005, **on}
    with NodeRunner() as node:
        for _ in range(STEPS):
            made = node.run(program, inputs)
            inputs |= {name: made[name] for name in learning["carried"]}
    assert torch.equal(made["random_numbers"], wanted["random_numbers"])
    shown = ("parameters", "loss", "layer 1", "layer 2", "previous", "follower")
    expected = {name: wanted[name].detach() for name in shown}
    assert_close({name: made[name] for name in shown}, expected, rtol=1e-4, atol=1e-4)


@weekly
@pytest.mark.parametrize("seed", sample([2, 3], 1))
def test_the_diagonal_appears_with_two_layers_only(learning, seed):
    both, one = ({"layer_1": torch.tensor(float(on)), "layer_2": torch.tensor(1.0)} for on in (1, 0))
    start = learning["new_state"](seed)
    assert torch_run(learning, start, both, 300)["follower"] > 0.7
    assert torch_run(learning, start, one, 300)["follower"] < 0.4


@weekly
def test_the_switch_trains(monkeypatch, capsys):
    few = functools.partial(recipe.train_repeater, stop_after=30)
    calls = []

    def counted(layers, *, seed=0, stop_after=30):
        calls.append(layers)
        return few(layers, seed=seed)

    monkeypatch.setattr(recipe, "train_repeater", counted)
    source, off = cells()["switch"], "TRAIN = False"
    assert source.count(off) == 1
    names = {}
    monkeypatch.chdir(CHAPTER.parent)
    exec(cells()["imports"], names)
    exec(source.replace(off, "TRAIN = True"), names)
    exec(cells()["switch-held"], names)  # compares the first 30 losses
    lengths = {layers: len(losses) for layers, (_, losses) in names["repeaters"].items()}
    assert lengths == dict.fromkeys((1, 2), 30)
    assert sorted(calls) == [1, 1, 2, 2]
    assert capsys.readouterr().out.count("loss 4.") == 2
