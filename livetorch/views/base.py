"""What all views share: `View`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar

from torch import Tensor

from livetorch.views.kinds import fits, in_words
from livetorch.views.sources import Scene, TokenIds, Typed

__all__ = ["Labels", "Limits", "View"]

Labels = Sequence[str] | Sequence[float] | str | TokenIds | Typed | None
Limits = tuple[float, float] | None


@dataclass(frozen=True)
class View:
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

    def resolve(self, scene: Scene) -> dict[str, Any]:
        """Return the fields whose JSON form is not the Python value."""
        raise NotImplementedError
