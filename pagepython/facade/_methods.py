"""Finding a function by torch's name: what is written here, an operator, or an operator in place."""

import contextlib
import functools
import importlib

from torch import _absent, _axes, _convert, _index, _pick, _reduce
from torch._call import BY_NAME, call
from torch._handle import SIGNATURES
from torch._inplace import in_place, turned
from torch._surface import LINES, absent, document, held
from torch._tensor import TensorBase

_NAMES = "convert join more einsum pick reduce slices views axes create random index bytes"
MODULES = [importlib.import_module(f"torch._{name}") for name in _NAMES.split()]
RENAMED = {"slice_", "max_", "min_", "sum_", "pow_", "round_", "type_"}  # functions that have Python's names
OWN = {
    "max": _pick.max_, "min": _pick.min_, "sum": _reduce.sum_, "pow": _reduce.pow_, "round": _reduce.round_, "type":
    _convert.type_,
}  # fmt: skip
WRITES = {
    "fill_diagonal_", "copy_", "fill_", "zero_", "uniform_", "normal_", "random_", "bernoulli_", "exponential_",
}  # fmt: skip
TURNS = {"t", "transpose", "swapaxes", "swapdims", "squeeze", "unsqueeze", "as_strided"}
TYPES = {"float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16", "int": "int32", "long": "int64",
         "short": "int16", "bool": "bool", "char": "int8", "byte": "uint8"}  # fmt: skip


def _operator(name: str):
    def act(*args, **kwargs):
        return call(name, *args, **kwargs)

    act._takes = {parameter for full in BY_NAME[name] for parameter, *_ in SIGNATURES[full]}
    return act


@functools.cache
def find(name: str):
    """Give the function that torch has under a name."""
    if name in OWN:
        return OWN[name]
    if name.startswith("linalg_"):
        from torch import linalg

        if name[7:] in vars(linalg):
            return vars(linalg)[name[7:]]
    if name in TYPES:
        return _convert._typed(TYPES[name])
    for module in MODULES:
        found = vars(module).get(name)
        if (
            callable(found)
            and getattr(found, "__module__", "").startswith("torch.")
            and not (name in RENAMED or isinstance(found, type))
            and (not name.endswith("_") or name in WRITES)
        ):
            return found
    if name in _convert.NAMES:
        return find(_convert.NAMES[name])
    if name in BY_NAME and not name.startswith("_"):
        return _operator(name)
    if name.endswith("_") and not name.startswith("_"):
        with contextlib.suppress(AttributeError):  # the error below names the whole name
            plain = find(name[:-1])
            return turned(plain) if name[:-1] in TURNS else in_place(name[:-1], plain)
    raise AttributeError(name)


def given(space: str, name: str, own: dict | None = None):
    """Give what PyTorch has under a name of a module or of its Tensor, held against its parameters."""
    path = ".".join(part for part in (space.removeprefix("torch").removeprefix("."), name) if part)
    if name.startswith("__"):
        raise AttributeError(name)
    if path not in LINES:
        raise absent(space, name)
    operator = {"linalg": "linalg_", "special": "special_", "fft": "fft_"}.get(path.partition(".")[0], "")
    if name in ("real", "imag") and space == "torch":
        return held(path, lambda input: getattr(input, name))
    if name in ("polar", "complex", "view_as_complex", "view_as_real") and space == "torch":
        from torch import _complex

        return (
            held(path, getattr(_complex, "complex_" if name == "complex" else name))
            if name != "view_as_real"
            else _complex.view_as_real
        )
    for one in [operator + name, name] if operator else [name]:
        with contextlib.suppress(AttributeError):
            return held(path, find(one), method=space == "torch.Tensor")
    raise absent(space, name)


def refuser(space: str):
    """Make the ``__getattr__`` of a module: an operator by its name, else an error that says whose name it is."""
    _absent.package(space)
    return functools.cache(functools.partial(given, space))


def _method(self, name: str):
    """Find a method when it is first asked for; from then on the class has it."""
    found = given("torch.Tensor", name)
    setattr(TensorBase, name, found)
    return found.__get__(self)


TensorBase.__getattr__ = _method
TensorBase.__getitem__ = _index.get
TensorBase.__setitem__ = _index.put
TensorBase.T = property(lambda self: _axes.permute(self, list(reversed(range(self.dim())))))
TensorBase.mT = property(_axes.mT)
TensorBase.H = property(_axes.H)
TensorBase.where = lambda self, condition, other: _pick.where(condition, self, other)
document("Tensor.", vars(TensorBase))
