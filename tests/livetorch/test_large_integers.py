"""Whole numbers beyond 2^53 are exact in the page and wrap round as torch's do."""

import pytest
import torch
from node_runner import NodeError

from livetorch import trace
from livetorch.program.errors import TraceError
from livetorch.program.program import Program

LARGE = torch.tensor([[2**62 + 1, -(2**61) - 3, 7], [-(2**63), 2**53 + 1, -2]])


def generator(seed):
    """The linear congruential generator of many textbooks."""
    x, out = seed, []
    for _ in range(6):
        x = (1103515245 * x + 12345) % 2**31
        out.append(x % 100)
    return torch.stack(out)


def knuth(seed):
    x = seed * 6364136223846793005 + 1442695040888963407
    return (x >> 33) ^ x


def xorshift(seed):
    x = seed
    for _ in range(3):
        x = x ^ (x << 13)
        x = x ^ (x >> 7)
        x = x ^ (x << 17)
    return x


def fibonacci(n):
    a, b = n, n + 1
    for _ in range(120):
        a, b = b, a + b
    return a


FROM_A_NUMBER = {
    "generator": generator,
    "knuth": knuth,
    "xorshift": xorshift,
    "factorial": lambda n: torch.cumprod(torch.arange(1, 30) + n * 0, 0),
    "fibonacci": fibonacci,
    "power": lambda n: (n + 2) ** torch.arange(70),
    "hash": lambda n: ((torch.arange(9) * 2654435761 + n) * 2654435761).remainder(1000),
    "small integers": lambda n: ((n + 100000).int() ** 5).to(torch.int16),
}

ON_LARGE = {
    "add": lambda x: x + x.flip(0),
    "alpha": lambda x: torch.sub(x, x.flip(1), alpha=3),
    "mul": lambda x: x * x,
    "negative": lambda x: torch.stack([-x, x.abs(), ~x]),
    "floor division": lambda x: x // 7 + x.div(-3, rounding_mode="trunc"),
    "remainder": lambda x: torch.stack([x % 1000, x.fmod(-1000)]),
    "sums": lambda x: x.sum(0) + x.sum() - x.prod(1).sum(),
    "running": lambda x: x.cumsum(1) ^ x.cumprod(0),
    "moves": lambda x: torch.cat([x.t()[1:], x.reshape(3, 2)])[:, [1, 0]].tril(),
    "order": lambda x: x.sort(1).values + x.amax(0) + x.argmax(1, keepdim=True),
    "choice": lambda x: torch.where(x > x.flip(1), x, 5).masked_fill(x == 2**53 + 1, -1),
    "equal": lambda x: x == x + (torch.arange(3) == 1),
    "to floats": lambda x: x * 0.5,
    "to small": lambda x: x.to(torch.int32).to(torch.uint8),
    "and back": lambda x: (x.double() / 4).to(torch.int64),
}


@pytest.mark.parametrize("name", FROM_A_NUMBER)
def test_numbers_that_grow_are_torchs(name, node):
    function = FROM_A_NUMBER[name]
    program = (
        trace(function, n=3) if name not in ("generator", "knuth", "xorshift") else trace(function, seed=3)
    )
    (argument,) = (spec.name for spec in program.inputs)
    for number in (0, 7, 1234567):
        value = torch.tensor(number)
        want = function(value)
        assert torch.equal(node.run(program, {argument: value})["output"], want)
        assert torch.equal(Program.from_json(program.to_json()).run(**{argument: value})["output"], want)


@pytest.mark.parametrize("name", ON_LARGE)
def test_operators_on_large_numbers_are_torchs(name, node):
    function = ON_LARGE[name]
    program = trace(lambda zero: function(LARGE + zero), zero=0)
    want = function(LARGE)
    got = node.run(program, {"zero": torch.tensor(0)})["output"]
    assert got.dtype == want.dtype
    assert torch.equal(got, want)


def test_what_cannot_be_exact_is_refused():
    with pytest.raises(TraceError, match=r"page stops .* aten\.mm\.default: whole numbers beyond 2\^53"):
        trace(lambda zero: (LARGE + zero) @ LARGE.t(), zero=0)


def test_an_input_beyond_what_a_page_can_hold_is_refused(node):
    program = trace(lambda n: n + 1, n=0)
    with pytest.raises(NodeError, match=r'input "n" holds integers up to 2\^53'):
        node.run(program, {"n": torch.tensor(2**60)})
