"""Turn a torch function into a Program that runs without torch."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from attn_helpers.live._fold import build
from attn_helpers.live._recorder import Recorder, recording
from attn_helpers.live.errors import InputError, OutputError, TraceError
from attn_helpers.live.program import DTYPES, Program

__all__ = ["trace", "trace_with"]


def trace(fn: Callable, /, **example_inputs: Any) -> Program:
    """Turn a torch function into a Program: a list of operators with constants, that a page can run.

    Args:
        fn: a function, closure or nn.Module of tensors, that returns a tensor or a dict of tensors.
        example_inputs: for each argument a tensor, or a number: fn then gets a tensor without axes (float32 for a
            float, int64 for an int, bool for a bool). Only shape and dtype matter for the Program.

    Returns:
        the Program, whose inputs bear the names of the arguments.

    Raises:
        TraceError: fn cannot be traced; its kinds (errors.py) and its text say why, where and what to do.

    Example:
        >>> keys = torch.tensor([0.0, 1.0])
        >>> program = trace(lambda width: torch.softmax(-((keys / width) ** 2), dim=-1), width=1.0)
        >>> program.run(width=1.0)
        {'output': tensor([0.7311, 0.2689])}

    Source: design of this book; core ATen by torch._decomp.
    Chapter: book/live_format.md
    """
    return trace_with(fn, example_inputs)


def trace_with(fn: Callable, example_inputs: Mapping[str, Any], *, store: str | None = None) -> Program:
    """Do what `trace` does, with the inputs in a dict, so that options cannot be mistaken for arguments of fn.

    Args:
        fn: as in `trace`.
        example_inputs: as in `trace`.
        store: "float16" keeps the float32 constants in half the space (and rounds them so); None keeps them exact.

    Returns:
        the Program.

    Raises:
        TraceError: as in `trace`.

    Example:
        >>> weight = torch.tensor([0.1, 0.2])
        >>> program = trace_with(lambda x: x * weight, {"x": 1.0}, store="float16")
        >>> program.run(x=1.0)
        {'output': tensor([0.1000, 0.2000])}

    Source: design of this book.
    Chapter: book/live_format.md
    """
    if store not in (None, "float16"):
        raise InputError(f"store must be None or 'float16', got {store!r}.")
    names = _argument_names(fn, example_inputs)
    examples = {name: _example(name, example_inputs[name]) for name in names}
    recorder = Recorder(_files_of(fn), _call.__code__)
    inputs = [recorder.add_input(name, example) for name, example in examples.items()]
    with recording(recorder, _Watch(recorder)):
        result = _call(fn, examples, recorder)
        outputs = {name: recorder.read(tensor) for name, tensor in _outputs(fn, result).items()}
    return build(recorder.nodes, inputs, outputs, store)


def _call(fn: Callable, examples: dict[str, Tensor], recorder: Recorder) -> Any:
    try:
        return fn(**examples)
    except TraceError:
        raise
    except Exception as fault:
        raise TraceError(
            f"{_name(fn)} failed while it was traced: {type(fault).__name__}: {fault}"
        ) from fault


class _Watch(TorchFunctionMode):
    """Sees the calls that read numbers out of a tensor without an operator, and remembers what was called."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def __torch_function__(
        self, func: Callable, types: tuple, args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        recorder = self._recorder
        if func in _READS and recorder.inputs_of(args[0]):
            raise recorder.data_dependent(func.__name__, recorder.inputs_of(args[0]))
        if func in _SHOWS:
            with torch._C._DisableTorchDispatch():
                return func(*args, **(kwargs or {}))
        if func is Tensor.__deepcopy__:
            return args[0].clone()
        if func in (torch.tensor, torch.as_tensor, torch.asarray) and args and _has_tensor(args[0]):
            return _stacked(args[0], **(kwargs or {}))
        if func in _INDEXED:
            args = _INDEXED[func](recorder, *args)
            if args is None:
                return None
            if isinstance(args, Tensor):
                return args
        if func is nn.functional.one_hot:
            return _one_hot(*args, **(kwargs or {}))
        recorder.asking = getattr(func, "__name__", "")
        return func(*args, **(kwargs or {}))


_READS = {
    Tensor.tolist,
    Tensor.numpy,
    Tensor.__array__,
    Tensor.data_ptr,
    Tensor.__reduce_ex__,
    Tensor.__dlpack__,
}
_SHOWS = {Tensor.__repr__, Tensor.__format__}


def _has_tensor(data: Any) -> bool:
    return isinstance(data, list | tuple) and any(
        isinstance(item, Tensor) or _has_tensor(item) for item in data
    )


def _stacked(data: Any, dtype: torch.dtype | None = None, **_: Any) -> Tensor:
    """Do torch.tensor of nested lists that hold tensors, by operators."""
    if not _has_tensor(data):
        return torch.as_tensor(data, dtype=dtype)
    parts = [_stacked(item) if isinstance(item, list | tuple) else torch.as_tensor(item) for item in data]
    kinds = functools.reduce(torch.promote_types, (part.dtype for part in parts))
    out = torch.stack([part.to(kinds) for part in parts]).detach()
    return out if dtype is None else out.to(dtype)


def _one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    # torch's own looks at the smallest and the largest number first
    count = int(tensor.max()) + 1 if num_classes < 0 else num_classes
    return (tensor.unsqueeze(-1) == torch.arange(count)).to(torch.int64)


def _positions(recorder: Recorder, tensor: Tensor, index: Any) -> tuple[tuple, dict[int, Tensor]] | None:
    """Split an index with whole numbers that depend on an input: the rest of it, and axis -> number.

    x[i] takes the number out of i; that would fix it. So these axes are kept at first, and taken from later.
    """
    parts = list(index) if isinstance(index, tuple) else [index]
    moving = [
        i
        for i, part in enumerate(parts)
        if isinstance(part, Tensor)
        and part.dim() == 0
        and part.dtype != torch.bool
        and recorder.inputs_of(part)
    ]
    if not moving or any(
        isinstance(part, list) or (isinstance(part, Tensor) and part.dim()) for part in parts
    ):
        return None
    used = sum(part is not None and part is not Ellipsis for part in parts)
    axes, axis = {}, 0
    for i, part in enumerate(parts):
        if part is Ellipsis:
            axis += tensor.dim() - used
        elif i in moving:
            axes[axis], parts[i] = part, slice(None)
            axis += 1
        elif part is None or isinstance(part, slice):
            axis += 1
    return tuple(parts), axes


def _getitem(recorder: Recorder, tensor: Tensor, index: Any) -> Any:
    found = _positions(recorder, tensor, index)
    if found is None:
        return tensor, index
    rest, axes = found
    out = tensor[rest]
    for axis in sorted(axes, reverse=True):
        out = out[(slice(None),) * axis + (axes[axis].reshape(1),)].squeeze(axis)
    return out


def _setitem(recorder: Recorder, tensor: Tensor, index: Any, value: Any) -> Any:
    found = _positions(recorder, tensor, index)
    if found is None:
        return tensor, index, value
    rest, axes = found
    window = tensor[rest]
    here = torch.ones((), dtype=torch.bool)
    value = torch.as_tensor(value, dtype=tensor.dtype)
    value = value.expand([size for axis, size in enumerate(window.shape) if axis not in axes])
    for axis in sorted(axes):
        size = window.shape[axis]
        places = torch.arange(size).reshape([-1] + [1] * (window.dim() - axis - 1))
        here = here & (places == axes[axis] % size)
        value = value.unsqueeze(axis)
    window.copy_(torch.where(here, value, window))
    return None


_INDEXED = {Tensor.__getitem__: _getitem, Tensor.__setitem__: _setitem}


def _argument_names(fn: Callable, examples: Mapping[str, Any]) -> list[str]:
    """Put the names of the examples in the order of the arguments; complain about names that do not match."""
    called = fn.forward if isinstance(fn, nn.Module) else fn
    if not callable(called):
        raise TypeError(f"fn must be a function or nn.Module, got {type(fn).__name__}.")
    try:
        parameters = inspect.signature(called).parameters.values()
    except ValueError:
        return list(examples)
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    if any(p.kind == p.POSITIONAL_ONLY for p in parameters):
        raise InputError(f"{_name(fn)} has arguments without a name (before /); give them names.")
    missing = [p.name for p in named if p.name not in examples and p.default is p.empty]
    takes_all = any(p.kind == p.VAR_KEYWORD for p in parameters)
    known = [p.name for p in named]
    unknown = [] if takes_all else [name for name in examples if name not in known]
    if missing or unknown:
        faults = []
        if missing:
            faults.append(
                f"{', '.join(missing)} has no example"
                if len(missing) == 1
                else f"no example for {', '.join(missing)}"
            )
        if unknown:
            faults.append(f"no argument takes {', '.join(unknown)}")
        raise InputError(
            f"{_name(fn)} has the arguments {', '.join(known) or '(none)'}: {'; '.join(faults)}."
        )
    return [name for name in known if name in examples] + [name for name in examples if name not in known]


def _example(name: str, value: Any) -> Tensor:
    if isinstance(value, Tensor):
        tensor = value.detach().clone(memory_format=torch.contiguous_format)
    elif isinstance(value, bool | int):
        tensor = torch.tensor(value)
    elif isinstance(value, float):
        tensor = torch.tensor(value, dtype=torch.float32)
    else:
        raise InputError(
            f"the example for {name} must be a tensor or a number, got {type(value).__name__}. "
            "Fix other arguments with functools.partial or a closure."
        )
    if tensor.dtype not in DTYPES:
        raise InputError(
            f"the example for {name} has dtype {tensor.dtype}; use one of {', '.join(DTYPES.values())}."
        )
    return tensor


def _outputs(fn: Callable, result: Any) -> dict[str, Tensor]:
    if isinstance(result, Tensor):
        return {"output": result}
    if isinstance(result, Mapping) and result:
        for name, value in result.items():
            if not isinstance(name, str):
                raise OutputError(
                    f"{_name(fn)} returns a dict with the key {name!r}; the names of outputs must be str."
                )
            if not isinstance(value, Tensor):
                raise OutputError(
                    f"{_name(fn)} returns {type(value).__name__} for {name!r}; outputs must be tensors."
                )
        return dict(result)
    got = "an empty dict" if isinstance(result, Mapping) else f"a {type(result).__name__}"
    hint = (
        ' Name the parts: return {"output": ..., "weights": ...}.' if isinstance(result, list | tuple) else ""
    )
    raise OutputError(f"{_name(fn)} must return a tensor or a dict of tensors, got {got}.{hint}")


def _name(fn: Callable) -> str:
    fn = fn.func if isinstance(fn, functools.partial) else fn
    return getattr(fn, "__name__", type(fn).__name__)


def _files_of(fn: Callable) -> set[str]:
    fn = fn.func if isinstance(fn, functools.partial) else fn
    fn = type(fn).forward if isinstance(fn, nn.Module) else inspect.unwrap(fn)
    code = getattr(fn, "__code__", None)
    return {code.co_filename} if code else set()
