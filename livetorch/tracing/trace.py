"""Turn a torch function into a Program that runs without torch."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from livetorch.program.encoding import DTYPES
from livetorch.program.errors import InputError
from livetorch.program.program import Program
from livetorch.tracing.fold import build
from livetorch.tracing.moved import Move, moved
from livetorch.tracing.narrow import verify_narrow
from livetorch.tracing.reader_function import function_name
from livetorch.tracing.recording import record
from livetorch.tracing.short_errors import short_errors
from livetorch.tracing.verification import verify

__all__ = ["trace", "trace_with"]


@short_errors
def trace(fn: Callable, /, **example_inputs: Any) -> Program:
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
    fn: Callable,
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
    if store not in (None, "float16"):
        raise InputError(f"store must be None or 'float16', got {store!r}.")
    names = _argument_names(fn, example_inputs)
    with torch.inference_mode(False):
        examples = {name: _example(name, example_inputs[name]) for name in names}
    moves = moved(examples) if moves is None else list(moves)
    recording = record(fn, examples)
    program = build(recording.nodes, recording.inputs, recording.outputs)
    verify(fn, recording, program, examples, moves)
    if store is None:
        return program
    narrow = program.stored_as(store)
    verify_narrow(function_name(fn), program, narrow, [examples, *(move.inputs for move in moves)])
    return narrow


def _argument_names(fn: Callable, examples: Mapping[str, Any]) -> list[str]:
    """Put the names of the examples in the order of the arguments; complain about names that do not match."""
    called = fn.forward if isinstance(fn, nn.Module) else fn
    if not callable(called):
        raise InputError(f"fn must be a function or an nn.Module, got {type(fn).__name__}.")
    try:
        parameters = list(inspect.signature(called).parameters.values())
    except (ValueError, TypeError):
        raise InputError(
            f"the names of {function_name(fn)}'s arguments are not known to Python; wrap it: def f(x): ..."
        ) from None
    if any(p.kind == p.POSITIONAL_ONLY and p.default is p.empty for p in parameters):
        raise InputError(
            f"{function_name(fn)} has arguments that cannot be given by name (before /); "
            "wrap it: def f(x): ..."
        )
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    known = [p.name for p in named]
    takes_all = any(p.kind == p.VAR_KEYWORD for p in parameters)
    missing = [p.name for p in named if p.name not in examples and p.default is p.empty]
    unknown = [name for name in examples if name not in known and not takes_all]
    if missing or unknown:
        faults = [f"{name} has no example" for name in missing] + [
            f"no argument is called {name}" for name in unknown
        ]
        raise InputError(
            f"{function_name(fn)} has the arguments {', '.join(known) or '(none)'}: {'; '.join(faults)}."
        )
    return [name for name in known if name in examples] + [name for name in examples if name not in known]


def _example(name: str, value: Any) -> Tensor:
    if isinstance(value, Tensor):
        tensor = value.detach().clone(memory_format=torch.contiguous_format)
        tensor.requires_grad_(value.requires_grad)
    elif isinstance(value, bool | int):
        tensor = torch.tensor(value)
    elif isinstance(value, float):
        tensor = torch.tensor(value, dtype=torch.float32)
    elif hasattr(value, "__array__"):
        tensor = torch.as_tensor(value).clone()
    else:
        raise InputError(
            f"the example for {name} must be a tensor or a number, got {type(value).__name__}. "
            f"Fix it by functools.partial(fn, {name}=...)."
        )
    if tensor.dtype not in DTYPES or tensor.layout != torch.strided:
        got = f"{tensor.dtype}, {tensor.layout}".removeprefix("torch.").removesuffix(", torch.strided")
        raise InputError(
            f"the example for {name} must be a dense tensor of {', '.join(DTYPES.values())}, got {got}."
        )
    return tensor
