"""The parts of a recording: values, and the operators that make them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import torch
from torch import Tensor

from livetorch.program.errors import Line

CHECK = "aten._assert_async.msg"  # gives nothing, and stops a page where its number is 0


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
        label: the name of the variable that first held it, or of the tensor from outside that it is.
        learned: whether it is a parameter from outside.
    """

    shape: tuple[int, ...]
    dtype: torch.dtype
    deps: frozenset[str]
    tensor: Tensor | None = None
    name: str | None = None
    node: Node | None = None
    index: int = 0
    label: str | None = None
    learned: bool = False


@dataclass(eq=False)
class Node:
    """One operator: its name, its arguments with Values for tensors, its results.

    `line` is the reader's line that called it, `origin` the operator there, if that was taken apart. A
    `random` one draws its numbers: nothing that a Program needs may come from it.
    `module` is the path of the module of a model in which it ran.
    """

    op: str
    args: tuple
    kwargs: dict[str, Any] = field(default_factory=dict)
    outs: list[Value] = field(default_factory=list)
    line: Line | None = None
    origin: str | None = None
    random: bool = False
    module: str = ""

    @cached_property
    def inputs(self) -> list[Value]:
        """The values among the arguments."""
        return leaves((self.args, self.kwargs), Value)


def made_by(value: Value) -> Node:
    """Give the operator that made a value which is neither an input nor a captured tensor."""
    assert value.node is not None
    return value.node


class Writer(Protocol):
    """What writes operators down, as the memory of tensors sees it: the recorder."""

    place: Callable[[], str]

    def writing(self) -> AbstractContextManager:
        """Write down what runs in this block, and once."""

    def emit(self, op: str, args: tuple, outs: list[Value], kwargs: dict | None = None) -> list[Value]:
        """Write one operator down."""


def leaves(tree: Any, kind: type | tuple[type, ...]) -> list:
    """List the items of a kind in nested tuples, lists and dicts."""
    found: list = []
    waiting = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, kind):
            found.append(item)
        elif isinstance(item, list | tuple):
            waiting += item[::-1]
        elif isinstance(item, dict):
            waiting += reversed(item.values())
    return found


def replaced(tree: Any, kind: type, change: Callable[[Any], Any]) -> Any:
    """Copy nested tuples, lists and dicts with `change(item)` in place of each item of a kind."""
    if isinstance(tree, kind):
        return change(tree)
    if isinstance(tree, dict):
        return {key: replaced(item, kind, change) for key, item in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)([replaced(item, kind, change) for item in tree])
    return tree
