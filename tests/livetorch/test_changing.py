"""A function that gives other numbers at each call is refused; one that only counts is not."""

import random

import numpy as np
import pytest
import torch

from livetorch import explore, trace
from livetorch.program.errors import ChangingError, TraceError


def drawn(x):
    return x * random.random()


def numpy_drawn(x):
    return x * torch.from_numpy(np.random.rand(2)).float()


counter = iter(range(10**9))


def counted(x):
    return x * next(counter)


class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.keys = []

    def forward(self, x):
        self.keys.append(x.detach().clone())
        return torch.stack(self.keys).sum(0) + len(self.keys)


class Average(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.average = torch.zeros(())

    def forward(self, x):
        self.average = 0.9 * self.average + 0.1 * x
        return self.average


@pytest.mark.parametrize("make", [lambda: drawn, lambda: numpy_drawn, lambda: counted, Cache, Average])
def test_a_function_that_changes_between_calls_is_refused(make):
    with pytest.raises(ChangingError, match="gives other numbers at each call"):
        trace(make(), x=1.0)
    with pytest.raises(TraceError):
        explore(make(), x=(0.0, 1.0))


def test_the_line_that_changes_is_named():
    with pytest.raises(ChangingError, match=r"on line \d+ of drawn .*random\.random\(\)"):
        trace(drawn, x=1.0)


def test_a_counter_that_does_not_touch_the_numbers_is_no_fault():
    calls = []

    def f(x):
        calls.append(1)
        print("called")
        return 2 * x

    assert trace(f, x=1.0).run(x=2.0)["output"] == 4


def test_what_verification_calls_is_silent_and_leaves_torchs_random_numbers_alone(capsys):
    def f(x):
        print("called")
        torch.rand(3)
        return 2 * x

    torch.manual_seed(0)
    torch.rand(3)
    after_one_call = torch.rand(1)
    torch.manual_seed(0)
    trace(f, x=1.0)
    assert torch.equal(torch.rand(1), after_one_call)
    assert capsys.readouterr().out == "called\n"
