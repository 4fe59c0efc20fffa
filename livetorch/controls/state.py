"""A tensor that no hand moves, carried from step to step."""

import base64
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import torch

from livetorch.controls.base import Control

_STORED = {torch.float32: "float32", torch.int64: "int64", torch.bool: "bool"}


@dataclass
class State(Control):
    """A tensor that no hand moves: it starts here and is then carried from step to step.

    Args:
        tensor: what the first step gets.

    >>> State(torch.zeros(2, 3)).shape
    (2, 3)
    """

    tensor: torch.Tensor
    kind: ClassVar[str] = "state"

    def __post_init__(self) -> None:
        self.tensor = self.tensor.detach().clone()
        self.shape, self.dtype = tuple(self.tensor.shape), self.tensor.dtype
        if self.dtype not in _STORED:
            raise TypeError(f"a carried tensor must be {', '.join(_STORED.values())}, got {self.dtype}.")

    @property
    def default(self) -> Any:
        """The starting tensor, as nested lists."""
        return self.tensor.tolist()

    def check(self, name: str, value: Any, *, free: bool = False) -> Any:  # noqa: D102
        tensor = torch.as_tensor(value).to(self.dtype)
        if tuple(tensor.shape) != self.shape:
            raise ValueError(f"{name} must have shape {self.shape}, got shape {tuple(tensor.shape)}.")
        return tensor.tolist()

    def to_inputs(self, name: str, value: Any) -> dict[str, torch.Tensor]:  # noqa: D102
        return {name: torch.tensor(value, dtype=self.dtype).reshape(self.shape)}

    def to_js(self, value: Any) -> str:
        """Return the numbers as little-endian bytes in base64: exact, and -inf has a place in it."""
        data = torch.tensor(value, dtype=self.dtype).reshape(-1).numpy()
        return base64.b64encode(data.astype(data.dtype.newbyteorder("<")).tobytes()).decode("ascii")

    def from_js(self, value: Any) -> Any:  # noqa: D102
        data = bytearray(base64.b64decode(value, validate=True))
        flat = torch.frombuffer(data, dtype=self.dtype) if data else torch.empty(0, dtype=self.dtype)
        return flat.reshape(self.shape).tolist()

    def details(self) -> dict[str, Any]:  # noqa: D102
        return {"shape": list(self.shape), "dtype": _STORED[self.dtype]}

    def moved(self, value: Any) -> tuple[Any, Any]:  # noqa: D102
        tensor = torch.tensor(value, dtype=self.dtype)
        other = (tensor * 0.9 + 0.01).tolist() if tensor.is_floating_point() else value
        return other, other

    @classmethod
    def at_random(cls, spec: Mapping[str, Any], draw: random.Random) -> None:  # noqa: D102
        return None
