"""What all views share, `View`, and whether a field of one holds what its annotation says.

A kind of view is one class, which says everything about itself in Python; a file of the same name in
`js/views/` does in the page.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real
from types import MappingProxyType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin

from torch import Tensor

from livetorch.views.sources import ByOption, Scene, TokenIds, Typed

__all__ = ["Labels", "Limits", "View", "pattern"]

Labels = Sequence[str] | Sequence[float] | str | TokenIds | Typed | ByOption | None
Limits = tuple[float, float] | None
_PLAIN = {str: "a text", int: "a whole number", float: "a number", bool: "True or False", type(None): "None"}
_MANY = {str: "texts", float: "numbers"}


@dataclass(frozen=True)
class View(ABC):
    """What a live figure shows; not used by itself."""

    kind: ClassVar[str] = ""
    replaced: ClassVar[tuple[str, ...]] = ("output", "outputs")  # fields whose JSON form has another name

    def to_spec(
        self,
        outputs: Mapping[str, Tensor],
        controls: Mapping[str, Any],
        words: Mapping[str, str] = MappingProxyType({}),
    ) -> dict[str, Any]:
        """Return the JSON form of the view, after checking it against the figure.

        Args:
            outputs: what the function returns at the default setting, by name.
            controls: the JSON form of each control, by name.
            words: output name to the words that a reader sees for it.
        Raises:
            ValueError: a name that is neither output nor control, or numbers of the wrong rank.
            TypeError: a field that holds another kind of value than its annotation says.
        """
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        try:
            resolved = self.resolve(Scene(type(self).__name__, outputs, controls, words))
        except ValueError:
            raise
        except Exception:
            self._check_kinds()
            raise
        self._check_kinds()
        spec = {"kind": self.kind, **own, **resolved}
        return {name: value for name, value in spec.items() if name not in self.replaced}

    def _check_kinds(self) -> None:
        """Raise where a field holds what nothing has noticed so far and a page could not draw."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not fits(value, field.type):
                raise TypeError(
                    f"{type(self).__name__}: {field.name} must be {in_words(field.type)}, got {value!r}."
                )

    @abstractmethod
    def resolve(self, scene: Scene) -> dict[str, Any]:
        """Return the fields whose JSON form is not the Python value."""

    def at_options(
        self, spec: Mapping[str, Any], outputs: Mapping[str, Tensor], options: Iterable[Mapping[str, Tensor]]
    ) -> list[dict[str, Any]]:
        """Return what the page needs to know of other options, so that room is kept for them from the start.

        Args:
            spec: the JSON form of the view.
            outputs: what the function returns at the default setting, by name.
            options: the same for each combination of options.
        Returns: Output name to its shape, and its numbers where they name tokens; one dict for each case, the
            default's first. Most kinds keep the height that they have.
        """
        return []

    def __init_subclass__(cls) -> None:
        if not cls.kind:
            raise TypeError(f"{cls.__name__} needs a kind, the name that a figure's JSON calls it.")


def pattern(scene: Scene, format: str) -> str:
    """Give what says how a number is written, unless the page does not know it."""
    if not re.fullmatch(r"d|\.\d{1,2}[feg%]", format):
        raise scene.error(f"format must be 'd' or like '.2f', got format={format!r}.")
    return format


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
