"""Calling operators: which overload is meant, what is handed over, and what autograd has to remember."""

import functools
import operator

from pyodide.ffi import to_js
from torch import _dtype, _handle, _record
from torch._absent import missing
from torch._autograd import remember
from torch._checks import CHECKS
from torch._dtype import dtype
from torch._tensor import Tensor

BY_NAME: dict[str, list[str]] = {}
for _full in _handle.SIGNATURES:
    BY_NAME.setdefault(_full.split(".")[0], []).append(_full)
_short = {full: full.split(".")[0] for full in _handle.SIGNATURES}
_PAIRS = "max.dim min.dim median.dim nanmedian.dim sort topk kthvalue cummax cummin mode"
FIELDS = {
    "aminmax": "min max",
    **dict.fromkeys(_PAIRS.split(), "values indices"),
    "linalg_qr": "Q R",
    "_linalg_svd": "U S Vh",
    "linalg_inv_ex": "inverse info",
    "linalg_cholesky_ex": "L info",
    "_linalg_eigh": "eigenvalues eigenvectors",
    "triangular_solve": "solution cloned_coefficient",
}


class Result(tuple):
    """What an operator gives whose results have names; it prints as torch's."""

    __slots__ = ()

    def __repr__(self) -> str:
        parts = ",\n".join(f"{key}={value!r}" for key, value in zip(self._names, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{parts})"

    def __getattr__(self, name: str):
        raise AttributeError(f"'torch.return_types.{type(self).__name__}' object has no attribute {name!r}")

    def __reduce__(self):
        return _result, (type(self).__name__, self._names, tuple(self))


@functools.cache
def result_type(name: str, fields: tuple):
    """Make the class of an operator's results."""
    members = {field: property(operator.itemgetter(place)) for place, field in enumerate(fields)}
    return type(name, (Result,), members | {"__module__": "torch.return_types", "_names": fields})


def _result(name: str, fields: tuple, values: tuple) -> Result:
    return result_type(name, fields)(values)


RESULTS = {
    name: result_type(name.split(".")[0].strip("_"), (*fields.split(),)) for name, fields in FIELDS.items()
}
counters: list = []  # what hears of every operator (torch.utils.flop_counter)
AXES = ("dim", "dims", "size", "shape", "normalized_shape", "shifts", "repeats", "pad")


def _fits(name: str, kind: str, initial, value) -> bool:
    """Tell whether a value may be the argument of a parameter."""
    if kind == "T":
        return isinstance(value, Tensor) or (value is None and initial is None)
    if kind == "S":
        return isinstance(value, bool | int | float) or (value is None and initial is None)
    if kind == "L":
        return isinstance(value, tuple | list) and all(v is None or isinstance(v, Tensor) for v in value)
    if name == "dtype":
        return value is None or isinstance(value, dtype)
    if isinstance(value, Tensor | dtype):
        return False
    if isinstance(initial, bool) or name in ("stable", "unbiased", "keepdim"):
        return isinstance(value, bool)
    return not (name in AXES and isinstance(value, bool | str))


_chosen: dict[tuple, str] = {}  # which overload takes arguments of these kinds


def _kind(value):
    """Give what of a value decides on the overload."""
    if isinstance(value, tuple | list):
        return None, all(v is None or isinstance(v, Tensor) for v in value)
    return value.__class__


def bind(full: str, args: tuple, kwargs: dict) -> dict | None:
    """Match arguments to an operator's parameters; None where they do not fit."""
    signature = _handle.SIGNATURES[full]
    names = [name for name, *_ in signature]
    if len(args) > len(signature) or any(name not in names for name in kwargs):
        return None
    given = dict(zip(names, args, strict=False))
    if given.keys() & kwargs.keys():
        return None
    given |= kwargs
    for name, kind, required, initial in signature:
        if name not in given:
            if required:
                return None
            given[name] = initial
        elif not _fits(name, kind, initial, given[name]):
            return None
    return {name: given[name] for name in names}


def _over(kind: str, value):
    """Give an argument as the bridge takes it."""
    if value is None or value is True or value is False:
        return value if value is None or kind not in ("T", "S") else _handle.plain(value)
    if isinstance(value, Tensor):
        return value._handle
    if kind in ("T", "S"):
        return _handle.plain(value)
    if isinstance(value, dtype):
        return value.name
    if isinstance(value, tuple | list):
        return to_js([v._handle if isinstance(v, Tensor) else v for v in value])
    return value


def _positional(signature: list, bound: dict) -> list:
    """Give the arguments in order, without the last ones that say what goes without saying."""
    values = [None if name == "memory_format" else bound[name] for name, *_ in signature]
    while values and not signature[len(values) - 1][2] and values[-1] is signature[len(values) - 1][3]:
        values.pop()
    return values


def _in_default_type(full: str, bound: dict, results: list) -> dict | None:
    """Give the arguments with whole numbers read as floats of the default type, where float32 came of them."""
    given = [v for v in bound.values() if isinstance(v, Tensor)]
    whole = given and not any(v.dtype.is_floating_point or v.dtype.is_complex for v in given)
    came = getattr(results[0], "dtype", None) is _dtype.float32 and bound.get("dtype") is None
    if not (whole and came):
        return None
    return {k: v.to(_dtype.get_default_dtype()) if isinstance(v, Tensor) else v for k, v in bound.items()}


def run(full: str, bound: dict):
    """Run an operator whose arguments are bound, and remember it where a gradient may be wanted."""
    signature = _handle.SIGNATURES[full]
    for check in CHECKS.get(_short[full], ()):
        check(_short[full], bound)
    arguments = [_over(kind, bound[name]) for name, kind, *_ in signature]
    of = Tensor._of
    results = [None if h is None else of(h) for h in _handle.call(full, arguments)]
    if _dtype.get_default_dtype() is not _dtype.float32 and (read := _in_default_type(full, bound, results)):
        return run(full, read)
    if recorder := _record.current():
        recorder.call(full, _positional(signature, bound), results)
    for counter in counters:
        counter(full, bound, results)
    remember(full, bound, results)
    short = full.removesuffix(".default")
    if short in RESULTS:
        return RESULTS[short](results)
    return results[0] if len(results) == 1 else tuple(results)


def _like(value, like: Tensor):
    """Give a tensor without axes for a number, with as many digits as the other one has."""
    if isinstance(value, Tensor):
        return value
    from torch._create import tensor

    alike = like.dtype.is_floating_point and not isinstance(value, bool)
    return tensor(value, dtype=like.dtype if alike else None)


def call(name: str, *args, **kwargs):
    """Call an operator by torch's name; the overload that fits is taken."""
    overloads = BY_NAME.get(name)
    if overloads is None:
        raise missing(f"torch.{name}", AttributeError)
    if kwargs:
        kwargs = {k: v for k, v in kwargs.items() if v is not None or k not in ("out", "device", "layout")}
        for axis, wanted in (("axis", "dim"), ("input", "self")):
            if axis in kwargs and all(axis != n for n, *_ in _handle.SIGNATURES[overloads[0]]):
                kwargs[wanted] = kwargs.pop(axis)
        if getattr(kwargs.get("dtype"), "is_complex", False):
            from torch import _complex

            return _complex.typed(name, args, kwargs)
    kinds = name, *map(_kind, args), *((k, _kind(v)) for k, v in kwargs.items())
    if full := _chosen.get(kinds):
        bound = {parameter: initial for parameter, _, _, initial in _handle.SIGNATURES[full]}
        bound.update(zip(bound, args, strict=False))
        return run(full, bound | kwargs)
    for full in overloads:
        bound = bind(full, args, kwargs)
        if bound is not None:
            _chosen[kinds] = full
            return run(full, bound)
    like = next((a for a in args if isinstance(a, Tensor)), None)
    if like is not None and any(a.__class__ in (int, float, bool) for a in args[:2]):  # a number for a tensor
        return call(name, *(_like(a, like) for a in args[:2]), *args[2:], **kwargs)
    whole = [isinstance(a, Tensor) and not a.dim() and a.dtype.category == 1 for a in args]
    if any(whole[1:]):  # a tensor of one whole number where a number is wanted
        return call(
            name,
            args[0],
            *(int(a) if one else a for a, one in zip(args[1:], whole[1:], strict=True)),
            **kwargs,
        )
    if (
        args
        and not isinstance(args[0], Tensor)
        and all(_handle.SIGNATURES[f][0][1] == "T" for f in overloads)
    ):
        kind, short = type(args[0]).__name__, {"constant_pad_nd": "pad"}.get(name, name)
        raise TypeError(f"{short}(): argument 'input' (position 1) must be Tensor, not {kind}")
    told = ", ".join(
        [type(a).__name__ for a in args] + [f"{k}={type(v).__name__}" for k, v in kwargs.items()]
    )
    forms = "; ".join("(" + ", ".join(n for n, *_ in _handle.SIGNATURES[full]) + ")" for full in overloads)
    raise TypeError(
        f"{name}() received an invalid combination of arguments - got ({told}), but expected one of: {forms}"
    )
