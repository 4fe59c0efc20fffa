"""Turn a torch function into a Program that runs without torch."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from attn_helpers.live._fold import build
from attn_helpers.live._lines import Lines, innermost
from attn_helpers.live._numbers import DTYPES
from attn_helpers.live._recorder import Recorder
from attn_helpers.live._settings import recording
from attn_helpers.live._watch import Watch
from attn_helpers.live.errors import InputError, OutputError, TraceError
from attn_helpers.live.program import Program

__all__ = ["trace", "trace_with"]


def trace(fn: Callable, /, **example_inputs: Any) -> Program:
    """Turn a torch function into a Program: a list of operators with constants, that a page can run.

    Args:
        fn: a function, closure or nn.Module of tensors, that returns a tensor or a dict of tensors.
        example_inputs: for each argument a tensor, or a number: fn then gets a tensor without axes (float32
            for a float, int64 for an int, bool for a bool). The Program depends on shapes and dtypes only.

    Returns:
        the Program, whose inputs bear the names of the arguments.

    Raises:
        TraceError: fn cannot be traced; its kinds (errors.py) and its text say why, where and what to do.

    Example:
        >>> keys = torch.tensor([0.0, 1.0])
        >>> program = trace(lambda width: torch.softmax(-((keys / width) ** 2), dim=-1), width=1.0)
        >>> program.run(width=1.0)
        {'output': tensor([0.7311, 0.2689])}

    Source: core ATen, by the decompositions of torch._decomp.
    Chapter: book/live_format.md
    """
    return trace_with(fn, example_inputs)


def trace_with(fn: Callable, example_inputs: Mapping[str, Any], *, store: str | None = None) -> Program:
    """Do what `trace` does, with the inputs in a dict, so that an option is never mistaken for an argument.

    Args:
        fn: as in `trace`.
        example_inputs: as in `trace`.
        store: "float16" keeps float32 constants in half the space and rounds them so; None keeps them.

    Returns:
        the Program.

    Raises:
        TraceError: as in `trace`.

    Example:
        >>> weight = torch.tensor([0.1, 0.2])
        >>> program = trace_with(lambda x: x * weight, {"x": 1.0}, store="float16")
        >>> program.run(x=1.0)
        {'output': tensor([0.1000, 0.2000])}

    Source: core ATen, by the decompositions of torch._decomp.
    Chapter: book/live_format.md
    """
    if store not in (None, "float16"):
        raise InputError(f"store must be None or 'float16', got {store!r}.")
    names = _argument_names(fn, example_inputs)
    with torch.inference_mode(False):
        examples = {name: _example(name, example_inputs[name]) for name in names}
    lines = Lines(fn, _call.__code__)
    recorder = Recorder(lines)
    inputs = [recorder.add_input(name, example) for name, example in examples.items()]
    with recording(recorder, Watch(recorder)):
        result = _call(fn, examples, lines)
    tensors = _outputs(fn, result)
    outputs = {name: recorder.read(tensor) for name, tensor in tensors.items()}
    program = build(recorder.nodes, inputs, outputs, store)
    if store is None and not _agrees(program, example_inputs, tensors):
        # noise can be all that an output holds, and rounding changes noise: then look without rounding
        plain = build(recorder.nodes, inputs, outputs, rounded=False)
        if not _agrees(plain, example_inputs, tensors):
            raise TraceError(
                f"the Program of {_name(fn)} does not give the numbers that the function gives. "
                "Does it use something that changes between calls?"
            )
    return program


def _call(fn: Callable, examples: dict[str, Tensor], lines: Lines) -> Any:
    try:
        return fn(**examples)
    except TraceError:
        raise
    except Exception as fault:
        line = lines.raising(fault.__traceback__)
        where = f" on {line}" if line else ""
        raise TraceError(f"{_name(fn)} failed{where}: {type(fault).__name__}: {fault}") from fault


def _argument_names(fn: Callable, examples: Mapping[str, Any]) -> list[str]:
    """Put the names of the examples in the order of the arguments; complain about names that do not match."""
    called = fn.forward if isinstance(fn, nn.Module) else fn
    if not callable(called):
        raise InputError(f"fn must be a function or an nn.Module, got {type(fn).__name__}.")
    try:
        parameters = list(inspect.signature(called).parameters.values())
    except (ValueError, TypeError):
        raise InputError(
            f"the names of {_name(fn)}'s arguments are not known to Python; wrap it: def f(x): ..."
        ) from None
    if any(p.kind == p.POSITIONAL_ONLY and p.default is p.empty for p in parameters):
        raise InputError(
            f"{_name(fn)} has arguments that cannot be given by name (before /); wrap it: def f(x): ..."
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
            f"{_name(fn)} has the arguments {', '.join(known) or '(none)'}: {'; '.join(faults)}."
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


def _agrees(program: Program, examples: Mapping[str, Any], wanted: dict[str, Tensor]) -> bool:
    """Run a Program on the examples: better no picture than one with other numbers than torch's."""
    got = program.run(**{name: _example(name, value).detach() for name, value in examples.items()})
    return all(_close(got[name].double(), tensor.detach().double()) for name, tensor in wanted.items())


def _close(got: Tensor, want: Tensor) -> bool:
    finite = want[want.isfinite()].abs()
    size = float(finite.amax()) if finite.numel() else 0.0
    return torch.allclose(got, want, rtol=1e-3, atol=1e-3 * size, equal_nan=True)


def _outputs(fn: Callable, result: Any) -> dict[str, Tensor]:
    if isinstance(result, Tensor):
        return {"output": result}
    if isinstance(result, Mapping) and result:
        for name, value in result.items():
            if not isinstance(name, str):
                raise OutputError(f"{_name(fn)} must name its outputs by str, got the key {name!r}.")
            if not isinstance(value, Tensor):
                raise OutputError(
                    f"{_name(fn)} must return tensors, got {type(value).__name__} for {name!r}."
                )
        return dict(result)
    got = "an empty dict" if isinstance(result, Mapping) else f"a {type(result).__name__}"
    hint = ""
    if isinstance(result, list | tuple):
        hint = ' Name the parts: return {"output": ..., "weights": ...}.'
    elif result is None:
        got, hint = "None", " Is there a return in every branch?"
    raise OutputError(f"{_name(fn)} must return a tensor or a dict of tensors, got {got}.{hint}")


def _name(fn: Callable) -> str:
    fn = innermost(fn)
    return getattr(fn, "__name__", type(fn).__name__)
