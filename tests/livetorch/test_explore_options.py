"""Options of `explore`: arguments that are called like one, wrong kinds, and what is heavy."""

import numpy as np
import pytest
import torch

from livetorch import Checkbox, Choice, Heatmap, Lines, Matrix, Plane, Points, Slider, Table, Tokens, explore
from livetorch.program.errors import LiveWarning


def named(name, title, view, store, carry, caption):
    return name + title + view + store + carry + caption


def titled(x, title=0.5):
    return x * title * torch.ones(2)


NAMES = ["name", "title", "view", "store", "carry", "caption"]


def test_an_argument_may_be_called_like_an_option():
    controls = {name: Slider(0.0, 1.0, value=0.5) for name in NAMES}
    figure = explore(named, controls=controls, title="A title", name="named")
    assert (figure.spec["title"], figure.spec["name"]) == ("A title", "named")
    figure.set(title=1.0, view=0.0)
    assert figure.outputs["output"] == 3.0


def test_an_argument_called_fn_or_controls_gets_its_control():
    assert explore(lambda fn: fn * torch.ones(2), fn=(0.0, 1.0)).value == {"fn": 0.5}
    assert explore(lambda controls: controls * torch.ones(2), controls={"controls": (0.0, 1.0)}).value == {
        "controls": 0.5
    }


@pytest.mark.parametrize("name", NAMES)
def test_an_argument_called_like_an_option_without_a_control_is_explained(name):
    fn = eval(f"lambda {name}: {name} * 1")
    with pytest.raises(ValueError, match=rf'keeps the name {name} for itself.*controls={{"{name}": ...}}'):
        explore(fn, **({name: "some-text"} if name in ("name", "title", "caption") else {}))


@pytest.mark.parametrize(
    ("option", "value"),
    [("title", 3), ("title", ["a"]), ("caption", torch.ones(2)), ("name", (0.0, 1.0)), ("title", (0.5, 2.0))],
)
def test_a_text_that_is_none_is_refused_when_the_figure_is_made(option, value):
    with pytest.raises(TypeError, match=f"{option} must be a text, got {option}="):
        explore(titled, x=(0.0, 1.0), **{option: value})


def test_a_control_given_as_the_title_names_the_way_out():
    with pytest.raises(TypeError, match=r'An argument title gets its control by controls={"title": ...}'):
        explore(titled, x=(0.0, 1.0), title=(0.5, 2.0))


INF, NAN = float("inf"), float("nan")


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (Heatmap(vmax=INF), "Heatmap: .*must be finite, got inf"),
        (Heatmap(vmin=NAN), "Heatmap: .*must be finite, got nan"),
        (Lines(xlim=(0, INF)), "Lines: .*must be finite, got inf"),
        (Lines(x=[0, NAN]), "Lines: .*must be finite, got nan"),
    ],
)
def test_a_view_that_cannot_be_stored_is_refused_when_the_figure_is_made(view, says):
    with pytest.raises(ValueError, match=says):
        explore(lambda x: x * torch.ones(2, 2), x=(0.0, 1.0), view=view)


def _shown(x):
    return {"w": x * torch.ones(3, 3), "p": x * torch.ones(3, 2), "y": x * torch.ones(3)}


@pytest.mark.parametrize(
    ("view", "says"),
    [
        (Heatmap("w", title=3), "Heatmap: title must be a text or None, got 3"),
        (
            Heatmap("w", xticks=[None] * 3),
            "xticks must be a list of texts or a list of numbers or .* got",
        ),
        (Lines(x=[0, 1, 2], y=2.5), "Lines: y must be a text or a list of texts, got 2.5"),
        (Lines(x=[0, 1, 2], y="y", ylim=1), "Lines: ylim must be a pair of numbers or None, got 1"),
        (Plane(["p"]), r"Plane: points must be a dict of text by name, got \['p'\]"),
        (Table("w", decimals=None), "Table: decimals must be a whole number, got None"),
        (Tokens("w", tokens=3), "Tokens: tokens must be .* got 3"),
    ],
    ids=lambda item: type(item).__name__ if not isinstance(item, str) else None,
)
def test_a_field_of_a_view_of_the_wrong_kind_is_named_when_the_figure_is_made(view, says):
    with pytest.raises(TypeError, match=says):
        explore(_shown, x=(0.0, 1.0), view=view)


@pytest.mark.parametrize("fn", [torch.sin, torch.func.grad(lambda x: x**2), torch.vmap(torch.exp)])
def test_a_function_whose_arguments_have_no_names_is_explained(fn):
    with pytest.raises(ValueError, match=r"wrap it: def f\(x\)|has the arguments|no argument of"):
        explore(fn, x=(0.0, 1.0))


@pytest.mark.parametrize(
    "ends",
    [(np.float32(0), np.float32(1)), (torch.tensor(0.0), torch.tensor(1.0)), (np.int64(0), 4, np.int64(2))],
)
def test_numbers_of_numpy_and_torch_make_a_slider(ends):
    (control,) = explore(lambda x: x * torch.ones(2), x=ends).spec["controls"]
    assert control["kind"] == "slider"


def test_only_the_slider_that_decides_a_shape_is_traced_position_by_position():
    figure = explore(lambda n, k: torch.ones(n, 2) * k, n=(1, 4), k=(0, 100))
    assert figure.spec["variants"]["controls"] == ["n"]


def test_a_shape_slider_of_too_many_positions_names_the_limit():
    with pytest.raises(ValueError, match=r"would need 100 Programs.*n \(100\); at most 64"):
        explore(lambda n: torch.ones(n, 2), n=(1, 100))


def test_a_fault_that_is_none_of_the_sliders_is_not_hidden_by_tracing_positions():
    calls = []

    def f(n):
        calls.append(n)
        return (n * torch.ones(2), n)

    with pytest.raises(TypeError, match="got a tuple"):
        explore(f, n=(1, 8))
    assert len(calls) == 1


def test_a_figure_is_a_snapshot():
    weight = torch.ones(2)
    figure = explore(lambda x: x * weight, x=(0.0, 1.0))
    weight.mul_(100)
    figure.set(x=0.75)
    assert figure.outputs["output"].tolist() == [0.75, 0.75]


def test_text_picture_program_and_outputs_agree_at_the_default():
    calls = []

    def f(x):
        calls.append(1)
        return x * torch.tensor([1.0, 2.0])

    figure = explore(f, x=(0.0, 1.0))
    before = len(calls)
    assert figure.outputs["output"].tolist() == [0.5, 1.0]
    assert "[0.5000, 1.0000]" in repr(figure)
    assert len(calls) == before


@pytest.mark.parametrize(("size", "heavy"), [(500, False), (501, True)])
def test_a_view_of_many_numbers_is_warned_of_with_its_number(size, heavy, recwarn):
    explore(lambda x: x * torch.ones(size, size), x=(0.0, 1.0), view=Heatmap())
    said = [str(warning.message) for warning in recwarn if warning.category is LiveWarning]
    assert said == (
        [
            "Heatmap: output has 251,001 numbers; more than 250,000 (500 x 500) take long to draw. "
            "Show a part of it, or means of blocks."
        ]
        if heavy
        else []
    )


@pytest.mark.parametrize(("store", "heavy"), [(None, True), ("float16", False)])
def test_megabytes_of_html_are_warned_of_with_their_number(store, heavy, recwarn):
    weight = torch.randn(1000, 1000, generator=torch.Generator().manual_seed(0))
    explore(lambda x: (x * weight).sum(0)[:3], x=(0.0, 1.0), store=store)
    said = [str(warning.message) for warning in recwarn if warning.category is LiveWarning]
    assert len(said) == heavy
    assert not heavy or "takes 5.3 MB of HTML in the notebook, more than 5 MB" in said[0]


def tossed(coins, draw, way, table):
    return torch.where(coins, draw, 0.0) * (2.0 if way == "twice" else 1.0) * table


def grey(when):
    return explore(
        tossed,
        coins=Checkbox(False, as_input=True),
        draw=Slider(1.0, 9.0, value=2.0, when=when),
        way=Choice(["once", "twice"]),
        table=Matrix([[1.0, 0.0]]),
    )


def test_when_is_stored_as_the_page_has_the_settings():
    draw = grey({"coins": [True], "way": ["twice"]}).spec["controls"][1]
    assert draw["when"] == {"coins": [True], "way": [1]}


@pytest.mark.parametrize(
    ("when", "message"),
    [
        ({"coin": [True]}, "when of draw must name other controls, got 'coin'"),
        ({"draw": [2.0]}, "when of draw must name other controls, got 'draw'"),
        ({"way": ["thrice"]}, "thrice"),
        (
            {"table": [[[1.0, 0.0]]]},
            "a plain value only, and table has many numbers",
        ),
    ],
)
def test_a_when_of_no_control_or_no_setting_of_it_is_refused(when, message):
    with pytest.raises(ValueError, match=message):
        grey(when)


def test_a_control_that_is_moved_in_a_view_takes_no_when():
    with pytest.raises(ValueError, match="keys is moved in a view, with no field that could be grey"):
        explore(
            lambda keys, way: keys * 2 if way == "twice" else keys,
            keys=Points([[0.0, 1.0], [1.0, 0.0]], when={"way": ["twice"]}),
            way=Choice(["once", "twice"]),
            view=Plane({"keys": "keys"}),
        )
