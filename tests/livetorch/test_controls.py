"""Controls: what an `explore` call may say, and what is refused; sliders, choices and checkboxes."""

import ipywidgets
import pytest
import torch

from livetorch import Checkbox, Choice, Slider, explore, fixed
from livetorch.controls.abbreviations import parse_control

ABBREVIATIONS = {
    "float pair": ((0.0, 2.0), "slider", 1.0, "float32"),
    "integer pair": ((1, 8), "slider", 4, "int64"),
    "triple": ((0.0, 1.0, 0.25), "slider", 0.5, "float32"),
    "integer and float": ((0, 1.0), "slider", 0.5, "float32"),
    "one integer": (3, "slider", 3, "int64"),
    "one float": (0.5, "slider", 0.5, "float32"),
}


@pytest.mark.parametrize(("given", "kind", "value", "dtype"), ABBREVIATIONS.values(), ids=ABBREVIATIONS)
def test_numbers_become_sliders_as_in_interact(given, kind, value, dtype):
    spec = parse_control("x", given).to_spec("x")
    assert (spec["kind"], spec["value"], spec["dtype"]) == (kind, value, dtype)


def test_one_number_spans_from_minus_itself_to_three_times_itself():
    spec = parse_control("x", 2).to_spec("x")
    assert (spec["min"], spec["max"]) == (-2, 6)


def test_lists_pairs_and_dicts_become_choices():
    options = [["a", "b"], [("A", "a"), ("B", "b")], {"A": "a", "B": "b"}]
    choices = [parse_control("x", given) for given in options]
    assert [c.labels for c in choices] == [["a", "b"], ["A", "B"], ["A", "B"]]
    assert [c.values for c in choices] == [["a", "b"]] * 3


def test_a_bool_is_a_checkbox_and_not_a_number():
    assert parse_control("x", True).to_spec("x")["kind"] == "checkbox"


def test_a_text_is_a_text_field_of_code_points():
    text = parse_control("x", "我a")
    assert text.to_inputs("x", "我a")["x"].tolist() == [ord("我"), ord("a")]


def test_an_argument_starts_at_its_own_default_where_that_is_possible():
    assert parse_control("x", (0.0, 2.0), default=0.3).default == 0.3
    assert parse_control("x", ["a", "b"], default="b").default == "b"
    assert parse_control("x", (0.0, 2.0), default=7.0).default == 1.0


def test_our_own_controls_and_fixed_are_taken_as_they_are():
    slider, kept = Slider(0, 1), fixed("a")
    assert parse_control("x", slider) is slider
    assert parse_control("x", kept) is kept
    assert parse_control("x", ipywidgets.fixed(3)).value == 3


WIDGETS = {
    "FloatSlider": (
        ipywidgets.FloatSlider(min=0.5, max=3, step=0.5, value=1, description="Width"),
        "slider",
        1.0,
    ),
    "IntSlider": (ipywidgets.IntSlider(min=1, max=9, value=2), "slider", 2),
    "BoundedFloatText": (ipywidgets.BoundedFloatText(min=0, max=3, value=1.5), "slider", 1.5),
    "FloatLogSlider": (ipywidgets.FloatLogSlider(min=-2, max=2, value=1), "slider", 1.0),
    "Dropdown": (ipywidgets.Dropdown(options=["a", "b"], value="b"), "dropdown", 1),
    "RadioButtons": (ipywidgets.RadioButtons(options={"A": 1, "B": 2}), "dropdown", 0),
    "SelectionSlider": (ipywidgets.SelectionSlider(options=[1, 2, 4], value=4), "dropdown", 2),
    "Checkbox": (ipywidgets.Checkbox(value=True), "checkbox", True),
    "Text": (ipywidgets.Text(value="hi"), "text", "hi"),
}


@pytest.mark.parametrize(("widget", "kind", "value"), WIDGETS.values(), ids=WIDGETS)
def test_an_ipywidgets_control_keeps_its_value(widget, kind, value):
    spec = parse_control("x", widget).to_spec("x")
    assert (spec["kind"], spec["value"]) == (kind, value)


def test_an_ipywidgets_slider_keeps_bounds_step_label_and_format():
    widget = ipywidgets.FloatSlider(
        min=0.5, max=3, step=0.5, value=1, description="Width", readout_format=".3f"
    )
    spec = parse_control("x", widget).to_spec("x")
    assert [spec[k] for k in ("min", "max", "step", "label", "format")] == [0.5, 3.0, 0.5, "Width", ".3f"]


REFUSED = {
    "a tensor": (torch.ones(2), TypeError, r"control x: .*shape \(2,\).*Points\(...\), Matrix\(...\)"),
    "an object": (object, TypeError, "control x: must be"),
    "a reversed range": ((2.0, 1.0), ValueError, "control x: a slider needs min < max"),
    "an empty list": ([], ValueError, "control x: a choice needs at least one option"),
    "equal labels": (["a", "a"], ValueError, "different labels"),
    "a button": (ipywidgets.Button(), TypeError, "Button has no counterpart"),
    "an infinite number": (float("inf"), ValueError, "finite"),
}


@pytest.mark.parametrize(("given", "error", "text"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_control_is_refused_with_its_name(given, error, text):
    with pytest.raises(error, match=text):
        parse_control("x", given)


WRONG_SLIDERS = {
    "text": (lambda: Slider("a", 1), TypeError, "min must be a finite number"),
    "nan": (lambda: Slider(float("nan"), 1), TypeError, "min must be a finite number"),
    "bool": (lambda: Slider(False, 1), TypeError, "min must be a finite number"),
    "step": (lambda: Slider(0, 1, -1), ValueError, "step > 0"),
    "value": (lambda: Slider(0, 1, value=2), ValueError, "between 0 and 1, got value=2"),
    "log": (lambda: Slider(0, 1, log=True), ValueError, "min > 0"),
    "roll": (lambda: Slider(0.0, 1.0, roll=True), ValueError, "needs integers, got min=0.0"),
    "format": (lambda: Slider(0.0, 1.0, format="abc"), ValueError, "format must be like"),
}


@pytest.mark.parametrize(("make", "error", "text"), WRONG_SLIDERS.values(), ids=WRONG_SLIDERS)
def test_a_slider_that_makes_no_sense_is_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_a_slider_chooses_a_step_that_can_be_read():
    steps = [Slider(0.0, top).step for top in (1.0, 2.0, 5.0, 30.0, 1000.0)]
    assert steps == [0.01, 0.02, 0.05, 0.2, 10.0]


def test_the_middle_of_a_slider_lies_on_a_position():
    slider = Slider(0.05, 2.0)
    assert slider.value in slider.options()


def test_a_slider_feeds_a_tensor_without_axes():
    tensor = Slider(0.0, 1.0).to_inputs("x", 0.25)["x"]
    assert (tensor.shape, tensor.dtype) == (torch.Size([]), torch.float32)
    assert Slider(0, 5).to_inputs("n", 3)["n"].dtype == torch.int64


def test_positions_of_a_slider_that_is_traced_one_by_one_are_all_listed():
    spec = Slider(2, 8, 2, variant=True).to_spec("n")
    assert (spec["variant"], spec["options"]) == (True, [2, 4, 6, 8])


def test_an_option_is_found_by_value_or_label_and_true_is_not_one():
    choice = Choice({"one": 1, "two": 2})
    assert choice.check("x", 2) == 2
    assert choice.check("x", "two") == 2
    with pytest.raises(ValueError, match="x must be one of one, two, got x=True"):
        choice.check("x", True)


def test_options_that_are_functions_are_named_by_their_name():
    assert Choice([torch.relu, torch.tanh]).labels == ["relu", "tanh"]


def test_a_choice_of_numbers_may_be_an_input_and_then_has_one_program_for_all():
    def scaled(by):
        return torch.tensor([1.0, 2.0]) * by

    figure = explore(scaled, by=Choice({"even": (1.0, 1.0), "first": (1.0, 0.0)}, as_input=True))
    assert len(figure.spec["programs"]) == 1
    assert figure.spec["controls"][0]["tensors"]["data"] == [[1.0, 1.0], [1.0, 0.0]]
    figure.value = {"by": (1.0, 0.0)}
    assert figure.outputs["output"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("options", [["a", "b"], [1, 2.0], [(1.0, 2.0), (1.0,)]])
def test_a_choice_that_is_an_input_needs_numbers_of_one_kind_and_shape(options):
    with pytest.raises(TypeError, match="as_input needs options"):
        Choice(options, as_input=True)


def test_a_checkbox_takes_only_bools():
    with pytest.raises(TypeError, match="x must be True or False, got x=1"):
        Checkbox().check("x", 1)


def test_a_logarithmic_slider_between_integers_gives_integers():
    slider = Slider(1, 512, log=True)
    assert slider.value == 23  # the root of 512, rounded
    assert slider.to_inputs("d", 4)["d"].dtype == torch.int64
    assert (slider.details()["dtype"], slider.details()["format"]) == ("int64", "d")
