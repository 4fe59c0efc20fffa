"""Where a recorded model attends: the places at which a softmax over keys is multiplied with values.

Nothing of a library is asked for. A softmax says along which axis its numbers sum to 1; from there the number
of the key that each weight belongs to is followed through whatever only moves, masks, scales or mixes weights
(views, slices, dropout, masks, talking heads), until a product sums over the keys. What has a softmax and no
such product (a classifier, a router) is no attention.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from livetorch.inside.draft import Draft, Made, numbers_in
from livetorch.program.program import run_operator
from livetorch.tracing.graph import replaced

_SOFTMAX = {"aten._softmax.default", "aten._safe_softmax.default", "aten.softmax.int"}
_PRODUCTS = {
    "aten.mm.default",
    "aten.bmm.default",
    "aten.mv.default",
    "aten.dot.default",
    "aten.matmul.default",
}
_ADDED = {"aten.addmm.default", "aten.baddbmm.default", "aten.addmv.default"}
_MOVES = {
    *("view", "_unsafe_view", "reshape", "permute", "transpose", "t", "expand", "slice", "select", "squeeze"),
    *("unsqueeze", "clone", "contiguous", "alias", "detach", "repeat", "repeat_interleave", "flip", "roll"),
    *("_to_copy", "to", "split", "split_with_sizes", "unbind", "chunk", "index_select", "index"),
    *("as_strided", "diagonal", "unfold", "tile", "lift_fresh_copy"),
}  # fmt: skip
_POINTWISE = {
    *("mul", "div", "where", "masked_fill", "add", "sub", "nan_to_num", "clamp", "clamp_min", "clamp_max"),
    *("relu", "exp", "maximum", "minimum", "neg", "pow"),
}  # fmt: skip
_MADE = {"full", "arange", "zeros", "ones", "eye", "scalar_tensor", "linspace"}
_FAR = 24  # operators that are followed from a softmax to its product


@dataclass(frozen=True)
class Place:
    """One map of attention in a recorded Program.

    Args:
        weights: the value that holds the weights as they are multiplied.
        keys, queries: its axes of keys and of queries; queries is None where there is one alone.
        scores: the value that the softmax was taken of.
        scored: along its axis of keys the number of each one's key, -1 where it has none (a sink).
        after: how many axes it has after that one.
        softmax: the operator that gives the softmax.
        values: the value that the weights are multiplied with.
        module: the path of the module in which that happens.
        shape: of the weights.
        queries_from, keys_from: the inputs that scores and values depend on.
    """

    weights: int
    keys: int
    queries: int | None
    scores: int
    scored: tuple[int, ...]
    after: int
    softmax: Made
    values: int
    module: str
    shape: tuple[int, ...]
    queries_from: frozenset[str]
    keys_from: frozenset[str]


@dataclass(frozen=True)
class _Soft:
    """A value whose numbers sum to 1 along an axis, and the scores that it came from."""

    value: int
    axis: int
    scores: int
    first: Made  # the operator that reads the scores
    at: int


def find_attention(draft: Draft, values: dict[int, Tensor]) -> list[Place]:
    """Find the places at which a Program attends, in the order in which they run.

    Args:
        draft: the Program.
        values: what each of its values is for an example, from `shapes_of`.

    >>> from livetorch import trace
    >>> def attend(q, k, v):
    ...     return torch.softmax(q @ k.T, dim=-1) @ v
    >>> draft = Draft.of(trace(attend, q=torch.randn(2, 4), k=torch.randn(3, 4), v=torch.randn(3, 4)))
    >>> [(place.shape, sorted(place.keys_from)) for place in find_attention(draft, shapes_of(draft))]
    [((2, 3), ['v'])]
    """
    readers: dict[int, list[tuple[int, Made]]] = {}
    for at, node in enumerate(draft.nodes):
        for key in dict.fromkeys(numbers_in((node.args, node.kwargs))):
            readers.setdefault(key, []).append((at, node))
    deps = _dependencies(draft)
    found = []
    for soft in _softmaxes(draft, values):
        followed = _followed(soft, readers, draft, values)
        if followed is not None:
            weights, axis, line, at, other = followed
            scores = values[soft.scores]
            scored = torch.full((scores.shape[soft.axis],), -1)
            scored[line[line >= 0].long()] = torch.arange(len(line))[line >= 0]
            shape = tuple(values[weights].shape)
            asking = _asking(draft.nodes[at], other, values)
            place = Place(
                *(
                    weights,
                    axis,
                    _query_axis(shape, axis, asking),
                    soft.scores,
                    tuple(scored.tolist()),
                    scores.ndim - soft.axis - 1,
                    soft.first,
                    other,
                    _common(draft, soft.at, at),
                ),
                *(shape, deps[soft.scores], deps[other]),
            )
            found.append(place)
    return found


def shapes_of(draft: Draft) -> dict[int, Tensor]:
    """Give an empty tensor of each value's shape and dtype: torch's `meta` device computes no numbers."""
    meta = torch.device("meta")
    values = {
        key: torch.empty(spec.shape, dtype=spec.dtype, device=meta) for key, spec in draft.inputs.items()
    }
    for key, constant in draft.constants.items():
        values[key] = torch.empty(constant.shape, dtype=constant.dtype, device=meta)
    known: dict[str, list[Tensor]] = {}  # layers do the same on the same shapes
    for node in draft.nodes:
        args, kwargs = _filled(node.args, values), _filled(node.kwargs, values)
        same = repr((node.op, replaced((args, kwargs), Tensor, lambda item: (item.dtype, item.shape))))
        if same not in known:
            if node.op.split(".")[1] in _MADE:
                kwargs = {**kwargs, "device": meta}
            known[same] = [out.to("meta") for out in run_operator(node.op, args, kwargs)]
        values.update(zip(node.outs, known[same], strict=True))
    return values


def _filled(tree: Any, values: dict[int, Tensor]) -> Any:
    if isinstance(tree, dict):
        return values[tree["v"]] if set(tree) == {"v"} else {k: _filled(v, values) for k, v in tree.items()}
    return type(tree)(_filled(item, values) for item in tree) if isinstance(tree, list | tuple) else tree


def _dependencies(draft: Draft) -> dict[int, frozenset[str]]:
    deps = {key: frozenset({spec.name}) for key, spec in draft.inputs.items()}
    deps |= dict.fromkeys(draft.constants, frozenset())
    for node in draft.nodes:
        own = frozenset().union(*(deps[key] for key in numbers_in((node.args, node.kwargs))))
        deps |= dict.fromkeys(node.outs, own)
    return deps


def _softmaxes(draft: Draft, values: dict[int, Tensor]) -> Iterator[_Soft]:
    """List what sums to 1: softmax itself, exp over its sum, and exp of a log_softmax."""
    makers = {out: node for node in draft.nodes for out in node.outs}
    for at, node in enumerate(draft.nodes):
        out, name = node.outs[0], node.op.split(".")[1]
        if node.op in _SOFTMAX:
            yield _Soft(out, node.args[1] % max(1, values[out].ndim), node.args[0]["v"], node, at)
        elif name == "exp":
            before = makers.get(numbers_in(node.args)[0])
            if before is not None and "log_softmax" in before.op:
                yield _Soft(out, before.args[1] % values[out].ndim, before.args[0]["v"], before, at)
        elif name == "div" and len(numbers_in(node.args)) == 2:
            above, below = numbers_in(node.args)
            summed = _summed(below, makers)
            made = makers.get(above)
            if summed is not None and summed[0] == above and made is not None and ".exp." in made.op:
                yield _Soft(out, summed[1] % values[out].ndim, numbers_in(made.args)[0], made, at)


def _summed(value: int, makers: dict[int, Made]) -> tuple[int, int] | None:
    """Say what a value is the sum of, and along which one axis."""
    node = makers.get(value)
    while node is not None and node.op.split(".")[1] in ("view", "expand", "unsqueeze", "add", "clamp"):
        node = makers.get(numbers_in(node.args)[0])
    if node is None or node.op != "aten.sum.dim_IntList" or len(node.args[1] or ()) != 1:
        return None
    return numbers_in(node.args)[0], node.args[1][0]


def _followed(
    soft: _Soft, readers: dict[int, list[tuple[int, Made]]], draft: Draft, values: dict[int, Tensor]
) -> tuple[int, int, Tensor, int, int] | None:
    """Follow weights to the product that sums over keys: weights there, axis, keys, operator, values."""
    shape = values[soft.value].shape
    line = torch.arange(shape[soft.axis], dtype=torch.int32)
    start = line.view([-1 if i == soft.axis else 1 for i in range(len(shape))]).expand(shape)
    waiting: list[tuple[int, Tensor, tuple[int, int, Tensor] | None, int]]
    waiting = [(soft.value, start, (soft.value, soft.axis, line), 0)]
    seen = {soft.value}
    while waiting:
        value, keys, best, far = waiting.pop(0)
        for at, node in readers.get(value, []):
            other = _product(node, value, keys, values)
            if other is not None:
                found = best or _along(value, keys)
                return found and (*found, at, other)
            for out, moved in _moved(node, value, keys, draft, values) if far < _FAR else ():
                if out in seen:
                    continue
                seen.add(out)
                if best is None or node.op in _PRODUCTS | _ADDED:
                    better = None  # heads are mixed: the map is what the values are multiplied with
                else:
                    better = (moved.ndim == len(shape) and _along(out, moved)) or best
                waiting.append((out, moved, better, far + 1))
    return None


def _along(value: int, keys: Tensor) -> tuple[int, int, Tensor] | None:
    """Find the one axis of a value along which the key changes, and the keys; None where that is not one."""
    axes = [i for i, size in enumerate(keys.shape) if size > 1 and bool((keys.diff(dim=i) != 0).any())]
    if len(axes) != 1:
        return None
    line = keys.movedim(axes[0], -1).reshape(-1, keys.shape[axes[0]])[0]
    return (value, axes[0], line) if len(line.unique()) == len(line) else None


def _product(node: Made, value: int, keys: Tensor, values: dict[int, Tensor]) -> int | None:
    """Give what weights are multiplied with, where an operator sums such products over the keys."""
    name = node.op.split(".")[1]
    operands = numbers_in(node.args)
    if node.op in _ADDED:
        operands = operands[1:]
    elif node.op not in _PRODUCTS or name == "matmul":
        return _written_out(node, value, keys, values)
    if value not in operands or len(operands) != 2:
        return None
    first = operands[0] == value
    axis = (keys.ndim - 1) if first or keys.ndim == 1 else keys.ndim - 2
    varies = keys.shape[axis] > 1 and bool((keys.diff(dim=axis) != 0).all())
    return operands[1 if first else 0] if varies else None


def _asking(node: Made, other: int, values: dict[int, Tensor]) -> int | None:
    """Count the rows of weights in a product of two matrices: what asks."""
    operands = [key for key in numbers_in(node.args)[-2:] if key != other]
    if node.op not in _PRODUCTS | _ADDED or not operands or values[operands[0]].ndim < 2:
        return None
    return values[operands[0]].shape[-2 if numbers_in(node.args)[-1] == other else -1]


def _query_axis(shape: tuple[int, ...], keys: int, asking: int | None) -> int | None:
    """Find the axis of queries: the last but that of the keys, unless only another one has as many."""
    rest = [axis for axis in range(len(shape)) if axis != keys % len(shape)]
    fits = [axis for axis in rest if shape[axis] == asking]
    return fits[-1] if len(fits) == 1 else rest[-1] if rest else None


def _written_out(node: Made, value: int, keys: Tensor, values: dict[int, Tensor]) -> int | None:
    """Recognise weights[..., None] * values, which is summed afterwards: the product has an axis more."""
    operands = numbers_in(node.args)
    if node.op != "aten.mul.Tensor" or len(operands) != 2 or operands[0] == operands[1]:
        return None
    other = operands[1] if operands[0] == value else operands[0]
    out, weights, given = values[node.outs[0]], values[value], values[other]
    along = _along(value, keys)
    if along is None or out.numel() <= weights.numel() or given.ndim == 0:
        return None
    at = along[1] - keys.ndim + given.ndim
    return other if at >= 0 and given.shape[at] == keys.shape[along[1]] else None


def _moved(
    node: Made, value: int, keys: Tensor, draft: Draft, values: dict[int, Tensor]
) -> Iterator[tuple[int, Tensor]]:
    """Say which key each number of an operator's result belongs to; nothing where that is not one key."""
    name = node.op.split(".")[1]
    if name in _MOVES:
        kwargs = {} if name in ("_to_copy", "to") else node.kwargs
        args = [keys, *node.args[1:]] if name not in ("_to_copy", "to") else [keys]
        others = numbers_in(args[1:])
        if numbers_in(node.args[:1]) != [value] or any(other not in draft.constants for other in others):
            return
        args = _filled(args, {other: draft.constants[other].tensor for other in others})
        op = "aten.clone.default" if name in ("_to_copy", "to") else node.op
        yield from zip(node.outs, run_operator(op, tuple(args), kwargs), strict=True)
    elif name in _POINTWISE:
        out = values[node.outs[0]]
        if torch.broadcast_shapes(out.shape, keys.shape) == out.shape:
            yield node.outs[0], keys.expand(out.shape)
    elif name == "cat":
        yield from _joined(node, value, keys, values)
    elif node.op in _PRODUCTS | _ADDED and name != "matmul":
        yield from _mixed(node, value, keys, values)


def _joined(node: Made, value: int, keys: Tensor, values: dict[int, Tensor]) -> Iterator[tuple[int, Tensor]]:
    axis = node.args[1] if len(node.args) > 1 else 0
    parts = [
        keys if key == value else torch.full(values[key].shape, -1, dtype=keys.dtype)
        for key in numbers_in(node.args[0])
    ]
    yield node.outs[0], torch.cat(parts, axis)


def _mixed(node: Made, value: int, keys: Tensor, values: dict[int, Tensor]) -> Iterator[tuple[int, Tensor]]:
    """A product that mixes the weights of several heads for the same key: the key stays."""
    operands = numbers_in(node.args)[-2:]
    first = operands[0] == value
    axis = keys.ndim - (1 if first else 2)
    if keys.ndim < 2 or keys.shape[axis] == 0:
        return
    one = keys.select(axis, 0)
    if bool((keys == one.unsqueeze(axis)).all()):
        out = values[node.outs[0]]
        yield node.outs[0], one.unsqueeze(axis).expand(out.shape)


def _common(draft: Draft, *places: int) -> str:
    """Give the path that the modules of some operators have in common, or the last one's."""
    paths = [draft.nodes[at].module for at in places]
    shared = []
    for steps in zip(*(path.split(".") for path in paths), strict=False):
        if len(set(steps)) > 1:
            break
        shared.append(steps[0])
    return ".".join(shared) or paths[-1]
