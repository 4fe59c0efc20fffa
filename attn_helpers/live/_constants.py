"""Constants of a Program: which are stored as numbers, and how they come out the same on every machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_helpers.live._graph import Value, replaced
from attn_helpers.live._numbers import raw_bytes
from attn_helpers.live._refusals import random_numbers
from attn_helpers.live.operators import is_supported
from attn_helpers.live.program import run_operator

# only move, compare or repeat numbers: their results are the same on every processor
_EXACT = {
    *("view", "permute", "expand", "select", "slice", "diagonal", "cat", "stack", "where", "full", "repeat"),
    *("squeeze", "unsqueeze", "clone", "index", "index_select", "gather", "select_scatter", "slice_scatter"),
    *("neg", "abs", "relu", "masked_fill", "index_put", "tril", "triu", "embedding", "scalar_tensor", "flip"),
    *(
        "diagonal_scatter",
        "t",
        "transpose",
        "zeros",
        "ones",
        "eye",
        "constant_pad_nd",
        "lift_fresh",
        "detach",
    ),
    *("roll", "maximum", "minimum", "amax", "amin", "copy"),
}
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
_SMALL = 1024  # bytes up to which a constant is always stored
_NODE = 100  # bytes that one operator takes in a Program
_MANY = 30  # operators that a page should not be asked to run for one constant
_BITS = {torch.float32: 21, torch.float64: 42}  # kept after the leading one, of 23 and 52


class Constants:
    """Decides which constants are stored, and computes them.

    Args:
        used: values that operators on inputs use as they are, so that they are stored in any case.
        rounded: whether computed floats are rounded.
    """

    def __init__(self, used: set[Value], *, rounded: bool = True) -> None:
        self._rounded = rounded
        self._used = used
        self._folds: dict[Value, bool] = {}
        self._wide: dict[Value, Tensor] = {}
        self._final: dict[Value, Tensor] = {}
        self._shared: dict[Value, Value] = {}
        self._first: dict[tuple, Value] = {}

    def share(self, value: Value) -> Value:
        """Give one value for all constants that hold the same numbers."""
        if value not in self._shared:
            final = self.final(value)
            key = (final.dtype, final.shape, raw_bytes(final))
            self._shared[value] = self._first.setdefault(key, value)
        return self._shared[value]

    def folds(self, value: Value) -> bool:
        """Tell whether a constant is stored as numbers rather than as the steps that make it."""
        if value not in self._folds:
            self._folds[value] = _size(value) <= _SMALL or not self._steps_are_shorter(value)
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
            cheap = name in _CHEAP or (name in _CHEAP_ON_INTEGERS and not item.dtype.is_floating_point)
            if not cheap or not is_supported(item.node.op):
                if item is value:
                    return False
                leaves += 0 if item in self._used else _size(item)
                continue
            nodes += 1
            if nodes > _MANY:
                return False
            moves = moves and name in _MOVES
            stack += item.node.inputs
        if moves:  # as many numbers either way, and these may be shared with another Program
            return leaves <= _size(value)
        return 2 * (leaves + _NODE * nodes) <= _size(value)

    def final(self, value: Value) -> Tensor:
        """Compute a constant as it is stored.

        A float that was computed, not given, is computed once more in float64 and rounded to a little less
        than float32 holds: what processors do differently in their last bits is then gone. A float64 is
        only rounded.
        """
        if value not in self._final:
            refuse_random(value)
            self._final[value] = self._computed(value)
        return self._final[value]

    def _computed(self, value: Value) -> Tensor:
        plain = self._plain(value)
        if not self._rounded or value.dtype not in _BITS or _is_exact(value):
            return plain
        wide = self._in_float64(value)
        # where float32 was at its limits (inf, cancelled digits) the reader's function saw what float32 gave
        size = plain.abs().amax() if plain.numel() else plain.sum()
        atol = 1e-6 * float(size) if bool(torch.isfinite(size)) else 0.0
        agrees = torch.isclose(wide, plain.double(), rtol=1e-5, atol=atol, equal_nan=True)
        return round_bits(torch.where(agrees, wide, plain.double()), _BITS[value.dtype]).to(value.dtype)

    def _plain(self, value: Value) -> Tensor:
        """Give the numbers as torch computed them while tracing, or compute them now."""
        for item in _parts_first(value, lambda part: part.tensor is not None):
            if item.tensor is None:
                args, kwargs = replaced((item.node.args, item.node.kwargs), Value, lambda part: part.tensor)
                for out, result in zip(item.node.outs, run_operator(item.node.op, args, kwargs), strict=True):
                    out.tensor = result
        return value.tensor.detach()

    def _in_float64(self, value: Value) -> Tensor:
        """Compute a constant with float64 in place of float32.

        Whole numbers and truth values stay those of the float32 run, so that no comparison falls the other
        way.
        """
        wide = self._wide
        for item in _parts_first(value, lambda part: part in wide):
            if item in wide:
                continue
            if item.node is None or item.dtype != torch.float32:
                wide[item] = _widened(self._plain(item))
                continue
            args, kwargs = replaced((item.node.args, item.node.kwargs), Value, wide.__getitem__)
            try:
                results = run_operator(item.node.op, *_wide_dtypes((args, kwargs)))
            except (RuntimeError, TypeError):  # an operator that has no float64, or mixed dtypes
                results = [self._plain(out) for out in item.node.outs]
            for out, result in zip(item.node.outs, results, strict=True):
                wide[out] = _widened(result if out.dtype == torch.float32 else self._plain(out))
        return wide[value].double()


def refuse_random(value: Value) -> None:
    """Complain about a constant that comes from random numbers."""
    for part in _parts_first(value, lambda _: False):
        if part.node is not None and part.node.random:
            raise random_numbers(
                part.node.op, f"on {part.node.line}" if part.node.line else "in the function"
            )


def _is_exact(value: Value) -> bool:
    """Tell whether a constant was only moved about since it was given from outside."""

    def exact(part: Value) -> bool:
        if not part.dtype.is_floating_point:
            return True
        return part.exact if part.node is None else part.node.op.split(".")[1] in _EXACT

    return all(
        map(exact, _parts_first(value, lambda part: not exact(part) or not part.dtype.is_floating_point))
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


def round_bits(numbers: Tensor, bits: int) -> Tensor:
    """Round float64 numbers to so many binary digits after the leading one."""
    mantissa, exponent = torch.frexp(numbers)
    rounded = torch.ldexp(torch.round(mantissa * 2.0 ** (bits + 1)), exponent - (bits + 1))
    return torch.where(torch.isfinite(numbers), rounded, numbers)


def _widened(tensor: Tensor) -> Tensor:
    return tensor.double() if tensor.dtype == torch.float32 else tensor


def _wide_dtypes(tree: Any) -> Any:
    if tree is torch.float32:
        return torch.float64
    if isinstance(tree, dict):
        return {key: _wide_dtypes(item) for key, item in tree.items()}
    return type(tree)(map(_wide_dtypes, tree)) if isinstance(tree, list | tuple) else tree


def _size(value: Value) -> int:
    size = value.dtype.itemsize
    for n in value.shape:
        size *= n
    return size
