"""From a recording to a Program: constants computed once, dead and double work left out, everything numbered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from attn_helpers.live._graph import Node, Value, replace_values, values_in
from attn_helpers.live.errors import UnsupportedOperatorError
from attn_helpers.live.operators import is_supported
from attn_helpers.live.program import DTYPES, Constant, Input, Operation, Program, run_operator

# only move, compare or repeat numbers: their results are the same on every processor
_EXACT = {
    *(
        "view",
        "permute",
        "expand",
        "select",
        "slice",
        "diagonal",
        "cat",
        "stack",
        "where",
        "full",
        "repeat",
        "flip",
    ),
    *(
        "squeeze",
        "unsqueeze",
        "clone",
        "index",
        "index_select",
        "gather",
        "select_scatter",
        "slice_scatter",
        "roll",
    ),
    *(
        "neg",
        "abs",
        "relu",
        "masked_fill",
        "index_put",
        "tril",
        "triu",
        "one_hot",
        "embedding",
        "scalar_tensor",
    ),
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
}
# what a page may compute itself rather than load: cheap, and exact
_CHEAP = {
    *("view", "permute", "expand", "select", "slice", "full", "repeat", "arange", "unsqueeze", "_to_copy"),
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
    *(
        "bitwise_not",
        "tril",
        "triu",
        "where",
        "add",
        "sub",
        "diagonal",
        "cat",
        "stack",
        "ones",
        "zeros",
        "eye",
    ),
}
_SMALL = 1024  # bytes under which a constant is always stored
_NODE = 100  # bytes one operator costs in a Program


def build(nodes: list[Node], inputs: list[Value], outputs: dict[str, Value], store: str | None) -> Program:
    """Make a Program of what was recorded.

    Args:
        nodes: the operators in the order in which they ran.
        inputs: the values of the inputs.
        outputs: the values of the outputs by name.
        store: "float16" to keep float32 constants in half the space, or None.

    Returns:
        the Program.

    Raises:
        UnsupportedOperatorError: an operator is left that the runtime does not have.
    """
    constants = _Constants()
    live = _live(nodes, outputs.values(), constants)
    same: dict[Value, Value] = {}
    kept: list[Node] = []
    seen: dict[str, Node] = {}
    names: dict[Value, str] = {value: f"input {i}" for i, value in enumerate(inputs)}

    def resolve(value: Value) -> Value:
        return same.get(value, value) if value.node in live or value.name else constants.share(value)

    for node in nodes:
        if node not in live:
            continue
        new = _shortened(
            Node(node.op, *replace_values((node.args, node.kwargs), resolve), node.outs, node.line)
        )
        if isinstance(new, Value):
            same[node.outs[0]] = new
            continue
        key = _key(new, names)
        if key in seen:
            same.update(zip(node.outs, seen[key].outs, strict=True))
            continue
        seen[key] = new
        for i, out in enumerate(node.outs):
            names[out] = f"{len(seen)}.{i}"
            out.node = new
        live[new] = None
        kept.append(new)
    return _numbered(
        kept, inputs, {name: resolve(value) for name, value in outputs.items()}, constants, store
    )


def _live(nodes: list[Node], outputs: Iterable[Value], constants: _Constants) -> dict[Node, None]:
    """Find the operators that the outputs need and that are not folded away."""
    needed = set(outputs)
    constants.stored = {v for v in _reached(nodes, needed) if v.node is None and not v.deps and not v.name}
    live: dict[Node, None] = {}
    for node in reversed(nodes):
        wanted = [out for out in node.outs if out in needed]
        if wanted and (wanted[0].deps or not all(constants.folds(out) for out in wanted)):
            live[node] = None
            needed.update(node.inputs())
    return live


def _reached(nodes: list[Node], needed: Iterable[Value]) -> set[Value]:
    """Find the values that operators on inputs use directly."""
    reached = set(needed)
    for node in reversed(nodes):
        if any(out in reached and out.deps for out in node.outs):
            reached.update(node.inputs())
    return reached


def _shortened(node: Node) -> Node | Value:
    """Leave out a step where two in a row are one, or one is none."""
    base = node.args[0] if node.args else None
    if not isinstance(base, Value):
        return node
    before = base.node
    if node.op == "aten.view.default":
        if before is not None and before.op == node.op and base in before.outs:
            base = before.args[0]
        if tuple(node.args[1]) == base.shape:
            return base
        return Node(node.op, (base, node.args[1]), {}, node.outs, node.line)
    if node.op == "aten.permute.default" and list(node.args[1]) == list(range(len(node.args[1]))):
        return base
    if node.op == "aten.expand.default" and tuple(node.args[1]) == base.shape:
        return base
    return node


def _key(node: Node, names: dict[Value, str]) -> str:
    def name(value: Value) -> str:
        return names.setdefault(value, f"constant {len(names)}")

    return repr((node.op, replace_values((node.args, node.kwargs), name)))


def _numbered(
    nodes: list[Node],
    inputs: list[Value],
    outputs: dict[str, Value],
    constants: _Constants,
    store: str | None,
) -> Program:
    needed = set(outputs.values())
    kept = []
    for node in reversed(nodes):  # shortening can leave dead steps
        if any(out in needed for out in node.outs):
            needed.update(node.inputs())
            kept.append(node)
    kept.reverse()
    made = {out for node in kept for out in node.outs} | set(inputs)
    numbers = {value: i for i, value in enumerate(inputs)}
    stored: list[Constant] = []
    for value in (*(v for node in kept for v in values_in((node.args, node.kwargs))), *outputs.values()):
        if value not in made and value not in numbers:
            numbers[value] = len(inputs) + len(stored)
            stored.append(Constant.of(constants.final(value), store))
    operations = []
    for node in kept:
        _check(node)
        args, kwargs = (_plain(part, numbers) for part in (node.args, node.kwargs))
        operations.append(Operation(node.op, args, kwargs, len(node.outs)))
        for out in node.outs:
            numbers[out] = len(numbers)
    return Program(
        tuple(Input(value.name, value.shape, value.dtype) for value in inputs),
        tuple(stored),
        tuple(operations),
        {name: numbers[value] for name, value in outputs.items()},
    )


def _check(node: Node) -> None:
    where = f", used on {node.line}" if node.line else ""
    if not is_supported(node.op):
        raise UnsupportedOperatorError(
            f"the page's runtime has no operator {node.op}{where}. Write it with other operators, "
            "or compute it outside the function."
        )
    for value in (*node.outs, *node.inputs()):
        if value.dtype not in DTYPES:
            raise UnsupportedOperatorError(
                f"{node.op} works with {value.dtype}{where}, which the page's runtime does not have. "
                f"It has {', '.join(DTYPES.values())}."
            )


def _plain(tree: Any, numbers: dict[Value, int]) -> Any:
    return replace_values(tree, lambda value: {"v": numbers[value]})


class _Constants:
    """Decides which constants are stored, and computes them."""

    def __init__(self) -> None:
        self.stored: set[Value] = set()
        self._folds: dict[Value, bool] = {}
        self._wide: dict[Value, Tensor] = {}
        self._final: dict[Value, Tensor] = {}
        self._shared: dict[tuple, Value] = {}

    def share(self, value: Value) -> Value:
        """Give one value for all constants that hold the same numbers."""
        final = self.final(value)
        key = (final.dtype, tuple(final.shape), _bytes(final))
        return self._shared.setdefault(key, value)

    def folds(self, value: Value) -> bool:
        """Tell whether a constant is stored as numbers rather than as the steps that make it."""
        if value not in self._folds:
            size = _size(value)
            self._folds[value] = size <= _SMALL or self._cost(value, size) is None
        return self._folds[value]

    def _cost(self, value: Value, limit: float) -> int | None:
        """Bytes that the steps to a constant take, or None where they save nothing or may not be kept."""
        seen: set[Value | Node] = set()
        total, stack, moves = 0, [value], True
        while stack:
            item = stack.pop()
            if item in seen or (item.node is not None and item.node in seen):
                continue
            seen.add(item.node or item)
            if item.node is None:
                total += 0 if item in self.stored else _size(item)
                if not item.exact:
                    return None
            else:
                if item.node.op.split(".")[1] not in _CHEAP or not is_supported(item.node.op):
                    return None
                if item.dtype.is_floating_point and item.node.op.split(".")[1] in ("add", "sub", "arange"):
                    return None
                total += _NODE
                moves = moves and item.node.op in ("aten.view.default", "aten.permute.default")
                stack += item.node.inputs()
            # moving numbers about costs nothing to speak of, and the numbers may be needed elsewhere
            if total - (_NODE * len(seen) if moves else 0) > limit / (1 if moves else 2):
                return None
        return total

    def final(self, value: Value) -> Tensor:
        """Compute a constant as it is stored."""
        if value not in self._final:
            self._final[value] = self._computed(value)
        return self._final[value]

    def _computed(self, value: Value) -> Tensor:
        plain = self._plain(value)
        if value.dtype != torch.float32 or self._is_exact(value):
            return plain
        wide = self._in_float64(value)
        agree = torch.isclose(
            wide,
            plain.double(),
            rtol=1e-5,
            atol=1e-7 * float(plain.abs().max() if plain.numel() else 0),
            equal_nan=True,
        )
        return round_bits(torch.where(agree, wide, plain.double()), 20)

    def _plain(self, value: Value) -> Tensor:
        for item in _order(value, lambda v: v.tensor is not None):
            if item.tensor is None:
                results = run_operator(
                    item.node.op, *replace_values((item.node.args, item.node.kwargs), lambda v: v.tensor)
                )
                for out, result in zip(item.node.outs, results, strict=True):
                    out.tensor = result
        return value.tensor.detach()

    def _is_exact(self, value: Value) -> bool:
        return all(
            item.exact
            if item.node is None
            else item.node.op.split(".")[1] in _EXACT or not item.dtype.is_floating_point
            for item in _order(value, lambda v: not v.dtype.is_floating_point)
        )

    def _in_float64(self, value: Value) -> Tensor:
        """Compute a float32 constant in float64: what processors do differently is then far below the rounding.

        Whole numbers and truth values stay those of the float32 run, so that no comparison falls the other way.
        """
        wide = self._wide
        for item in _order(value, lambda v: v in wide):
            if item in wide:
                continue
            if item.dtype != torch.float32 or item.node is None:
                wide[item] = _widened(self._plain(item))
                continue
            args, kwargs = replace_values((item.node.args, item.node.kwargs), wide.__getitem__)
            try:
                results = run_operator(item.node.op, *_wide_dtypes((args, kwargs)))
            except (RuntimeError, TypeError):
                results = [self._plain(out) for out in item.node.outs]
            for out, result in zip(item.node.outs, results, strict=True):
                wide[out] = _widened(result if out.dtype == torch.float32 else self._plain(out))
        return wide[value].double()


def _order(value: Value, done: Any) -> list[Value]:
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
                stack += ((part, False) for part in item.node.inputs())
    return order


def _widened(tensor: Tensor) -> Tensor:
    return tensor.double() if tensor.dtype == torch.float32 else tensor


def _wide_dtypes(tree: Any) -> Any:
    if tree is torch.float32:
        return torch.float64
    if isinstance(tree, dict):
        return {key: _wide_dtypes(item) for key, item in tree.items()}
    return type(tree)(map(_wide_dtypes, tree)) if isinstance(tree, list | tuple) else tree


def round_bits(numbers: Tensor, bits: int) -> Tensor:
    """Round float64 numbers to so many bits after the leading one, as float32."""
    mantissa, exponent = torch.frexp(numbers)
    rounded = torch.ldexp(torch.round(mantissa * 2 ** (bits + 1)), exponent - (bits + 1))
    return torch.where(torch.isfinite(numbers), rounded, numbers).float()


def _size(value: Value) -> int:
    size = value.dtype.itemsize
    for n in value.shape:
        size *= n
    return size


def _bytes(tensor: Tensor) -> bytes:
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
