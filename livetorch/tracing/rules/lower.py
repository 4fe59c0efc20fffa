"""Write each operator by the small ones that the page has, mostly by torch's own decompositions."""

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch._C import DispatchKey
from torch._ops import OpOverload

from livetorch.program.operators import is_supported, ordered
from livetorch.tracing.rules.indexing import RULES

aten = torch.ops.aten

# torch would take these apart, but the page has them: fewer, faster steps
_KEEP = {
    *("aten._softmax.default", "aten._log_softmax.default", "aten._safe_softmax.default"),
    *("aten._to_copy.default", "aten.clone.default"),
    *("aten.index_add.default", "aten.index_copy.default"),  # in small steps -1 would be the last place
    *("aten.std.correction", "aten.std_mean.correction"),  # whose square may be beyond float32
    "aten.logit.default",  # in small steps it differs from torch's where half precision meets eps
}
# torch would keep these whole; in small steps they need no memory in a certain order
_APART = {"native_group_norm", "upsample_bilinear2d", "upsample_linear1d", "upsample_nearest2d"}
_EMPTY = {"empty", "empty_like", "new_empty", "empty_strided", "new_empty_strided", "empty_permuted"}
_FILLED = {"zeros_like": 0, "ones_like": 1, "new_zeros": 0, "new_ones": 1, "_efficientzerotensor": 0}
_DROPPED = ("device", "layout", "pin_memory", "memory_format", "non_blocking", "requires_grad", "names")
_PASS = {"clone", "lift_fresh_copy", "detach_copy", "alias_copy", "_to_copy", "contiguous"}


def packet(func: OpOverload) -> str:
    """Name an operator without namespace and overload."""
    return func._schema.name.partition("::")[2]


@cache
def _tables() -> tuple[dict, dict]:
    from torch._decomp import core_aten_decompositions, global_decomposition_table

    return dict(core_aten_decompositions().items()), global_decomposition_table["post_autograd"]


def rule(func: OpOverload) -> Callable | None:
    """Find how to take an operator apart, or None where it is written as it is."""
    name = str(func)
    core, every = _tables()
    if name in RULES:
        return RULES[name]
    if name in _KEEP and is_supported(name):
        return None
    if func in core:
        return core[func]
    if func.has_kernel_for_dispatch_key(DispatchKey.CompositeImplicitAutograd):
        return func.decompose
    return every.get(func) if packet(func) in _APART or not is_supported(name) else None


def is_filled(func: OpOverload) -> bool:
    """Tell whether an operator uses nothing of its tensor arguments but shape and dtype."""
    name = packet(func)
    return name in _FILLED or name in _EMPTY or (name in ("full_like", "new_full"))


def is_certain(func: OpOverload, args: tuple) -> bool:
    """Tell whether an operator marked as random is not, or is made of others that will tell."""
    if func.has_kernel_for_dispatch_key(DispatchKey.CompositeImplicitAutograd):
        return True
    return packet(func) == "native_dropout" and (args[1] == 0 or not args[2])


def run(func: OpOverload, args: tuple, kwargs: dict) -> Any:
    """Run an operator on real numbers; memory that torch would leave as it is comes out 0."""
    out = ordered(func)(*args, **kwargs)
    if packet(func) in _EMPTY:
        out.zero_()
    return out


def copied(func: OpOverload, args: tuple, kwargs: dict) -> Tensor | None:
    """Give the argument that an operator only copies, or None."""
    if packet(func) not in _PASS or not isinstance(args[0], Tensor):  # vmap hands numbers over as they are
        return None
    return args[0] if kwargs.get("dtype") in (None, args[0].dtype) else None


def written(func: OpOverload, args: tuple, kwargs: dict, out: Tensor) -> tuple[str, tuple, dict]:
    """Give name and arguments as they are written down: without what a page has no use for."""
    name = packet(func)
    if name in _EMPTY or name in _FILLED:
        return "aten.full.default", (list(out.shape), _FILLED.get(name, 0)), {"dtype": out.dtype}
    if name in ("full_like", "new_full"):
        fill = args[1] if name == "full_like" else args[2]
        return "aten.full.default", (list(out.shape), fill), {"dtype": out.dtype}
    kwargs = {key: value for key, value in kwargs.items() if key not in _DROPPED}
    return str(func), args, kwargs


def targets(func: OpOverload, args: tuple, kwargs: dict) -> list[Tensor]:
    """List the tensors that an operator writes into."""
    found: list[Any] = []
    for i, argument in enumerate(func._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = (
                kwargs.get(argument.name) if argument.name in kwargs else (args[i] if i < len(args) else None)
            )
            found += value if isinstance(value, list | tuple) else [value]
    return [tensor for tensor in found if isinstance(tensor, Tensor)]


def _copy(target: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    return source.to(target.dtype).expand(target.shape).clone()


def _zero(target: Tensor) -> Tensor:
    return torch.zeros_like(target)


def _fill(target: Tensor, value: Tensor | float) -> Tensor:
    if isinstance(value, Tensor):
        return value.to(target.dtype).expand(target.shape).clone()
    return torch.full_like(target, value)


_IN_PLACE: dict[str, Callable] = {
    "copy_": _copy,
    "zero_": _zero,
    "fill_": _fill,
    "_index_put_impl_": aten.index_put.default,
}


@cache
def functional(func: OpOverload) -> Callable | None:
    """Find the operator that computes what another one writes into its argument."""
    name = packet(func)
    if name in _IN_PLACE:
        return _IN_PLACE[name]
    wanted = [
        a.name
        for a in func._schema.arguments
        if not (a.alias_info and a.alias_info.is_write and a.kwarg_only)
    ]
    plain = getattr(aten, name[:-1] if name.endswith("_") else name, None)
    for overload in plain.overloads() if plain is not None else ():
        candidate = getattr(plain, overload)
        same = [str(a.type) for a in candidate._schema.arguments]
        types = [str(a.type) for a in func._schema.arguments if a.name in wanted]
        if not candidate._schema.is_mutable and same == types and len(candidate._schema.returns) == 1:
            return candidate
    return None
