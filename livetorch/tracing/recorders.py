"""Who writes a function down: the one place where livetorch asks which torch it stands on.

PyTorch is recorded below autograd (tracing/trace.py), and the Program is held against its function
(tracing/verifying/verification.py). A torch that is not PyTorch has nothing to record there: it names a
module of its own in `torch.__livetorch_recorder__`, whose `trace_with` takes and gives the same and makes
its own checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

import torch
from torch import Tensor

from livetorch.program.program import Program
from livetorch.tracing.reader.short_errors import short_errors

__all__ = ["Move", "Recorder", "recorder", "trace", "trace_with"]

PYTORCH = "livetorch.tracing.trace"


@dataclass(frozen=True)
class Move:
    """Inputs besides the example on which a Program must give what its function gives.

    Args:
        inputs: all inputs by name.
        said: the setting in words, such as "n = 8"; empty where nobody chose it.
        reachable: a reader can set it, so that the function must run there.
        near: numbers that hang on the last bits of the inputs are worth a word here.
        instead: moves to try where the function does not run for this one.
    """

    inputs: Mapping[str, Tensor]
    said: str = ""
    reachable: bool = False
    near: bool = True
    instead: tuple[Move, ...] = ()


class Recorder(Protocol):
    """What a recorder's module has: it records a function, and refuses a Program that gives other numbers."""

    def trace_with(
        self,
        fn: Callable[..., Any],
        example_inputs: Mapping[str, Any],
        *,
        store: str | None,
        moves: Iterable[Move] | None,
    ) -> Program:
        """Do what `trace_with` below says."""


def recorder() -> Recorder:
    """Give the recorder of the torch that is there."""
    return cast(Recorder, import_module(getattr(torch, "__livetorch_recorder__", PYTORCH)))


@short_errors
def trace(fn: Callable[..., Any], /, **example_inputs: Any) -> Program:
    """Turn a torch function into a Program: a list of operators with constants, that a page can run.

    Source: core ATen, by the decompositions of torch._decomp.

    Args:
        fn: a function, closure or nn.Module of tensors, that returns a tensor or a dict of tensors.
        example_inputs: for each argument a tensor, or a number: fn then gets a tensor without axes (float32
            for a float, int64 for an int, bool for a bool). The Program depends on shapes and dtypes only.
    Returns: the Program, whose inputs bear the names of the arguments.
    Raises:
        TraceError: fn cannot be traced; its kinds (errors.py) and its text say why, where and what to do.

    >>> keys = torch.tensor([0.0, 1.0])
    >>> program = trace(lambda width: torch.softmax(-((keys / width) ** 2), dim=-1), width=1.0)
    >>> program.run(width=1.0)
    {'output': tensor([0.7311, 0.2689])}
    """
    return trace_with(fn, example_inputs)


def trace_with(
    fn: Callable[..., Any],
    example_inputs: Mapping[str, Any],
    *,
    store: str | None = None,
    moves: Iterable[Move] | None = None,
) -> Program:
    """Do what `trace` does, with the inputs in a dict, so that an option is never mistaken for an argument.

    Source: core ATen, by the decompositions of torch._decomp.

    Args:
        store: "float16" keeps float32 constants in half the space and rounds them so; None keeps them.
        moves: other inputs on which the Program must give what fn gives; by default all of them moved.
    Returns: the Program.
    Raises:
        TraceError: as in `trace`.

    >>> weight = torch.tensor([0.1, 0.2])
    >>> program = trace_with(lambda x: x * weight, {"x": 1.0}, store="float16")
    >>> program.run(x=1.0)
    {'output': tensor([0.1000, 0.2000])}
    """
    return recorder().trace_with(fn, example_inputs, store=store, moves=moves)
