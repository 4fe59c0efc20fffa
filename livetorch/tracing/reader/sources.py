"""What a Program remembers of its function: gathered from the operators and values that are left."""

from collections.abc import Iterable, Mapping

from livetorch.program.errors import Line
from livetorch.program.source import Source, SourceLine
from livetorch.tracing.graph import Node, Value, leaves
from livetorch.tracing.reader.statements import statement

_TURNS = {"aten.t.default", "aten.permute.default", "aten.transpose.int"}
_SIGNS = {"aten.bitwise_not.default": "~", "aten.neg.default": "-"}
_KEEPS = {"aten.view.default", "aten.clone.default", "aten.detach.default", "aten._to_copy.default"}
_PARTS = {"aten.select.int", "aten.slice.Tensor", "aten.unsqueeze.default"}


def source_of(nodes: list[Node], numbers: Mapping[Value, int], constants: Iterable[Value]) -> Source:
    """Say on which line each operator ran, and what the values were called.

    Args:
        nodes: the operators of the Program, in their order.
        numbers: the number of each value.
        constants: the values that are stored.
    """
    lines: dict[SourceLine, int] = {}
    places: dict[tuple[int, int, int], int] = {}
    known: dict[Line, int] = {}
    of = []
    for node in nodes:
        line = node.line
        if line is not None and line not in known:
            found = statement(line)
            if found is None:
                known[line] = -1
            else:
                text, start, end = found
                place = (lines.setdefault(text, len(lines)), start, end)
                known[line] = places.setdefault(place, len(places))
        of.append(-1 if line is None else known[line])
    stored = {value: _named_constant(value) for value in constants}
    names = {numbers[value]: label for value, (label, _) in stored.items() if label}
    names |= {numbers[out]: out.label for node in nodes for out in node.outs if out.label and out in numbers}
    learned = tuple(numbers[value] for value, (_, is_learned) in stored.items() if is_learned)
    if all(place < 0 for place in of):
        of = []
    modules = tuple(node.module for node in nodes)
    return Source(tuple(lines), tuple(places), tuple(of), dict(sorted(names.items())), learned, modules)


def _named_constant(value: Value) -> tuple[str | None, bool]:
    """Name a constant, and tell whether it is a parameter; one that was only turned is its parameter's .T."""
    if value.label or value.node is None or len(value.node.inputs) != 1:
        return value.label, value.learned
    op = value.node.op
    (before,) = value.node.inputs
    name, learned = _named_constant(before)
    if op in _TURNS and len(value.shape) == 2:
        turned = op == "aten.t.default" or leaves(value.node.args[1:], int) in ([1, 0], [0, 1], [-2, -1])
        return (f"{name}.T" if name and turned else None), learned
    if name and op in _SIGNS:
        return _SIGNS[op] + name, False
    if op in _KEEPS and value.shape == before.shape:
        return name, learned
    return None, learned and op in _KEEPS | _PARTS
