"""What all controls share, and `fixed`.

A kind of control is one class, which says everything about itself in Python: three forms of its setting (that
of `LiveFigure.value`, the one that the browser keeps, `to_js`, and the tensors that the traced function gets,
`to_inputs`), other settings on which a Program is tried, how it is written, and one at random for tests.
One that lacks a method cannot be made, and Python says which.
"""

import math
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import torch

__all__ = ["Control", "fixed"]


@dataclass(frozen=True)
class fixed:  # noqa: N801  the name that ipywidgets gives it
    """A value that is handed to the function as it is and gets no control.

    Args:
        value: anything that the function takes.

    >>> fixed(3).value
    3
    """

    value: Any


@dataclass(kw_only=True)
class Control(ABC):
    """What all controls share; not used by itself.

    Args:
        label, description: its name, and a line below it.
        when: {another control: its settings} at which this one does something; at others it is grey.
    """

    label: str | None = None
    description: str | None = None
    when: Mapping[str, Sequence[Any]] | None = None
    kind: ClassVar[str] = ""

    @property
    def variant(self) -> bool:
        """Whether each value gets a Program of its own, instead of being an input of one Program."""
        return False

    def options(self) -> list[Any]:
        """Return every value, of a control whose values are traced one by one."""
        raise NotImplementedError

    @property
    def default(self) -> Any:
        """The setting that the figure starts with."""
        return self.value  # type: ignore[attr-defined]

    def number(self, value: Any) -> int:
        """Return the place of a value among the options."""
        return self.options().index(value)

    @abstractmethod
    def check(self, name: str, value: Any, *, free: bool = False) -> Any:
        """Return `value` in its plain Python form, or raise; `free` lifts the bounds (carried values)."""

    def to_js(self, value: Any) -> Any:
        """Return the form that the browser keeps."""
        return value

    def from_js(self, value: Any) -> Any:
        """Return the Python form of what the browser sent."""
        return value

    @abstractmethod
    def to_inputs(self, name: str, value: Any) -> dict[str, torch.Tensor]:
        """Return the tensors that the traced function is given."""

    def feeds(self, name: str) -> list[str]:
        """Return the names of the arguments that `to_inputs` has a tensor for."""
        return [name]

    def from_output(self, output: torch.Tensor) -> Any:
        """Return what `check` makes the setting of, from a carried output."""
        return output

    @abstractmethod
    def moved(self, value: Any) -> tuple[Any, Any]:
        """Return two settings in which all has moved: a Program is held against the function there."""

    def extremes(self, value: Any) -> list[Any]:
        """Return the ends of its range that are not the present setting."""
        return []

    def written(self, value: Any) -> str | None:
        """Return the setting in words; None: it is too long for a line."""
        return None

    @classmethod
    @abstractmethod
    def at_random(cls, spec: Mapping[str, Any], draw: random.Random) -> Any:
        """Return a setting by chance, in the browser's form, for tests; None: no hand moves it.

        Args:
            spec: the control's JSON form.
            draw: what draws.
        """

    def details(self) -> dict[str, Any]:
        """Return what the JSON form has besides the common fields."""
        return {}

    def to_spec(self, name: str) -> dict[str, Any]:
        """Return the JSON form that the figure's JavaScript reads."""
        spec: dict[str, Any] = {"name": name, "label": self.label or words(name), "kind": self.kind}
        spec["value"] = self.to_js(self.default)
        spec["description"] = self.description
        if self.variant:
            spec["variant"] = True
        return spec | self.details()


def words(name: str) -> str:
    """Return an argument's name as a label: words begin with a capital, symbols such as q or d_k stay."""
    is_word = re.match(r"[a-z]{3}", name) is not None
    return (name[0].upper() + name[1:]).replace("_", " ") if is_word else name


def is_int(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
