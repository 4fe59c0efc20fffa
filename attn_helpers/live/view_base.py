"""What all views share: `View`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from torch import Tensor

from attn_helpers.live.sources import Scene, TokenIds, Typed

__all__ = ["Labels", "Limits", "View"]

Labels = Sequence[str] | str | TokenIds | Typed | None
Limits = tuple[float, float] | None


@dataclass(frozen=True)
class View:
    """What a live figure shows; not used by itself."""

    kind: ClassVar[str] = ""
    replaced: ClassVar[tuple[str, ...]] = ("output", "outputs")  # fields whose JSON form has another name

    def to_spec(self, outputs: Mapping[str, Tensor], controls: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON form of the view, after checking it against the figure.

        Args:
            outputs: what the function returns at the default setting, by name.
            controls: the JSON form of each control, by name.

        Raises:
            ValueError: a name that is neither output nor control, or numbers of the wrong rank.
        """
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        spec = {"kind": self.kind, **own, **self.resolve(Scene(type(self).__name__, outputs, controls))}
        return {name: value for name, value in spec.items() if name not in self.replaced}

    def resolve(self, scene: Scene) -> dict[str, Any]:
        """Return the fields whose JSON form is not the Python value."""
        raise NotImplementedError
