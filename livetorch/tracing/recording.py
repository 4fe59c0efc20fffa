"""One run of a function while it is recorded, one outside the recorder, and where two recordings part."""

import contextlib
import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from livetorch.program.errors import FunctionFailedError, Line, TraceError
from livetorch.program.operators import stable_order
from livetorch.tracing.graph import Node, Value, leaves, replaced
from livetorch.tracing.reader.guards import Failing
from livetorch.tracing.reader.reader_code import Lines, function_name, named_outputs
from livetorch.tracing.recorder import Recorder
from livetorch.tracing.watching.chosen import Chosen
from livetorch.tracing.watching.watch import Watch, Words


@dataclass(frozen=True)
class Recording:
    """What a function did for one set of inputs.

    Args:
        nodes: the operators in the order in which they ran.
        inputs: the values of the inputs.
        outputs: the values of the outputs by name.
        learned: parameters outside the function, which a call may give gradients.
        told: inputs that the function made text of, and the line where it first did.
        guarded: lines in a `try` on which an operator may raise an error for other numbers: the line, the
            error and the inputs.
        clock: a clock that the function reads, or nothing.
    """

    nodes: list[Node]
    inputs: list[Value]
    outputs: dict[str, Value]
    learned: list[Tensor]
    told: dict[frozenset[str], Line | None]
    guarded: list[tuple[Line, type[Exception], frozenset[str]]]
    clock: str


def record(fn: Callable, examples: Mapping[str, Tensor], words: Words | None = None) -> Recording:
    """Run a function on copies of the examples and write down what it does.

    Args:
        fn: the function.
        examples: its inputs.
        words: gives other texts for tensors that depend on an input.
    """
    asking: list[str] = []
    try:
        return _record(fn, examples, words, asking, told=True)
    except FunctionFailedError:  # a library may take its sizes for tensors, as torch.jit makes them
        if not asking:
            raise
        return _record(fn, examples, words, asking, told=False)


def _record(
    fn: Callable, examples: Mapping[str, Tensor], words: Words | None, asking: list[str], told: bool
) -> Recording:
    copies = copied(examples)
    lines = Lines(fn, _call.__code__)
    recorder = Recorder(lines)
    inputs = [recorder.memory.add_input(name, example) for name, example in copies.items()]
    with _settings(recorder, Watch(recorder, words), asking, told), recorder.modules.watched():
        result = _call(fn, copies, lines, recorder)
    if recorder.refused is not None:  # the function caught it, and went on without what it asked for
        raise recorder.refused
    for chosen in leaves(result, Chosen):
        raise chosen.refusal("the value", f"and {function_name(fn)} returns it")
    outputs = {name: recorder.memory.read(tensor) for name, tensor in named_outputs(fn, result).items()}
    clock = next(filter(None, recorder.clocks.values()), "")
    guarded = list(recorder.guarded.values())
    return Recording(recorder.nodes, inputs, outputs, recorder.memory.learned, recorder.told, guarded, clock)


def call_outside(
    fn: Callable,
    inputs: Mapping[str, Tensor],
    learned: list[Tensor],
    times: int = 1,
    mode: contextlib.AbstractContextManager = contextlib.nullcontext(),  # noqa: B008 - it holds nothing
) -> dict[str, Tensor]:
    """Call a function as a reader would, once more and in silence, with gradients as they were before.

    Args:
        fn: the function.
        inputs: what it is called with.
        learned: parameters outside of it.
        times: how often it is called, with gradients left in between; the last call counts.
        mode: a dispatch mode in which it runs.
    """
    with (
        torch.inference_mode(False),
        torch.enable_grad(),
        torch.random.fork_rng(devices=[]),
        _uncompiled(),
        contextlib.redirect_stdout(io.StringIO()),
        _without_gradients(learned),
        stable_order(),  # type: ignore[no-untyped-call]
        mode,
    ):
        for _ in range(times):
            result = _call_plainly(fn, copied(inputs))
        outputs = named_outputs(fn, result).items()
        return {name: tensor.detach().clone().as_subclass(Tensor) for name, tensor in outputs}


def _call_plainly(fn: Callable, inputs: dict[str, Tensor]) -> Any:
    return fn(**inputs)


def failing(fn: Callable, line: Line, error: type[Exception]) -> Failing:
    """Make a mode for `call_outside`, in which the first operator on a line raises an error."""
    return Failing(fn, _call_plainly.__code__, line, error)


def copied(inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Copy tensors, so that a function may write into its arguments."""
    with torch.inference_mode(False):
        return {
            name: tensor.detach()
            .clone(memory_format=torch.contiguous_format)
            .requires_grad_(tensor.requires_grad)
            for name, tensor in inputs.items()
        }


def parting(first: Recording, second: Recording) -> tuple[bool, Line | None]:
    """Compare two recordings of one function: do they differ in more than their inputs, and on which line?"""
    for one, other in zip(first.nodes, second.nodes, strict=False):
        if one.random and other.random:
            continue
        if _skeleton(one) != _skeleton(other) or any(map(_differ, one.inputs, other.inputs)):
            return True, one.line
    if len(first.nodes) != len(second.nodes):
        longer = max(first.nodes, second.nodes, key=len)
        return True, longer[min(len(first.nodes), len(second.nodes))].line
    return list(first.outputs) != list(second.outputs) or any(
        map(_differ, first.outputs.values(), second.outputs.values())
    ), None


def _skeleton(node: Node) -> str:
    """Write an operator without the numbers of its tensors."""
    shapes = replaced((node.args, node.kwargs), Value, lambda value: f"<{value.dtype} {tuple(value.shape)}>")
    return repr((node.op, shapes))


def _differ(one: Value, other: Value) -> bool:
    """Tell whether two values from outside the recording hold other numbers."""
    given = one.node is None and one.name is None and other.node is None and other.name is None
    if not given:
        return (one.node is None, one.name) != (other.node is None, other.name)
    same = one.dtype == other.dtype and one.shape == other.shape
    if not same or one.tensor is None or other.tensor is None:
        return True
    return not torch.allclose(one.tensor, other.tensor, rtol=0, atol=0, equal_nan=True)


def _call(fn: Callable, examples: dict[str, Tensor], lines: Lines, recorder: Recorder) -> Any:
    try:
        return fn(**examples)
    except Exception as fault:
        if recorder.refused is not None:  # a library may have called it by another name
            raise recorder.refused from None
        if isinstance(fault, TraceError):
            raise
        line = lines.raising(fault.__traceback__)
        where = f" on {line}" if line else ""
        hint = (
            "" if line else f". It was called by names ({', '.join(examples)}); else wrap it: def f(x): ..."
        )
        if compiled := re.search(r"HigherOrderOperator (\w+)", str(fault)):
            raise TraceError(
                f"{compiled[1]} is compiled and cannot be traced{where}. Write it with tensor operations."
            ) from fault
        if "ensor subclass" in str(fault):
            raise TraceError(
                f"tensors of a class of their own cannot be traced{where}. Use plain ones: for "
                "causal_lower_right and causal_upper_left a bool mask, such as "
                "torch.ones(n, m, dtype=torch.bool).tril(m - n)."
            ) from fault
        raise FunctionFailedError(
            f"{function_name(fn)} failed{where}: {type(fault).__name__}: {fault}{hint}"
        ) from fault


@contextlib.contextmanager
def _without_gradients(learned: list[Tensor]) -> Iterator[None]:
    """Take the gradients off parameters in this block: a call that adds to them would give other numbers."""
    before = [tensor.grad for tensor in learned]
    for tensor in learned:
        tensor.grad = None
    try:
        yield
    finally:
        for tensor, gradient in zip(learned, before, strict=True):
            tensor.grad = gradient


def _uncompiled() -> contextlib.AbstractContextManager:
    """Let what torch.compile was given run as it is written in this block."""
    compiles = "torch._dynamo" in sys.modules  # which takes a second to import, and which torch.compile needs
    return torch.compiler.set_stance("force_eager") if compiles else contextlib.nullcontext()


@contextlib.contextmanager
def _settings(
    recorder: Recorder, watch: contextlib.AbstractContextManager, asking: list[str], told: bool
) -> Iterator[None]:
    """Record in this block, with torch's fused kernels switched off: they hide the operators inside.

    Libraries ask `torch.jit.is_tracing` before they look at numbers, for a warning or a shortcut: they are
    told so, and torch, which means a recorder of its own, is not. Who asks is written down.
    """

    def is_tracing() -> bool:
        name = sys._getframe(1).f_globals.get("__name__", "")
        if name.startswith("torch."):
            return False
        asking.append(name)
        return told

    tracing = torch.jit.is_tracing  # type: ignore[attr-defined]
    onednn: Any = torch.backends.mkldnn.enabled
    kind: Any = torch.distributions.constraints._PositiveDefinite
    check = kind.check
    kind.check = _positive_definite
    torch._C._set_mkldnn_enabled(False)
    torch.jit.is_tracing = is_tracing  # type: ignore[attr-defined]
    try:
        with (
            torch.inference_mode(False),
            torch.enable_grad(),
            torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH),
            _uncompiled(),
            watch,
            recorder,
        ):
            yield
    finally:
        torch.jit.is_tracing = tracing  # type: ignore[attr-defined]
        torch._C._set_mkldnn_enabled(onednn)
        kind.check = check
        recorder.memory.restore()


def _positive_definite(constraint: Any, value: Tensor) -> Tensor:
    """Check a matrix in one go; torch looks whether it is symmetric before it goes on."""
    return super(type(constraint), constraint).check(value) & torch.linalg.cholesky_ex(value).info.eq(0)


@contextlib.contextmanager
def page_dtype() -> Iterator[None]:
    """Compute in this block with the page's default dtype, whatever torch.set_default_dtype was given."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float32)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
