"""``torch.ops``: operators by their whole names, ``torch.ops.aten.mul.Tensor``."""

import functools

from torch import _handle
from torch._call import bind, run


class OpOverload:
    """One overload of an operator."""

    def __init__(self, full: str) -> None:
        self._full = full

    def __call__(self, *args, **kwargs):
        bound = bind(self._full, args, kwargs)
        if bound is None:
            raise TypeError(f"aten.{self._full} does not take these arguments.")
        return run(self._full, bound)

    def __repr__(self) -> str:
        return f"aten.{self._full}"


class _Packet:
    def __init__(self, name: str) -> None:
        self._name = name

    @functools.cache  # noqa: B019 (there are as many as operators)
    def __getattr__(self, overload: str):
        if overload.startswith("__"):
            raise AttributeError(overload)
        return OpOverload(f"{self._name}.{overload}")


class _Namespace:
    @functools.cache  # noqa: B019
    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Packet(name)


class ops:
    """The operators."""

    aten = _Namespace()


def known(full: str) -> bool:
    """Tell whether the page has an operator."""
    return full in _handle.SIGNATURES
