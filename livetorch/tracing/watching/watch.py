"""Calls that read numbers out of a tensor without any operator: seen here, and refused or done otherwise."""

import functools
import sys
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.overrides import TorchFunctionMode

from livetorch.program.errors import TraceError
from livetorch.tracing.graph import leaves
from livetorch.tracing.memory import picks
from livetorch.tracing.reader.names import plain
from livetorch.tracing.reader.refusals import data_dependent
from livetorch.tracing.recorder import Recorder
from livetorch.tracing.watching import chosen, creation, scalars

_READS = {
    *(
        Tensor.tolist,
        Tensor.numpy,
        Tensor.__array__,
        Tensor.data_ptr,
        Tensor.__dlpack__,
        Tensor.__reduce_ex__,
        Tensor.apply_,
        Tensor.map_,
    ),
}
Words = Callable[[Tensor, Callable[[Tensor], str]], str]  # of a tensor, and of how it is made text
_FAST = {  # where torch has a fast path, and the variable that says why it was not gone
    torch.nn.MultiheadAttention.forward.__code__: "why_not_fast_path",
    torch.nn.TransformerEncoderLayer.forward.__code__: "why_not_sparsity_fast_path",
}
_SHOWS = {Tensor.__repr__, Tensor.__format__}


class Watch(TorchFunctionMode):
    """The function mode that stands beside a recorder.

    Args:
        recorder: what writes the operators down.
        words: gives another text for a tensor that depends on an input; by default texts are the example's.
    """

    def __init__(self, recorder: Recorder, words: Words | None = None) -> None:
        super().__init__()
        self._recorder, self._words = recorder, words

    def __torch_function__(
        self, func: Callable, types: tuple, args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        """Let a call through, unless it would fix what depends on an input."""
        recorder, kwargs = self._recorder, kwargs or {}
        try:
            out = self._run(func, args, kwargs)
        except TraceError as error:
            raise recorder.refuse(error) from None
        owed, recorder.memory.newly_owed = recorder.memory.newly_owed, None
        if owed is not None and torch.is_grad_enabled():
            owed.fixed = owed.fixed or any(each.requires_grad for each in leaves((args, kwargs), Tensor))
        return out

    def _run(self, func: Callable, args: tuple, kwargs: dict) -> Any:
        recorder = self._recorder
        name = getattr(func, "__name__", "")
        if func in _READS and (names := recorder.memory.inputs_of(args[0])):
            raise data_dependent(name, names, recorder.place(), recorder.library())
        if func in _SHOWS:  # print(x) in a function may show the example
            names = recorder.memory.inputs_of(args[0])
            if names:
                recorder.told.setdefault(names, recorder.running())
            with torch._C._DisableTorchDispatch():
                if names and self._words:
                    return self._words(args[0], lambda tensor: func(tensor, *args[1:], **kwargs))
                return func(*args, **kwargs)
        if func in _REPLACED:
            out = _REPLACED[func](recorder, *args, **kwargs)
            if out is not NotImplemented:
                return out
        out = scalars.rewritten(func, args, kwargs, functools.partial(_depends, recorder))
        if out is not NotImplemented:
            return out
        recorder.asking, before = name, recorder.asking
        try:
            return func(*args, **kwargs)
        finally:
            recorder.asking = before


def _depends(recorder: Recorder, item: Any) -> bool:
    return isinstance(item, Tensor) and bool(recorder.memory.inputs_of(item))


def _deepcopy(recorder: Recorder, tensor: Tensor, memo: dict) -> Tensor:
    return tensor.clone() if _depends(recorder, tensor) else NotImplemented


def _attention(recorder: Recorder, query: Tensor, *args: Any, scale: Any = None, **kwargs: Any) -> Tensor:
    attend: Callable = functional.scaled_dot_product_attention
    if not _depends(recorder, scale):
        if torch.backends.cuda.math_sdp_enabled():
            return NotImplemented
        with sdpa_kernel(SDPBackend.MATH):  # the function chose a kernel that hides its operators
            return attend(query, *args, scale=scale, **kwargs)
    return attend(query * scale, *args, scale=1.0, **kwargs)


def _heads(recorder: Recorder, *args: Any, **kwargs: Any) -> Any:
    """Attend as on torch's fast path, if that is gone outside: a row that is all masked gives NaN.

    Beside a function mode torch goes the other path, where such a row is 0 unless weights are asked for.
    """
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code in _FAST and _goes_fast(frame.f_locals, _FAST[frame.f_code]):
            out, weights = functional.multi_head_attention_forward(*args, **kwargs | {"need_weights": True})
            return out, weights if kwargs.get("need_weights", True) else None
    return NotImplemented


def _goes_fast(seen: Mapping[str, Any], reason: str) -> bool:
    """Tell whether torch would go its fast path but for the function mode."""
    attention = getattr(seen["self"], "self_attn", seen["self"])
    return (
        seen[reason] == "some Tensor argument has_torch_function"
        and attention.in_proj_bias is not None
        and not (
            torch.is_grad_enabled()
            and any(each.requires_grad for each in leaves(seen["tensor_args"], Tensor))
        )
    )


def _rrelu(
    recorder: Recorder,
    input: Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Do RReLU without training by what it is then; torch asks the operator that could draw slopes."""
    return NotImplemented if training else functional.leaky_relu(input, (lower + upper) / 2, inplace)


def _one_hot(recorder: Recorder, tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Write 1 at each class; torch's own looks at the smallest and the largest number first."""
    if _depends(recorder, num_classes):
        deps = recorder.memory.inputs_of(torch.as_tensor(num_classes))
        raise data_dependent("one_hot", deps, recorder.place(), recorder.library())
    if num_classes < 0 or not _depends(recorder, tensor):
        return NotImplemented
    return torch.zeros(*tensor.shape, num_classes, dtype=torch.int64).scatter(-1, tensor.unsqueeze(-1), 1)


# ---- x[i] with a whole number i that depends on an input: torch would read i out and be done with it


def _positions(recorder: Recorder, tensor: Tensor, index: Any) -> tuple[tuple, dict[int, Tensor]] | None:
    """Split an index: what is left of it when such numbers take the whole axis, and axis -> number."""
    parts = list(index) if isinstance(index, tuple) else [index]
    moving = {
        i
        for i, part in enumerate(parts)
        if _depends(recorder, part) and part.dim() == 0 and part.dtype != torch.bool
    }
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
    picked = chosen.choose(recorder, tensor, index)
    if picked is not None:
        return picked
    found = _positions(recorder, tensor, index)
    if found is None:
        among = _among_lists(recorder, tensor, index)
        return NotImplemented if among is None else among[0][among[1]]
    rest, axes = found
    return recorder.memory.pick(tensor, rest, axes)


def _among_lists(recorder: Recorder, tensor: Tensor, index: Any) -> tuple[Tensor, tuple] | None:
    """Split x[n, [0, 2]]: torch takes the numbers first and the lists then."""
    parts = list(index) if isinstance(index, tuple) else [index]
    used = sum(part is not None and part is not Ellipsis for part in parts)
    axes, rest, axis = {}, [], 0
    for part in parts:
        if isinstance(part, Tensor) and part.dtype == torch.bool:
            return None
        if _depends(recorder, part) and part.dim() == 0:
            axes[axis] = part
        else:
            rest.append(part)
        axis += tensor.dim() - used if part is Ellipsis else part is not None
    return (recorder.memory.pick(tensor, (...,), axes), tuple(rest)) if axes else None


def _setitem(recorder: Recorder, tensor: Tensor, index: Any, value: Any) -> None:
    if chosen.put(recorder, tensor, index, value):
        return None
    found = _positions(recorder, tensor, index)
    if found is None:
        among = _among_lists(recorder, tensor, index)
        if among is None:
            return NotImplemented
        row, rest = among
        row[rest] = value
        recorder.memory.wrote(recorder.memory.storage(plain(row)))
        return None
    rest, axes = found
    if isinstance(value, Tensor):
        recorder.memory.paid(tensor, rest, axes, value)
    value = value.to(tensor.dtype) if isinstance(value, Tensor) else torch.tensor(value, dtype=tensor.dtype)
    picks.put(tensor, rest, axes, value)
    return None


def _masked_select(recorder: Recorder, tensor: Tensor, mask: Tensor) -> Any:
    picked = chosen.choose(recorder, tensor, mask) if mask.shape == tensor.shape else None
    return NotImplemented if picked is None else picked


_REPLACED: dict[Callable, Callable] = {
    **creation.REPLACED,
    Tensor.masked_select: _masked_select,
    torch.masked_select: _masked_select,
    Tensor.__getitem__: _getitem,
    Tensor.__setitem__: _setitem,
    Tensor.__deepcopy__: _deepcopy,
    functional.multi_head_attention_forward: _heads,
    functional.rrelu: _rrelu,
    torch.rrelu: _rrelu,
    functional.one_hot: _one_hot,
    functional.scaled_dot_product_attention: _attention,
}
