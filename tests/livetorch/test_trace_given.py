"""How a function may be given to `trace`, and what tracing leaves as it was."""

import functools

import pytest
import torch
from torch import nn

from livetorch.program.errors import TraceError
from livetorch.tracing.trace import trace, trace_with


def test_numbers_become_tensors_without_axes():
    program = trace(lambda a, b, c: {"a": a, "b": b, "c": c}, a=1.0, b=2, c=True)
    assert [(spec.shape, spec.dtype) for spec in program.inputs] == [
        ((), torch.float32),
        ((), torch.int64),
        ((), torch.bool),
    ]


def test_inputs_stand_in_the_order_of_the_arguments():
    program = trace(lambda first, second=2.0, *, third: first * third, third=1.0, first=2.0)
    assert [spec.name for spec in program.inputs] == ["first", "third"]


def test_an_argument_may_have_any_name():
    def f(self, fn, store, example_inputs):
        return self + fn + store + example_inputs

    names = ["self", "fn", "store", "example_inputs"]
    program = trace_with(f, dict.fromkeys(names, 1.0))
    assert program.run(**dict.fromkeys(names, 2.0))["output"] == 8


def test_partial_and_methods_and_callable_objects_are_traced():
    class Scale:
        def __init__(self, by):
            self.by = by

        def __call__(self, x):
            return self.by * x

    functions = [functools.partial(lambda x, by: by * x, by=3), Scale(3), Scale(3).__call__]
    assert [trace(fn, x=1.0).run(x=2.0)["output"].item() for fn in functions] == [6, 6, 6]


def test_modes_around_a_trace_do_not_matter():
    def f(x):
        x.requires_grad_()
        return torch.autograd.grad((x**2).sum(), x)[0]

    expected = trace(f, x=torch.ones(3)).to_json()
    with torch.inference_mode():
        assert trace(f, x=torch.ones(3)).to_json() == expected


def test_parameters_and_their_gradients_are_left_alone():
    layer = nn.Linear(3, 2)
    layer.weight.grad = torch.full((2, 3), 7.0)

    def f(x):
        layer(x).sum().backward()
        return layer.weight.grad * 1

    with pytest.raises(TraceError, match=r"adds to the \.grad of a parameter"):
        trace(f, x=torch.ones(3))
    assert layer.weight.grad.unique().tolist() == [7.0]
    assert layer.bias.grad is None


def test_the_fast_paths_of_torch_come_back_after_tracing():
    before = torch.backends.mha.get_fastpath_enabled(), torch.backends.mkldnn.enabled
    with pytest.raises(ValueError, match="failed"):
        trace(lambda x: 1 / 0, x=1.0)
    assert (torch.backends.mha.get_fastpath_enabled(), torch.backends.mkldnn.enabled) == before


def test_what_was_compiled_is_recorded_as_it_was_written():
    compiled = torch.compile(lambda x: torch.softmax(2 * x, -1))
    x = torch.tensor([1.0, 2.0])
    torch.testing.assert_close(trace(compiled, x=x).run(x=-x)["output"], torch.softmax(-2 * x, -1))
