"""`explore`: what it makes of a function."""

import json

import ipywidgets
import pytest
import torch
from explored import KEYS, M, carrying, doubled, two, weights
from torch.testing import assert_close

from livetorch import Carry, Checkbox, Points, Slider, Table, Text, explore, fixed


def programs(figure):
    return figure.spec["programs"]


def test_a_slider_and_a_list_make_one_program_for_each_option():
    figure = explore(weights, width=(0.1, 2.0), kernel=["gaussian", "boxcar"])
    assert len(programs(figure)) == 2
    assert figure.spec["variants"] == {"controls": ["kernel"], "keys": {"0": 0, "1": 1}}


def test_the_figure_is_plain_json_of_the_documented_form():
    spec = explore(weights, width=(0.1, 2.0), title="T", caption="C", name="the-weights").spec
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec
    assert (spec["format"], spec["version"], spec["name"]) == ("livetorch/figure", 1, "the-weights")
    assert (spec["title"], spec["caption"], spec["carry"]) == ("T", "C", None)
    assert (spec["do"], spec["labels"]) == (None, {})


def test_the_same_call_gives_the_same_json_and_html():
    first, second = (explore(weights, width=(0.1, 2.0), kernel=["gaussian", "boxcar"]) for _ in range(2))
    assert first.to_html() == second.to_html()


def test_constants_are_shared_between_programs():
    shared = torch.randn(40, 40, generator=torch.Generator().manual_seed(0))

    def f(x, kind):
        return shared * x + {"a": 1.0, "b": 2.0}[kind]

    spec = explore(f, x=(0.0, 1.0), kind=["a", "b"]).spec
    assert sum(len(json.dumps(c)) > 1000 for c in spec["pool"]) == 1
    assert max(len(json.dumps(p)) for p in spec["programs"]) < 2000


def test_constants_can_be_kept_in_half_the_space():
    table = torch.randn(50, 50, generator=torch.Generator().manual_seed(0))
    sizes = [len(explore(lambda x: table * x, x=(0.0, 1.0), store=s).to_html()) for s in (None, "float16")]
    spec = explore(lambda x: table * x, x=(0.0, 1.0), store="float16").spec
    constants = [entry for entry in spec["pool"] if isinstance(entry, dict)]  # the others are lines
    assert [constant.get("stored") for constant in constants] == ["float16"]
    assert sizes[0] - sizes[1] > 2500


def test_options_that_change_nothing_share_a_program():
    def f(x, label):
        return x * torch.ones(2, 2)

    assert len(programs(explore(f, x=(0.0, 1.0), label=["a", "b"]))) == 1


def test_a_bool_reaches_the_function_as_a_python_bool():
    def f(x, negative):
        return -x if negative else x

    assert len(programs(explore(f, x=(0.0, 1.0), negative=False))) == 2


def test_a_checkbox_can_be_an_input_instead():
    def f(x, negative):
        return torch.where(negative, -x, x)

    assert len(programs(explore(f, x=(0.0, 1.0), negative=Checkbox(as_input=True)))) == 1


def test_an_integer_slider_is_an_input_where_the_function_allows_it():
    figure = explore(lambda i: KEYS[i].reshape(1), i=(0, 3))
    assert len(programs(figure)) == 1


def test_an_integer_slider_that_decides_a_shape_is_traced_position_by_position():
    figure = explore(lambda n: torch.ones(n, n) / n, n=(1, 4))
    assert len(programs(figure)) == 4
    figure.set(n=3)
    assert figure.outputs["output"].shape == (3, 3)


def test_fixed_values_and_defaults_need_no_control():
    figure = explore(weights, width=(0.1, 2.0), kernel=fixed("boxcar"))
    assert [control["name"] for control in figure.spec["controls"]] == ["width"]
    assert explore(weights, width=(0.1, 2.0)).value == {"width": figure.value["width"]}


def test_an_nn_module_can_be_explored():
    layer = torch.nn.Linear(2, 3)
    figure = explore(layer, input=Points([[0.0, 1.0], [1.0, 1.0]]), name="layer")
    assert_close(figure.outputs["output"], layer(torch.tensor([[0.0, 1.0], [1.0, 1.0]])).detach())


def test_a_text_comes_with_its_length_where_the_function_asks_for_it():
    def f(ids, ids_length):
        return ids * (torch.arange(5) < ids_length)

    figure = explore(f, ids=Text("ba", vocabulary=["<pad>", "a", "b"], length=5))
    assert figure.outputs["output"].tolist() == [2, 1, 0, 0, 0]


def test_views_are_chosen_by_the_output_where_none_is_given():
    assert [v["kind"] for v in explore(weights, width=(0.1, 2.0)).spec["views"]] == ["heatmap"]
    assert [v["kind"] for v in explore(doubled, x=(0.0, 1.0)).spec["views"]] == ["table"]


def test_a_plain_tensor_may_be_carried():
    def step(m, x):
        return {"next": m + x}

    figure = explore(step, carry={"m": "next"}, m=torch.tensor(1.0), x=(0.0, 1.0))
    assert figure.spec["carry"] == {"names": {"m": "next"}, "steps": 1000, "pace": 60, "run": "Run"}
    assert [c["kind"] for c in figure.spec["controls"]] == ["state", "slider"]


def test_a_step_of_learning_can_be_explored():
    def step(width):
        loss = lambda w: ((w - 3.0) ** 2).sum()  # noqa: E731
        gradient, value = torch.func.grad_and_value(loss)(width)
        return {"new_width": width - 0.1 * gradient, "loss": value}

    figure = explore(step, carry={"width": "new_width"}, width=Slider(0.0, 5.0, value=1.0))
    figure.step(3)
    assert figure.value["width"] == pytest.approx(3 - 2 * 0.8**3, abs=1e-6)


def test_an_ipywidgets_control_is_linked_both_ways():
    slider = ipywidgets.FloatSlider(min=0.1, max=2.0, value=1.0)
    figure = explore(weights, width=slider)
    slider.value = 0.5
    assert figure.value == {"width": 0.5}
    figure.value = {"width": 1.5}
    assert slider.value == 1.5


def test_an_ipywidgets_list_is_linked_by_its_value():
    chooser = ipywidgets.Dropdown(options={"G": "gaussian", "B": "boxcar"})
    figure = explore(weights, width=(0.1, 2.0), kernel=chooser)
    chooser.value = "boxcar"
    assert figure.value["kernel"] == "boxcar"
    figure.set(kernel="gaussian")
    assert chooser.value == "gaussian"


def test_a_run_can_be_given_an_end_and_a_pace():
    carry = Carry({"m": "next"}, steps=4, pace=2, run="Train")
    spec = explore(carrying, **M, carry=carry, view=Table(outputs=["next"])).spec
    assert spec["carry"] == {"names": {"m": "next"}, "steps": 4, "pace": 2, "run": "Train"}


def test_a_run_begins_again_at_controls_that_it_names():
    carry = Carry({"m": "next"}, restart=("m",))
    assert explore(carrying, **M, carry=carry, view=Table(outputs=["next"])).spec["carry"]["restart"] == ["m"]
    with pytest.raises(ValueError, match="carry restarts at kind, which is no control; the controls are: m"):
        explore(carrying, **M, carry=Carry({"m": "next"}, restart=("kind",)), view=Table(outputs=["next"]))


def test_labels_are_the_words_for_outputs_in_views_and_json():
    figure = explore(two, width=(0.0, 1.0), do="Turn", labels={"w": "weight"}, view=Table("w"))
    assert (figure.spec["do"], figure.spec["labels"]) == ("Turn", {"w": "weight"})
    assert figure.spec["views"][0]["parts"][0]["label"] == "weight"


def test_views_in_an_inner_list_are_a_row():
    views = [[Table("w"), Table("inner")], Table("w")]
    assert explore(two, width=(0.0, 1.0), view=views).spec["rows"] == [[0, 1], [2]]
    assert explore(two, width=(0.0, 1.0), view=[Table("w")]).spec["rows"] is None
