"""A traced function gives what torch gives, in torch and in Node, and always the same text."""

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from node_runner import NodeRunner
from reader_code import EXAMPLES, Example
from torch import nn

from livetorch.program.errors import TraceError
from livetorch.program.operators import operator, supported_operators
from livetorch.program.program import Program
from livetorch.tracing.trace import trace, trace_with

# float32 sums in another order
CLOSE = {"rtol": 1e-5, "atol": 3e-6, "equal_nan": True}
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def node():
    with NodeRunner() as runner:
        yield runner


@each_example
def test_a_program_gives_what_the_function_gives_for_new_inputs(example: Example):
    program = trace(example.fn, **example.inputs)
    inputs = example.tensors(other=True)
    torch.testing.assert_close(program.run(**inputs), example.expected(inputs), **CLOSE)


@each_example
def test_a_program_gives_the_same_numbers_in_node(example: Example, node: NodeRunner):
    program = trace(example.fn, **example.inputs)
    inputs = example.tensors(other=True)
    torch.testing.assert_close(node.run(program, inputs), example.expected(inputs), **CLOSE)


@each_example
def test_tracing_leaves_the_examples_alone_and_gives_the_same_text_again(example: Example):
    inputs = example.tensors()
    first = trace(example.fn, **inputs).to_json()
    torch.testing.assert_close(inputs, example.tensors(), equal_nan=True)
    assert trace(example.fn, **inputs).to_json() == first


@each_example
def test_a_program_survives_json(example: Example):
    program = trace(example.fn, **example.inputs)
    text = program.to_json()
    assert Program.from_json(text).to_json() == text


TEXTS = """
import hashlib
from reader_code import EXAMPLES
from livetorch.tracing.trace import trace
for e in EXAMPLES:
    print(e.name, hashlib.sha256(trace(e.fn, **e.inputs).to_json().encode()).hexdigest())
"""


def test_other_runs_of_python_give_the_same_text():
    command = [sys.executable, "-W", "ignore", "-c", TEXTS]
    runs = [
        subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(HERE), "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
        )
        for seed in "12"
    ]
    first, second = (run.communicate()[0] for run in runs)
    assert first == second
    assert len(first.splitlines()) >= len(EXAMPLES)


# ---- what a Program holds


def names_of(program: Program) -> list[str]:
    return [node.op for node in program.nodes]


def test_what_does_not_depend_on_an_input_is_computed_while_tracing():
    points = torch.linspace(0, 1, 5)

    def f(width):
        distances = (points[:, None] - points).abs().square().sqrt()
        return distances / width

    program = trace(f, width=1.0)
    assert names_of(program) == ["aten.div.Tensor"]
    assert len(program.constants) == 1


def test_tensors_given_from_outside_are_kept_to_the_last_bit():
    given = torch.randn(7, 3)
    (constant,) = trace(lambda x: x + given.T.flip(0), x=1.0).constants
    assert torch.equal(constant.tensor, given.T.flip(0))


def test_computed_constants_are_kept_as_torch_gave_them():
    (constant,) = trace(lambda x: x * torch.exp(torch.linspace(0, 1, 11)), x=1.0).constants
    assert torch.equal(constant.tensor, torch.exp(torch.linspace(0, 1, 11)))


@pytest.mark.parametrize("step", range(1, 11))
def test_a_comparison_at_the_edge_falls_as_in_torch(step):
    points, edge = torch.arange(0, 1.05, 0.1), torch.tensor(step / 10)

    def f(width):
        return torch.stack([points <= width, points - points[3] < width, points % width < 0.05]).float()

    assert torch.equal(trace(f, width=0.7).run(width=edge)["output"], f(edge))


def test_constants_keep_infinities_and_nan():
    def f(x):
        return x * torch.log(torch.tensor([0.0, -1.0, 1.0])).exp().log()

    torch.testing.assert_close(trace(f, x=1.0).run(x=2.0)["output"], f(2.0), equal_nan=True)


def test_whole_numbers_stay_as_float32_decided_them():
    edge = torch.tensor([0.1, 0.2, 0.3])
    (constant,) = trace(lambda x: x * (edge.cumsum(0) <= 0.3).long(), x=1.0).constants
    assert constant.tensor.tolist() == (edge.cumsum(0) <= 0.3).tolist()


def test_equal_constants_are_stored_once():
    program = trace(lambda x: x * torch.eye(3) + torch.eye(3).clone() - x @ torch.eye(3), x=torch.ones(3, 3))
    assert len(program.constants) == 1


def test_the_same_step_is_done_once():
    program = trace(lambda x: torch.exp(x) / torch.exp(x).sum(), x=torch.ones(3))
    assert names_of(program).count("aten.exp.default") == 1


def test_steps_that_nobody_needs_are_left_out():
    def f(x):
        _ = torch.sin(x) @ torch.ones(3)
        return torch.cos(x)

    assert names_of(trace(f, x=torch.ones(3))) == ["aten.cos.default"]


def test_steps_that_do_nothing_are_left_out():
    def f(x):
        y = x.clone().contiguous().detach().float().view(2, 3).expand(2, 3).permute(0, 1)
        return y.unsqueeze(0).squeeze(0).transpose(0, 1).transpose(0, 1)[:]

    assert names_of(trace(f, x=torch.ones(2, 3))) == []


def test_an_expanded_constant_is_not_written_out():
    def f(x):
        return x + torch.arange(100.0).sqrt().expand(300, 100) + torch.ones(300, 100)

    assert len(trace(f, x=1.0).to_json()) < 3000


def test_a_large_causal_mask_is_made_by_the_page():
    def f(x):
        return x.masked_fill(torch.ones(200, 200, dtype=torch.bool).tril(), 0.0)

    assert len(trace(f, x=torch.ones(200, 200)).to_json()) < 3000


def test_a_matrix_and_its_transpose_share_their_numbers():
    weight = torch.randn(40, 40)
    program = trace(lambda x: x @ weight @ weight.T, x=torch.ones(1, 40))
    assert [constant.shape for constant in program.constants] == [(40, 40)]


def test_operators_are_those_of_the_page():
    used = {name for example in EXAMPLES for name in names_of(trace(example.fn, **example.inputs))}
    assert used <= supported_operators()
    assert all(callable(operator(name)) for name in used)


def test_float16_halves_the_constants():
    weight = torch.randn(50, 50)
    plain, half = (trace_with(lambda x: x * weight, {"x": 1.0}, store=store) for store in (None, "float16"))
    assert len(half.to_json()) < 0.55 * len(plain.to_json())
    assert torch.equal(half.run(x=1.0)["output"], weight.half().float())


def test_numbers_that_float16_cannot_hold_stay_in_float32():
    program = trace_with(lambda x: x + torch.tensor([-1e9, 1.0]), {"x": 1.0}, store="float16")
    assert program.run(x=0.0)["output"].tolist() == [-1e9, 1.0]


# ---- how a function may be given


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

    torch.testing.assert_close(trace(f, x=torch.ones(3)).run(x=torch.ones(3))["output"], torch.ones(2, 3))
    assert layer.weight.grad.unique().tolist() == [7.0]
    assert layer.bias.grad is None


def test_the_fast_paths_of_torch_come_back_after_tracing():
    before = torch.backends.mha.get_fastpath_enabled(), torch.backends.mkldnn.enabled
    with pytest.raises(ValueError, match="failed"):
        trace(lambda x: 1 / 0, x=1.0)
    assert (torch.backends.mha.get_fastpath_enabled(), torch.backends.mkldnn.enabled) == before


# ---- learning in the page


def test_twenty_training_steps_are_those_of_torch(node: NodeRunner):
    points = torch.linspace(-2, 2, 12)
    wave = torch.sin(2 * points)

    def step(width):
        def loss(width):
            weights = torch.softmax(-((points[:, None] - points) ** 2) / (2 * width**2), -1)
            return ((weights @ wave - wave) ** 2).mean()

        gradient, value = torch.func.grad_and_value(loss)(width)
        return {"width": width - 2.0 * gradient, "loss": value}

    program = trace(step, width=1.0)
    here, there, torchs = (torch.tensor(1.0) for _ in range(3))
    for _ in range(20):
        here, there = program.run(width=here)["width"], node.run(program, {"width": there})["width"]
        torchs = step(torchs)["width"]
    # each step multiplies the last bits of the one before
    torch.testing.assert_close(torch.stack([here, there]), torchs.repeat(2), rtol=2e-4, atol=0)
    assert torchs < 0.8


def test_twenty_steps_of_an_attention_layer_are_those_of_torch(node: NodeRunner):
    layer = nn.MultiheadAttention(8, 2, batch_first=True)
    x, target = torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    state = {name.replace(".", "_"): weight.detach().clone() for name, weight in layer.named_parameters()}
    real = dict(zip(state, (name for name, _ in layer.named_parameters()), strict=True))

    def step(**state):
        def loss(weights):
            return (torch.func.functional_call(layer, weights, (x, x, x))[0] - target).pow(2).mean()

        gradient = torch.func.grad(loss)({real[name]: weight for name, weight in state.items()})
        return {name: weight - 0.5 * gradient[real[name]] for name, weight in state.items()}

    program, expected, here, there = trace(step, **state), state, state, state
    for _ in range(20):
        expected, here, there = step(**expected), program.run(**here), node.run(program, there)
    torch.testing.assert_close(here, expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(there, expected, rtol=1e-4, atol=1e-5)


# ---- any function: random chains of steps

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
