"""A function that cannot be traced is refused with the line, the name and what to do instead."""

import math

import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from livetorch.program import operators
from livetorch.program.errors import (
    DataDependentError,
    InputError,
    OutputError,
    RandomOperatorError,
    TraceError,
    UnsupportedOperatorError,
)
from livetorch.tracing.trace import trace, trace_with

X = torch.ones(3)


def line_of(fn, text: str) -> int:
    """Number of the line of fn that holds the text."""
    import inspect

    lines, start = inspect.getsourcelines(fn)
    (found,) = (start + i for i, line in enumerate(lines) if text in line)
    return found


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


def asserted(x):
    assert (x > 0).all()
    return x


def clever_min(x):
    return min(x[0], x[1])


def branch_in_a_gradient(x):
    return torch.func.grad(branch_sum)(x)


def branch_sum(x):
    return x.sum() if x[0] > 0 else -x.sum()


BRANCHES = [
    (branch, branch, "if y.sum() > 0"),
    (while_loop, while_loop, "while x.sum()"),
    (condition_in_a_helper, branch, "if y.sum() > 0"),
    (asserted, asserted, "assert (x"),
    (clever_min, clever_min, "return min"),
    (branch_in_a_gradient, branch_sum, "return x.sum() if"),
]


@pytest.mark.parametrize(("fn", "holder", "text"), BRANCHES, ids=lambda item: getattr(item, "__name__", None))
def test_a_data_dependent_branch_names_the_line_and_the_way_out(fn, holder, text):
    with pytest.raises(DataDependentError) as caught:
        trace(fn, x=X)
    message = str(caught.value)
    assert (
        f"data-dependent branch on line {line_of(holder, text)} of {holder.__name__} (test_refusals.py)"
        in message
    )
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


def draws(x):
    return x + torch.rand(3)


def drops(x):
    return F.dropout(x, 0.5)


def decides_by_lot(x):
    return x if torch.rand(()) < 2 else -x


@pytest.mark.parametrize(
    ("fn", "text"), [(draws, "torch.rand"), (drops, "F.dropout"), (decides_by_lot, "torch.rand")]
)
def test_random_numbers_are_refused(fn, text):
    with pytest.raises(RandomOperatorError, match="draws random numbers on line") as caught:
        trace(fn, x=X)
    assert f"line {line_of(fn, text)} of" in str(caught.value)
    assert ".eval()" in str(caught.value)
    assert "pass them as an input" in str(caught.value)


def test_a_module_whose_dropout_is_on_is_refused_but_not_one_with_probability_0():
    layers = [nn.TransformerEncoderLayer(4, 2, 8, batch_first=True, dropout=p) for p in (0.0, 0.5)]
    assert trace(layers[0], src=torch.ones(1, 3, 4)).nodes
    with pytest.raises(RandomOperatorError, match=r"call .eval\(\)|Call .eval\(\)"):
        trace(layers[1], src=torch.ones(1, 3, 4))


def test_random_numbers_that_are_not_used_are_no_fault():
    def f(x):
        layer = nn.Linear(3, 2)  # draws its weights
        with torch.no_grad():
            layer.weight.copy_(torch.arange(6.0).reshape(2, 3))
            layer.bias.zero_()
        return layer(x)

    assert trace(f, x=X).run(x=X)["output"].tolist() == [3, 12]


def special(x):
    y = x + 1
    return torch.special.bessel_j0(y)


def test_an_operator_that_the_page_lacks_is_named_with_its_line():
    with pytest.raises(UnsupportedOperatorError) as caught:
        trace(special, x=X)
    assert "no operator aten.special_bessel_j0.default" in str(caught.value)
    assert f"line {line_of(special, 'bessel_j0')} of special" in str(caught.value)


def test_the_list_of_operators_decides(monkeypatch):
    monkeypatch.setattr(operators, "supported_operators", lambda: frozenset({"aten.mul.Tensor"}))
    assert trace(lambda x: x * 2, x=X).nodes
    with pytest.raises(UnsupportedOperatorError, match=r"aten\.cos\.default"):
        trace(lambda x: torch.cos(x) * 2, x=X)


def test_an_unsupported_operator_that_nobody_needs_is_no_fault():
    def f(x):
        _ = torch.special.bessel_j0(x)
        return x * 2

    assert [node.op for node in trace(f, x=X).nodes] == ["aten.mul.Tensor"]


# ---- writing outside


TABLE = torch.zeros(3)


def writes_outside(x):
    TABLE[0] = x[0]
    return TABLE * 1


def test_writing_into_a_tensor_from_outside_is_refused_and_not_done():
    with pytest.raises(TraceError, match="writes into a tensor from outside") as caught:
        trace(writes_outside, x=X)
    assert f"line {line_of(writes_outside, 'TABLE[0]')} of" in str(caught.value)
    assert TABLE.tolist() == [0, 0, 0]


def test_batch_norm_in_training_is_refused_and_its_running_mean_kept():
    layer = nn.BatchNorm1d(3)
    with pytest.raises(TraceError, match="outside"):
        trace(layer, input=torch.randn(5, 3))
    assert layer.num_batches_tracked == 0
    assert layer.running_mean.tolist() == [0, 0, 0]


def test_batch_norm_without_its_counter_says_eval():
    mean, variance = torch.zeros(3), torch.ones(3)
    with pytest.raises(TraceError, match=r"Call .eval\(\) first"):
        trace(lambda x: F.batch_norm(x, mean, variance, training=True), x=torch.randn(5, 3))


# ---- inputs and outputs


def two(queries, width=1.0):
    return queries * width


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({}, "queries has no example"),
        ({"queries": X, "depth": 2.0}, "no argument is called depth"),
        ({"query": X}, "queries has no example; no argument is called query"),
    ],
)
def test_arguments_and_examples_must_match(inputs, says):
    with pytest.raises(InputError) as caught:
        trace(two, **inputs)
    assert str(caught.value) == f"two has the arguments queries, width: {says}."


@pytest.mark.parametrize("value", ["text", None, [1.0], {"a": 1}, 1j])
def test_an_example_that_is_no_tensor_or_number_is_refused(value):
    with pytest.raises(InputError, match="example for queries must be a tensor or a number"):
        trace(two, queries=value)


@pytest.mark.parametrize("dtype", [torch.uint16, torch.complex64])
def test_an_example_of_a_dtype_that_the_page_lacks_is_refused(dtype):
    with pytest.raises(InputError, match="must be a dense tensor of float32"):
        trace(two, queries=torch.zeros(3, dtype=dtype))


@pytest.mark.parametrize("fn", [torch.softmax, lambda x, /: x])
def test_arguments_without_names_are_refused(fn):
    with pytest.raises(InputError, match="wrap it: def f"):
        trace(fn, x=X)


def test_something_that_is_no_function_is_refused():
    with pytest.raises(InputError, match=r"fn must be a function or an nn\.Module, got int"):
        trace(3)


def test_an_unknown_way_to_store_is_refused():
    with pytest.raises(InputError, match="store must be None or 'float16', got 'int8'"):
        trace_with(two, {"queries": X}, store="int8")


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ((X, X), r'got a tuple. Name the parts: return {"output": ..., "weights": ...}'),
        ([X], "got a list. Name the parts"),
        (None, "got None. Is there a return in every branch"),
        (1.5, "got a float"),
        ({}, "got an empty dict"),
        ({"a": 1.5}, "must return tensors, got float for 'a'"),
        ({"a": {"b": X}}, "must return tensors, got dict for 'a'"),
        ({1: X}, "must name its outputs by str, got the key 1"),
    ],
)
def test_what_is_returned_must_be_tensors_with_names(result, says):
    def returns(x):
        return result

    with pytest.raises(OutputError) as caught:
        trace(returns, x=X)
    assert str(caught.value).startswith("returns must")
    assert says in str(caught.value)


# ---- faults in the function itself


def wrong_shapes(x):
    y = x.repeat(2)
    return x + y


def test_a_fault_in_the_function_is_told_with_its_line():
    with pytest.raises(TraceError, match="must match the size") as caught:
        trace(wrong_shapes, x=X)
    assert f"wrong_shapes failed on line {line_of(wrong_shapes, 'x + y')} of" in str(caught.value)
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_sparse_tensors_are_refused():
    with pytest.raises(TraceError, match="sparse"):
        trace(lambda x: x.to_sparse().to_dense(), x=torch.eye(3))


def test_control_flow_operators_are_refused_with_their_line():
    def f(x):
        return torch.cond(x.sum() > 0, lambda x: x, lambda x: -x, (x,))

    with pytest.raises(TraceError, match="line"):
        trace(f, x=X)


def test_every_refusal_is_a_value_error():
    kinds = [InputError, OutputError, DataDependentError, RandomOperatorError, UnsupportedOperatorError]
    assert all(issubclass(kind, TraceError) and issubclass(kind, ValueError) for kind in kinds)
