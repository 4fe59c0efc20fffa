"""A function that looks into a tensor is refused with the line, the name and what to do instead."""

import math
import re

import pytest
import torch
from source_lines import line_of

from livetorch.program.errors import (
    DataDependentError,
)
from livetorch.tracing.trace import trace

X = torch.ones(3)


def branch(x):
    y = x * 2
    if y.sum() > 0:
        return y
    return -y


def while_loop(x):
    while x.sum() < 10:
        x = x * 2
    return x


def condition_in_a_helper(x):
    return branch(x) + 1


def clever_min(x):
    return min(x[0], x[1])


def branch_in_a_gradient(x):
    return torch.func.grad(branch_sum)(x)


def branch_sum(x):
    return x.sum() if x[0] > 0 else -x.sum()


BRANCHES = [
    (branch, "if y.sum() > 0", ""),
    (while_loop, "while x.sum()", ""),
    (
        condition_in_a_helper,
        "return branch(x) + 1",
        r", which reaches line \d+ of branch \(test_refusals.py\): if y",
    ),
    (clever_min, "return min", ""),
    (branch_in_a_gradient, "return torch.func", r", which reaches line \d+ of branch_sum "),
]


@pytest.mark.parametrize(
    ("fn", "text", "reached"), BRANCHES, ids=lambda item: getattr(item, "__name__", None)
)
def test_a_data_dependent_branch_names_the_readers_line_and_the_way_out(fn, text, reached):
    with pytest.raises(DataDependentError) as caught:
        trace(fn, x=X)
    message = str(caught.value)
    assert f"data-dependent branch on line {line_of(fn, text)} of {fn.__name__} (test_refusals.py)" in message
    assert re.search(reached, message)
    assert text in message
    assert "'x'" in message
    assert "torch.where" in message
    assert "dropdown or checkbox" in message


def item(x):
    return x / x.sum().item()


def to_float(x):
    return x * math.sqrt(x[0])


def to_list(x):
    return torch.tensor(sorted(x.tolist()))


def to_numpy(x):
    return torch.from_numpy(x.detach().numpy() + 1)


def as_size(x):
    return torch.zeros(int(x[0])) + x[0]


def as_range(x):
    return sum(x[i] for i in range(x.argmax()))


def as_slice(x):
    return x[: x.argmax()].sum()


def masked(x):
    return x[x > 0].sort().values


def nonzero(x):
    return x[torch.nonzero(x)[:, 0]]


def where_alone(x):
    return torch.where(x > 0)[0]


def unique(x):
    return torch.unique(x)


VALUES = [
    (item, "x.sum().item()", "item asks"),
    (to_float, "math.sqrt", "Keep it a tensor"),
    (to_list, "x.tolist()", "tolist asks"),
    (to_numpy, "numpy()", "numpy asks"),
    (as_size, "int(x[0])", "asks for the numbers"),
    (as_range, "range(x.argmax())", "make the control a dropdown"),
    (as_slice, "x[: x.argmax()]", "use a mask"),
    (masked, "x[x > 0]", "torch.where(mask"),
    (nonzero, "torch.nonzero(x)", "gives a shape that depends"),
    (where_alone, "torch.where(x > 0)", "gives a shape that depends"),
    (unique, "torch.unique", "gives a shape that depends"),
]


@pytest.mark.parametrize(("fn", "text", "says"), VALUES, ids=lambda item: getattr(item, "__name__", None))
def test_looking_into_a_tensor_names_the_line_and_the_way_out(fn, text, says):
    with pytest.raises(DataDependentError) as caught:
        trace(fn, x=X)
    assert f"line {line_of(fn, text)} of {fn.__name__}" in str(caught.value)
    assert says in str(caught.value)
