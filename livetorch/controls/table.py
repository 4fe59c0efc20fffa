"""Controls of a live figure that hold many numbers: `Points`, `Mask`, `Matrix`."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch

from livetorch.controls.base import Control

_LIMIT = 4096  # numbers in one control: more cannot be edited by hand, and would not fit in a link


def _table(name: str, values: Any, dtype: torch.dtype) -> torch.Tensor:
    """Return `values` as a new tensor of `dtype`, or raise an error that names the argument."""
    try:
        table = torch.as_tensor(values).detach().to("cpu", dtype, copy=True)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name} must be numbers in equal rows, got {name}={values!r}.") from error
    if table.numel() > _LIMIT:
        raise ValueError(f"{name} may hold at most {_LIMIT} numbers, got {table.numel()}.")
    if table.numel() == 0:
        raise ValueError(f"{name} needs at least one number, got shape {tuple(table.shape)}.")
    return table


def _plain(table: torch.Tensor) -> list[Any]:
    """Return nested lists; float32 numbers as the shortest decimals that give them back."""
    if table.ndim > 1:
        return [_plain(row) for row in table]
    if table.is_floating_point():
        return [float(str(x)) for x in table.numpy()]  # numpy writes a float32 as short as it can
    return table.tolist()


@dataclass
class _Table(Control):
    """What the controls made of a table of numbers share."""

    values: Any
    dtype: ClassVar[torch.dtype] = torch.float32

    def __post_init__(self) -> None:
        table = self._shaped(_table("values", self.values, self.dtype))
        self.shape = tuple(table.shape)
        self.values = _plain(table)

    def _shaped(self, table: torch.Tensor) -> torch.Tensor:
        if table.ndim != 2:
            raise ValueError(f"a {self.kind} must have rows and columns, got shape {tuple(table.shape)}.")
        return table

    @property
    def default(self) -> list[Any]:
        """The table that the figure starts with, as nested lists."""
        return self.values

    def check(self, name: str, value: Any, *, free: bool = False) -> list[Any]:
        table = _table(name, value, self.dtype)
        if tuple(table.shape) != self.shape:
            raise ValueError(
                f"{name} must have shape {self.shape}, got {name} of shape {tuple(table.shape)}."
            )
        if not free and table.is_floating_point() and not table.isfinite().all():
            raise ValueError(f"{name} must be finite numbers, got {name}={value!r}.")
        return self.bounded(name, _plain(table), free)

    def bounded(self, name: str, value: list[Any], free: bool) -> list[Any]:
        """Raise when a number is out of bounds."""
        return value

    def to_inputs(self, name: str, value: list[Any]) -> dict[str, torch.Tensor]:
        return {name: torch.tensor(value, dtype=self.dtype)}

    def details(self) -> dict[str, Any]:
        return {"shape": list(self.shape), "dtype": str(self.dtype).removeprefix("torch.")}


@dataclass
class Points(_Table):
    """Points that the reader drags in a view that draws them (or types as numbers).

    Args:
        values: the starting points, of shape (points, 2), (points, 1) or (points,).
        domain: how far they may be dragged: `(min, max)` for all coordinates, or one such pair for each.
        labels: one name for each point.

    >>> Points([[0.0, 1.0], [2.0, 0.5]], domain=(-3, 3)).shape
    (2, 2)
    """

    domain: Any = field(default=None, kw_only=True)
    labels: Sequence[str] | None = field(default=None, kw_only=True)
    kind: ClassVar[str] = "points"

    def _shaped(self, table: torch.Tensor) -> torch.Tensor:
        if table.ndim not in (1, 2) or (table.ndim == 2 and table.shape[1] not in (1, 2)):
            raise ValueError(
                f"points must have shape (points, 2), (points, 1) or (points,), got {tuple(table.shape)}."
            )
        columns = table.reshape(len(table), -1)
        if self.domain is None:
            low, high = columns.amin(0), columns.amax(0)
            pad = ((high - low) / 4).clamp(min=0.5)
            self.domain = list(zip(_plain(low - pad), _plain(high + pad), strict=True))
        bounds = torch.as_tensor(self.domain, dtype=torch.float64)
        bounds = bounds.expand(columns.shape[1], 2) if bounds.shape == (2,) else bounds
        if bounds.shape != (columns.shape[1], 2) or (bounds[:, 0] >= bounds[:, 1]).any():
            raise ValueError(
                f"domain must be (min, max), or one such pair for each coordinate, got {self.domain!r}."
            )
        self.domain = bounds.tolist()
        if self.labels is not None and len(self.labels) != len(table):
            raise ValueError(
                f"points need one label each, got points={len(table)}, labels={len(self.labels)}."
            )
        return table

    def bounded(self, name: str, value: list[Any], free: bool) -> list[Any]:  # noqa: D102
        rows = [row if isinstance(row, list) else [row] for row in value]
        for row in rows:
            for x, (low, high) in zip(row, self.domain, strict=True):
                if not free and not low <= x <= high:
                    raise ValueError(f"{name} must lie between {low} and {high}, got {x}.")
        return value

    def moved(self, value: list[Any]) -> tuple[list[Any], list[Any]]:
        """Return the points moved a little, no two neighbours alike, and mirrored in their domain."""
        table = torch.tensor(value, dtype=torch.float64)
        low, high = torch.tensor(self.domain, dtype=torch.float64).unbind(-1)
        shares = (torch.arange(table.numel()) % 3 / 4 + 0.25).reshape(table.shape)
        goals = low + (high - low) * shares.reshape(len(table), -1)
        mirrored = low + high - table.reshape(len(table), -1)
        near = table + (goals.reshape(table.shape) - table) / 4
        return near.tolist(), mirrored.reshape(table.shape).tolist()

    @classmethod
    def at_random(cls, spec: Mapping[str, Any], draw: random.Random) -> list[Any]:  # noqa: D102
        return [[draw.uniform(*domain) for domain in spec["domain"]] for _ in spec["value"]]

    def to_js(self, value: list[Any]) -> list[list[float]]:
        """Return a list of rows, also for points on a line."""
        return [row if isinstance(row, list) else [row] for row in value]

    def from_js(self, value: Any) -> Any:  # noqa: D102
        return [row[0] for row in value] if len(self.shape) == 1 else value

    def details(self) -> dict[str, Any]:  # noqa: D102
        rows = len(self.to_js(self.values)[0])
        spec = super().details() | {"shape": [self.shape[0], rows], "domain": self.domain}
        spec["labels"] = None if self.labels is None else [str(label) for label in self.labels]
        return spec | ({"flat": True} if len(self.shape) == 1 else {})


@dataclass
class Mask(_Table):
    """A table of True (may attend) and False, toggled cell by cell.

    Args:
        values: the starting mask, of shape (queries, keys).
        axes: what a row and a column are, such as ("layer", "head"), where they are no query and key.

    >>> Mask([[True, False], [True, True]]).values
    [[True, False], [True, True]]
    """

    axes: tuple[str, str] | None = field(default=None, kw_only=True)
    dtype: ClassVar[torch.dtype] = torch.bool
    kind: ClassVar[str] = "mask"

    def moved(self, value: list[Any]) -> tuple[list[Any], list[Any]]:
        """Return the mask with its first and its last cell switched."""
        table = torch.tensor(value)
        ends = torch.zeros(table.numel(), dtype=torch.bool)
        ends[[0, -1]] = True
        other = (table ^ ends.reshape(table.shape)).tolist()
        return other, other

    @classmethod
    def at_random(cls, spec: Mapping[str, Any], draw: random.Random) -> list[Any]:  # noqa: D102
        return [[draw.random() < 0.7 for _ in row] for row in spec["value"]]

    def details(self) -> dict[str, Any]:  # noqa: D102
        return super().details() | ({} if self.axes is None else {"axes": list(self.axes)})


@dataclass
class Matrix(_Table):
    """A table of numbers, typed cell by cell.

    Args:
        values: the starting numbers, of shape (rows, columns).
        min, max: the smallest and largest number that may be typed, or None.
        step: what one press of an arrow key adds.
        labels: one name for each row.
        columns: one name for each column, in place of its number.

    >>> Matrix([[1, 0], [0, 2]], columns=["Ming", "Hong"]).values
    [[1.0, 0.0], [0.0, 2.0]]
    """

    min: float | None = field(default=None, kw_only=True)
    max: float | None = field(default=None, kw_only=True)
    step: float = field(default=0.1, kw_only=True)
    labels: Sequence[str] | None = field(default=None, kw_only=True)
    columns: Sequence[str] | None = field(default=None, kw_only=True)
    kind: ClassVar[str] = "matrix"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.bounded("values", self.values, False)
        if self.labels is not None and len(self.labels) != len(self.values):
            raise ValueError(
                f"a matrix needs one label for each row, got rows={len(self.values)}, "
                f"labels={len(self.labels)}."
            )
        if self.columns is not None and len(self.columns) != self.shape[1]:
            raise ValueError(
                f"a matrix needs one name for each column, got {self.shape[1]} columns, "
                f"names={len(self.columns)}."
            )

    def _bounds(self) -> tuple[float, float]:
        return (
            -math.inf if self.min is None else self.min,
            math.inf if self.max is None else self.max,
        )

    def moved(self, value: list[Any]) -> tuple[list[Any], list[Any]]:
        """Return the numbers moved a little, no two neighbours alike, and mirrored in their bounds."""
        table = torch.tensor(value, dtype=torch.float64)
        low, high = self._bounds()
        steps = (torch.arange(table.numel()) % 3 + 1).reshape(table.shape) / 50
        up = table * 0.9 + steps
        near = torch.where(up.clamp(low, high) == up, up, table * 0.9 - steps).clamp(low, high)
        middle = 0.0 if self.min is None or self.max is None else (self.min + self.max) / 2
        return near.tolist(), (2 * middle - table).clamp(low, high).tolist()

    @classmethod
    def at_random(cls, spec: Mapping[str, Any], draw: random.Random) -> list[Any]:  # noqa: D102
        low = -3 if spec["min"] is None else spec["min"]
        high = 3 if spec["max"] is None else spec["max"]
        return [[draw.uniform(low, high) for _ in row] for row in spec["value"]]

    def bounded(self, name: str, value: list[Any], free: bool) -> list[Any]:  # noqa: D102
        low, high = self._bounds()
        outside = [x for row in value for x in row if not low <= x <= high]
        if outside and not free:
            raise ValueError(f"{name} must lie between {low} and {high}, got {outside[0]}.")
        return value

    def details(self) -> dict[str, Any]:  # noqa: D102
        sides = {"labels": self.labels, "columns": self.columns}
        named = {side: [str(name) for name in names] for side, names in sides.items() if names is not None}
        return super().details() | {"min": self.min, "max": self.max, "step": self.step} | named
