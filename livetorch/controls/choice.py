"""Controls of a live figure that choose: `Choice` among options, and `Checkbox`."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch

from livetorch.controls.base import Control, is_int


@dataclass
class Choice(Control):
    """One of several values, chosen by its label.

    Args:
        choices: a list of values, a list of `(label, value)` pairs, or a dict from label to value.
        value: the value that it starts with; by default the first.
        as_input: hand the function a tensor of the chosen value, numbers of one shape (one Program for all),
            instead of the value itself (one Program each); only then can a reader ask how the numbers that
            follow from the choice were made.
    Raises:
        ValueError: there is no choice, a label comes twice, or `value` is not among them.
        TypeError: `as_input` with values that are not numbers of one kind and shape.

    >>> Choice(["gaussian", "boxcar"]).value
    'gaussian'
    """

    choices: Sequence[Any] | Mapping[str, Any]
    value: Any = None
    as_input: bool = field(default=False, kw_only=True)
    kind: ClassVar[str] = "dropdown"

    def __post_init__(self) -> None:
        pairs = list(self.choices.items() if isinstance(self.choices, Mapping) else self.choices)
        if not pairs:
            raise ValueError("a choice needs at least one option, got none.")
        is_pair = [isinstance(p, tuple) and len(p) == 2 and isinstance(p[0], str) for p in pairs]
        pairs = pairs if all(is_pair) else [(_label(p), p) for p in pairs]
        self.labels = [str(label) for label, _ in pairs]
        self.values = [value for _, value in pairs]
        if len(set(self.labels)) < len(self.labels):
            raise ValueError(f"the options of a choice must have different labels, got {self.labels}.")
        self.value = self.values[0] if self.value is None else self.check("value", self.value)
        self.tensors = _tensors(self.values) if self.as_input else []

    @property
    def variant(self) -> bool:  # noqa: D102
        return not self.as_input

    def options(self) -> list[Any]:
        """Return the values."""
        return self.values

    def index(self, value: Any) -> int | None:
        """Return the position of `value` among the options, or None."""
        for i, option in enumerate(self.values):
            same = option is value
            if not same and _alike(option, value):
                same = bool(option == value)
            if same:
                return i
        return self.labels.index(value) if isinstance(value, str) and value in self.labels else None

    def number(self, value: Any) -> int:
        """Return the position of `value`, which is one of the options."""
        return self.index(value) or 0

    def check(self, name: str, value: Any, *, free: bool = False) -> Any:  # noqa: D102
        i = self.index(value)
        if i is None:
            raise ValueError(f"{name} must be one of {', '.join(self.labels)}, got {name}={value!r}.")
        return self.values[i]

    def to_js(self, value: Any) -> int | None:  # noqa: D102
        return self.index(value)

    def from_js(self, value: Any) -> Any:  # noqa: D102
        if not is_int(value) or not 0 <= value < len(self.values):
            raise ValueError(f"an option's number must be in 0..{len(self.values) - 1}, got {value!r}.")
        return self.values[value]

    def to_inputs(self, name: str, value: Any) -> dict[str, torch.Tensor]:  # noqa: D102
        return {name: self.tensors[self.values.index(value)].clone()}

    def moved(self, value: Any) -> tuple[Any, Any]:  # noqa: D102
        other = self.values[self.number(value) - 1]
        return other, other

    def written(self, value: Any) -> str:  # noqa: D102
        return self.labels[self.number(value)]

    @classmethod
    def at_random(cls, spec: Mapping[str, Any], draw: random.Random) -> int:  # noqa: D102
        return draw.randrange(len(spec["options"]))

    def details(self) -> dict[str, Any]:  # noqa: D102
        if not self.as_input:
            return {"options": self.labels}
        dtype = str(self.tensors[0].dtype).removeprefix("torch.")
        data = [tensor.flatten().tolist() for tensor in self.tensors]
        return {
            "options": self.labels,
            "tensors": {"shape": list(self.tensors[0].shape), "dtype": dtype, "data": data},
        }


def _tensors(values: list[Any]) -> list[torch.Tensor]:
    """Return the values as tensors of one kind and shape."""
    try:
        tensors = [torch.tensor(value) for value in values]
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"as_input needs options that are numbers, got {values}.") from error
    if len({(tensor.dtype, tensor.shape) for tensor in tensors}) > 1:
        raise TypeError(f"as_input needs options of one kind and shape, got {values}.")
    return tensors


def _alike(a: Any, b: Any) -> bool:
    """Return whether two values may be compared: 1 and 1.0, not 1 and True, no tensors."""
    if isinstance(a, torch.Tensor) or isinstance(b, torch.Tensor):
        return False
    return isinstance(a, bool) == isinstance(b, bool)


def _label(value: Any) -> str:
    """Return a name for an option that does not depend on where it lies in memory."""
    return getattr(value, "__name__", None) or str(value)


@dataclass
class Checkbox(Control):
    """True or False.

    Args:
        value: what it starts with.
        as_input: hand the function a 0-d bool tensor (one Program for both) instead of a Python bool (one
            Program each, so that `if` works).

    >>> Checkbox(True).value
    True
    """

    value: bool = False
    as_input: bool = field(default=False, kw_only=True)
    kind: ClassVar[str] = "checkbox"

    def __post_init__(self) -> None:
        self.value = self.check("value", self.value)

    @property
    def variant(self) -> bool:  # noqa: D102
        return not self.as_input

    def options(self) -> list[bool]:
        """Return both values, in the order of their numbers 0 and 1."""
        return [False, True]

    def check(self, name: str, value: Any, *, free: bool = False) -> bool:  # noqa: D102
        if isinstance(value, torch.Tensor) and value.ndim == 0:
            value = value.item()
        if not isinstance(value, bool):
            raise TypeError(f"{name} must be True or False, got {name}={value!r}.")
        return value

    def to_inputs(self, name: str, value: bool) -> dict[str, torch.Tensor]:  # noqa: D102
        return {name: torch.tensor(value)}

    def moved(self, value: bool) -> tuple[bool, bool]:  # noqa: D102
        return not value, not value

    def written(self, value: bool) -> str:  # noqa: D102
        return repr(value)

    @classmethod
    def at_random(cls, spec: Mapping[str, Any], draw: random.Random) -> bool:  # noqa: D102
        return draw.random() < 0.5
