"""From a recording to a Program: dead and double work left out, constants folded, everything numbered."""

from collections.abc import Iterable
from dataclasses import replace

from livetorch.program.encoding import DTYPES, Constant, dtype_name
from livetorch.program.errors import UnsupportedOperatorError
from livetorch.program.operators import is_supported
from livetorch.program.program import Input, Operation, Program
from livetorch.tracing.constants import Constants
from livetorch.tracing.graph import CHECK, Node, Value, replaced
from livetorch.tracing.reader.sources import source_of


def build(
    nodes: list[Node],
    inputs: list[Value],
    outputs: dict[str, Value],
    known: Iterable[Constant] = (),
) -> Program:
    """Make a Program of what was recorded.

    Args:
        nodes: the operators in the order in which they ran.
        inputs: the values of the inputs.
        outputs: the values of the outputs by name.
        known: constants of another Program of the same model.
    Returns: the Program.
    Raises:
        UnsupportedOperatorError: an operator is left that the runtime does not have.
    """
    constants = Constants(_used_constants(nodes, outputs.values()), known)
    live = _live(nodes, outputs.values(), constants)
    same: dict[Value, Value] = {}

    def resolve(value: Value) -> Value:
        if value.name is None and (value.node is None or value.node not in live):
            return constants.share(value)
        return same.get(value, value)

    made_by: dict[Value, Node] = {}
    seen: dict[str, Node] = {}
    names: dict[Value, str] = {}
    kept = []
    for node in (node for node in nodes if node in live):
        args, kwargs = replaced((node.args, node.kwargs), Value, resolve)
        new = _shortened(replace(node, args=args, kwargs=kwargs), made_by)
        if isinstance(new, Value):
            _keep_name(node.outs[0], new)
            same[node.outs[0]] = new
            continue
        earlier = seen.setdefault(_key(new, names), new)
        if earlier is not new:
            for out, first in zip(node.outs, earlier.outs, strict=True):
                _keep_name(out, first)
                same[out] = first
            continue
        made_by.update(dict.fromkeys(new.outs, new))
        kept.append(new)
    return _numbered(kept, inputs, {name: resolve(value) for name, value in outputs.items()}, constants)


def _keep_name(dropped: Value, kept: Value) -> None:
    if kept.name is None and kept.label is None:
        kept.label = dropped.label


def _used_constants(nodes: list[Node], outputs: Iterable[Value]) -> set[Value]:
    """Find the constants from outside that operators on inputs use as they are."""
    needed = set(outputs)
    for node in reversed(nodes):
        if node.op == CHECK or any(out in needed and out.deps for out in node.outs):
            needed.update(node.inputs)
    return {value for value in needed if value.node is None and value.name is None}


def _live(nodes: list[Node], outputs: Iterable[Value], constants: Constants) -> set[Node]:
    """Find the operators that the outputs need and that are not folded away."""
    needed = set(outputs)
    live = set()
    for node in reversed(nodes):
        wanted = [out for out in node.outs if out in needed]
        if node.op == CHECK or any(out.deps or not constants.folds(out) for out in wanted):
            live.add(node)
            needed.update(node.inputs)
    return live


PLACES = {"aten.slice.Tensor": "aten.slice_scatter.default", "aten.select.int": "aten.select_scatter.default"}


def _before_writes(node: Node, made_by: dict[Value, Node]) -> Node | Value:
    """Read a part from before writes into others; after a write into all of it, it is what was written."""
    base, *place = node.args
    if node.op == "aten.select.int" and (part := _of_joined(made_by.get(base), *place)) is not None:
        return _shortened(
            replace(node, op="aten.view.default", args=(part, list(node.outs[0].shape))), made_by
        )
    while (write := made_by.get(base)) is not None and write.op == PLACES[node.op]:
        whole, written, *there = write.args
        if place == there and written.dtype == whole.dtype and written.shape == node.outs[0].shape:
            return written
        if not _apart(place, there):
            break
        base = whole
    return replace(node, args=(base, *place))


def _of_joined(joined: Node | None, dim: int, index: int) -> Value | None:
    """Find which of the tensors joined along an axis is at a place of it: each has one, as halves do."""
    if joined is None or joined.op != "aten.cat.default" or len(joined.args) < 2:
        return None
    parts, along = joined.args
    out = joined.outs[0]
    if along % len(out.shape) != dim or any(len(part.shape) <= dim or part.shape[dim] != 1 for part in parts):
        return None
    part = parts[index]
    return part if part.dtype == out.dtype else None


def _apart(one: list, other: list) -> bool:
    """Whether two places along one axis, written with all of their numbers, share nothing."""
    if len(one) != len(other) or one[0] != other[0] or min(*one, *other) < 0:
        return False
    if len(one) == 2:
        return one[1] != other[1]
    return one[1] >= other[2] or other[1] >= one[2]


def _shortened(node: Node, made_by: dict[Value, Node]) -> Node | Value:
    """Leave out a step that does nothing, and make one of two that only move numbers."""
    if node.op in PLACES:
        return _before_writes(node, made_by)
    if node.op not in ("aten.view.default", "aten.permute.default", "aten.expand.default"):
        return node
    base, target = node.args
    before = made_by.get(base)
    if before is not None and before.op == node.op:
        if node.op == "aten.permute.default":
            target = [before.args[1][dim] for dim in target]
        base = before.args[0]
    if list(target) == (list(range(len(target))) if node.op == "aten.permute.default" else list(base.shape)):
        return base
    return replace(node, args=(base, target), kwargs={})


def _key(node: Node, names: dict[Value, str]) -> str:
    def name(value: Value) -> str:
        return names.setdefault(value, f"<value {len(names)}>")

    return repr((node.op, replaced((node.args, node.kwargs), Value, name)))


def _numbered(
    nodes: list[Node], inputs: list[Value], outputs: dict[str, Value], constants: Constants
) -> Program:
    needed = set(outputs.values())
    kept: list[Node] = []
    for node in reversed(nodes):  # shortening can leave steps that nobody needs
        if node.op == CHECK or any(out in needed for out in node.outs):
            needed.update(node.inputs)
            kept.append(node)
    kept.reverse()
    made = {out for node in kept for out in node.outs}
    numbers = {value: i for i, value in enumerate(inputs)}
    stored = {}
    for value in (*(part for node in kept for part in node.inputs), *outputs.values()):
        if value not in made and value not in numbers:
            numbers[value] = len(numbers)
            stored[value] = constants.stored(value)
    operations = []
    for node in kept:
        _check(node)
        args, kwargs = replaced((node.args, node.kwargs), Value, lambda value: {"v": numbers[value]})
        operations.append(Operation(node.op, args, kwargs, len(node.outs)))
        numbers.update({out: len(numbers) + i for i, out in enumerate(node.outs)})
    return Program(
        tuple(Input(str(value.name), value.shape, value.dtype) for value in inputs),
        tuple(stored.values()),
        tuple(operations),
        {name: numbers[value] for name, value in outputs.items()},
        source_of(kept, numbers, stored),
    )


def _check(node: Node) -> None:
    strange = [value.dtype for value in (*node.inputs, *node.outs) if value.dtype not in DTYPES]
    if is_supported(node.op) and not strange:
        return
    where = f", used on {node.line}" if node.line else ""
    if not is_supported(node.op):
        raise UnsupportedOperatorError(
            f"the page has no operator {node.origin or node.op}{where}. Write it with other operators, "
            "or compute it outside the function if it does not depend on an input."
        )
    raise UnsupportedOperatorError(
        f"{node.op} works with {dtype_name(strange[0])}{where}; the page has {', '.join(DTYPES.values())}."
    )
