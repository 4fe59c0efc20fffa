"""The tape: what was computed of what, and the way back."""

import contextlib
import functools
import inspect

from torch._absent import missing
from torch._tape import Edge, Node, Saved

_enabled = [True]
inferring = [False]


def is_grad_enabled() -> bool:
    """Tell whether operators are remembered."""
    return _enabled[-1]


class _GradMode(contextlib.ContextDecorator):
    mode = True

    def __init__(self) -> None:
        self._before: list = []

    def _recreate_cm(self):
        return type(self)()

    def __enter__(self) -> None:
        self._before.append(_enabled[-1])
        _enabled[-1] = self.mode

    def __exit__(self, *error) -> None:
        _enabled[-1] = self._before.pop()

    def __call__(self, function):
        if not inspect.isgeneratorfunction(function):
            return super().__call__(function)

        @functools.wraps(function)
        def step_by_step(*args, **kwargs):
            steps, sent = function(*args, **kwargs), None
            while True:
                try:
                    with self._recreate_cm():
                        value = steps.send(sent)
                except StopIteration as end:
                    return end.value
                sent = yield value

        return step_by_step


class no_grad(_GradMode):
    """Nothing inside is remembered."""

    mode = False

    def __new__(cls, orig_func=None):
        return (
            super().__new__(cls) if orig_func is None else cls()(orig_func)
        )  # a decorator, whatever it is given

    def __init__(self, orig_func=None) -> None:
        super().__init__()
        self.decorated = orig_func


class enable_grad(no_grad):
    """What is inside is remembered."""

    mode = True


class inference_mode(no_grad):
    """As ``no_grad``; and what is made inside can never go into what is remembered."""

    def __new__(cls, mode=True):
        return super().__new__(cls, None if isinstance(mode, bool) else mode)

    def __init__(self, mode=True) -> None:
        super().__init__()
        self.mode, self._inside = not mode, []
        self._on = mode

    def _recreate_cm(self):
        return type(self)(self._on)

    def __enter__(self) -> None:
        super().__enter__()
        self._inside.append(inferring[0])
        inferring[0] = self._on

    def __exit__(self, *error) -> None:
        super().__exit__(*error)
        inferring[0] = self._inside.pop()


class set_grad_enabled(_GradMode):
    """Remember or not, by a value: from here on, or inside."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.mode, self._first = mode, _enabled[-1]
        self.prev = self._first
        _enabled[-1] = mode

    def _recreate_cm(self):
        return type(self)(self.mode)

    def __call__(self, function):
        _enabled[-1] = self._first
        return super().__call__(function)

    def __repr__(self) -> str:
        return f"{type(self).__module__}.{type(self).__name__}(mode={self.mode})"

    def __enter__(self) -> None:
        self._before.append(self._first)
        _enabled[-1] = self.mode


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


def _edge(t) -> Edge:
    """Give where a tensor's gradient goes on to: of a view that was made while nothing is remembered, nowhere."""
    return Edge(t if fresh(t)._wants or t._pair is not None else t.detach())


def remember(full: str, bound: dict, results: list, rule=None, name: str | None = None) -> None:
    """Put a call on the tape, where one of its arguments wants a gradient."""
    if not _enabled[-1]:
        return
    edges = {}
    for key, value in bound.items():
        if hasattr(value, "_wants"):
            if value._wants or (value._base is not None and value.requires_grad):
                edges[key] = _edge(value)
        elif isinstance(value, list | tuple):
            edges |= {(key, place): _edge(one) for place, one in enumerate(value) if needs(one)}
    if not edges:
        return
    if full.split(".")[0] in ("mul", "div", "matmul", "mm", "bmm", "linear", "pow") and any(
        getattr(v, "_inferred", False) for v in bound.values()
    ):
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation "
            "tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use "
            "`torch.no_grad()` instead of `torch.inference_mode()`."
        )
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


OTHERS = {
    "layer_norm": "native_layer_norm", "log_sigmoid_forward": "log_sigmoid", "square": "pow", "tile": "repeat",
}  # fmt: skip
# PyTorch counts the derivatives of one name
COUNTED = dict.fromkeys((
    "max.default", "min.default", "clamp.default", "sum.dim_IntList", "mean.dim", "prod.dim_int", "pow.Tensor_Tensor", "norm.ScalarOpt_dim",
    "std.dim", "var.dim", "remainder.Tensor", "fmod.Tensor", "clamp_min.Tensor", "clamp_max.Tensor", "median.dim", "nanmedian.dim",
    "rsub.Scalar", "scatter.value",
), 1) | {"pow.Scalar": 2}  # fmt: skip


def _name(full: str, bound: dict) -> str:
    """Give the name that torch prints: its own parts of a linear layer and of a product have other names."""
    name = full.split(".")[0].strip("_")
    if name == "linear":
        if bound["input"].dim() == 1 and bound["bias"] is None:
            return "squeeze*4"
        if bound["input"].dim() == 2:
            return "mm" if bound["bias"] is None else "addmm"
        return "unsafe_view" if bound["bias"] is None else "view"
    if full in COUNTED:
        return f"{name}*{COUNTED[full]}"
    if name in OTHERS:
        return OTHERS[name]
    if name == "matmul":
        ranks = bound["self"].dim(), bound["other"].dim()
        return {(1, 1): "dot", (2, 1): "mv", (2, 2): "mm", (1, 2): "squeeze*4"}.get(ranks, "unsafe_view")
    return name


def _missing(full: str, *_):
    if full.startswith("floor_divide"):
        raise RuntimeError("derivative for aten::floor_divide is not implemented")
    raise missing(f"the derivative of {full}")


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
        if changed is None:
            continue
        if not hasattr(changed, "_store"):
            raise TypeError(f"expected Variable, but hook returned '{type(changed).__name__}'")
        for what in ("shape", "dtype"):
            if getattr(changed, what) != getattr(gradient, what):
                said = {"shape": "size", "dtype": "type"}[what]
                raise RuntimeError(
                    f"hook '{getattr(function, '__name__', 'hook')}' has changed the {said} of value"
                )
        gradient = changed
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
            if len(given) > 1 and getattr(node.rule, "zeros", True):  # a result that nothing was made of
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
            node.saved._freed |= not keep  # what lies on no way to what is wanted, stays
        return {key: (t, _hooked(t._hooks if t._node is None else (), g)) for key, (t, g) in found.items()}


def _zeros(shape, dtype):
    from torch._create import zeros

    return zeros(shape, dtype=dtype)
