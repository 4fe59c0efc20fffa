"""A kind of view or control is one class in Python and one file in JavaScript; an incomplete one is named."""

import random
import re
from dataclasses import dataclass
from typing import ClassVar

import pytest
import torch
from built_site import ROOT

from livetorch import Choice, Matrix, Points, Slider, Text, controls, explore, views
from livetorch.controls.base import Control
from livetorch.views import Bars
from livetorch.views.base import View

VIEWS = [each for each in vars(views).values() if isinstance(each, type) and issubclass(each, View)]
CONTROLS = [each for each in vars(controls).values() if isinstance(each, type) and issubclass(each, Control)]
LISTS = {"views": "js/views/all.mjs", "controls": "js/controls/all.mjs"}


@pytest.mark.parametrize("part", LISTS)
def test_python_and_the_page_have_the_same_kinds(part):
    text = (ROOT / "livetorch" / LISTS[part]).read_text(encoding="utf-8")
    found = [
        name
        for names in re.findall(r"export (?:\* as |\{ )([\w, ]+?)(?: \})? from", text)
        for name in names.split(", ")
    ]
    assert sorted(found) == sorted(each.kind for each in (VIEWS if part == "views" else CONTROLS))


def test_a_view_without_a_kind_or_without_what_it_reads_is_refused():
    with pytest.raises(TypeError, match="Dots needs a kind, the name that a figure's JSON calls it"):
        type("Dots", (View,), {})
    with pytest.raises(TypeError, match=r"Dots.*abstract method.*resolve"):
        type("Dots", (View,), {"kind": "dots"})()


def test_a_view_that_the_page_does_not_have_is_named():
    @dataclass(frozen=True)
    class Dots(Bars):
        kind: ClassVar[str] = "dots"

    figure = explore(lambda x: x * torch.ones(3), view=Dots(), x=(0.0, 1.0))
    with pytest.raises(RuntimeError, match=r"no view of kind dots\. It has arcs, bars"):
        figure.to_html()


def test_a_control_that_lacks_something_is_refused_and_says_what():
    @dataclass
    class Knob(Control):
        value: float = 0.5
        kind: ClassVar[str] = "knob"

        def check(self, name, value, *, free=False):
            return float(value)

        def to_inputs(self, name, value):
            return {name: torch.tensor(value)}

    with pytest.raises(TypeError, match=r"Knob.*abstract methods.*at_random.*moved"):
        Knob()


def test_a_control_that_the_page_does_not_have_is_named():
    @dataclass
    class Knob(Slider):
        kind: ClassVar[str] = "knob"

    figure = explore(lambda x: x * torch.ones(3), x=Knob(0.0, 1.0))
    with pytest.raises(RuntimeError, match="no control of kind knob"):
        figure.to_html()


@pytest.mark.parametrize(
    "control",
    [
        Slider(0.0, 2.0),
        Slider(1, 8, 3),
        Slider(0.1, 10.0, log=True),
        Choice(["a", "b"]),
        Points([[0.0, 1.0], [2.0, 0.5]], domain=(-3, 3)),
        Matrix([[1.0, 0.5]], min=0.0, max=1.0),
        Text("ba", vocabulary=["<pad>", "a", "b"], length=4),
        controls.Checkbox(True),
        controls.Mask([[True, False]]),
    ],
    ids=lambda control: control.kind,
)
def test_what_a_control_draws_and_where_it_moves_is_allowed(control):
    spec, draw = control.to_spec("x"), random.Random(7)
    for _ in range(50):
        value = control.from_js(control.at_random(spec, draw))
        if not (isinstance(control, Slider) and control.log):  # the page rounds to its stops
            control.check("x", value)
    for moved in (*control.moved(control.default), *control.extremes(control.default)):
        assert control.check("x", moved) is not None
