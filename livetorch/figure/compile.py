"""From a bound function to its Programs: one for each combination of variant controls, constants shared."""

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from livetorch.controls.slider import Slider
from livetorch.figure.binding import Binding
from livetorch.program.errors import (
    DataDependentError,
    FrozenError,
    FunctionFailedError,
    TraceError,
    UnsupportedOperatorError,
)
from livetorch.program.program import Program, Repeated
from livetorch.progress import waiting
from livetorch.tracing.recorders import Move, trace_with

MOST_PROGRAMS = 64  # a page with more would load slowly, and nobody tries so many combinations by hand
# what goes away where a whole number reaches the function as Python's
_NEEDS_NUMBERS = (DataDependentError, FrozenError, FunctionFailedError, UnsupportedOperatorError)


@dataclass(frozen=True)
class Compiled:
    """The Programs of a figure.

    Args:
        binding: the function and its controls, as they were traced.
        programs: each different Program once.
        spec: the fields `programs`, `pool` and `variants` of the figure's JSON.
        tried: Programs of the same shapes that are quicker to run, to try the views with.
    """

    binding: Binding
    programs: Sequence[Program]
    spec: dict[str, Any]
    tried: Sequence[Program] = ()

    def place(self, settings: dict[str, Any]) -> int:
        """Say which Program runs for these settings."""
        numbers = [control.number(settings[name]) for name, control in self.binding.variants().items()]
        return int(self.spec["variants"]["keys"][",".join(map(str, numbers))])

    def run(self, settings: dict[str, Any]) -> dict[str, torch.Tensor]:
        """Give what the Program of these settings gives."""
        program, inputs = self.programs[self.place(settings)], self.binding.inputs(settings)
        return program.run(**{spec.name: inputs[spec.name] for spec in program.inputs})

    def combinations(self) -> Iterator[tuple[dict[str, Any], dict[str, torch.Tensor]]]:
        """Yield the settings of each combination and what comes out; what Programs begin with runs once."""
        inputs, repeated = self.binding.inputs(self.binding.defaults()), Repeated()
        for _, values in self.binding.combinations():
            settings = self.binding.defaults() | values
            program = (self.tried or self.programs)[self.place(settings)]
            repeated.begin()
            yield settings, program.run_by({i.name: inputs[i.name] for i in program.inputs}, repeated.run)


def compile_programs(binding: Binding, store: str | None = None) -> Compiled:
    """Trace a function once for each combination of its variant controls.

    An integer slider is first tried as an input; where the function needs a Python number (a shape, a
    branch), each of its positions is traced instead.

    Args:
        binding: the function and its controls.
        store: "float16" keeps the constants in half the space, None keeps them exact.
    Returns: The Programs, each held against the function on its inputs and on moved ones.
    Raises:
        ValueError: there are too many combinations, or the function cannot be traced.
    """
    try:
        return _compile(binding, store)
    except _NEEDS_NUMBERS as error:
        again = Binding(binding.fn, _enumerated(binding, error))
        if all(again.given[name] is control for name, control in binding.given.items()):
            raise
        _check_count(
            again, f"{error} Each position of its whole-number sliders would have to be traced, but "
        )
        try:
            return _compile(again, store)
        except TraceError:
            raise error from None


def _enumerated(binding: Binding, error: TraceError) -> dict[str, Any]:
    """Make variants of the whole-number sliders that an error names, or of all where it names none."""
    return {
        name: dataclasses.replace(control, variant=True)
        if isinstance(control, Slider)
        and control.integer
        and not control.variant
        and (not error.names or name in error.names)
        else control
        for name, control in binding.given.items()
    }


def _check_count(binding: Binding, why: str = "") -> None:
    counts = {name: len(control.options()) for name, control in binding.variants().items()}
    if math.prod(counts.values()) > MOST_PROGRAMS:
        product = " x ".join(f"{name} ({count})" for name, count in counts.items())
        raise ValueError(
            f"{why}{binding.name} would need {math.prod(counts.values())} Programs, "
            f"one for each combination of {product}; at most {MOST_PROGRAMS} are sensible. "
            "Use fewer options or larger steps, or sliders that are inputs."
        )


def _compile(binding: Binding, store: str | None) -> Compiled:
    _check_count(binding)
    pool: list[Any] = []
    programs: list[Program] = []
    specs: list[dict[str, Any]] = []
    keys: dict[str, int] = {}
    with waiting(f"Recording {binding.name}"):
        for numbers, values in binding.combinations():
            settings = binding.defaults() | values
            moves = _moves(binding, settings)
            program = trace_with(
                binding.partial(settings), binding.inputs(settings), store=store, moves=moves
            )
            spec = program.to_dict(pool)
            if spec not in specs:
                specs.append(spec)
                programs.append(program)
            keys[",".join(map(str, numbers))] = specs.index(spec)
    variants = {"controls": list(binding.variants()), "keys": keys}
    return Compiled(binding, programs, {"programs": specs, "pool": pool, "variants": variants})


def _moves(binding: Binding, settings: dict[str, Any]) -> Iterator[Move]:
    """Yield both ends of each slider, then two settings in which everything that can move has moved."""
    movable = {name: control for name, control in binding.controls.items() if not control.variant}
    for name, control in movable.items():
        for end in control.extremes(settings[name]):
            yield Move(binding.inputs(settings | {name: end}), f"{name} = {end}, the slider's end", True)
    both = {name: control.moved(settings[name]) for name, control in movable.items()}
    for turn in range(2) if movable else ():
        moved = {name: each[turn] for name, each in both.items()}
        yield Move(binding.inputs(settings | moved), "other settings of " + ", ".join(moved))
