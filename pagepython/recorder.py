"""Turn a function of the facade into a Program, by recording what it calls.

The facade names it, and `livetorch.tracing.recorders` asks for it where PyTorch is not.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from io import StringIO
from itertools import islice
from traceback import walk_tb
from typing import Any

import torch
from torch import Tensor, _record

from livetorch.program import errors
from livetorch.program.encoding import Constant
from livetorch.program.program import Input, Operation, Program
from livetorch.program.source import Source
from livetorch.tracing.reader.statements import statement


def trace_with(
    fn: Callable,
    example_inputs: Mapping[str, Any],
    *,
    store: str | None = None,
    moves: Iterable[Any] | None = None,
) -> Program:
    """Do what `trace` does, with the inputs in a dict; the Program is tried on moved inputs too."""
    examples = {name: _example(value) for name, value in example_inputs.items()}
    said = StringIO()
    try:
        with (
            _record.Recorder(examples.values(), _called.__code__) as recorder,
            torch.no_grad(),
            redirect_stdout(said),
        ):
            found = _called(fn, examples)
    except errors.TraceError:
        said = StringIO()  # it may be tried in another way, and print then
        raise
    finally:
        sys.stdout.write(said.getvalue())
    outputs = {name: recorder.ref(t) for name, t in found.items()}
    program = _program(recorder, examples, outputs, store)
    for inputs in [examples, *(move.inputs for move in moves or ())]:
        _compare(fn, program, inputs, store)
    return program


def _example(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value.detach().clone()
    return torch.tensor(value)


def _called(fn: Callable, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    try:
        found = fn(**inputs)
    except _record.CannotRecord as fault:
        trace, name = fault.__traceback__, getattr(fn, "__name__", "fn")
        for frame, _ in walk_tb(trace):  # the reader's function, not what passes its settings on
            name = frame.f_code.co_name if _record.of_cell(frame) else name
        raise getattr(errors, fault.kind)(f"{name}: {fault}").with_traceback(trace) from None
    found = found if isinstance(found, dict) else {"output": found}
    for name, value in found.items():
        if not isinstance(value, Tensor):
            raise errors.OutputError(f"output {name} must be a tensor, got {type(value).__name__}.")
    return found


def _program(recorder, examples: Mapping[str, Tensor], outputs: dict, store: str | None) -> Program:
    """Number the values: inputs, constants, results of the lines that an output needs."""
    needed: set[int] = set()
    waiting = list(outputs.values())
    while waiting:
        ref = waiting.pop()
        if ref.group == "line" and ref.number not in needed:
            needed.add(ref.number)
            waiting += _refs(recorder.lines[ref.number][1])
    lines = sorted(needed)
    used = [r for k in lines for r in _refs(recorder.lines[k][1])] + list(outputs.values())
    constants = sorted({r.number for r in used if r.group == "constant"})
    first, at = {}, len(examples) + len(constants)
    for k in lines:
        first[k], at = at, at + recorder.lines[k][2]

    def number(ref) -> int:
        if ref.group == "line":
            return first[ref.number] + ref.result
        return ref.number if ref.group == "input" else len(examples) + constants.index(ref.number)

    def filled(value):
        if isinstance(value, _record.Ref):
            return {"v": number(value)}
        return [filled(v) for v in value] if isinstance(value, list | tuple) else value

    return Program(
        tuple(Input(name, tuple(t.shape), t.dtype) for name, t in examples.items()),
        tuple(Constant.of(recorder.constants[k], store) for k in constants),
        tuple(
            Operation(f"aten.{op}", tuple(map(filled, args)), {}, outs)
            for op, args, outs in (recorder.lines[k] for k in lines)
        ),
        {name: number(ref) for name, ref in outputs.items()},
        source=_source([recorder.places[k] for k in lines], [first[k] for k in lines]),
    )


def _source(called: list, numbers: list[int]) -> Source:
    """Say in which statement of the reader's each operator ran, and which name has its value."""
    lines: dict[Any, int] = {}
    places: dict[tuple[int, int, int], int] = {}
    known: dict[Any, Any] = {None: None}
    of, names = [], {}
    for call, value in zip(called, numbers, strict=True):
        if call not in known:
            code, at = call
            span = next(islice(code.co_positions(), at // 2, None))
            line = errors.Line(code.co_filename, span[0] or 0, code.co_name, None if None in span else span)
            known[call] = statement(line)
        if known[call] is None:
            of.append(-1)
            continue
        text, start, end = known[call]
        place = (lines.setdefault(text, len(lines)), start, end)
        of.append(places.setdefault(place, len(places)))
        if end == len(text.text) and (bound := re.fullmatch(r"(\w+) = ", text.text[:start])):
            names[value] = bound[1]  # of a statement's operators the last one keeps the name
    names = {value: name for name, value in {name: value for value, name in names.items()}.items()}
    return Source(tuple(lines), tuple(places), tuple(of) if places else (), names)


def _refs(tree) -> list:
    if isinstance(tree, _record.Ref):
        return [tree]
    return [ref for value in tree for ref in _refs(value)] if isinstance(tree, list | tuple) else []


def _compare(fn: Callable, program: Program, inputs: Mapping[str, Tensor], store: str | None) -> None:
    """Refuse a Program that gives other numbers than its function."""
    with torch.no_grad(), redirect_stdout(StringIO()):  # it has printed when it was recorded
        wanted = _called(fn, {name: _example(value) for name, value in inputs.items()})
    found = program.run(**inputs)
    within = 1e-2 if store else 1e-4
    for name, value in wanted.items():
        scale = float(value.to(torch.float64).abs().nan_to_num(0, 0, 0).max()) if value.numel() else 0.0
        if value.numel() and not torch.allclose(
            found[name].to(torch.float64),
            value.to(torch.float64),
            rtol=0,
            atol=within * max(scale, 1e-6),
            equal_nan=True,
        ):
            raise errors.FrozenError(
                f"output {name} of {getattr(fn, '__name__', 'fn')} gives other numbers when its inputs move: "
                "a number that depends on an input left torch unseen."
            )
