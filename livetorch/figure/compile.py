"""A function together with the controls that feed it, and its Programs: one for each mix of options."""

import dataclasses
import functools
import inspect
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import torch

from livetorch.controls.base import Control, fixed
from livetorch.controls.slider import Slider
from livetorch.program.errors import (
    DataDependentError,
    FrozenError,
    FunctionFailedError,
    TraceError,
    UnsupportedOperatorError,
)
from livetorch.program.program import Program, Repeated
from livetorch.progress import waiting
from livetorch.tracing.reader.reader_code import function_name
from livetorch.tracing.recorders import Move, trace_with

Settings = dict[str, Any]


def _parameters(fn: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    if not callable(fn):
        raise TypeError(f"fn must be a function or a module, got {type(fn).__name__}.")
    call = fn.forward if isinstance(fn, torch.nn.Module) else fn
    try:
        return dict(inspect.signature(call).parameters)
    except (ValueError, TypeError):
        raise ValueError(
            f"the names of {function_name(fn)}'s arguments are not known to Python; wrap it: def f(x): ..."
        ) from None


def signature_names(fn: Callable[..., Any]) -> list[str]:
    """Return the names of a function's arguments, without *args and **kwargs."""
    return [n for n, p in _parameters(fn).items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def signature_defaults(fn: Callable[..., Any]) -> Settings:
    """Return the default values of a function's arguments.

    Args:
        fn: a function, an `nn.Module` or a `functools.partial`.
    Returns: Argument name to default value, for the arguments that have one.
    Raises:
        TypeError: `fn` cannot be called.

    >>> signature_defaults(lambda x, width=2.0: x)
    {'width': 2.0}
    """
    return {n: p.default for n, p in _parameters(fn).items() if p.default is not inspect.Parameter.empty}


@dataclass
class Binding:
    """The function of a figure, its controls and its fixed arguments.

    Args:
        fn: the reader's function.
        given: argument name to control or `fixed` value, in the order of the call.
    Raises:
        ValueError: a control that no argument takes, or an argument that nothing feeds.

    >>> from livetorch.controls.slider import Slider
    >>> Binding(lambda x: 2 * x, {"x": Slider(0.0, 1.0)}).inputs({"x": 0.25})
    {'x': tensor(0.2500)}
    """

    fn: Callable[..., Any]
    given: dict[str, Control | fixed]
    controls: dict[str, Control] = field(init=False)

    def __post_init__(self) -> None:
        self.name = function_name(self.fn)
        self.controls = {name: c for name, c in self.given.items() if isinstance(c, Control)}
        self.constants = {name: c.value for name, c in self.given.items() if isinstance(c, fixed)}
        self.parameters = _parameters(self.fn)
        self._check_arguments()

    def takes(self, name: str) -> bool:
        """Return whether the function has an argument of this name."""
        kinds = {p.kind for p in self.parameters.values()}
        found = self.parameters.get(name)
        by_name = found is not None and found.kind not in (found.POSITIONAL_ONLY, found.VAR_POSITIONAL)
        return by_name or inspect.Parameter.VAR_KEYWORD in kinds

    def _check_arguments(self) -> None:
        names = [n for n, p in self.parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
        for name in self.given:
            if not self.takes(name):
                raise ValueError(
                    f"no argument of {self.name} takes the control {name}; "
                    f"its arguments are: {', '.join(names) or 'none'}."
                )
        fed = {each for name, control in self.controls.items() for each in control.feeds(name)}
        for name in names:
            needed = self.parameters[name].default is inspect.Parameter.empty
            if needed and name not in self.given and name not in fed:
                raise ValueError(
                    f"no control feeds the argument {name} of {self.name}; "
                    f"give {name}=(min, max), {name}=[...], another control, or {name}=fixed(value)."
                )

    def defaults(self) -> Settings:
        """Return the settings that the figure starts with."""
        return {name: control.default for name, control in self.controls.items()}

    def variants(self) -> dict[str, Control]:
        """Return the controls each of whose values gets its own Program."""
        return {name: control for name, control in self.controls.items() if control.variant}

    def combinations(self) -> Iterator[tuple[tuple[int, ...], Settings]]:
        """Yield the option numbers and the values of each combination of variant controls."""
        variants = self.variants()
        options = [list(enumerate(control.options())) for control in variants.values()]
        for combination in itertools.product(*options):
            yield (
                tuple(i for i, _ in combination),
                dict(zip(variants, (v for _, v in combination), strict=True)),
            )

    def inputs(self, settings: Settings) -> dict[str, torch.Tensor]:
        """Return the tensors that the input controls stand for."""
        tensors: dict[str, torch.Tensor] = {}
        for name, control in self.controls.items():
            if not control.variant:
                made = control.to_inputs(name, settings[name])
                tensors |= {key: tensor for key, tensor in made.items() if self.takes(key)}
        return tensors

    def python(self, settings: Settings) -> Settings:
        """Return the arguments that are plain Python values."""
        return self.constants | {name: settings[name] for name in self.variants()}

    def partial(self, settings: Settings) -> Callable[..., Any]:
        """Return the function with its plain Python arguments filled in."""
        return functools.partial(self.fn, **self.python(settings))


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
            shown = all(settings[name] == binding.defaults()[name] for name in values)
            with nullcontext() if shown else redirect_stdout(StringIO()):  # it prints once
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
