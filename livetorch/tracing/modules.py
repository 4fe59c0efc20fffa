"""Which module of a model is running while it is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import nn
from torch.nn.modules import module as hooks

__all__ = ["Modules"]


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
