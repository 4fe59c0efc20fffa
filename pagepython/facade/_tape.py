"""What the tape is made of: calls, what they keep, and where a gradient goes on to."""

import re

from torch._absent import missing


class Saved:
    """What a rule may read of a call: its arguments by name, ``out``, and shapes, which nothing can spoil."""

    def __init__(self, bound: dict, results: list) -> None:
        self._bound, self._results, self._freed, self._name = bound, results, False, ""
        self._shapes, self._versions = {}, {}
        for name, value in bound.items():
            if hasattr(value, "_store"):
                self._shapes[name], self._versions[id(value)] = value.shape, value._store.version
            elif isinstance(value, list | tuple):
                self._versions |= {id(t): t._store.version for t in value if hasattr(t, "_store")}
        self._versions |= {id(t): t._store.version for t in results if t is not None}

    def _checked(self, value):
        if self._freed:
            raise RuntimeError(
                "Trying to backward through the graph a second time (or directly access saved tensors after they "
                "have already been freed). Saved intermediate values of the graph are freed when you call .backward() "
                "or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time "
                "or if you need to access saved tensors after calling backward."
            )
        for tensor in value if isinstance(value, list | tuple) else [value]:
            if id(tensor) in self._versions and tensor._store.version != self._versions[id(tensor)]:
                raise self._spoiled(tensor)
        return value

    def _spoiled(self, tensor) -> RuntimeError:
        own = any(t is tensor for t in self._results)
        name = _spelled(self._name) if own else tensor._node and tensor._node.name()
        of = f", which is output {tensor._number or 0} of {name.partition('Backward')[0]}," if name else ""
        return RuntimeError(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[{tensor.type()} {list(tensor.shape)}]{of} is at version {tensor._store.version}; expected version "
            f"{self._versions[id(tensor)]} instead. Hint: enable anomaly detection to find the operation that failed to compute its "
            "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
        )

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
        return self._shapes[name]


def _spelled(name: str) -> str:
    if not name or name[0].isupper():
        return name
    name, _, number = name.partition("*")
    parts = re.sub(r"(?<=\d)[a-z]", lambda m: m[0].upper(), name).split("_")
    return "".join(part[:1].upper() + part[1:] for part in parts) + f"Backward{number or 0}"


class Edge:
    """Where a gradient goes on to: a result of an earlier call, or a leaf; and the form that it must have."""

    __slots__ = ("dtype", "leaf", "node", "number", "shape")

    def __init__(self, t) -> None:
        self.node, self.number, self.shape, self.dtype = t._node, t._number, t.shape, t.dtype
        self.leaf = t if t._node is None else None


_classes: dict[str, type] = {}


class Node:
    """A call on the tape."""

    def __init__(self, name: str, rule, saved: Saved, edges: dict, results: list) -> None:
        self._name, self.rule, self.saved, self.edges = name, rule, saved, edges
        if saved is not None:
            saved._name = name
        self.kinds = [None if t is None else (t.shape, t.dtype) for t in results]
        self.hooks: dict = {}

    def name(self) -> str:
        """Give torch's name for the call."""
        return _spelled(self._name)

    def __getattr__(self, name: str):
        if name in ("register_hook", "register_prehook", "metadata") or name.startswith("_saved"):
            raise missing(f"{name} of a grad_fn", AttributeError)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def dressed(self) -> "Node":
        """Be of a class that has torch's name for the call."""
        if (name := self.name()) != type(self).__name__:
            kind = AccumulateGrad if isinstance(self, AccumulateGrad) else Node
            own = name.endswith("Backward")  # a function whose backward is written by hand
            where = {"__module__": "torch.autograd.function" if own else "builtins"}
            self.__class__ = _classes.setdefault(name, type(name, (kind,), where))
        return self

    def __repr__(self) -> str:
        where = "torch.autograd.function." * self.name().endswith("Backward")
        return f"<{where}{self.name()} object at {id(self):#x}>"

    @property
    def next_functions(self) -> tuple:
        edges = self.edges
        if self._name in ("add", "sub", "mul", "div"):  # a number is a tensor there, too
            edges = {name: edges.get(name) for name in ("self", "other")}
        return tuple(
            ((e.node or AccumulateGrad(e.leaf)).dressed(), e.number) if e else (None, 0)
            for e in edges.values()
        )


class AccumulateGrad(Node):
    """The end of the tape: the place of a leaf."""

    def __init__(self, variable) -> None:
        super().__init__("AccumulateGrad", None, None, {}, [variable])
        self.variable = variable
