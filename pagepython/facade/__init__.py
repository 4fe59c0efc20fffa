"""The page's torch: PyTorch's names over the operators that the page has, each tested against PyTorch.

A name that is not here raises an error that says so; nothing gives a wrong number silently.
"""

from __future__ import annotations

import math as _math
import sys as _sys

from torch import _record
from torch._autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from torch._dtype import (
    bfloat16,
    double,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    long,
    promote_types,
    set_default_dtype,
    short,
    uint8,
)
from torch._dtype import bool_ as bool
from torch._dtype import can_cast as _can_cast
from torch._dtype import float32 as float
from torch._dtype import int32 as int
from torch._form import Size, device
from torch._print import set_printoptions
from torch._tensor import Tensor

inf, nan, pi, e = _math.inf, _math.nan, _math.pi, _math.e
contiguous_format, preserve_format, strided = "contiguous_format", "preserve_format", "strided"
__version__ = "2.13.0+page"
__livetorch_recorder__ = "pagepython.recorder"  # livetorch/tracing/recorders.py asks for it

import torch._operators
from torch import _methods, _random
from torch._random import (
    Generator,
    default_generator,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    set_rng_state,
)

random = _random


def can_cast(from_, to) -> bool:
    return _can_cast(from_, to)


def set_num_threads(_count) -> None:
    """The page has one thread."""


def get_num_threads() -> int:
    return 1


def use_deterministic_algorithms(_mode, **_more) -> None:
    """The page computes the same every time."""


def is_inference_mode_enabled() -> bool:
    return False


def vmap(function, in_dims=0, out_dims=0, **more):
    from torch import func

    return func.vmap(function, in_dims, out_dims, **more)


class _C:
    """What is asked of torch's inside: whether what runs is being recorded."""

    _get_tracing_state = staticmethod(lambda: None)
    _len_torch_dispatch_stack = staticmethod(lambda: len(_record._current))

    class _functorch:
        peek_interpreter_stack = staticmethod(lambda: None)


class compiler:
    """Nothing is compiled in the page."""

    is_compiling = staticmethod(lambda: False)


class SymInt:
    """There are no symbolic sizes in the page."""


class SymFloat(SymInt):
    """There are no symbolic numbers in the page."""


class cuda:
    """There is no GPU in the page."""

    is_available = staticmethod(lambda: False)


def __getattr__(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("utils", "nn", "optim", "autograd", "func", "linalg", "testing"):
        import importlib

        return importlib.import_module(f"torch.{name}")
    if name == "ops":
        from torch import _ops

        return _ops.ops
    if name in ("fx", "library", "export", "fft", "sparse", "onnx", "jit"):
        import absent

        return absent.make(f"torch.{name}")
    found = _methods.find(name)
    setattr(_sys.modules[__name__], name, found)
    return found
