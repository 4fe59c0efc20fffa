"""A Program: a torch function as a short list of operators and constants, that a web page can run.

The JSON form is described in book/live_format.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from livetorch.program.encoding import Constant, decoded, dtype_name, dtype_named, encoded
from livetorch.program.errors import InputError, ProgramFormatError
from livetorch.program.operators import operator, ordered
from livetorch.program.source import Source

FORMAT = "livetorch/program"
VERSION = 2
_READ = (1, 2)  # version 1 says nothing of where the values come from


@dataclass(frozen=True)
class Input:
    """An input of a Program: name, shape and dtype."""

    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype


@dataclass(frozen=True)
class Operation:
    """One operator: name, arguments ({"v": n} is value n), number of results."""

    op: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    outs: int = 1


@dataclass(frozen=True)
class Program:
    """A torch function of named inputs as a list of operators.

    Values have numbers: the inputs, then the constants, then the results of the operators in order.

    Args:
        inputs: what goes in.
        constants: numbers that come with it.
        nodes: the operators in the order in which they run.
        outputs: for each output's name the number of its value.
        source: where the values come from in the function that was traced, if that is known.

    >>> from livetorch import trace
    >>> program = trace(lambda x: x + torch.ones(2), x=torch.zeros(2))
    >>> len(program.inputs), len(program.constants), len(program.nodes), program.outputs
    (1, 1, 1, {'output': 2})
    """

    inputs: tuple[Input, ...]
    constants: tuple[Constant, ...]
    nodes: tuple[Operation, ...]
    outputs: dict[str, int]
    source: Source | None = field(default=None, compare=False)

    def run(self, /, **inputs: Any) -> dict[str, Tensor]:
        """Run in torch.

        Source: the values are those of the torch operators.

        Args:
            inputs: a tensor of the input's shape and dtype, or a number or nested list, for each input.
        Returns: the outputs by name.
        Raises:
            InputError: a name is unknown or missing, or a shape or dtype does not fit.

        >>> from livetorch import trace
        >>> program = trace(lambda width: 2 * width, width=1.0)
        >>> program.run(width=3.0)
        {'output': tensor(6.)}
        """
        return self.run_by(inputs, run_operator)

    def run_by(self, inputs: Mapping[str, Any], run: Callable[..., Iterable[Tensor]]) -> dict[str, Tensor]:
        """Run in torch, with something in place of `run_operator`."""
        self._check_names(inputs)
        with torch.no_grad():
            values = [_as_input(spec, inputs[spec.name]) for spec in self.inputs]
            values += [constant.tensor for constant in self.constants]
            given = len(values)
            for node in self.nodes:
                kwargs = {key: _filled(value, values) for key, value in node.kwargs.items()}
                values += run(node.op, _filled(node.args, values), kwargs)
            # a result that is an input or a constant is copied: writing to it must not change that
            return {
                name: values[number].clone() if number < given else values[number]
                for name, number in self.outputs.items()
            }

    def stored_as(self, store: str) -> Program:
        """Give the same Program with its float32 constants kept in half the space: store is "float16"."""
        return replace(self, constants=tuple(Constant.of(each.tensor, store) for each in self.constants))

    def __repr__(self) -> str:
        inputs = ", ".join(f"{i.name} {dtype_name(i.dtype)}{list(i.shape)}" for i in self.inputs)
        outputs = ", ".join(self.outputs)
        return f"Program({inputs or 'no inputs'}; {len(self.nodes)} operators; {outputs})"

    def _check_names(self, inputs: Mapping[str, Any]) -> None:
        names = [spec.name for spec in self.inputs]
        missing = [name for name in names if name not in inputs]
        unknown = [name for name in inputs if name not in names]
        if missing or unknown:
            faults = [
                f"{word} {', '.join(found)}"
                for word, found in (("missing", missing), ("unknown", unknown))
                if found
            ]
            raise InputError(
                f"the inputs of this Program are {', '.join(names) or 'none'}; {'; '.join(faults)}."
            )

    def to_dict(self, pool: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """Write as a JSON-ready dict.

        Args:
            pool: a list that collects the constants of several Programs, each once; the Program then holds
                {"pool": place} instead of numbers. None keeps the numbers in the Program.
        Returns: the dict described in book/live_format.md.
        """
        written = {
            "format": FORMAT,
            "version": VERSION,
            "inputs": [
                {"name": spec.name, "shape": list(spec.shape), "dtype": dtype_name(spec.dtype)}
                for spec in self.inputs
            ],
            "constants": [_pooled(constant.to_dict(), pool) for constant in self.constants],
            "nodes": [_written(node) for node in self.nodes],
            "outputs": [{"name": name, "value": number} for name, number in self.outputs.items()],
        }
        source = self.source.to_dict(pool) if self.source else {}  # of constants alone nothing is written
        return written | {"source": source} if source else written

    def to_json(self) -> str:
        """Write as JSON text; the same Program gives the same text."""
        return json.dumps(self.to_dict(), separators=(",", ":"), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | Mapping[str, Any], pool: list[dict[str, Any]] | None = None) -> Program:
        """Read what `to_json` or `to_dict` wrote.

        Args:
            text: JSON text, or the dict.
            pool: the list that `to_dict` filled, where it was given one.
        Returns: the Program.
        Raises:
            ProgramFormatError: not a Program, or of a version that is not known here.
        """
        try:
            spec = json.loads(text) if isinstance(text, str) else text
            if spec.get("format") != FORMAT or spec.get("version") not in _READ:
                got = f"format={spec.get('format')!r}, version={spec.get('version')!r}"
                raise ProgramFormatError(
                    f"a Program must have format {FORMAT!r} and version 1 or {VERSION}, got {got}."
                )
            return cls(
                tuple(Input(i["name"], tuple(i["shape"]), dtype_named(i["dtype"])) for i in spec["inputs"]),
                tuple(
                    Constant.from_dict((pool or [])[c["pool"]] if "pool" in c else c)
                    for c in spec["constants"]
                ),
                tuple(
                    Operation(
                        n["op"],
                        tuple(decoded(n["args"])),
                        {k: decoded(v) for k, v in n.get("kwargs", {}).items()},
                        n.get("outs", 1),
                    )
                    for n in spec["nodes"]
                ),
                {out["name"]: out["value"] for out in spec["outputs"]},
                Source.from_dict(spec["source"], pool) if "source" in spec else None,
            )
        except (KeyError, TypeError, AttributeError, IndexError, json.JSONDecodeError) as fault:
            raise ProgramFormatError(f"this is not a Program: {type(fault).__name__}: {fault}.") from fault


def _written(node: Operation) -> dict[str, Any]:
    """Write an operator; without keyword arguments, or with one result, it says nothing of them."""
    kwargs = {"kwargs": {k: encoded(v) for k, v in node.kwargs.items()}} if node.kwargs else {}
    outs = {"outs": node.outs} if node.outs != 1 else {}
    return {"op": node.op, "args": encoded(node.args), **kwargs, **outs}


def run_operator(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Tensor]:
    """Run one operator of a Program and list its results."""
    if name == "aten.view.default":  # in a Program a view is the elements in reading order, wherever they lie
        return [args[0].reshape(args[1])]
    out = ordered(operator(name))(*args, **kwargs)
    return list(out) if isinstance(out, list | tuple) else [] if out is None else [out]


class Repeated:
    """Runs operators for one Program after another: what the one before did with the same tensors, not again.

    >>> repeated, numbers = Repeated(), torch.ones(2)
    >>> first = repeated.run("aten.exp.default", (numbers,), {})
    >>> repeated.begin()
    >>> repeated.run("aten.exp.default", (numbers,), {}) is first
    True
    """

    def __init__(self) -> None:
        self._before: dict[str, tuple[Any, list[Tensor]]] = {}  # held, so that no other tensor has an id
        self._now: dict[str, tuple[Any, list[Tensor]]] = {}

    def begin(self) -> None:
        """Forget what no Program but those before the last did."""
        self._before, self._now = self._now, {}

    def run(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Tensor]:
        """Do what `run_operator` does."""
        key = repr((name, _identified(args), _identified(list(kwargs.items()))))
        held = self._before.get(key) or ((args, kwargs), run_operator(name, args, kwargs))
        self._now[key] = held
        return held[1]


def _identified(tree: Any) -> Any:
    if isinstance(tree, Tensor):
        return f"tensor {id(tree)}"
    return [_identified(item) for item in tree] if isinstance(tree, list | tuple) else tree


def _as_input(spec: Input, value: Any) -> Tensor:
    if not isinstance(value, Tensor):
        try:
            tensor = torch.as_tensor(value)
        except (TypeError, ValueError, RuntimeError):
            raise InputError(
                f"{spec.name} must be a tensor or numbers, got {type(value).__name__}."
            ) from None
        # a whole number may stand for a float; the other way round something would be lost
        fits = spec.dtype.is_floating_point or torch.equal(tensor.to(spec.dtype).to(tensor.dtype), tensor)
        value = tensor.to(spec.dtype) if fits else tensor
    got = dtype_name(value.dtype)
    if value.dtype != spec.dtype:
        raise InputError(f"{spec.name} must have dtype {dtype_name(spec.dtype)}, got {got}.")
    if tuple(value.shape) != spec.shape:
        raise InputError(f"{spec.name} must have shape {spec.shape}, got {tuple(value.shape)}.")
    return value


def _pooled(constant: dict[str, Any], pool: list[dict[str, Any]] | None) -> dict[str, Any]:
    if pool is None:
        return constant
    if constant not in pool:
        pool.append(constant)
    return {"pool": pool.index(constant)}


def _filled(tree: Any, values: list[Tensor]) -> Any:
    if isinstance(tree, dict):
        return values[tree["v"]]
    return type(tree)(_filled(item, values) for item in tree) if isinstance(tree, list | tuple) else tree
