"""A traced function gives what torch gives, in torch and in Node, and always the same text."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from node_runner import NodeRunner
from reader_code import EXAMPLES, Example
from sampling import few
from torch import nn

from livetorch.program.operators import operator, supported_operators
from livetorch.program.program import Program
from livetorch.tracing.trace import trace

# float32 sums in another order
CLOSE = {"rtol": 1e-5, "atol": 3e-6, "equal_nan": True}
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
HERE = Path(__file__).parent


STEP = few(10, 1)
DIGESTS = """
import hashlib
from reader_code import EXAMPLES
from livetorch.tracing.trace import trace
for e in EXAMPLES[::{step}]:
    print("digest", hashlib.sha256(trace(e.fn, **e.inputs).to_json().encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def elsewhere() -> list[str]:
    """Trace some examples in a run of Python where sets have another order; gives digests."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", DIGESTS.replace("{step}", str(STEP))],
        env={**os.environ, "PYTHONPATH": str(HERE), "PYTHONHASHSEED": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    said = [line.partition("digest ")[2] for line in done.stdout.splitlines()]
    return [digest for digest in said if digest]  # some of the examples print


@each_example
def test_a_program_holds_everywhere(example: Example, node: NodeRunner, elsewhere: list[str]):
    """New inputs give torch's numbers here and in Node; its text says all of it, the same in each run."""
    given = example.tensors()
    program = trace(example.fn, **given)
    torch.testing.assert_close(given, example.tensors(), equal_nan=True)
    text = program.to_json()
    assert Program.from_json(text).to_json() == text
    used = {node.op for node in program.nodes}
    assert used <= supported_operators()
    assert all(callable(operator(name)) for name in used)
    at = EXAMPLES.index(example)
    assert at % STEP or hashlib.sha256(text.encode()).hexdigest() == elsewhere[at // STEP]
    inputs = example.tensors(other=True)
    wanted = example.expected(inputs)
    torch.testing.assert_close(program.run(**inputs), wanted, **CLOSE)
    torch.testing.assert_close(node.run(program, inputs), wanted, **CLOSE)


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
