"""A function together with the controls that feed it: what each argument gets, and what comes out."""

import functools
import inspect
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch

from livetorch.controls.base import Control, fixed
from livetorch.tracing.reader.reader_code import function_name

__all__ = ["Binding", "signature_defaults", "signature_names"]

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
