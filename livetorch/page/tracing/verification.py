"""Other inputs on which a Program must give what its function gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Move:
    """Inputs besides the example; ``said`` is the setting in words."""

    inputs: Mapping[str, Any]
    said: str = ""
    reachable: bool = False
