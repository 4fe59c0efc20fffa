"""`when` of a control: at which settings of another control it does something."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

__all__ = ["moved_in", "when_specs"]


def when_specs(controls: Mapping[str, Any], in_views: Collection[str] = ()) -> dict[str, dict[str, Any]]:
    """Return the JSON form of each `when`, by the name of the control that has it.

    Args:
        controls: every control, by its name.
        in_views: those that have no field, because they are moved in a view.
    Raises:
        ValueError: it names no other control, a setting that the other control does not have or that is no
            plain value, or it belongs to a control without a field that could be grey.

    >>> from livetorch import Checkbox, Slider
    >>> when_specs({"coins": Checkbox(False), "draw": Slider(1, 9, when={"coins": [True]})})
    {'draw': {'coins': [True]}}
    """
    whens = {name: control.when for name, control in controls.items() if control.when}
    if moved := sorted(whens.keys() & set(in_views)):
        raise ValueError(
            f"{moved[0]} is moved in a view, with no field that could be grey: leave its when out."
        )
    return {name: _spec(name, when, controls) for name, when in whens.items()}


def moved_in(views: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the names of the controls that views let the reader move, in place of a field.

    >>> sorted(moved_in([{"drag": ["keys"]}, {"edit": "mask"}, {"edit": None}]))
    ['keys', 'mask']
    """
    edited = {view["edit"] for view in views if view.get("edit")}
    return edited.union(*(view.get("drag", ()) for view in views))


def _spec(name: str, when: Mapping[str, Any], controls: Mapping[str, Any]) -> dict[str, Any]:
    for other in when:
        if other == name or other not in controls:
            raise ValueError(f"when of {name} must name other controls, got {other!r}.")
    found = {
        other: [controls[other].to_js(controls[other].check(other, one)) for one in settings]
        for other, settings in when.items()
    }
    for other, settings in found.items():
        if not all(isinstance(one, bool | int | float | str) for one in settings):
            raise ValueError(f"when of {name} can wait for a plain value only, and {other} has many numbers.")
    return found
