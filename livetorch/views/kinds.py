"""Whether a field of a view holds what its annotation says, and the annotation in words."""

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

__all__ = ["fits", "in_words"]

_PLAIN = {str: "a text", int: "a whole number", float: "a number", bool: "True or False", type(None): "None"}
_MANY = {str: "texts", float: "numbers"}


def fits(value: Any, kind: Any) -> bool:
    """Tell whether a value is of the kind that an annotation names.

    >>> fits((0, 1.5), tuple[float, float] | None), fits("ab", Sequence[str]), fits([1], Sequence[str])
    (True, False, False)
    """
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return True
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is Literal:
        return any(value is part or (isinstance(value, str) and value == part) for part in parts)
    if origin is tuple:
        pair = isinstance(value, tuple | list) and len(value) == len(parts)
        return pair and all(map(fits, value, parts))
    if origin is Sequence:
        return (
            isinstance(value, Sequence) and not isinstance(value, str) and all(fits(v, *parts) for v in value)
        )
    if origin is Mapping:
        return isinstance(value, Mapping) and all(
            fits(name, parts[0]) and fits(item, parts[1]) for name, item in value.items()
        )
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    return isinstance(value, kind)


def in_words(kind: Any) -> str:
    """Write an annotation in words.

    >>> in_words(tuple[float, float] | None)
    'a pair of numbers or None'
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(map(in_words, parts)))
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin is tuple:
        return f"a pair of {_MANY.get(parts[0], 'sources')}"
    if origin is Sequence:
        return f"a list of {_MANY.get(parts[0], 'lists')}"
    if origin is Mapping:
        return f"a dict of {in_words(parts[1]).removeprefix('a ')} by name"
    return _PLAIN.get(kind) or str(getattr(kind, "__name__", kind))
