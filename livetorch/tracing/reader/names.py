"""Names while a function runs: of its variables, of what it uses from outside, and of the running module."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules import module as hooks

_DEEP = 5  # steps from a name to a tensor: model.layers[0].attention.weight
_MANY = 4000  # objects that are looked at for one name


def local_tensors(frames: list[FrameType]) -> Iterator[tuple[str, Tensor]]:
    """List the variables that hold tensors, those of the outermost function first."""
    for frame in frames:
        for name, item in frame.f_locals.items():
            if isinstance(item, Tensor) and not name.startswith((".", "_")):
                yield name, plain(item)


def plain(tensor: Tensor) -> Tensor:
    """Take off what `torch.func` and `vmap` put around a tensor."""
    while torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        tensor = torch._C._functorch.get_unwrapped(tensor)
    return tensor


class Outside:
    """Finds what tensors from outside a function are called in it: `W_q`, or `model.encoder.weight`."""

    def __init__(self) -> None:
        self._paths: dict[int, tuple[Any, dict[int, str]]] = {}

    def name(self, tensor: Tensor, frames: list[FrameType]) -> str | None:
        """Name a tensor by the outermost function that can reach it."""
        own = None
        for frame in frames:
            for name, item in _roots(frame):
                path = self._reached(item).get(tensor.untyped_storage()._cdata)
                if path is None:
                    continue
                if name != "self":
                    return name + path
                own = own or path.lstrip(".")
        return own

    def _reached(self, root: Any) -> dict[int, str]:
        if id(root) not in self._paths:  # the object is kept, so that no other takes its id
            self._paths[id(root)] = (root, dict(_tensors(root)))
        return self._paths[id(root)][1]


class Modules:
    """Names the innermost module that runs by its place in the outermost one: `encoder.layer.3.attention`."""

    def __init__(self) -> None:
        self._running: list[str] = []
        self._names: dict[int, str] = {}

    @property
    def running(self) -> str:
        """The path of the module that runs; "" for the outermost one, and outside of all."""
        return self._running[-1] if self._running else ""

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Follow the calls of all modules in this block."""
        enter = hooks.register_module_forward_pre_hook(self._enter)
        leave = hooks.register_module_forward_hook(self._leave, always_call=True)
        try:
            yield
        finally:
            enter.remove()
            leave.remove()

    def _enter(self, module: nn.Module, args: Any) -> None:
        if not self._running:
            self._names = {id(each): name for name, each in module.named_modules()}
        self._running.append(self._names.get(id(module), self.running))

    def _leave(self, module: nn.Module, args: Any, output: Any) -> None:
        if self._running:
            self._running.pop()


def _roots(frame: FrameType) -> Iterator[tuple[str, Any]]:
    yield from ((name, item) for name, item in frame.f_locals.items() if _is_holder(item))
    for name in frame.f_code.co_names:
        item = frame.f_globals.get(name)
        if _is_holder(item):
            yield name, item


def _is_holder(item: Any) -> bool:
    return item is not None and not isinstance(
        item, ModuleType | FunctionType | MethodType | type | str | bytes | int | float | complex
    )


def _tensors(root: Any) -> Iterator[tuple[int, str]]:
    """List the memory of the tensors that an object holds, with the way to each."""
    seen: set[int] = set()
    found: set[int] = set()
    waiting: list[tuple[Any, str, int]] = [(root, "", 0)]
    while waiting and len(seen) < _MANY:
        item, path, depth = waiting.pop(0)
        if id(item) in seen or not _is_holder(item):
            continue
        seen.add(id(item))
        if isinstance(item, Tensor):
            if item.layout == torch.strided and not torch._C._functorch.is_functorch_wrapped_tensor(item):
                memory = item.untyped_storage()._cdata
                if memory not in found:
                    found.add(memory)
                    yield memory, path
        elif depth < _DEEP:
            waiting += [(part, path + step, depth + 1) for part, step in _parts(item)]


def _parts(item: Any) -> Iterator[tuple[Any, str]]:
    if isinstance(item, nn.Module):
        for name, part in [*item._parameters.items(), *item._buffers.items(), *item._modules.items()]:
            yield part, f"[{name}]" if name.isdigit() else f".{name}"
        held: Mapping[Any, Any] = {k: v for k, v in vars(item).items() if not k.startswith("_")}
        yield from ((part, f".{name}") for name, part in held.items())
    elif isinstance(item, Mapping):
        yield from ((part, f"[{key!r}]") for key, part in item.items() if isinstance(key, str | int))
    elif isinstance(item, list | tuple) and not hasattr(item, "_fields"):
        yield from ((part, f"[{i}]") for i, part in enumerate(item))
    elif hasattr(item, "_fields"):
        yield from ((getattr(item, name), f".{name}") for name in item._fields)
    elif hasattr(item, "__dict__"):
        yield from ((part, f".{name}") for name, part in vars(item).items())
