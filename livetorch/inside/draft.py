"""A Program opened for changes: operators put in, outputs chosen, and what nobody needs left out again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from livetorch.program.encoding import Constant
from livetorch.program.program import Input, Operation, Program
from livetorch.program.source import Source


@dataclass(eq=False)
class Made:
    """One operator of a draft; its results are known by their keys."""

    op: str
    args: Any
    kwargs: dict[str, Any]
    outs: list[int]
    module: str = ""


def numbers_in(tree: Any) -> list[int]:
    """List the values that arguments name.

    >>> numbers_in(({"v": 3}, [{"v": 1}, 2]))
    [3, 1]
    """
    if isinstance(tree, Mapping):
        return [tree["v"]] if set(tree) == {"v"} else [n for item in tree.values() for n in numbers_in(item)]
    return [n for item in tree for n in numbers_in(item)] if isinstance(tree, list | tuple) else []


def renumbered(tree: Any, numbers: Mapping[int, int]) -> Any:
    """Copy arguments with other numbers of values.

    >>> renumbered(({"v": 3}, 2), {3: 0})
    ({'v': 0}, 2)
    """
    if isinstance(tree, Mapping):
        if set(tree) == {"v"}:
            return {"v": numbers.get(tree["v"], tree["v"])}
        return {key: renumbered(item, numbers) for key, item in tree.items()}
    return type(tree)(renumbered(item, numbers) for item in tree) if isinstance(tree, list | tuple) else tree


@dataclass
class Draft:
    """The parts of a Program by keys that stay: those of its values, and new ones for what is added.

    >>> from livetorch import trace
    >>> draft = Draft.of(trace(lambda x: x + 1, x=torch.ones(2)))
    >>> twice = draft.add("aten.mul.Scalar", [{"v": draft.outputs["output"]}, 2])
    >>> draft.program({"twice": twice}).run(x=torch.ones(2))
    {'twice': tensor([4., 4.])}
    """

    inputs: dict[int, Input]
    constants: dict[int, Constant]
    nodes: list[Made]
    outputs: dict[str, int]
    names: dict[int, str]
    learned: frozenset[int] = frozenset()
    _next: int = field(default=0)

    @classmethod
    def of(cls, program: Program) -> Draft:
        """Open a Program."""
        key = len(program.inputs)
        inputs = dict(enumerate(program.inputs))
        constants = {key + i: constant for i, constant in enumerate(program.constants)}
        key += len(constants)
        source = program.source or Source()
        modules = source.modules or [""] * len(program.nodes)
        nodes = []
        for node, module in zip(program.nodes, modules, strict=True):
            if node.outs:  # a check gives nothing
                nodes.append(Made(node.op, node.args, node.kwargs, list(range(key, key + node.outs)), module))
            key += node.outs
        names = dict(source.names)
        return cls(inputs, constants, nodes, dict(program.outputs), names, frozenset(source.learned), key)

    def input(self, name: str, shape: Iterable[int], dtype: torch.dtype) -> int:
        """Give the key of an input, which is added if there is none of the name."""
        for key, spec in self.inputs.items():
            if spec.name == name:
                return key
        key = self._fresh()
        self.inputs[key] = Input(name, tuple(shape), dtype)
        return key

    def constant(self, tensor: Tensor) -> int:
        """Add a constant."""
        key = self._fresh()
        self.constants[key] = Constant.of(tensor)
        return key

    def fix(self, name: str, tensor: Tensor) -> None:
        """Make a constant of an input."""
        for key, spec in list(self.inputs.items()):
            if spec.name == name:
                del self.inputs[key]
                self.constants[key] = Constant.of(tensor)
                self.names.setdefault(key, name)

    def add(
        self, op: str, args: Any, kwargs: dict[str, Any] | None = None, before: Made | None = None
    ) -> int:
        """Add an operator with one result, at the end or before another one."""
        key = self._fresh()
        made = Made(op, tuple(args), kwargs or {}, [key], before.module if before else "")
        self.nodes.insert(self.nodes.index(before) if before else len(self.nodes), made)
        return key

    def program(self, outputs: Mapping[str, int]) -> Program:
        """Write a Program of what these outputs need; all inputs that an operator reads stay."""
        needed, kept = set(outputs.values()), []
        for node in reversed(self.nodes):
            if needed.intersection(node.outs):
                needed.update(numbers_in((node.args, node.kwargs)))
                kept.append(node)
        kept.reverse()
        inputs = [key for key in self.inputs if key in needed]
        constants = [key for key in self.constants if key in needed]
        order = [*inputs, *constants, *(out for node in kept for out in node.outs)]
        numbers = {key: i for i, key in enumerate(order)}
        return Program(
            tuple(self.inputs[key] for key in inputs),
            tuple(self.constants[key] for key in constants),
            tuple(
                Operation(
                    node.op,
                    renumbered(node.args, numbers),
                    renumbered(node.kwargs, numbers),
                    len(node.outs),
                )
                for node in kept
            ),
            {name: numbers[key] for name, key in outputs.items()},
            Source(
                names={numbers[key]: name for key, name in sorted(self.names.items()) if key in numbers},
                learned=tuple(numbers[key] for key in sorted(self.learned) if key in numbers),
                modules=tuple(node.module for node in kept),
            ),
        )

    def _fresh(self) -> int:
        self._next += 1
        return self._next - 1
