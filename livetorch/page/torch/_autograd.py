"""The tape: what was computed of what, and the way back."""

from __future__ import annotations

import contextlib
import functools

_enabled = [True]


def is_grad_enabled() -> bool:
    """Tell whether operators are remembered."""
    return _enabled[-1]


class _GradMode(contextlib.ContextDecorator):
    mode = True

    def __init__(self, mode: bool | None = None) -> None:
        self.mode = type(self).mode if mode is None else mode

    def __enter__(self) -> None:
        _enabled.append(self.mode)

    def __exit__(self, *error) -> None:
        _enabled.pop()


class no_grad(_GradMode):
    """Nothing inside is remembered."""

    mode = False

    def __new__(cls, function=None):
        made = super().__new__(cls)
        if callable(function):
            made.__init__()
            return made(function)
        return made

    def __init__(self, function=None) -> None:
        super().__init__(False)


class inference_mode(no_grad):
    """As ``no_grad``."""


class enable_grad(_GradMode):
    """What is inside is remembered."""


class set_grad_enabled(_GradMode):
    """Remember or not, by a value."""


class Saved:
    """What a rule may read of a call: its arguments by name, ``out``, and shapes, which nothing can spoil."""

    def __init__(self, bound: dict, results: list) -> None:
        self._bound, self._results, self._freed = bound, results, False
        everything = [*bound.values(), *results]
        tensors = [
            t
            for value in everything
            for t in (value if isinstance(value, list | tuple) else [value])
            if hasattr(t, "_store")
        ]
        self._versions = {id(t): t._store.version for t in tensors}

    def _checked(self, value):
        if self._freed:
            raise RuntimeError(
                "Trying to backward through the graph a second time (or directly access saved tensors after they "
                "have already been freed). Specify retain_graph=True if you need to backward through the graph a second time."
            )
        for tensor in value if isinstance(value, list | tuple) else [value]:
            if id(tensor) in self._versions and tensor._store.version != self._versions[id(tensor)]:
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    f"[torch tensor of shape {list(tensor.shape)}] is at version {tensor._store.version}; "
                    f"expected version {self._versions[id(tensor)]} instead."
                )
        return value

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        return self._checked(self._bound[name])

    @property
    def out(self):
        return self._checked(self._results[0])

    @property
    def outs(self):
        return self._checked(self._results)

    def shape(self, name: str):
        return self._bound[name].shape


class Node:
    """A call on the tape."""

    def __init__(self, name: str, rule, saved: Saved, inputs: dict, results: list) -> None:
        self.name, self.rule, self.saved, self.inputs = name, rule, saved, inputs
        self.kinds = [None if t is None else (t.shape, t.dtype) for t in results]

    def __repr__(self) -> str:
        return f"<{''.join(part.capitalize() for part in self.name.split('_'))}Backward0>"


def _needs(value) -> bool:
    return getattr(value, "requires_grad", False) is True


def remember(full: str, bound: dict, results: list, rule=None) -> None:
    """Put a call on the tape, where one of its arguments wants a gradient."""
    if not _enabled[-1]:
        return
    inputs = {}
    for name, value in bound.items():
        if _needs(value):
            inputs[name] = value
        elif isinstance(value, list | tuple):
            inputs |= {(name, place): one for place, one in enumerate(value) if _needs(one)}
    floating = [number for number, t in enumerate(results) if t is not None and t.dtype.is_floating_point]
    if not inputs or not floating:
        return
    if rule is None:
        from torch._rules import RULES  # rules are written with operators, which need this module

        rule = RULES.get(full.split(".")[0], functools.partial(_missing, full))
        if rule == "none":
            return
    node = Node(_name(full, bound), rule, Saved(bound, results), inputs, results)
    for number in floating:
        results[number]._node, results[number]._number, results[number].requires_grad = node, number, True


def _name(full: str, bound: dict) -> str:
    """Give the name that torch prints: its own parts of a linear layer and of a product have other names."""
    name = full.split(".")[0].strip("_")
    if name == "linear":
        if bound["input"].dim() == 2:
            return "mm" if bound["bias"] is None else "addmm"
        return "unsafe_view" if bound["bias"] is None else "view"
    if name == "matmul":
        ranks = bound["self"].dim(), bound["other"].dim()
        return {(1, 1): "dot", (2, 1): "mv", (2, 2): "mm", (1, 2): "squeeze"}.get(ranks, "unsafe_view")
    return name


def _missing(full: str, *_):
    raise NotImplementedError(
        f"the derivative of {full} is not in the page's torch; run this notebook in Jupyter."
    )


def _ordered(roots: list[Node]) -> list[Node]:
    """Give all nodes that the roots depend on, each after those that it depends on."""
    order, seen, stack = [], set(), [(root, False) for root in roots]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack += [
                (t._node, False)
                for t in node.inputs.values()
                if t._node is not None and id(t._node) not in seen
            ]
    return order


def _fitted(gradient, tensor):
    """Give a gradient the shape and type of what it belongs to: what was broadcast is summed."""
    extra = gradient.dim() - tensor.dim()
    if extra > 0:
        gradient = gradient.sum(tuple(range(extra)))
    wide = tuple(
        axis for axis, length in enumerate(tensor.shape) if length == 1 and gradient.shape[axis] != 1
    )
    if wide:
        gradient = gradient.sum(wide, keepdim=True)
    return gradient if gradient.dtype == tensor.dtype else gradient.to(tensor.dtype)


def backward(outputs: list, gradients: list, *, keep: bool, create: bool, wanted: list | None) -> dict:
    """Walk the tape back; gives gradients by ``id`` of the tensor: of leaves, or of what is wanted."""
    found: dict = {}  # of leaves and of wanted tensors
    held: dict = {}  # (id of node, number of result) -> gradient
    owner = {id(t): t for t in wanted} if wanted is not None else None
    places = {(id(t._node), t._number): t for t in wanted or () if t._node is not None}

    def add(tensor, gradient) -> None:
        gradient = _fitted(gradient, tensor)
        if tensor._node is None:
            if owner is None or id(tensor) in owner:
                found[id(tensor)] = (
                    tensor,
                    found[id(tensor)][1] + gradient if id(tensor) in found else gradient,
                )
            return
        place = (id(tensor._node), tensor._number)
        held[place] = held[place] + gradient if place in held else gradient

    with set_grad_enabled(create):
        for tensor, gradient in zip(outputs, gradients, strict=True):
            add(tensor, gradient)
        nodes = _ordered([t._node for t in outputs if t._node is not None])
        for node in reversed(nodes):
            given = [held.pop((id(node), number), None) for number in range(len(node.kinds))]
            for number, gradient in enumerate(given):
                if gradient is not None and (id(node), number) in places:
                    tensor = places[id(node), number]
                    found[id(tensor)] = (tensor, gradient)
            if all(g is None for g in given):
                continue
            several = len(given) > 1
            results = node.rule(node.saved, given if several else given[0])
            for name, tensor in node.inputs.items():
                gradient = results[name[0]][name[1]] if isinstance(name, tuple) else results.get(name)
                gradient = gradient() if callable(gradient) and not hasattr(gradient, "_store") else gradient
                if gradient is not None:
                    add(tensor, gradient)
        if not keep:
            for node in nodes:
                node.saved._freed = True
    return found
