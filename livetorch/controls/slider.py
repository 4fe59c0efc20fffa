"""A slider: one number between two ends."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar

import torch

from livetorch.controls.base import Control, is_int, is_number

_BUTTONS = 5  # whole numbers of which there are so few are buttons in the page


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
        log: positions are spread evenly over the logarithm; the ends must be positive. Between two integers,
            only integers.
        format: how the value is written, as in `format(value, ".2f")`.
        variant: the function gets a Python number instead of a tensor, and each position is traced on its
            own: for numbers that decide a shape or a branch.
        roll: show a button that draws a new integer by chance instead of a slider: for the seed of dice.
        curve: an output of shape () that is drawn as a small curve along the slider, or one number of an
            output with its place, such as `("weights", 0, 2)`.
    Raises:
        TypeError: an end is not a number, or `curve` is neither a name nor a name with whole numbers.
        ValueError: the ends, the step or the value do not fit together.

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
    roll: bool = field(default=False, kw_only=True)
    curve: str | tuple[str | int, ...] | None = field(default=None, kw_only=True)
    kind: ClassVar[str] = "slider"

    def __post_init__(self) -> None:
        for part in ("min", "max", "step", "value"):
            number = getattr(self, part)
            if not is_number(number) and not (number is None and part in ("step", "value")):
                raise TypeError(f"a slider's {part} must be a finite number, got {part}={number!r}.")
        if not self.min < self.max:
            raise ValueError(f"a slider needs min < max, got min={self.min}, max={self.max}.")
        if self.log and self.min <= 0:
            raise ValueError(f"a logarithmic slider needs min > 0, got min={self.min}.")
        if self.step is not None and self.step <= 0:
            raise ValueError(f"a slider needs step > 0, got step={self.step}.")
        given = [self.min, self.max, *(n for n in (self.step, self.value) if n is not None)]
        self.integer = all(is_int(n) for n in given)
        if self.roll and not self.integer:
            raise ValueError(f"a slider that rolls needs integers, got min={self.min}, max={self.max}.")
        self._check_curve()
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

    def _check_curve(self) -> None:
        if self.curve is None:
            return
        parts = (self.curve,) if isinstance(self.curve, str) else self.curve
        named = isinstance(parts, tuple) and len(parts) > 0 and isinstance(parts[0], str)
        if not named or not all(is_int(n) for n in parts[1:]):
            raise TypeError(
                "a slider's curve must be an output's name, or a tuple of a name and the place of one number "
                f'such as ("weights", 0, 2), got curve={self.curve!r}.'
            )
        few = self.integer and not self.log and (self.max - self.min) / (self.step or 1) < _BUTTONS
        if self.roll or few:
            raise ValueError(
                f"a slider that is shown as buttons has no room for a curve, got curve={self.curve!r}."
            )

    def snap(self, value: float) -> float:
        """Return the position of the slider next to `value`."""
        if self.log:
            return round(value) if self.integer else float(f"{value:.3g}")
        step = self.step or 1  # a number from __post_init__ on
        steps = math.floor((value - self.min) / step + 0.5 - (0.5 if self.integer else 0.0))
        snapped = self.min + steps * step
        return int(snapped) if self.integer else round(snapped, 10)

    def options(self) -> list[float]:
        """Return every position, for a slider whose positions are traced one by one."""
        step = self.step or 1
        count = math.floor((self.max - self.min) / step + 1e-9) + 1
        values = [self.min + i * step for i in range(count)]
        return [int(v) if self.integer else round(v, 10) for v in values]

    def check(self, name: str, value: Any, *, free: bool = False) -> float:  # noqa: D102
        if isinstance(value, torch.Tensor) and value.ndim == 0:
            value = value.item()
        if self.integer and not is_int(value) and not (is_number(value) and value == int(value)):
            raise TypeError(f"{name} must be an integer, got {name}={value!r}.")
        if free and isinstance(value, Real):
            return int(float(value)) if self.integer else float(value)
        if not is_number(value):
            raise TypeError(f"{name} must be a finite number, got {name}={value!r}.")
        if not self.min <= value <= self.max:
            raise ValueError(f"{name} must be between {self.min} and {self.max}, got {name}={value}.")
        value = int(value) if self.integer else float(value)
        if self.variant and value not in self.options():
            raise ValueError(f"{name} must be one of {self.options()}, got {name}={value}.")
        return value

    def to_inputs(self, name: str, value: float) -> dict[str, torch.Tensor]:  # noqa: D102
        return {name: torch.tensor(value, dtype=torch.int64 if self.integer else torch.float32)}

    def moved(self, value: float) -> tuple[float, float]:
        """Return a position between the ends that is neither of them nor the present one, if there is one."""
        for share in (0.4, 0.6, 0.75, 0.25):
            if self.log:
                place = math.exp(math.log(self.min) * (1 - share) + math.log(self.max) * share)
            else:
                place = self.min * (1 - share) + self.max * share
            place = min(max(self.snap(place), self.min), self.max)
            if place not in (value, self.min, self.max):
                return place, place
        return value, value

    def extremes(self, value: float) -> list[float]:  # noqa: D102
        return [end for end in (self.min, self.max) if end != value]

    def written(self, value: float) -> str:  # noqa: D102
        return format(value, self.format or "")

    @classmethod
    def at_random(cls, spec: Mapping[str, Any], draw: random.Random) -> float:  # noqa: D102
        low, high = spec["min"], spec["max"]
        if spec["scale"] == "log":
            return low * (high / low) ** draw.random()
        return min(high, low + spec["step"] * draw.randint(0, round((high - low) / spec["step"])))

    def details(self) -> dict[str, Any]:  # noqa: D102
        spec: dict[str, Any] = {"min": self.min, "max": self.max, "step": self.step, "format": self.format}
        spec["dtype"] = "int64" if self.integer else "float32"
        spec["scale"] = "log" if self.log else "linear"
        spec |= {"roll": True} if self.roll else {}
        return spec | ({"options": self.options()} if self.variant else {})
