"""The number that a slider draws along its track: which one, and what is said where there is none."""

import pytest
import torch

from livetorch import Choice, Slider, Table, explore


def pair(x):
    return {"loss": x * x, "weights": torch.stack([x, 2 * x, 3 * x, 4 * x]).reshape(2, 2)}


def curve_of(curve, fn=pair, **more):
    figure = explore(fn, x=Slider(0.0, 1.0, curve=curve), **more)
    return figure.spec["controls"][0].get("curve")


def test_a_number_by_its_name():
    assert curve_of("loss") == {"output": "loss", "at": 0, "label": "loss"}


def test_one_number_of_a_larger_output_by_its_place():
    assert curve_of(("weights", 1, 0)) == {"output": "weights", "at": 2, "label": "weights[1, 0]"}


def test_its_words_are_those_of_the_output():
    assert curve_of("loss", labels={"loss": "squared error"})["label"] == "squared error"


def test_other_sliders_have_none():
    assert "curve" not in explore(pair, x=(0.0, 1.0)).spec["controls"][0]


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        ("los", "the curve of x names 'los', but the function returns: loss, weights"),
        ("weights", r"has the shape \(2, 2\): name a number by its place, such as curve=\('weights', 0, 0\)"),
        (("loss", 0), r"has the shape \(\): name a number by its place, such as curve='loss'"),
        (("weights", 2, 0), r"names place \[2, 0\] of weights, whose shape is \(2, 2\)"),
        (("weights", -1, 0), r"names place \[-1, 0\]"),
    ],
)
def test_what_is_no_number_of_the_function_is_refused(curve, words):
    with pytest.raises(ValueError, match=words):
        curve_of(curve)


@pytest.mark.parametrize("curve", [3, (), ("loss", 0.5), ("loss", True), ["loss"], (1, 2)])
def test_what_names_no_number_is_refused_by_the_slider(curve):
    with pytest.raises(TypeError, match="curve must be an output's name, or a tuple"):
        Slider(0.0, 1.0, curve=curve)


@pytest.mark.parametrize(("most", "roll"), [(4, False), (100, True)])
def test_buttons_have_no_track(most, roll):
    with pytest.raises(ValueError, match="shown as buttons has no room for a curve"):
        Slider(1, most, curve="loss", roll=roll)
    assert Slider(1, 6, curve="loss").curve == "loss"


def test_every_choice_must_give_the_number():
    def some(x, kind):
        return {"x": x, "loss": x} if kind == "with" else {"x": x}

    controls = {"x": Slider(0.0, 1.0, curve="loss"), "kind": Choice(["with", "without"])}
    with pytest.raises(ValueError, match="names 'loss', but the function returns: x"):
        explore(some, view=Table("x"), controls=controls)
