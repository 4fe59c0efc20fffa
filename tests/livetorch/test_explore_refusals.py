"""What `explore` refuses when the figure is made, and in which words."""

import pytest
import torch
from explored import M, carrying, doubled, two, weights

from livetorch import Heatmap, explore

MANY = {f"x{i}": True for i in range(7)}
FROZEN = {"x": (0.0, 4.0)}


def frozen(x):
    return torch.ones(2) * torch.tensor(x.detach().numpy().item() * 2)


def branch(x):
    return torch.ones(2) if x > 1 else torch.zeros(2)


ERRORS = {
    "a control that no argument takes": (
        lambda: explore(doubled, x=(0.0, 1.0), y=(0.0, 1.0)),
        ValueError,
        "no argument of doubled takes the control y; its arguments are: x",
    ),
    "an argument that no control feeds": (
        lambda: explore(weights, kernel=["gaussian"]),
        ValueError,
        r"no control feeds the argument width of weights; give width=\(min, max\)",
    ),
    "no controls at all": (lambda: explore(doubled), ValueError, "no control feeds the argument x"),
    "a control that is none": (
        lambda: explore(doubled, x=object()),
        TypeError,
        "control x: must be",
    ),
    "not a function": (lambda: explore(3, x=(0, 1)), TypeError, "fn must be a function"),
    "too many Programs": (
        lambda: explore(lambda **given: torch.ones(2), **MANY),
        ValueError,
        r"would need 128 Programs, one for each combination of x0 \(2\) x x1 \(2\)",
    ),
    "a branch on a slider": (lambda: explore(branch, **FROZEN), ValueError, "branch"),
    "a slider made a Python number": (lambda: explore(frozen, **FROZEN), ValueError, "frozen"),
    "a view of the wrong rank": (
        lambda: explore(doubled, x=(0.0, 1.0), view=Heatmap()),
        ValueError,
        "Heatmap: output must have shape",
    ),
    "a view of another name": (
        lambda: explore(weights, width=(0.1, 1.0), view=Heatmap("scores")),
        ValueError,
        "Heatmap: output names 'scores'",
    ),
    "a view that is a class": (
        lambda: explore(weights, width=(0.1, 1.0), view=Heatmap),
        TypeError,
        r"view must be a view such as Heatmap\(\)",
    ),
    "no view": (lambda: explore(weights, width=(0.1, 1.0), view=[]), ValueError, "an empty list"),
    "a tuple as output": (
        lambda: explore(lambda x: (x, x), x=(0.0, 1.0)),
        TypeError,
        "must return a tensor or a dict of tensors, got a tuple",
    ),
    "a float as output": (lambda: explore(lambda x: 1.0, x=(0.0, 1.0)), TypeError, "got a float"),
    "a name with spaces": (
        lambda: explore(doubled, x=(0.0, 1.0), name="my figure"),
        ValueError,
        "small letters, digits and hyphens",
    ),
    "a carried name that is no control": (
        lambda: explore(carrying, **M, carry={"z": "next"}),
        ValueError,
        "carry names z, which is not a control; it can carry on: m, x",
    ),
    "a carried name that is no output": (
        lambda: explore(carrying, **M, carry={"m": "nxt"}),
        ValueError,
        "carry wants the output nxt for m, but carrying returns: next, wide, whole",
    ),
    "a carried output of another shape": (
        lambda: explore(carrying, **M, carry={"m": "wide"}),
        ValueError,
        r"m is torch.float32 of shape \(\), wide is torch.float32 of shape \(2,\)",
    ),
    "a carried output of another kind": (
        lambda: explore(carrying, **M, carry={"m": "whole"}),
        ValueError,
        "whole is torch.int64",
    ),
    "a tensor that is not carried": (
        lambda: explore(doubled, x=torch.ones(2)),
        TypeError,
        "or name it in carry",
    ),
}


@pytest.mark.parametrize(("make", "error", "text"), ERRORS.values(), ids=ERRORS)
def test_a_mistake_is_an_error_when_the_figure_is_made(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_a_mistake_under_one_option_only_is_found_too():
    def f(x, kind):
        return x * torch.ones(2, 2) if kind == "matrix" else x * torch.ones(2)

    with pytest.raises(ValueError, match=r"Heatmap: output must have shape .*got \(2,\)"):
        explore(f, x=(0.0, 1.0), kind=["matrix", "vector"], view=Heatmap())


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"v": "value"}, "labels names 'v', but the function returns only 'w', 'inner'"),
        ({"w": " "}, "be words"),
    ],
)
def test_labels_that_name_nothing_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        explore(two, width=(0.0, 1.0), labels=labels)
