"""Turn a function of PyTorch into a Program that runs without torch."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from livetorch.program.encoding import DTYPES
from livetorch.program.errors import InputError
from livetorch.program.program import Program
from livetorch.progress import waiting
from livetorch.tracing.fold import build
from livetorch.tracing.reader.reader_code import function_name
from livetorch.tracing.recorders import Move, trace
from livetorch.tracing.recording import record
from livetorch.tracing.verifying.moved import moved
from livetorch.tracing.verifying.narrow import verify_narrow
from livetorch.tracing.verifying.verification import verify

__all__ = ["trace", "trace_with"]


def trace_with(
    fn: Callable,
    example_inputs: Mapping[str, Any],
    *,
    store: str | None = None,
    moves: Iterable[Move] | None = None,
) -> Program:
    """Record PyTorch, and hold the Program against fn; `recorders.trace_with` says what is given."""
    if store not in (None, "float16"):
        raise InputError(f"store must be None or 'float16', got {store!r}.")
    names = _argument_names(fn, example_inputs)
    with torch.inference_mode(False):
        examples = {name: _example(name, example_inputs[name]) for name in names}
    moves = moved(examples) if moves is None else list(moves)
    name = function_name(fn)
    with waiting(f"Recording {name}") as now:
        recording = record(fn, examples)
        program = build(recording.nodes, recording.inputs, recording.outputs)
        now(f"Holding the recording of {name} against it")
        verify(fn, recording, program, examples, moves)
    if store is None:
        return program
    narrow = program.stored_as(store)
    verify_narrow(name, program, narrow, [examples, *(move.inputs for move in moves)])
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
