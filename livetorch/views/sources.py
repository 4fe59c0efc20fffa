"""Where a view finds its numbers and names, and the errors when it cannot: `Scene`, `TokenIds`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

__all__ = ["BY_AXIS", "ByOption", "Scene", "TokenIds", "Typed"]

ROLES = ("query", "key", "value", "weight")
BY_AXIS = "by axis"  # the page finds a role by the name of the axis


@dataclass(frozen=True)
class TokenIds:
    """Labels that change with the numbers: ids in an output (or carried control), named by a vocabulary.

    Args:
        name: the output or control that holds the ids, of shape (length,).
        vocabulary: the token of each id.

    >>> TokenIds("tokens", ["the", "cat"]).name
    'tokens'
    """

    name: str
    vocabulary: Sequence[str]


@dataclass(frozen=True)
class Typed:
    """Names from a text control; in `Heatmap` and `Tokens`, what lies beyond the typed text is left out.

    Args:
        name: the text control.

    >>> Typed("sentence").name
    'sentence'
    """

    name: str


@dataclass(frozen=True)
class ByOption:
    """Other names for each option of a list: queries of a decoder in one, of an encoder in another.

    Args:
        name: the `Choice`.
        labels: the names at each of its options, in their order.

    >>> ByOption("layer", [Typed("source"), Typed("target")]).name
    'layer'
    """

    name: str
    labels: Sequence[Any]


@dataclass(frozen=True)
class Scene:
    """The outputs and controls of a figure at the default setting, as one view looks at them.

    Args:
        view: the name of the view, for error messages.
        outputs: what the function returned, by name.
        controls: the JSON form of each control, by name.
        words: output name to the words that a reader sees for it.

    >>> Scene("Bars", {"output": torch.ones(3)}, {}).source("output", "output")
    {'output': 'output'}
    """

    view: str
    outputs: Mapping[str, Tensor]
    controls: Mapping[str, Any]
    words: Mapping[str, str] = field(default_factory=dict)

    def word(self, name: str) -> str:
        """Return the words for an output: its own name where it has none."""
        return self.words.get(name, name)

    def source(self, field: str, value: Any) -> dict[str, Any]:
        """Return the JSON form of where numbers come from: an output, a control, or constants."""
        if not isinstance(value, str):
            return {"values": self._constants(field, value)}
        if value in self.outputs:
            return {"output": value}
        if value in self.controls:
            return {"control": value}
        known = ", ".join(map(repr, self.outputs))
        also = f" (controls: {', '.join(map(repr, self.controls))})" if self.controls else ""
        raise self.error(f"{field} names {value!r}, but the function returns only {known}{also}.")

    def tensor(self, source: Mapping[str, Any]) -> Tensor:
        """Return the numbers that a source stands for."""
        if "output" in source:
            return torch.as_tensor(self.outputs[source["output"]]).detach()
        return torch.as_tensor(
            self.controls[source["control"]]["value"] if "control" in source else source["values"]
        )

    def shaped(self, field: str, value: Any, *axes: Sequence[str]) -> tuple[dict[str, Any], Tensor]:
        """Return source and tensor of `value`, or raise when it has none of the given axes."""
        source = self.source(field, value)
        tensor = self.tensor(source)
        if tensor.ndim not in {len(one) for one in axes} or 0 in tensor.shape:
            name = value if isinstance(value, str) else field
            expected = " or ".join(f"({', '.join(one)})" for one in axes)
            empty = ", and no axis may be empty" if 0 in tensor.shape else ""
            raise self.error(f"{name} must have shape {expected}, got {tuple(tensor.shape)}{empty}.")
        return source, tensor

    def labels(self, field: str, value: Any, count: int, axis: str) -> dict[str, Any] | None:
        """Return the JSON form of the names along an axis: a list, the tokens of a text control, or ids."""
        if value is None:
            return None
        if isinstance(value, TokenIds):
            if value.name not in self.outputs and value.name not in self.controls:
                raise self.error(f"{field} takes ids from {value.name!r}, which is no output and no control.")
            return {"ids": value.name, "vocabulary": [str(token) for token in value.vocabulary]}
        if isinstance(value, ByOption):
            self.need_control(field, value.name, "dropdown")
            cases = [self.labels(field, each, 0, axis) for each in value.labels]
            return {"by": value.name, "cases": cases}
        if isinstance(value, str | Typed):
            name = value if isinstance(value, str) else value.name
            self.need_control(field, name, "text")
            spec = {"text": name, "unit": self.controls[name].get("unit", "character")}
            return spec | ({"crop": True} if isinstance(value, Typed) else {})
        return {"values": self.names(field, value, count, axis)}

    def role(self, field: str, role: str | None) -> None:
        """Raise where there is no such role."""
        if role is not None and role not in ROLES:
            raise self.error(f"{field} must be one of {ROLES}, or None, got {role!r}.")

    def hue(self, role: str | None) -> dict[str, Any]:
        """Return the JSON form of the role that numbers play, nothing where their axis tells it."""
        if role == BY_AXIS:
            return {}
        self.role("role", role)
        return {"hue": role}

    def names(self, field: str, value: Sequence[Any] | None, count: int, axis: str) -> list[str] | None:
        """Return a list of names as texts; there must be one for each item."""
        if value is None:
            return None
        if len(value) < count:
            raise self.error(
                f"{field} needs one name for each item, got {axis}={count}, {field}={len(value)}."
            )
        return [str(name) for name in value]

    def need_control(self, field: str, name: str, kind: str) -> None:
        """Raise when `name` is not a control of that kind."""
        if self.controls.get(name, {}).get("kind") != kind:
            known = [other for other, control in self.controls.items() if control.get("kind") == kind]
            raise self.error(f"{field}={name!r} must name a {kind} control, got {kind} controls {known}.")

    def drag(self, value: Any) -> dict[str, str | None]:
        """Return {control: axis or None} of the points that can be dragged."""
        names = [] if value is None else [value] if isinstance(value, str) else value
        chosen = dict(names) if isinstance(names, Mapping) else dict.fromkeys(names)
        for name in chosen:
            self.need_control("drag", name, "points")
        return chosen

    def limits(self, field: str, value: Sequence[float] | None) -> list[float] | None:
        """Return the two ends of an axis, or None."""
        if value is None:
            return None
        if len(value) != 2 or not value[0] < value[1]:
            raise self.error(f"{field} must be (min, max) with min < max, got {tuple(value)}.")
        return [float(end) for end in value]

    def error(self, text: str) -> ValueError:
        """Return the error that names the view."""
        return ValueError(f"{self.view}: {text}")

    def _constants(self, field: str, value: Any) -> list[Any]:
        try:
            numbers = torch.as_tensor(value).detach()
        except (TypeError, ValueError, RuntimeError) as error:
            raise TypeError(f"{self.view}: {field} must be a name or numbers, got {value!r}.") from error
        return [float(f"{x:.7g}") for x in numbers.tolist()] if numbers.ndim == 1 else numbers.tolist()
