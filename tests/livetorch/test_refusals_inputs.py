"""Examples that do not fit a function, and results that are no tensors, are refused by name."""

import pytest
import torch

from livetorch.program.errors import (
    InputError,
    OutputError,
)
from livetorch.tracing.trace import trace, trace_with

X = torch.ones(3)


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
