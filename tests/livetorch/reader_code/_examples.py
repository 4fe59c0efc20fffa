"""The list of functions and how one is put on it."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from livetorch.program.operators import stable_order

EXAMPLES: list["Example"] = []


@dataclass
class Example:
    """A function with inputs: those it is traced with, and others to run it on."""

    name: str
    fn: Callable
    inputs: dict[str, Any]

    def tensors(self, *, other: bool = False) -> dict[str, Tensor]:
        """The inputs as tensors; `other` moves the floating-point ones."""
        out = {}
        for name, value in self.inputs.items():
            tensor = value.clone() if isinstance(value, Tensor) else torch.tensor(value)
            if other and tensor.is_floating_point():
                tensor = tensor * 0.9 + 0.01
            out[name] = tensor
        return out

    def expected(self, inputs: dict[str, Tensor]) -> dict[str, Tensor]:
        """What torch gives; the inputs stay as they are."""
        with stable_order():
            out = self.fn(**{name: tensor.clone() for name, tensor in inputs.items()})
        out = out if isinstance(out, dict) else {"output": out}
        return {name: tensor.detach().clone() for name, tensor in out.items()}


def example(**inputs: Any) -> Callable:
    """Put a function on the list."""

    def add(fn: Callable) -> Callable:
        EXAMPLES.append(Example(fn.__name__, fn, inputs))
        return fn

    return add


def module(name: str, fn: torch.nn.Module, **inputs: Any) -> None:
    """Put a module on the list."""
    EXAMPLES.append(Example(name, fn, inputs))


def noise(*shape: int, seed: int = 0) -> Tensor:
    """Random numbers that are the same in every run."""
    draw = random.Random(seed + sum(shape))  # torch's own differ from processor to processor
    return torch.tensor([draw.gauss(0, 1) for _ in range(math.prod(shape))]).reshape(shape)
