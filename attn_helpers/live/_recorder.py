"""Record what a torch function does, operator by operator, while it runs on example inputs.

The recorder stands where every operator passes, below autograd and `torch.func`, so gradients taken inside the
function are recorded too. Tensors that do not depend on an input keep their real values all the way: Python may
look into them. A tensor that depends on an input has a value here only as an example, and looking into it from
Python is an error. Writes into tensors become new values (`_storage.py`), so a recording never writes.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

from attn_helpers.live import _lower, _views
from attn_helpers.live._graph import Node, Value
from attn_helpers.live._storage import Storage
from attn_helpers.live.errors import DataDependentError, Line, RandomOperatorError, TraceError

_TORCH = str(Path(torch.__file__).parent)
_PACKAGE = str(Path(__file__).parent.parent)
_LIBRARY = (_TORCH, _PACKAGE, str(Path(contextlib.__file__).parent), "<string>", "<frozen")
_VALUE_ASKED = {"aten._local_scalar_dense.default", "aten.equal.default"}


class Recorder(TorchDispatchMode):
    """The dispatch mode that writes down operators.

    Args:
        own_files: files that count as the reader's even where they belong to a library.
        boundary: code object of the function that calls the reader's function; the search for lines ends there.
    """

    def __init__(self, own_files: set[str], boundary: Any) -> None:
        super().__init__()
        self.storages: dict[int, Storage] = {}
        self.nodes: list[Node] = []
        self.asking = ""  # the torch function that Python called last, for error texts
        self._own_files = own_files
        self._boundary = boundary
        self._alive: list[Tensor] = []  # a freed storage's address could come back for another tensor
        self._gradients: list[tuple[Tensor, Tensor | None]] = []

    # ---- tensors and values

    def add_input(self, name: str, example: Tensor) -> Value:
        """Make `example` stand for the input `name`."""
        value = Value(tuple(example.shape), example.dtype, frozenset([name]), name=name)
        self._adopt(example, captured=False).set_root(value)
        return value

    def read(self, tensor: Tensor) -> Value:
        """Give the present value of a tensor."""
        return self._storage(tensor).read(tensor, self)

    def inputs_of(self, tensor: Tensor) -> frozenset[str]:
        """Name the inputs that a tensor depends on."""
        while torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            tensor = torch._C._functorch.get_unwrapped(tensor)
        storage = self.storages.get(tensor.untyped_storage()._cdata)
        return storage.deps if storage else frozenset()

    def emit(self, op: str, args: tuple, outs: list[Value], kwargs: dict | None = None) -> list[Value]:
        """Write one operator down; `args` hold Values where tensors stand."""
        node = Node(op, args, kwargs or {}, outs, self.line())
        deps = frozenset().union(*(value.deps for value in node.inputs()))
        self.nodes.append(node)
        for i, out in enumerate(outs):
            out.node, out.index, out.deps = node, i, deps
        return outs

    def restore(self) -> None:
        """Put back what running the function changed outside of it: the `.grad` of captured parameters."""
        for tensor, gradient in self._gradients:
            tensor.grad = gradient

    # ---- where are we

    def line(self) -> Line | None:
        """Find the reader's line that is running: the innermost frame that is not a library's."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code is not self._boundary:
            file = frame.f_code.co_filename
            if file in self._own_files or not _is_library(file):
                return Line(file, frame.f_lineno, frame.f_code.co_name)
            frame = frame.f_back
        return None

    def place(self) -> str:
        """Write the running line as text for an error."""
        line = self.line()
        return f"on {line}" if line else "while running the function"

    # ---- the operators

    def __torch_dispatch__(
        self, func: OpOverload, types: tuple, args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        """Run one operator on the example values and record it."""
        kwargs = kwargs or {}
        if not isinstance(func, OpOverload):
            raise TraceError(
                f"{self.place()}: {func} cannot be traced; write it with ordinary tensor operations."
            )
        tensors = [leaf for leaf in tree_flatten((args, kwargs))[0] if isinstance(leaf, Tensor)]
        deps = frozenset().union(*(self._storage(tensor).deps for tensor in tensors))
        self._refuse(func, deps, args)
        if func._schema.is_mutable:
            return self._write(func, args, kwargs, deps)
        if _lower.is_filled(func):
            deps = frozenset()  # only the shape of the tensor argument matters
        if deps and not _views.is_view(func):
            lowered = _lower.rule(func)
            if lowered is not None:
                with self:
                    out = lowered(*args, **kwargs)
                if out is not NotImplemented:
                    return out
        out = _lower.run(func, args, kwargs)
        self._record(func, args, kwargs, out, bool(deps))
        return out

    def _refuse(self, func: OpOverload, deps: frozenset[str], args: tuple) -> None:
        name = str(func)
        if torch.Tag.nondeterministic_seeded in func.tags and not _lower.is_certain(func, args):
            raise RandomOperatorError(
                f"{name} draws random numbers {self.place()}. Pass the noise as an input, "
                "or call .eval() on the module if this is its dropout."
            )
        shape_asked = torch.Tag.dynamic_output_shape in func.tags and not _lower.rule(func)
        value_asked = torch.Tag.data_dependent_output in func.tags or name in _VALUE_ASKED
        if deps and (shape_asked or value_asked):
            raise self.data_dependent(name if shape_asked else self.asking or name, deps)

    def data_dependent(self, asked: str, deps: frozenset[str]) -> DataDependentError:
        """Explain that Python cannot look into a tensor that depends on an input."""
        names = " and ".join(f"'{name}'" for name in sorted(deps))
        on = f"the input {names}" if len(deps) == 1 else f"the inputs {names}"
        if asked in ("__bool__", "is_nonzero", "__contains__", "equal", "allclose"):
            return DataDependentError(
                f"data-dependent branch {self.place()}. The condition depends on {on}, but a Program takes the same "
                "steps for every value: use torch.where(condition, a, b), or make the control a dropdown or checkbox."
            )
        if asked.startswith("aten."):
            return DataDependentError(
                f"{asked} gives a shape that depends on the values of {on}, {self.place()}. "
                "Use torch.where, or multiply by the mask as numbers, so that shapes stay the same."
            )
        if asked in ("__index__", "arange", "split", "repeat_interleave"):
            how = "A size, range or list index must be known: make the control a dropdown (one Program per value)."
        else:
            how = (
                "Keep it a tensor (torch.sqrt rather than math.sqrt, no float() or .item()), "
                "or make the control a dropdown or checkbox."
            )
        return DataDependentError(
            f"{asked} asks for the value of a tensor that depends on {on}, {self.place()}. {how}"
        )

    def _record(self, func: OpOverload, args: tuple, kwargs: dict, out: Any, depends: bool) -> None:
        outs = [leaf for leaf in tree_flatten(out)[0] if isinstance(leaf, Tensor)]
        fresh = [tensor.untyped_storage()._cdata not in self.storages for tensor in outs]
        for i, tensor in enumerate(outs):
            if not fresh[i] and args and isinstance(args[0], Tensor):
                self._storage(tensor).add_view(tensor, args[0], _views.recipe(func, args, kwargs, tensor, i))
        outs = [tensor for tensor, is_fresh in zip(outs, fresh, strict=True) if is_fresh]
        if not outs:
            return
        copied = _lower.copied(func, args, kwargs)
        if copied is not None:  # clone, or a cast to the dtype it has: the same value under a new storage
            self._adopt(outs[0], captured=False).set_root(self.read(copied))
            return
        values = [Value(tuple(t.shape), t.dtype, frozenset(), tensor=None if depends else t) for t in outs]
        op, args, kwargs = _lower.written(func, args, kwargs, outs[0])
        self.emit(op, self._values(args), values, self._values(kwargs))
        for tensor, value in zip(outs, values, strict=True):
            self._adopt(tensor, captured=False).set_root(value)

    def _write(self, func: OpOverload, args: tuple, kwargs: dict, deps: frozenset[str]) -> Any:
        """Run an operator that writes into a tensor: an operator that does not, and a new value."""
        if torch.Tag.inplace_view in func.tags:
            return self._reshape_in_place(func, args, kwargs)
        targets = _lower.targets(func, args, kwargs)
        for target in targets:
            if self._storage(target).captured:
                raise TraceError(
                    f"{func} writes into a tensor from outside the function, {self.place()}. "
                    "Work on a .clone() of it, or pass it as an input and return the new value."
                )
        plain = _lower.functional(func) if len(targets) == 1 else None
        if plain is None and deps:
            raise TraceError(f"{func} writes into tensors in a way that cannot be traced, {self.place()}.")
        if plain is None:
            for target in targets:
                self._storage(target).protect()
                self._storage(target).values.clear()  # constants: the memory itself tells what it holds
            return func(*args, **kwargs)
        target = targets[0]
        kwargs = {name: value for name, value in kwargs.items() if value is not target}
        with self:
            new = plain(*args, **kwargs)
            if new.shape == target.shape and new.dtype != target.dtype:
                new = new.to(target.dtype)
        if new.shape != target.shape:
            return func(*args, **kwargs)  # raises torch's own error
        storage = self._storage(target)
        storage.write(target, self.read(new), self)
        storage.protect()
        return target.copy_(new)

    def _reshape_in_place(self, func: OpOverload, args: tuple, kwargs: dict) -> Any:
        plain = _lower.functional(func)
        if plain is None or not _views.is_view(plain):
            raise TraceError(f"{func} cannot be traced, {self.place()}.")
        with self:
            plain(args[0].detach(), *args[1:], **kwargs)  # leaves the recipe for the new shape
        return func(*args, **kwargs)

    # ---- helpers

    def _storage(self, tensor: Tensor) -> Storage:
        if tensor.layout != torch.strided or tensor.is_quantized:
            raise TraceError(f"{tensor.layout} tensors cannot be traced, {self.place()}. Use dense tensors.")
        storage = self.storages.get(tensor.untyped_storage()._cdata)
        if storage is not None:
            return storage
        if tensor.requires_grad and tensor.is_leaf:
            self._gradients.append((tensor, tensor.grad))
            tensor.grad = None
        return self._adopt(tensor, captured=True)

    def _adopt(self, tensor: Tensor, *, captured: bool) -> Storage:
        storage = Storage(tensor.detach(), captured)
        self.storages[tensor.untyped_storage()._cdata] = storage
        self._alive.append(tensor)
        return storage

    def _values(self, tree: Any) -> Any:
        return tree_map(lambda leaf: self.read(leaf) if isinstance(leaf, Tensor) else leaf, tree)


def _is_library(file: str, known: dict[str, bool] = {}) -> bool:  # noqa: B006 - a cache
    if file not in known:
        known[file] = file.startswith(_LIBRARY) or "site-packages" in file
    return known[file]


@contextlib.contextmanager
def recording(recorder: Recorder, watch: Callable) -> Iterator[None]:
    """Record in this block, with torch's fused kernels switched off: they hide the operators inside."""
    fast = torch.backends.mha.get_fastpath_enabled()
    onednn = torch.backends.mkldnn.enabled
    torch.backends.mha.set_fastpath_enabled(False)
    torch._C._set_mkldnn_enabled(False)
    try:
        with (
            torch.inference_mode(False),
            torch.enable_grad(),
            torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH),
            watch,
            recorder,
        ):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
        torch._C._set_mkldnn_enabled(onednn)
        recorder.restore()
