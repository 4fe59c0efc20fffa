"""The tape: what was computed of what, and the way back."""

from __future__ import annotations

import contextlib
import functools

from torch._tape import Edge, Node, Saved

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


def fresh(t):
    """Let a view's way back follow what was written into the tensor that it is a view of."""
    if t._base is not None and t._taped != t._store.taped:
        t._taped, t._wants, t._node = t._store.taped, False, None
        with enable_grad():
            form = tuple(t.shape), t.stride(), t.storage_offset()
            remember("as_strided", {"self": t._base, "whole": t._base._form(), "part": form}, [t])
    return t


def needs(value) -> bool:
    """Tell whether a value wants a gradient."""
    return getattr(value, "requires_grad", False) is True


def remember(full: str, bound: dict, results: list, rule=None, name: str | None = None) -> None:
    """Put a call on the tape, where one of its arguments wants a gradient."""
    if not _enabled[-1]:
        return
    edges = {}
    for key, value in bound.items():
        if hasattr(value, "_wants"):
            if value._wants or (value._base is not None and fresh(value)._wants):
                edges[key] = Edge(fresh(value))
        elif isinstance(value, list | tuple):
            edges |= {(key, place): Edge(one) for place, one in enumerate(value) if needs(one)}
    if not edges:
        return
    floating = [number for number, t in enumerate(results) if t is not None and t.dtype.is_floating_point]
    if not floating:
        return
    if rule is None:
        from torch._rules import RULES  # rules are written with operators, which need this module

        rule = RULES.get(full.split(".")[0], functools.partial(_missing, full))
        if rule == "none":
            return
    saved = _keep(Saved(bound, results), rule, edges, results)
    node = Node(name or _name(full, bound), rule, saved, edges, results)
    for number in floating:
        results[number]._node, results[number]._number, results[number]._wants = node, number, True


def _keep(saved: Saved, rule, edges: dict, results: list) -> Saved:
    """Hand what a rule will read to the hooks for saved tensors, where there are some."""
    if not hooks:
        return saved
    from torch._kept import Kept

    return Kept(saved, rule, edges, results, *hooks[-1])


hooks: list = []  # pairs of functions, of torch.autograd.graph.saved_tensors_hooks


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
    if full.startswith("floor_divide"):
        raise RuntimeError("derivative for aten::floor_divide is not implemented")
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
            stack += [(e.node, False) for e in node.edges.values() if e.node and id(e.node) not in seen]
    return order


def _fitted(gradient, edge: Edge):
    """Give a gradient the shape and type of what it belongs to: what was broadcast is summed."""
    if gradient.shape != edge.shape:
        extra = gradient.dim() - len(edge.shape)
        if extra > 0:
            gradient = gradient.sum(tuple(range(extra)))
        wide = tuple(a for a, length in enumerate(edge.shape) if length == 1 and gradient.shape[a] != 1)
        if wide:
            gradient = gradient.sum(wide, keepdim=True)
    return gradient if gradient.dtype == edge.dtype else gradient.to(edge.dtype)


def _hooked(functions, gradient):
    for function in functions:
        changed = function(gradient)
        gradient = gradient if changed is None else changed
    return gradient


def backward(outputs: list, gradients: list, *, keep: bool, create: bool, wanted: list | None) -> dict:
    """Walk the tape back; gives ``id -> (tensor, gradient)``: of leaves, or of what is wanted."""
    found: dict = {}  # of leaves and of wanted tensors
    held: dict = {}  # (id of node, number of result) -> gradient
    places = {(id(fresh(t)._node), t._number): t for t in wanted or () if t._node is not None}
    owner = None if wanted is None else {id(t) for t in wanted if t._node is None}
    roots = [Edge(fresh(t)) for t in outputs]
    nodes = _ordered([edge.node for edge in roots if edge.node])
    leading: set = set()  # nodes from which what is wanted can be reached

    def leads(edge: Edge) -> bool:
        if owner is None:
            return True
        if edge.node is None:
            return id(edge.leaf) in owner
        return id(edge.node) in leading or (id(edge.node), edge.number) in places

    for node in nodes:
        if any(map(leads, node.edges.values())):
            leading.add(id(node))

    def add(edge: Edge, gradient) -> None:
        gradient = _fitted(gradient, edge)
        if edge.node is None:
            before = found.get(id(edge.leaf))
            found[id(edge.leaf)] = (edge.leaf, gradient if before is None else before[1] + gradient)
        else:
            place = (id(edge.node), edge.number)
            held[place] = held[place] + gradient if place in held else gradient

    with set_grad_enabled(create):
        for edge, gradient in zip(roots, gradients, strict=True):
            if leads(edge):
                add(edge, gradient)
        for node in reversed(nodes):
            given = [held.pop((id(node), number), None) for number in range(len(node.kinds))]
            for number, gradient in enumerate(given):
                if gradient is None:
                    continue
                given[number] = gradient = _hooked(node.hooks.get(number, ()), gradient)
                if (id(node), number) in places:
                    tensor = places[id(node), number]
                    found[id(tensor)] = (tensor, gradient)
            if all(g is None for g in given) or id(node) not in leading:
                continue
            if len(given) > 1:  # a result that nothing was made of
                given = [
                    g if g is not None or kind is None or not kind[1].is_floating_point else _zeros(*kind)
                    for g, kind in zip(given, node.kinds, strict=True)
                ]
            results = node.rule(node.saved, given if len(given) > 1 else given[0])
            for name, edge in node.edges.items():
                if leads(edge):
                    gradient = results[name[0]][name[1]] if isinstance(name, tuple) else results.get(name)
                    gradient = gradient if hasattr(gradient, "_store") or gradient is None else gradient()
                    if gradient is not None:
                        add(edge, gradient)
        if not keep:
            for node in nodes:
                node.saved._freed = True
        return {key: (t, _hooked(t._hooks if t._node is None else (), g)) for key, (t, g) in found.items()}


def _zeros(shape, dtype):
    from torch._create import zeros

    return zeros(shape, dtype=dtype)
