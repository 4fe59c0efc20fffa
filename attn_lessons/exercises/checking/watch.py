"""Hear of every operator that a function calls, in PyTorch and in the page's Python."""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

Hear = Callable[[str, tuple[Any, ...], Any], None]  # the operator's name, its arguments, its result


class _Watch(TorchDispatchMode):
    def __init__(self, hear: Hear) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.hear = hear

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        self.hear(str(func.__name__), args, result)
        return result


@contextmanager
def operators(hear: Hear) -> Iterator[None]:
    """Tell `hear` of the operators that are called inside."""
    if sys.platform != "emscripten":
        with _Watch(hear):
            yield
        return
    counters: list[Any] = importlib.import_module("torch._call").counters  # the page's own torch

    def counter(full: str, bound: dict[str, Any], results: list[Any]) -> None:
        counters.remove(counter)  # what `hear` does itself is not heard
        try:
            hear(full, tuple(bound.values()), results[0] if len(results) == 1 else tuple(results))
        finally:
            counters.append(counter)

    counters.append(counter)
    try:
        yield
    finally:
        counters.remove(counter)


def numbers_made(function: Callable[..., Any], *args: Any) -> int:
    """Count the numbers of all tensors that a function makes on its way."""
    made = 0

    def count(name: str, given: tuple[Any, ...], result: Any) -> None:
        nonlocal made
        parts = result if isinstance(result, tuple | list) else (result,)
        made += sum(part.numel() for part in parts if isinstance(part, Tensor))

    with operators(count):
        function(*args)
    return made
