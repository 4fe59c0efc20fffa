"""Tensors that look at another one's memory: how each is written as an operator, and written back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch._ops import OpOverload

from livetorch.program.errors import TraceError
from livetorch.program.operators import operator
from livetorch.tracing.graph import Value


@dataclass(frozen=True, eq=False)
class Recipe:
    """An operator applied to a base tensor: `op(base, *args)`, or `op(*args)` where it needs no base."""

    op: str
    args: tuple
    takes_base: bool = True


_RESHAPES = {
    "view",
    "_unsafe_view",
    "_reshape_alias",
    "reshape",
    "squeeze",
    "unsqueeze",
    "flatten",
    "view_as",
    "unflatten",
}
_VIEWS = {
    *_RESHAPES,
    *(
        "t",
        "transpose",
        "permute",
        "expand",
        "select",
        "slice",
        "unbind",
        "split",
        "split_with_sizes",
        "diagonal",
    ),
    *("alias", "detach", "as_strided", "unfold", "lift_fresh", "lift"),
}


def _packet(func: OpOverload) -> str:
    return func._schema.name.partition("::")[2]


def is_view(func: OpOverload) -> bool:
    """Tell whether the result of an operator lies on the memory of its first argument."""
    return _packet(func) in _VIEWS


def is_reshape(func: OpOverload) -> bool:
    """Tell whether an operator changes nothing but the shape, be it by a view or by a copy."""
    return _packet(func) in _RESHAPES


def recipe(func: OpOverload, args: tuple, kwargs: dict, out: Tensor, index: int) -> Recipe | None:
    """Write result number `index` of a view operator as one of a few operators, with all sizes filled in."""
    name = _packet(func)
    if name in _RESHAPES:
        return Recipe("aten.view.default", (list(out.shape),))
    if name not in _VIEWS:
        return None
    values = {arg.name: arg.default_value for arg in func._schema.arguments if arg.has_default_value()}
    values |= dict(zip((arg.name for arg in func._schema.arguments), args, strict=False)) | kwargs
    base = args[0]
    rank = base.dim()
    if name == "t" or name == "transpose":
        order = list(range(rank))
        if rank:
            first, second = (
                (values["dim0"] % rank, values["dim1"] % rank) if name == "transpose" else (0, rank - 1)
            )
            order[first], order[second] = order[second], order[first]
        return Recipe("aten.permute.default", (order,))
    if name == "permute":
        return Recipe("aten.permute.default", ([dim % rank for dim in values["dims"] or ()],))
    if name == "expand":
        return Recipe("aten.expand.default", (list(out.shape),))
    if name == "diagonal":
        dims = (values["dim1"] % rank, values["dim2"] % rank)
        return Recipe("aten.diagonal.default", (values["offset"], *dims))
    if name not in ("select", "slice", "unbind", "split", "split_with_sizes"):
        return None
    dim = values["dim"] % rank
    size = base.shape[dim]
    if name == "select":
        return Recipe("aten.select.int", (dim, values["index"] % size))
    if name == "unbind":
        return Recipe("aten.select.int", (dim, index))
    if name == "slice":
        start, end, _ = slice(values["start"], values["end"]).indices(size)
        return Recipe("aten.slice.Tensor", (dim, start, max(start, end), values["step"]))
    sizes = values.get("split_sizes") or [values.get("split_size")] * (index + 1)
    start = sum(sizes[:index])
    return Recipe("aten.slice.Tensor", (dim, start, min(start + sizes[index], size), 1))


def apply(step: Recipe, base: Tensor) -> Tensor:
    """Do on real numbers what a recipe says."""
    if step.op == "aten.view.default":
        return base.reshape(step.args[0])
    args = (arg.tensor if isinstance(arg, Value) else arg for arg in step.args)
    return operator(step.op)(base, *args)


def shape_after(step: Recipe, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Give the shape of a recipe's result."""
    return tuple(apply(step, torch.empty(shape)).shape)


def write_back(step: Recipe, shape: tuple[int, ...], place: Callable[[], str]) -> Recipe:
    """Turn a recipe round: how the base (of this shape) changes when the view is given a new value."""
    if step.op == "aten.view.default":
        return Recipe("aten.view.default", (list(shape),), takes_base=False)
    if step.op == "aten.permute.default":
        order = step.args[0]
        return Recipe(
            "aten.permute.default", (sorted(range(len(order)), key=order.__getitem__),), takes_base=False
        )
    shared = TraceError(
        f"{place()}: several elements of this tensor share their memory; write to a .clone() of it."
    )
    if step.op == "aten.index_select.default":
        places = step.args[1].tensor
        if places.unique().numel() < places.numel():  # windows that overlap
            raise shared
        return Recipe("aten.index_put.default", ([step.args[1]],))  # see `arguments_back`
    scatter = {
        "aten.select.int": "aten.select_scatter.default",
        "aten.slice.Tensor": "aten.slice_scatter.default",
        "aten.diagonal.default": "aten.diagonal_scatter.default",
    }
    if step.op not in scatter:
        raise shared
    return Recipe(scatter[step.op], step.args)


def arguments_back(back: Recipe, base: Value, new: Value) -> tuple[Any, ...]:
    """Order the arguments of a `write_back` recipe as its operator wants them."""
    if back.op == "aten.index_put.default":
        return (base, *back.args, new)
    return (base, new, *back.args) if back.takes_base else (new, *back.args)


def find_path(root: Tensor, where: tuple, place: Callable[[], str]) -> list[Recipe]:
    """Find operators that lead from a tensor to any other window on its memory.

    Slices and selections where they do it, else the elements are collected one by one.
    """
    dtype, size, stride, offset = where
    if dtype != root.dtype:
        raise TraceError(f"a view of memory as {dtype} cannot be traced, {place()}. Use .to(dtype).")
    numbers = torch.arange(root.numel()).reshape(root.shape)  # each element's place in reading order
    memory = torch.full((root.untyped_storage().nbytes() // root.element_size(),), -1)
    memory.as_strided(root.shape, root.stride(), root.storage_offset()).copy_(numbers)
    wanted = memory.as_strided(size, stride, offset)
    for path in (_slices(root, size, stride, offset), _every(root, size, stride, offset)):
        if path is not None and _leads_to(path, numbers, wanted):
            return path
    index = Value((wanted.numel(),), torch.int64, frozenset(), tensor=wanted.reshape(-1).clamp(min=0))
    return [
        Recipe("aten.view.default", ([root.numel()],)),
        Recipe("aten.index_select.default", (0, index)),
        Recipe("aten.view.default", (list(size),)),
    ]


def _leads_to(path: list[Recipe], start: Tensor, wanted: Tensor) -> bool:
    try:
        for step in path:
            start = apply(step, start)
    except RuntimeError:
        return False
    return torch.equal(start, wanted)


def _every(root: Tensor, size: tuple, stride: tuple, offset: int) -> list[Recipe] | None:
    """Take every so many elements of all in a row, such as the diagonal of a square."""
    start = offset - root.storage_offset()
    if len(size) != 1 or start < 0 or stride[0] < 1:
        return None
    end = min(start + stride[0] * size[0], root.numel())
    return [
        Recipe("aten.view.default", ([root.numel()],)),
        Recipe("aten.slice.Tensor", (0, start, end, stride[0])),
    ]


def _slices(root: Tensor, size: tuple, stride: tuple, offset: int) -> list[Recipe] | None:
    """Guess slices and selections for a window; the caller checks the guess."""
    rest = offset - root.storage_offset()
    if rest < 0 or 0 in size or 0 in root.stride():
        return None
    starts = {}
    for dim in sorted(range(root.dim()), key=root.stride, reverse=True):
        starts[dim] = min(rest // root.stride(dim), root.shape[dim] - 1)
        rest -= starts[dim] * root.stride(dim)
    path, taken, left = [], [], list(range(root.dim()))
    for n, step in zip(size, stride, strict=True):
        owner = [d for d in left if d not in taken and root.shape[d] > 1 and step % root.stride(d) == 0]
        if n == 1:
            continue
        if not owner:
            return None
        dim = max(owner, key=root.stride)
        taken.append(dim)
        every = step // root.stride(dim)
        end = min(starts[dim] + every * (n - 1) + 1, root.shape[dim])
        if (starts[dim], end, every) != (0, root.shape[dim], 1):
            path.append(Recipe("aten.slice.Tensor", (dim, starts[dim], end, every)))
    for dim in reversed(range(root.dim())):
        if dim not in taken:
            path.append(Recipe("aten.select.int", (dim, starts[dim])))
            left.remove(dim)
    order = [left.index(dim) for dim in taken]
    if order != sorted(order):
        path.append(Recipe("aten.permute.default", (order,)))
    path.append(Recipe("aten.view.default", (list(size),)))
    return path
