"""Settings besides the default on which a figure's Programs are held against its function."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch

from livetorch.controls.base import Control
from livetorch.controls.slider import Slider
from livetorch.figure.binding import Binding
from livetorch.tracing.recorders import Move

__all__ = ["moves"]


def moves(binding: Binding, settings: dict[str, Any]) -> Iterator[Move]:
    """Yield both ends of each slider, then two settings in which everything that can move has moved.

    Args:
        binding: the function and its controls.
        settings: what the Program was traced with.
    Yields: Each move, with the setting in words.
    """
    movable = {name: control for name, control in binding.controls.items() if not control.variant}
    for name, control in movable.items():
        for end in _ends(control, settings[name]):
            yield Move(binding.inputs(settings | {name: end}), f"{name} = {end}, the slider's end", True)
    for move in (_MOVED, _MOVED | _MIRRORED) if movable else ():
        moved = {name: move[control.kind](control, settings[name]) for name, control in movable.items()}
        yield Move(binding.inputs(settings | moved), "other settings of " + ", ".join(moved))


def _ends(control: Control, value: Any) -> list[Any]:
    return [end for end in (control.min, control.max) if end != value] if isinstance(control, Slider) else []


def _inside(control: Slider, value: float) -> float:
    """Give a position between the ends that is neither of them nor the present one, if there is one."""
    for share in (0.4, 0.6, 0.75, 0.25):
        if control.log:
            place = math.exp(math.log(control.min) * (1 - share) + math.log(control.max) * share)
        else:
            place = control.min * (1 - share) + control.max * share
        place = min(max(control.snap(place), control.min), control.max)
        if place not in (value, control.min, control.max):
            return place
    return value


def _points(control: Any, value: list[Any]) -> list[Any]:
    table = torch.tensor(value, dtype=torch.float64)
    low, high = torch.tensor(control.domain, dtype=torch.float64).unbind(-1)
    shares = (torch.arange(table.numel()) % 3 / 4 + 0.25).reshape(table.shape)  # no two neighbours alike
    goals = low + (high - low) * shares.reshape(len(table), -1)
    return (table + (goals.reshape(table.shape) - table) / 4).tolist()


def _matrix(control: Any, value: list[Any]) -> list[Any]:
    table = torch.tensor(value, dtype=torch.float64)
    steps = (torch.arange(table.numel()) % 3 + 1).reshape(table.shape) / 50
    low, high = (bound if bound is not None else math.inf * sign for bound, sign in _bounds(control))
    up = table * 0.9 + steps
    return torch.where(up.clamp(low, high) == up, up, table * 0.9 - steps).clamp(low, high).tolist()


def _points_mirrored(control: Any, value: list[Any]) -> list[Any]:
    table = torch.tensor(value, dtype=torch.float64)
    low, high = torch.tensor(control.domain, dtype=torch.float64).unbind(-1)
    return (low + high - table.reshape(len(table), -1)).reshape(table.shape).tolist()


def _matrix_mirrored(control: Any, value: list[Any]) -> list[Any]:
    table = torch.tensor(value, dtype=torch.float64)
    middle = (control.min + control.max) / 2 if None not in (control.min, control.max) else 0.0
    low, high = (bound if bound is not None else math.inf * sign for bound, sign in _bounds(control))
    return (2 * middle - table).clamp(low, high).tolist()


def _bounds(control: Any) -> tuple[tuple[float | None, int], ...]:
    return (control.min, -1), (control.max, 1)


def _mask(control: Any, value: list[Any]) -> list[Any]:
    table = torch.tensor(value)
    ends = torch.zeros(table.numel(), dtype=torch.bool)
    ends[[0, -1]] = True
    return (table ^ ends.reshape(table.shape)).tolist()


def _text(control: Any, value: str) -> str:
    """Give another text: an example, else the words or letters from the end."""
    parts = value.split(" ") if control.unit != "character" else list(value)
    turned = (" " if control.unit != "character" else "").join(reversed(parts))
    tokens = [control.text([i]) for i in (1, 2)] if control.vocabulary is None else list(control.vocabulary)
    others = [*control.examples, *list(control.suggestions)[:1], turned, value[: len(value) // 2], *tokens]
    return next((text for text in others if control.ids(text) != control.ids(value)), value)


def _state(control: Any, value: Any) -> Any:
    tensor = torch.tensor(value, dtype=control.dtype)
    return (tensor * 0.9 + 0.01).tolist() if tensor.is_floating_point() else value


_MOVED: dict[str, Callable[[Any, Any], Any]] = {
    "slider": _inside,
    "points": _points,
    "matrix": _matrix,
    "mask": _mask,
    "text": _text,
    "state": _state,
    "checkbox": lambda control, value: not value,
    "dropdown": lambda control, value: control.values[(control.index(value) or 0) - 1],
}
_MIRRORED = {"points": _points_mirrored, "matrix": _matrix_mirrored}
