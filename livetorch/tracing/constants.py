"""Constants of a Program: which are stored as numbers, and what they hold."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from livetorch.program.encoding import Constant, raw_bytes
from livetorch.program.operators import is_supported
from livetorch.program.program import run_operator
from livetorch.tracing.graph import Value, leaves, made_by, replaced
from livetorch.tracing.reader.refusals import random_numbers

# what a page may compute itself rather than load: cheap, and exact
_MOVES = {"view", "permute"}
_CHEAP = {
    *_MOVES,
    *(
        "expand",
        "select",
        "slice",
        "full",
        "repeat",
        "unsqueeze",
        "_to_copy",
        "tril",
        "triu",
        "where",
        "diagonal",
    ),
    *(
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "logical_and",
        "logical_or",
        "logical_not",
        "bitwise_and",
        "bitwise_or",
    ),
    *("bitwise_not", "cat", "stack", "ones", "zeros", "eye"),
}
_CHEAP_ON_INTEGERS = {"arange", "add", "sub", "rsub", "mul", "abs", "neg"}
_CORNER = 4  # numbers along each axis
_SMALL = 1024  # bytes up to which a constant is always stored
_NODE = 100  # bytes that one operator takes in a Program
_MANY = 30  # operators that a page should not be asked to run for one constant


class Constants:
    """Decides which constants are stored, and computes them.

    Args:
        used: values that operators on inputs use as they are, so that they are stored in any case.
        known: constants of another Program, which are not stored a second time.
    """

    def __init__(self, used: set[Value], known: Iterable[Constant] = ()) -> None:
        self._known: dict[tuple, list[Constant]] = {}
        for each in known:
            self._known.setdefault(_glance(each.tensor), []).append(each)
        self._used = used
        self._folds: dict[Value, bool] = {}
        self._checked: set[Value] = set()
        self._shared: dict[Value, Value] = {}
        self._alike: dict[tuple, list[Value]] = {}

    def share(self, value: Value) -> Value:
        """Give one value for all constants that hold the same numbers."""
        if value not in self._shared:
            final = self.final(value)
            alike = self._alike.setdefault(_glance(final), [])
            equal = (other for other in alike if raw_bytes(self.final(other)) == raw_bytes(final))
            self._shared[value] = next(equal, value)
            if self._shared[value] is value:
                alike.append(value)
        return self._shared[value]

    def stored(self, value: Value) -> Constant:
        """Give a constant as a Program keeps it."""
        final = self.final(value)
        equal = (each for each in self._known.get(_glance(final), []) if torch.equal(each.tensor, final))
        return next(equal, None) or Constant.of(final)

    def folds(self, value: Value) -> bool:
        """Tell whether a constant is stored as numbers rather than as the steps that make it."""
        if value not in self._folds:
            small = _size(value) <= _SMALL
            self._folds[value] = not _is_lookup(value) and (small or not self._steps_are_shorter(value))
        return self._folds[value]

    def _steps_are_shorter(self, value: Value) -> bool:
        leaves, nodes, seen, stack = 0, 0, set(), [value]
        moves = True
        while stack:
            item = stack.pop()
            if item in seen:
                continue
            seen.add(item)
            name = item.node.op.split(".")[1] if item.node else ""
            cheap = name in _CHEAP or (name in _CHEAP_ON_INTEGERS and _is_exact(item))
            if not cheap or not is_supported(made_by(item).op):
                if item is value:
                    return False
                leaves += 0 if item in self._used else _size(item)
                continue
            nodes += 1
            if nodes > _MANY:
                return False
            moves = moves and name in _MOVES
            stack += made_by(item).inputs
        if moves:  # as many numbers either way, and these may be shared with another Program
            return leaves <= _size(value)
        return 2 * (leaves + _NODE * nodes) <= _size(value)

    def final(self, value: Value) -> Tensor:
        """Give the numbers as torch computed them while tracing, or compute them now."""
        if value not in self._checked:
            refuse_random(value)
            self._checked.add(value)
        for item in _parts_first(value, lambda part: part.tensor is not None):
            if item.tensor is None:
                node = made_by(item)
                args, kwargs = replaced((node.args, node.kwargs), Value, lambda part: part.tensor)
                for out, result in zip(node.outs, run_operator(node.op, args, kwargs), strict=True):
                    out.tensor = result
        assert value.tensor is not None
        return value.tensor.detach()


def _glance(tensor: Tensor) -> tuple:
    """Give what tells most tensors apart without looking at all their numbers."""
    return tensor.dtype, tensor.shape, raw_bytes(tensor[(slice(_CORNER),) * tensor.ndim])


def _is_exact(value: Value) -> bool:
    """Tell whether whole numbers were made of whole ones (torch changed what int64 `arange(4.5)` gives)."""
    node = made_by(value)
    numbers = leaves((node.args, node.kwargs), float)
    return not value.dtype.is_floating_point and all(number.is_integer() for number in numbers)


def refuse_random(value: Value) -> None:
    """Complain about a constant that comes from random numbers."""
    for part in _parts_first(value, lambda _: False):
        if part.node is not None and part.node.random:
            raise random_numbers(
                part.node.op, f"on {part.node.line}" if part.node.line else "in the function"
            )


def _parts_first(value: Value, done: Callable[[Value], bool]) -> list[Value]:
    """List a constant and what it is made of, parts first; parts that are `done` are not looked into."""
    order: list[Value] = []
    seen: set[Value] = set()
    stack = [(value, False)]
    while stack:
        item, ready = stack.pop()
        if ready:
            order.append(item)
        elif item not in seen:
            seen.add(item)
            stack.append((item, True))
            if item.node is not None and not done(item):
                stack += ((part, False) for part in item.node.inputs)
    return order


def _is_lookup(value: Value) -> bool:
    """Tell whether rows were picked from a small table that has a name, in which a reader finds them."""
    if value.node is None or value.node.op != "aten.index.Tensor":
        return False
    table, rows = value.node.args
    known = table.node is None and table.label is not None and _size(table) <= _SMALL
    return bool(known and len(table.shape) == 2 and len(rows) == 1 and rows[0].dtype == torch.int64)


def _size(value: Value) -> int:
    size = value.dtype.itemsize
    for n in value.shape:
        size *= n
    return size
