"""Writes into parts: what torch refuses is refused, and gates written in place cost nothing."""

import pytest
import torch

from livetorch.program.errors import TraceError
from livetorch.tracing.trace import trace


def test_writing_into_windows_that_overlap_is_refused():
    def doubled(x):
        windows = x.clone().unfold(0, 2, 1)
        return windows.mul_(2)

    with pytest.raises(TraceError, match=r"share their memory; write to a \.clone\(\) of it"):
        trace(doubled, x=torch.arange(6.0))


def test_a_place_outside_a_tensor_is_refused_when_it_is_written_to_as_in_torch():
    def put(n):
        row = torch.zeros(5)
        row[n] = torch.ones(1)[None]
        return row

    program = trace(put, n=-1)
    assert program.run(n=3)["output"].tolist() == [0, 0, 0, 1, 0]
    assert program.run(n=-5)["output"].tolist() == [1, 0, 0, 0, 0]
    with pytest.raises(IndexError, match="out of"):
        program.run(n=7)


def test_gates_written_in_place_leave_no_copies_of_the_whole():
    lstm = torch.nn.LSTM(4, 4)
    program = trace(lambda x: lstm(x)[0], x=torch.ones(5, 4))
    assert not [step.op for step in program.nodes if "scatter" in step.op]
