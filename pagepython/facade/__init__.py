"""The page's torch: PyTorch's names over the operators that the page has, each tested against PyTorch.

A name that is not here raises an error that says so; nothing gives a wrong number silently.
"""

import functools
import math as _math
import os as _os
import pickle
import sys as _sys
import types as _types

from torch import _absent, _dtype, _record
from torch._autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from torch._autograd import inferring as _inferring
from torch._dtype import bool_ as bool
from torch._dtype import can_cast as _can_cast
from torch._dtype import float32 as float
from torch._dtype import int32 as int
from torch._form import Size, device, layout, strided
from torch._form import usable as _usable
from torch._print import set_printoptions
from torch._surface import held as _held
from torch._tensor import Tensor


class _Format(str):
    """How numbers lie in memory."""

    __repr__ = str.__str__


_TYPES = "bfloat16 cdouble cfloat complex64 complex128 double dtype finfo float16 float32 float64 half iinfo int8 int16 int32"
_TYPES += " int64 long short uint8 get_default_dtype promote_types set_default_dtype"
globals().update({name: vars(_dtype)[name] for name in _TYPES.split()})
inf, nan, pi, e, newaxis = _math.inf, _math.nan, _math.pi, _math.e, None
contiguous_format, preserve_format = _Format("torch.contiguous_format"), _Format("torch.preserve_format")
__version__ = "2.13.0+page"
__livetorch_recorder__ = "pagepython.recorder"  # livetorch/tracing/recorders.py asks for it

import torch._operators
from torch import _methods, _random, _views
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


class _Writer(pickle.Pickler):
    """Writes the memory that views share once, and what part of it each one is."""

    def __init__(self, file) -> None:
        super().__init__(file)
        self._wholes: dict = {}  # by what they stand for: a memory, or what was made here

    def reducer_override(self, obj):
        if type(obj) is not Tensor or obj.dtype.is_complex or id(obj) in self._wholes:
            return NotImplemented
        whole = self._wholes.get(id(obj._store))
        whole = _views.whole(obj) if whole is None else whole
        self._wholes[id(obj._store)] = self._wholes[id(whole)] = whole
        return _views.part, (whole, tuple(obj.shape), obj.stride(), obj.storage_offset(), obj.requires_grad)


def save(obj, f) -> None:
    """Write an object into a file of the page, which goes when the page goes."""
    if hasattr(f, "write"):
        _Writer(f).dump(obj)
        return
    if not _os.path.isdir(_os.path.dirname(_os.path.abspath(f))):
        raise RuntimeError(f"Parent directory {_os.path.dirname(f)} does not exist.")
    with open(f, "wb") as file:
        _Writer(file).dump(obj)


class _Numbers(pickle.Unpickler):
    """Reads tensors and plain things, and nothing that could do harm."""

    def find_class(self, module, name):
        plain = module in ("collections", "builtins") and name in (
            "OrderedDict", "defaultdict", "Counter", "set", "dict", "complex",
        )  # fmt: skip
        if not plain and (module, name) not in _PLAIN and name != "dtype":
            raise pickle.UnpicklingError(
                "Weights only load failed. This file can still be loaded, to do so you have two options, \033[1mdo those steps only "
                f"if you trust the source of the checkpoint\033[0m. \n\tUnsupported global: {module}.{name}"
            )
        return super().find_class(module, name)


_PLAIN = {("torch._tensor", "_again"), ("torch._views", "part"), ("torch.nn.module", "_learned"), ("torch._form", "Size"), ("torch._dtype", "named"),
          ("torch._form", "device"), ("torch", "Size"), ("torch", "device")}  # fmt: skip


def _load(f, *, weights_only=True):
    """Read what ``save`` has written here."""
    if not hasattr(f, "read") and not isinstance(f, str | _os.PathLike):
        raise AttributeError(
            f"'{type(f).__name__}' object has no attribute 'seek'. You can only torch.load from a file that is seekable. Please "
            "pre-load the data into a buffer like io.BytesIO and try to load from it instead."
        )
    if not hasattr(f, "read"):
        with open(f, "rb") as file:
            return _load(file, weights_only=weights_only)
    begin = f.read(1)
    f.seek(-len(begin), 1)
    try:
        return (_Numbers if weights_only else pickle.Unpickler)(f).load()
    except (EOFError, pickle.UnpicklingError) as error:
        if begin != b"\x80" or str(error).startswith("Weights only"):
            raise
        raise RuntimeError(f"{error}: the checkpoint file is corrupted") from None


load = _held("load", _load)


def can_cast(from_, to) -> bool:
    return _can_cast(from_, to)


def set_num_threads(int) -> None:
    """The page has one thread."""


def get_num_threads() -> int:
    return 1


def use_deterministic_algorithms(mode, *, warn_only=False) -> None:
    """The page computes the same every time."""


def typename(obj) -> str:
    if isinstance(obj, Tensor):
        return obj.type()
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    space = getattr(named, "__module__", "") or "builtins"
    return named.__qualname__ if space == "builtins" else f"{space}.{named.__qualname__}"


def is_inference_mode_enabled() -> bool:
    return _inferring[0]


def _inside(name: str):
    if name == "_LinAlgError":
        from torch.linalg import LinAlgError

        return LinAlgError
    raise _absent.missing(f"torch._C.{name}", AttributeError)


_C = _absent.namespace(  # what is asked of torch's inside: whether what runs is being recorded
    "torch._C",
    __getattr__=_inside,
    _get_tracing_state=lambda: None,
    _len_torch_dispatch_stack=lambda: len(_record._current),
    _functorch=_types.SimpleNamespace(peek_interpreter_stack=lambda: None),
)


class compiler:
    """Nothing is compiled in the page."""

    is_compiling = staticmethod(lambda: False)


class SymInt:
    """There are no symbolic sizes in the page."""


class SymFloat(SymInt):
    """There are no symbolic numbers in the page."""


_ASKED = (
    (False, "is_available is_bf16_supported is_initialized"),
    (0, "device_count memory_allocated max_memory_allocated memory_reserved max_memory_reserved"),
    (None, "manual_seed manual_seed_all empty_cache reset_peak_memory_stats"),
)
_GPUS = (
    "synchronize get_device_name get_device_properties get_device_capability current_device set_device init"
)
cuda = _absent.namespace(  # there is no GPU in the page
    "torch.cuda",
    **{name: lambda *_, said=said: said for said, names in _ASKED for name in names.split()},
    **{name: lambda *_: _usable("cuda") for name in _GPUS.split()},
)
backends = _absent.namespace(
    "torch.backends",
    mps=_types.SimpleNamespace(is_available=lambda: False, is_built=lambda: False),
    cuda=_types.SimpleNamespace(is_built=lambda: False, matmul=_types.SimpleNamespace(allow_tf32=False)),
    cudnn=_types.SimpleNamespace(
        is_available=lambda: False, enabled=True, deterministic=False, benchmark=False
    ),
)


def _of_a_type(name: str, kind):
    """Make one of the old classes such as LongTensor, of which every tensor of its type is one."""
    is_one = {"__instancecheck__": lambda _, one: isinstance(one, Tensor) and one.dtype.name == kind}
    made = type(
        f"_{name}",
        (type,),
        is_one | {"__call__": lambda _, *args, **named: Tensor(*args, **named, _kind=kind)},
    )
    return made(name, (), {"__module__": "torch", "_of": kind})


_methods.document("", globals())
_OLD = {_long: _short for _short, _long in _dtype.NAMES.items()}


def __dir__() -> list[str]:
    return _absent.listing("torch")


def __getattr__(name: str):
    if name in ("__config__", "__future__"):
        raise _absent.missing(f"torch.{name}", AttributeError)
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("utils", "nn", "optim", "autograd", "func", "linalg", "testing", "distributions"):
        import importlib

        return importlib.import_module(f"torch.{name}")
    if name in ("special", "fft"):
        return _absent.namespace(f"torch.{name}", __getattr__=_methods.refuser(f"torch.{name}"))
    if name.endswith("Tensor") and name[:-6] in _OLD:
        return _of_a_type(name, _OLD[name[:-6]])
    if name == "ops":
        from torch import _ops

        return _ops.ops
    if name in ("fx", "library", "export", "sparse", "onnx", "jit"):
        import absent

        return absent.make(f"torch.{name}")
    if name == "vmap":
        from torch.func import vmap as found
    else:
        found = _methods.given("torch", name)
    setattr(_sys.modules[__name__], name, found)
    return found
