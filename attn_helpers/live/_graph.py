"""The parts of a recording: values, and the operators that make them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from attn_helpers.live.errors import Line


@dataclass(eq=False)
class Value:
    """What one tensor held at one moment.

    Args:
        shape: sizes.
        dtype: kind of numbers.
        deps: names of the inputs it depends on; empty for a constant.
        tensor: the numbers, for a constant.
        name: for an input, its name.
        node: the operator that made it, or None (an input, or a tensor found outside).
        index: which result of the operator it is.
        exact: False where the numbers were computed in a way that was not written down.
    """

    shape: tuple[int, ...]
    dtype: torch.dtype
    deps: frozenset[str]
    tensor: Tensor | None = None
    name: str | None = None
    node: Node | None = None
    index: int = 0
    exact: bool = True


@dataclass(eq=False)
class Node:
    """One operator: its name, its arguments with Values for tensors, its results.

    `line` is the reader's line that called it, `origin` the operator there, if that was taken apart.
    """

    op: str
    args: tuple
    kwargs: dict[str, Any] = field(default_factory=dict)
    outs: list[Value] = field(default_factory=list)
    line: Line | None = None
    origin: str | None = None

    def inputs(self) -> Iterator[Value]:
        """Go through the values among the arguments."""
        return values_in((self.args, self.kwargs))


def values_in(tree: Any) -> Iterator[Value]:
    """Go through the values in nested tuples, lists and dicts."""
    if isinstance(tree, Value):
        yield tree
    elif isinstance(tree, dict):
        for item in tree.values():
            yield from values_in(item)
    elif isinstance(tree, list | tuple):
        for item in tree:
            yield from values_in(item)


def replace_values(tree: Any, change: Any) -> Any:
    """Copy nested tuples, lists and dicts with `change(value)` in place of each value."""
    if isinstance(tree, Value):
        return change(tree)
    if isinstance(tree, dict):
        return {key: replace_values(item, change) for key, item in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)(replace_values(item, change) for item in tree)
    return tree
