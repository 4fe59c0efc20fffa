"""Random chains of steps and of writes are traced as torch runs them."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from livetorch.program.errors import TraceError
from livetorch.tracing.trace import trace

CLOSE = {"rtol": 1e-5, "atol": 3e-6, "equal_nan": True}  # float32 sums in another order


STEPS = {
    "exp": lambda x: torch.exp(-x.abs()),
    "double": lambda x: x * 2 - 1,
    "softmax": lambda x: x.softmax(-1),
    "turn": lambda x: x.transpose(-1, -2),
    "flat": lambda x: x.reshape(-1, 1),
    "cut": lambda x: x[1:],
    "last": lambda x: x[..., -1:],
    "grow": lambda x: torch.cat([x, x.flip(0)]),
    "sum": lambda x: x.sum(0, keepdim=True),
    "mean": lambda x: x - x.mean(-1, keepdim=True),
    "positive": lambda x: torch.where(x > 0, x, 0.1 * x),
    "noise": lambda x: x + torch.sin(torch.arange(x.shape[-1])),
    "product": lambda x: x @ x.transpose(-1, -2) / 10,
    "sorted": lambda x: x.sort(-1).values,
    "stack": lambda x: torch.stack([x, x + 1]).sum(0),
    "add_row": lambda x: x.clone().index_add_(0, torch.tensor([0]), x[:1]) if len(x) else x,
    "write": lambda x: x.clone().fill_diagonal_(0.5),
    "tanh": torch.tanh,
}


@given(st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=8), st.integers(0, 3), st.integers(1, 4))
def test_any_chain_of_steps_gives_what_torch_gives(chain, rows, columns):
    def f(x):
        for name in chain:
            x = STEPS[name](x)
        return x

    example = torch.linspace(-1, 1, rows * columns).reshape(rows, columns)
    other = example.flip(0) * 0.7 + 0.1
    torch.testing.assert_close(trace(f, x=example).run(x=other)["output"], f(other), **CLOSE)


@given(
    st.lists(st.sampled_from(["row", "column", "view", "turn", "every", "input"]), max_size=6),
    st.integers(0, 2),
)
def test_any_order_of_writes_gives_what_torch_gives(order, where):
    def f(x):
        memory = torch.zeros(3, 4)
        names = {
            "row": memory[where],
            "column": memory[:, where],
            "view": memory.view(2, 6)[1],
            "turn": memory.t()[1:, :2],
            "every": memory[::2, 1::2],
            "input": x,
        }
        for number, name in enumerate(order):
            names[name].mul_(0.5).add_(x[0, 0] + number)
        return {"memory": memory, **names}

    example, other = torch.ones(2, 3), torch.arange(6.0).reshape(2, 3)
    torch.testing.assert_close(trace(f, x=example).run(x=other), f(other.clone()), **CLOSE)


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


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 3), st.integers(1, 2)), max_size=6), st.integers(0, 3)
)
def test_parts_are_read_from_before_writes_into_others(writes, read):
    def f(x):
        memory = x.clone()
        for whole, at, width in writes:
            memory[at if whole else slice(at, at + width)] = memory[at - 1] * 2 + 1
        return {"one": memory[read], "part": memory[read : read + 2] + 0, "all": memory}

    examples = torch.linspace(-1, 1, 8).reshape(4, 2), torch.arange(8.0).reshape(4, 2).flip(0)
    found = trace(f, x=examples[0]).run(x=examples[1])
    for name, wanted in f(examples[1]).items():
        torch.testing.assert_close(found[name], wanted, **CLOSE)


def test_gates_written_in_place_leave_no_copies_of_the_whole():
    lstm = torch.nn.LSTM(4, 4)
    program = trace(lambda x: lstm(x)[0], x=torch.ones(5, 4))
    assert not [step.op for step in program.nodes if "scatter" in step.op]
