"""No Program leaves that does not follow an argument: numbers that leave torch are noticed, with a line."""

import copy
import math
import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
import torch

from livetorch import Checkbox, Mask, Matrix, Points, Slider, State, Text, explore, node, trace
from livetorch.program.errors import ChangingError, FrozenError, TraceError


def legacy(p):
    return torch.Tensor([p[0, 0], p[0, 1]]) * 2


def legacy_float(p):
    return torch.FloatTensor([p[0, 0], p[0, 1]])


def legacy_long(p):
    return torch.LongTensor([(p[0, 0] * 10).long(), (p[0, 1] * 10).long()])


def written(p):
    return torch.tensor([float(f"{number:.1f}") for number in p.flatten()])


def threads(p):
    with ThreadPoolExecutor() as pool:
        return torch.stack(list(pool.map(torch.exp, p)))


LEAKS = [legacy, legacy_float, legacy_long, written, threads]


@pytest.mark.parametrize("fn", LEAKS, ids=lambda fn: fn.__name__)
def test_a_number_that_leaves_torch_is_refused_with_its_argument_and_line(fn):
    with pytest.raises(FrozenError, match="does not follow p once it is traced") as refused:
        trace(fn, p=torch.tensor([[0.5, 1.25]]))
    assert refused.value.names == {"p"}
    with pytest.raises(FrozenError, match=r"turns p into (a Python number|text)"):
        explore(fn, p=Points([[0.5, 1.25]], domain=(-2, 2)))
    assert "of " + fn.__name__ in str(refused.value) or fn in (legacy_float, legacy_long, written)


CONTROLS = {
    "points": Points([[0.5, 1.25]], domain=(-2, 2)),
    "matrix": Matrix([[0.5, 1.25]]),
    "bounded matrix": Matrix([[1.0, 1.0]], min=0.0, max=1.0),
    "mask": Mask([[True, False]]),
    "text": Text("ab", vocabulary=["<pad>", "a", "b", "c"], length=2),
    "state": State(torch.tensor([[0.5, 1.25]])),
    "slider": Slider(-2.0, 2.0, value=0.5),
    "checkbox": Checkbox(as_input=True),
}


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_a_frozen_control_of_every_kind_is_noticed(control):
    def frozen(x):
        with ThreadPoolExecutor() as pool:
            return {"next": x * 1, "kept": pool.submit(lambda: x * 2).result()}

    with pytest.raises(FrozenError, match="frozen does not follow x"):
        explore(frozen, x=control, carry={"x": "next"} if control.kind == "state" else None)


def test_a_frozen_part_of_a_following_output_is_noticed():
    def turned(a):
        return a + torch.Tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]])

    with pytest.raises(FrozenError, match=r"turned .* a .*on line \d+ of turned"):
        explore(turned, a=(0.0, 3.0))


def test_a_number_that_is_the_same_at_both_ends_is_noticed_in_between():
    with pytest.raises(FrozenError):
        explore(lambda a: torch.Tensor([a.sin(), a.sin()]), a=Slider(-math.pi, math.pi, value=0.0))


def test_only_the_guilty_argument_is_named():
    def f(a, b, c):
        return torch.Tensor([b]) * a + c

    with pytest.raises(FrozenError) as refused:
        trace(f, a=1.0, b=2.0, c=3.0)
    assert refused.value.names == {"b"}


def test_a_function_that_fails_at_an_end_names_the_end():
    with pytest.raises(TraceError, match=r"<lambda> fails for n = 8, the slider's end: IndexError: index 8"):
        explore(lambda n: torch.arange(5.0)[n], n=(0, 8))


def test_copies_and_deep_copies_follow():
    program = trace(lambda x: copy.deepcopy(x) + copy.copy(x), x=torch.ones(2))
    assert program.run(x=torch.tensor([1.0, 2.0]))["output"].tolist() == [2.0, 4.0]


def drifting():
    calls = count()
    return lambda x: x * next(calls)


def test_what_node_says_of_a_refused_function_is_not_taken_for_the_next_ones():
    with pytest.raises(ChangingError):
        trace(drifting(), x=1.0)  # while Node still runs it
    assert trace(lambda x: x * 5, x=1.0).run(x=2.0)["output"] == 10


def test_without_node_a_refused_function_leaves_no_file_behind(monkeypatch, tmp_path):
    monkeypatch.setattr(node, "_artists", {})
    monkeypatch.setattr(node.shutil, "which", lambda name: None)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(ChangingError):
        trace(drifting(), x=1.0)
    assert list(tmp_path.iterdir()) == []
