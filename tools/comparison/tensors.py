"""Two stored tensors compared: equal shape, dtype and whole numbers, floats to 1e-4 of their size."""

import base64
from typing import Any

import numpy as np
import printed

SIZE = 1e-4  # of the number, or of the largest number of the tensor
SENTINEL = 1e4  # numbers so large (the -1e9 of a mask) are no measure for the others
# one unit in the last place of the narrow floats: of the number itself, and near zero
_PRECISION = {"float16": (2.0**-10, 2.0**-24), "bfloat16": (2.0**-7, 2.0**-133)}

_NUMPY = {"float16": "<f2", "float32": "<f4", "float64": "<f8", "bfloat16": "<u2"}
_NUMPY |= {"int8": "<i1", "uint8": "<u1", "int32": "<i4", "int64": "<i8", "bool": "<u1"}


def difference(stored: dict[str, Any], computed: dict[str, Any]) -> str | None:
    """Say what is wrong between two tensors; None if nothing.

    Args:
        stored: the tensor's JSON: dtype, shape, data in base64, and perhaps a narrower dtype of the data.
        computed: the same of the run.
    """
    what = f"constant {stored['dtype']}{stored['shape']}"
    heads = [{key: value for key, value in each.items() if key != "data"} for each in (stored, computed)]
    if heads[0] != heads[1]:
        return f"{what}: {heads[0]} stored, {heads[1]} computed"
    dtype = stored.get("stored", stored["dtype"])
    old, new = (_numbers(each["data"], dtype) for each in (stored, computed))
    if old.shape != new.shape:
        return f"{what}: {old.size} numbers stored, {new.size} computed"
    if old.dtype.kind != "f":
        gap, allowed = np.abs(old.astype(float) - new.astype(float)), np.zeros(old.shape)
    else:
        gap, allowed = _gap(old, new), _allowed(old, dtype)
    over = np.flatnonzero(gap > allowed)
    if not over.size:
        return None
    first = over[0]
    place = tuple(int(i) for i in np.unravel_index(first, stored["shape"])) if stored["shape"] else ()
    more = f" ({over.size} of {old.size} numbers are so)" if over.size > 1 else ""
    said = f"{old[first]:.9g} stored, {new[first]:.9g} computed"
    return f"{what} at {place}: {said}: {printed.by(gap[first], allowed[first])}{more}"


def _gap(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    same = (old == new) | (np.isnan(old) & np.isnan(new))
    with np.errstate(invalid="ignore"):  # inf - inf
        return np.where(same, 0.0, np.nan_to_num(np.abs(old - new), nan=np.inf))


def _allowed(numbers: np.ndarray, dtype: str) -> np.ndarray:
    own = np.abs(np.where(np.isfinite(numbers), numbers, 0.0))
    allowed = SIZE * np.maximum(own, own[own < SENTINEL].max(initial=0.0))
    if dtype not in _PRECISION:
        return allowed
    relative, least = _PRECISION[dtype]
    return np.maximum(allowed, relative * own + least)


def _numbers(data: str, dtype: str) -> np.ndarray:
    raw = np.frombuffer(base64.b64decode(data), dtype=_NUMPY[dtype])
    if dtype == "bfloat16":  # the upper half of a float32
        raw = (raw.astype(np.uint32) << 16).view(np.float32)
    return raw.astype(np.float64) if raw.dtype.kind == "f" else raw
