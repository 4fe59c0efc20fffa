"""Random numbers, operators that the page lacks, writes outside and faults are refused with their line."""

import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from source_lines import line_of
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
from livetorch.tracing.trace import trace

X = torch.ones(3)


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
