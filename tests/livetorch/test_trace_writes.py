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


def a_column_clamped(y, i):
    column = y[:, i]
    column.clamp_(-3, 3)
    y[i] = column


def a_column_less_its_mean(y, i):
    column = y[:, i]
    column -= column.mean()
    y[i] = column


def into_another_row(y, i):
    number = y[0, i]
    number += 1
    y[1, i] = number


def into_the_other_half(y, i):
    half = y[i, :2]
    half += 1
    y[i, 2:] = half


def into_a_part(y, i):
    row = y[:2][i]
    row += 1
    y[2:][i] = row


def added_in_place(y, i):
    y[i] += 1
    y[:, i] *= 2
    y[0, i] -= 3


COPIED = [
    a_column_clamped, a_column_less_its_mean, into_another_row, into_the_other_half, into_a_part,
    added_in_place,
]  # fmt: skip


@pytest.mark.parametrize("write", COPIED, ids=lambda write: write.__name__)
def test_what_is_written_into_a_pick_is_written_where_it_was_picked(write):
    def written(x, i):
        y = x.clone()
        write(y, i)
        return y

    x = torch.linspace(-2, 2, 16).sin().reshape(4, 4)
    program = trace(written, x=x, i=1)
    for i in (0, 1):
        torch.testing.assert_close(program.run(x=30 * x, i=i)["output"], written(30 * x, torch.tensor(i)))
