"""The controls of a live figure that hold one number: `Slider`; what all controls share; and `fixed`.

Each control knows three forms of its setting: the one that a reader of Python sees in `LiveFigure.value`, the
one that the browser keeps (`to_js`), and the tensor that is fed to the traced function (`to_inputs`).
"""

import math
import re
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, ClassVar

import torch

__all__ = ["Control", "Slider", "fixed"]


@dataclass(frozen=True)
class fixed:  # noqa: N801  the name that ipywidgets gives it
    """A value that is handed to the function as it is and gets no control.

    Args:
        value: anything that the function takes.

    Example:
        >>> fixed(3).value
        3
    """

    value: Any


@dataclass(kw_only=True)
class Control:
    """What all controls share; not used by itself."""

    label: str | None = None
    description: str | None = None
    kind: ClassVar[str] = ""

    @property
    def variant(self) -> bool:
        """Whether each value gets a Program of its own, instead of being an input of one Program."""
        return False

    @property
    def default(self) -> Any:
        """The setting that the figure starts with."""
        return self.value  # type: ignore[attr-defined]

    def check(self, name: str, value: Any, *, free: bool = False) -> Any:
        """Return `value` in its plain Python form, or raise; `free` lifts the bounds (carried values)."""
        raise NotImplementedError

    def to_js(self, value: Any) -> Any:
        """Return the form that the browser keeps."""
        return value

    def from_js(self, value: Any) -> Any:
        """Return the Python form of what the browser sent."""
        return value

    def to_inputs(self, name: str, value: Any) -> dict[str, torch.Tensor]:
        """Return the tensors that the traced function is given."""
        raise NotImplementedError

    def details(self) -> dict[str, Any]:
        """Return what the JSON form has besides the common fields."""
        return {}

    def to_spec(self, name: str) -> dict[str, Any]:
        """Return the JSON form that the figure's JavaScript reads."""
        spec = {"name": name, "label": self.label or _words(name), "kind": self.kind}
        spec["value"] = self.to_js(self.default)
        spec["description"] = self.description
        if self.variant:
            spec["variant"] = True
        return spec | self.details()


def _words(name: str) -> str:
    """Return an argument's name as a label: words begin with a capital, symbols such as q or d_k stay."""
    is_word = re.match(r"[a-z]{3}", name) is not None
    return (name[0].upper() + name[1:]).replace("_", " ") if is_word else name


def _is_int(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def _nice_step(span: float) -> float:
    """Return the largest 1, 2 or 5 times a power of ten that divides `span` into at least 100 steps."""
    power = 10.0 ** math.floor(math.log10(span / 100))
    return max(m * power for m in (1, 2, 5) if m * power <= span / 100 * (1 + 1e-9))


@dataclass
class Slider(Control):
    """A number between two ends; the function gets it as a 0-d tensor.

    Args:
        min, max: the ends, both reached. Two integers make an integer slider (int64), else float32.
        step: distance between two positions; by default 1, or about a hundredth of the range.
        value: the starting value; by default the middle.
        log: positions are spread evenly over the logarithm; the ends must be positive.
        format: how the value is written, as in `format(value, ".2f")`.
        variant: the function gets a Python number instead of a tensor, and each position is traced on its
            own: for numbers that decide a shape or a branch.

    Raises:
        TypeError: an end is not a number.
        ValueError: the ends, the step or the value do not fit together.

    Example:
        >>> Slider(0.0, 2.0).value, Slider(1, 8).value
        (1.0, 4)
    """

    min: float
    max: float
    step: float | None = None
    value: float | None = None
    log: bool = field(default=False, kw_only=True)
    format: str | None = field(default=None, kw_only=True)
    variant: bool = field(default=False, kw_only=True)
    kind: ClassVar[str] = "slider"

    def __post_init__(self) -> None:
        for part in ("min", "max", "step", "value"):
            number = getattr(self, part)
            if not _is_number(number) and not (number is None and part in ("step", "value")):
                raise TypeError(f"a slider's {part} must be a finite number, got {part}={number!r}.")
        if not self.min < self.max:
            raise ValueError(f"a slider needs min < max, got min={self.min}, max={self.max}.")
        if self.log and self.min <= 0:
            raise ValueError(f"a logarithmic slider needs min > 0, got min={self.min}.")
        if self.step is not None and self.step <= 0:
            raise ValueError(f"a slider needs step > 0, got step={self.step}.")
        given = [self.min, self.max, *(n for n in (self.step, self.value) if n is not None)]
        self.integer = all(_is_int(n) for n in given) and not self.log
        if self.step is None:
            self.step = 1 if self.integer else _nice_step(self.max - self.min)
        if self.value is None:
            middle = math.sqrt(self.min * self.max) if self.log else self.min + (self.max - self.min) / 2
            self.value = self.snap(middle)
        if self.format is None:
            decimals = min(8, max(0, -math.floor(math.log10(self.step) + 1e-9)))
            self.format = "d" if self.integer else (".3g" if self.log else f".{decimals}f")
        try:
            format(self.value, self.format)
        except ValueError as error:
            raise ValueError(f"a slider's format must be like '.2f', got format={self.format!r}.") from error
        self.value = self.check("value", self.value)

    def snap(self, value: float) -> float:
        """Return the position of the slider next to `value`."""
        if self.log:
            return float(f"{value:.3g}")
        steps = math.floor((value - self.min) / self.step + 0.5 - (0.5 if self.integer else 0.0))
        snapped = self.min + steps * self.step
        return int(snapped) if self.integer else round(snapped, 10)

    def options(self) -> list[float]:
        """Return every position, for a slider whose positions are traced one by one."""
        count = math.floor((self.max - self.min) / self.step + 1e-9) + 1
        values = [self.min + i * self.step for i in range(count)]
        return [int(v) if self.integer else round(v, 10) for v in values]

    def check(self, name: str, value: Any, *, free: bool = False) -> float:  # noqa: D102
        if isinstance(value, torch.Tensor) and value.ndim == 0:
            value = value.item()
        if self.integer and not _is_int(value) and not (_is_number(value) and value == int(value)):
            raise TypeError(f"{name} must be an integer, got {name}={value!r}.")
        if free and isinstance(value, Real):
            return int(value) if self.integer else float(value)
        if not _is_number(value):
            raise TypeError(f"{name} must be a finite number, got {name}={value!r}.")
        if not self.min <= value <= self.max:
            raise ValueError(f"{name} must be between {self.min} and {self.max}, got {name}={value}.")
        value = int(value) if self.integer else float(value)
        if self.variant and value not in self.options():
            raise ValueError(f"{name} must be one of {self.options()}, got {name}={value}.")
        return value

    def to_inputs(self, name: str, value: float) -> dict[str, torch.Tensor]:  # noqa: D102
        return {name: torch.tensor(value, dtype=torch.int64 if self.integer else torch.float32)}

    def details(self) -> dict[str, Any]:  # noqa: D102
        spec = {"min": self.min, "max": self.max, "step": self.step, "format": self.format}
        spec["dtype"] = "int64" if self.integer else "float32"
        spec["scale"] = "log" if self.log else "linear"
        return spec | ({"options": self.options()} if self.variant else {})
