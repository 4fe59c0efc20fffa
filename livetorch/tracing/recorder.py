"""Record what a torch function does, operator by operator, while it runs on example inputs.

The recorder stands where every operator passes, below autograd and `torch.func`, so gradients taken inside
the function are recorded too. Tensors that do not depend on an input keep their real numbers all the way:
Python may look into them. The numbers of a tensor that depends on an input are only an example, and looking
into it from Python is an error. A write into a tensor becomes a new value (`_storage.py`): a recording never
writes.
"""

from contextlib import AbstractContextManager, nullcontext
from types import CodeType
from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack

from livetorch.program.errors import Line, TraceError
from livetorch.tracing.constants import refuse_random
from livetorch.tracing.graph import CHECK, Node, Value, leaves, replaced
from livetorch.tracing.memory import aliases
from livetorch.tracing.memory.memory import Memory
from livetorch.tracing.reader.asserting import asking_frame, checking
from livetorch.tracing.reader.guards import guarded
from livetorch.tracing.reader.names import Modules
from livetorch.tracing.reader.reader_code import Lines, clock, line_of
from livetorch.tracing.reader.refusals import NO_VALUE, Refusal, data_dependent, random_numbers
from livetorch.tracing.rules import checks, complex, indexing, lists, lower

_VALUE_ASKED = {"aten._local_scalar_dense.default", "aten.equal.default"}
_NO_MEMORY = {"set_", "resize_", "resize_as_"}


class Recorder(TorchDispatchMode):
    """The dispatch mode that writes operators down.

    Args:
        lines: finds the reader's line that is running.
    """

    def __init__(self, lines: Lines) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.nodes: list[Node] = []
        self.refused: TraceError | None = None
        self.told: dict[frozenset[str], Line | None] = {}  # inputs that were made text, and where first
        self.guarded: dict[tuple[str, int], tuple[Line, type[Exception], frozenset[str]]] = {}
        self.clocks: dict[CodeType, str] = {}  # each function that ran, and the clock that it reads
        self.asking = ""  # the torch function that Python called last, for error texts
        self.place, self.library, self.running = lines.place, lines.library, lines.running
        self._lines = lines
        self._origin: str | None = None
        self.memory = Memory(self, lines)
        self.modules = Modules()

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # else torch imports its compiler at the first operator, which takes a second

    def writing(self) -> AbstractContextManager:
        """Record in this block: inside an operator the recorder stands aside, else it is at work already."""
        return nullcontext() if self in _get_current_dispatch_mode_stack() else self

    def refuse(self, error: TraceError) -> TraceError:
        """Remember an error: what was refused once stays refused, though the function may catch it."""
        self.refused = self.refused or error
        return error

    def emit(self, op: str, args: tuple, outs: list[Value], kwargs: dict | None = None) -> list[Value]:
        """Write one operator down; `args` hold Values where tensors stand."""
        frames = self._lines.frames()
        self.memory.look(frames)
        for frame in frames:
            if frame.f_code not in self.clocks:
                self.clocks[frame.f_code] = clock(frame.f_code, frame.f_globals)
        line = line_of(frames[-1]) if frames else self.nodes[-1].line if self.nodes else None
        node = Node(op, args, kwargs or {}, outs, line, self._origin, module=self.modules.running)
        deps = frozenset().union(*(value.deps for value in node.inputs))
        self.nodes.append(node)
        for i, out in enumerate(outs):
            out.node, out.index, out.deps = node, i, deps
        return outs

    # ---- the operators

    def __torch_dispatch__(
        self, func: OpOverload, types: tuple, args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        """Run one operator on the example numbers and record it."""
        with torch._C.DisableTorchFunction():  # what is called from here on is not the reader's call
            try:
                return self._run(func, args, kwargs or {})
            except Refusal as refusal:
                error = TraceError(f"{refusal}, {self.place()}. {refusal.advice}")
            except TraceError as fault:
                error = fault
            raise self.refuse(error)

    def _run(self, func: OpOverload, args: tuple, kwargs: dict) -> Any:
        if not isinstance(func, OpOverload):
            raise Refusal(f"{func} cannot be traced", "Write it with tensor operations.")
        if lower.packet(func) == "lift_fresh" and self.memory.known(args[0]) is None:
            self.memory.adopt(args[0], captured=False)  # torch.tensor(...) in the function
        tensors = leaves((args, kwargs), Tensor)
        deps = frozenset().union(*(self.memory.storage(tensor).deps for tensor in tensors))
        if deps and str(func) == "aten._local_scalar_dense.default":
            truth = self._truth(args[0])
            if truth is not None:
                return truth
        self._refuse(func, deps)
        error = checks.may_fail(func, args) if deps else None
        if error is not None and (line := guarded(self._lines.frames())):
            self.guarded.setdefault((line.file, line.number), (line, error, deps))
        if deps and str(func) == "aten._linalg_check_errors.default":
            self._check(args[0])
        if deps and lower.packet(func) == "_assert_async":
            func(*args)
            message = args[1] if len(args) > 1 else f"a check does not hold {self.place()}"
            self.emit(CHECK, (self.memory.read(args[0]), message), [])
            return None
        on_lists = lower.packet(func).startswith(lists.PREFIX)
        if rule := lists.rule(func) if on_lists else complex.memory_rule(func, args):
            with self:
                return rule(*args, **kwargs)
        if torch.Tag.nondeterministic_seeded in func.tags and not lower.is_certain(func, args):
            return self._draw(func, args, kwargs, bool(deps))
        if func._schema.is_mutable:
            return self._write(func, args, kwargs, bool(deps))
        if lower.is_filled(func):
            deps = frozenset()  # only the shape of the tensor argument matters
        if deps:
            out = self._lowered(func, args, kwargs)
            if out is not NotImplemented:
                return out
        if str(func) == "aten._local_scalar_dense.default":
            refuse_random(self.memory.read(args[0]))
        out = lower.run(func, args, kwargs)
        self._record(func, args, kwargs, out, bool(deps))
        return out

    def _truth(self, tensor: Tensor) -> bool | None:
        """Go on where only an error hangs on a condition: the page stops then, as torch would."""
        frame = asking_frame()
        found = None if guarded([*self._lines.frames(), frame]) else checking(frame)
        if found is None:
            return None
        holds = bool(tensor)
        with self:
            truth = tensor.reshape(()) != 0
            torch._assert_async(truth if holds else ~truth, found.format(self.place()))
        return holds

    def _check(self, info: Tensor) -> None:
        """Let the operator that gave this report raise an error itself where torch would raise one now."""
        node = self.memory.read(info).node
        if node is not None and node.op.endswith("_ex.default"):
            node.kwargs["check_errors"] = True

    def _refuse(self, func: OpOverload, deps: frozenset[str]) -> None:
        if deps and str(func) == "aten.view.dtype":
            raise Refusal("a view of memory as another dtype cannot be traced", "Use .to(dtype).")
        shape_asked = torch.Tag.dynamic_output_shape in func.tags and not lower.rule(func)
        value_asked = torch.Tag.data_dependent_output in func.tags or str(func) in _VALUE_ASKED
        if deps and (shape_asked or value_asked):
            asked = str(func) if shape_asked else self.asking or "compiled code (torch.jit)"
            raise data_dependent(asked, deps, self.place(), self.library())

    def _draw(self, func: OpOverload, args: tuple, kwargs: dict, depends: bool) -> Any:
        """Let random numbers be drawn: that is a fault only if the Program comes to need them."""
        targets = lower.targets(func, args, kwargs)
        if depends and not targets:
            raise random_numbers(str(func), self.place())
        self._refuse_captured(func, targets)
        out = func(*args, **kwargs)
        drawn = leaves(out, Tensor)
        values = [Value(tuple(t.shape), t.dtype, NO_VALUE, tensor=t.clone()) for t in drawn]
        self.emit(str(func), (), values)
        self.nodes[-1].random = True
        for tensor, value in zip(drawn, values, strict=True):
            if targets:
                self.memory.storage(tensor).write(tensor, value, self)
            else:
                self.memory.adopt(tensor, captured=False).set_root(value)
        return out

    def _lowered(self, func: OpOverload, args: tuple, kwargs: dict) -> Any:
        """Take an operator apart, or say NotImplemented."""
        before = self._origin
        if ask := checks.of(func):
            with self:
                ask(*args)
        try:
            rule = complex.rule(func, args, kwargs)
            if rule is None and not aliases.is_view(func):
                rule = lower.rule(func)
            if rule is None:
                return NotImplemented
            self._origin = before or str(func)
            with self:
                return rule(*args, **kwargs)
        finally:
            self._origin = before

    def _record(self, func: OpOverload, args: tuple, kwargs: dict, out: Any, depends: bool) -> None:
        fresh = []
        for i, tensor in enumerate(leaves(out, Tensor)):
            self.memory.refuse_sparse(tensor)
            storage = self.memory.known(tensor)
            if storage is None:
                fresh.append(tensor)
            elif args and isinstance(args[0], Tensor):
                storage.add_view(tensor, args[0], aliases.recipe(func, args, kwargs, tensor, i))
        if not fresh:
            return
        copied = lower.copied(func, args, kwargs)
        if copied is not None:  # clone, or a cast to the dtype it has: the same value under a new storage
            self.memory.adopt(fresh[0], captured=False).set_root(self.memory.read(copied))
            return
        values = [Value(tuple(t.shape), t.dtype, NO_VALUE, tensor=None if depends else t) for t in fresh]
        if aliases.is_reshape(func):  # flatten, whole in inference mode: the page has one name for all
            func, args, kwargs = torch.ops.aten.reshape.default, (args[0], list(fresh[0].shape)), {}
        op, args, kwargs = lower.written(func, args, kwargs, fresh[0])
        self.emit(op, self._values(args), values, self._values(kwargs))
        for tensor, value in zip(fresh, values, strict=True):
            self.memory.adopt(tensor, captured=False).set_root(value)
            if depends and tensor.is_complex():
                raise complex.refusal(func)

    def _write(self, func: OpOverload, args: tuple, kwargs: dict, depends: bool) -> Any:
        """Run an operator that writes into a tensor: an operator that does not, and a new value."""
        if str(func) == "aten.set_.source_Storage_storage_offset":  # copy.copy(x): a new name for the memory
            return func(*args, **kwargs)
        if torch.Tag.inplace_view in func.tags or lower.packet(func) in _NO_MEMORY:
            return self._reshape_in_place(func, args, kwargs)
        targets = lower.targets(func, args, kwargs)
        self._refuse_captured(func, targets)
        plain = lower.functional(func) if len(targets) == 1 else None
        if plain is None and depends and "_fused_" in str(func):
            raise Refusal(f"{func} does a whole step at once and cannot be traced", "Leave fused=True out.")
        if plain is None and depends:
            raise Refusal(f"{func} writes in a way that cannot be traced", "Give its result a name instead.")
        if plain is None:
            for target in targets:
                self.memory.storage(target).protect()
                self.memory.storage(target).forget()
            return func(*args, **kwargs)
        target = targets[0]
        kwargs = {name: value for name, value in kwargs.items() if value is not target}
        with self:
            new = plain(*args, **kwargs)
            if new.shape == target.shape and new.dtype != target.dtype:
                new = new.to(target.dtype)
        if new.shape != target.shape:
            shapes = f"{func} gives {tuple(new.shape)} and writes it into {tuple(target.shape)}"
            raise Refusal(shapes, "Write into a tensor of that shape, or leave out=... away.")
        storage = self.memory.storage(target)
        if target.is_complex():
            with self:
                halves = torch.view_as_real(new.resolve_conj())
            storage.write(torch.view_as_real(target), self.memory.read(halves), self)
        else:
            storage.write(target, self.memory.read(new), self)
        storage.protect()
        target.copy_(new)
        self.memory.wrote(storage)
        return target

    def _refuse_captured(self, func: OpOverload, targets: list[Tensor]) -> None:
        if any(self.memory.storage(target).captured for target in targets):
            if "batchnorm" in self.library() or "instancenorm" in self.library():
                raise indexing.in_training()
            raise Refusal(
                f"{func} writes into a tensor from outside the function",
                "Work on a .clone() of it, or pass it as an input and return the new value.",
            )

    def _reshape_in_place(self, func: OpOverload, args: tuple, kwargs: dict) -> Any:
        plain = lower.functional(func)
        if "source_Storage" in str(func):
            raise Refusal(
                "the memory of a tensor that depends on an input cannot be looked at (x.storage())",
                "Index the tensor itself, such as x[0].",
            )
        if plain is None or not (isinstance(plain, OpOverload) and aliases.is_view(plain)):
            raise Refusal(f"{func} changes a tensor's memory and cannot be traced", "Give its result a name.")
        with self:
            plain(args[0].detach(), *args[1:], **kwargs)  # leaves the recipe for the new shape
        return func(*args, **kwargs)

    def _values(self, tree: Any) -> Any:
        return replaced(tree, Tensor, self.memory.read)
