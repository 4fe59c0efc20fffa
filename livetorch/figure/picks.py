"""`picks` of `explore`: which control an item of an axis sets when it is pressed in a view."""

from collections.abc import Mapping, Sequence
from typing import Any

from livetorch.controls.base import Control
from livetorch.controls.choice import Choice
from livetorch.controls.slider import Slider

__all__ = ["pick_specs"]

_AXES = ("rows_axis", "cols_axis", "panels_axis", "axis", "query_axis")  # fields of a view that name one


def pick_specs(
    picks: Mapping[str, Any] | None, controls: Mapping[str, Control], views: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, Any]] | None:
    """Return the JSON form of `picks`, after checking it against the figure.

    Args:
        picks: axis to a control's name, or to a name and a list with the setting of each item.
        controls: the controls of the figure, by name.
        views: the JSON form of its views.
    Returns: Axis to `{"control", "values"}`: settings in the browser's form, one for each item.
    Raises:
        ValueError: an axis that no view has, or a control that does not exist or has no stops to pick from.

    >>> pick_specs({"heads": "head"}, {"head": Slider(1, 3)}, [{"axis": "heads"}])
    {'heads': {'control': 'head', 'values': [1, 2, 3]}}
    """
    if picks is None:
        return None
    known = {view[field] for view in views for field in _AXES if view.get(field)}
    known |= {axis for view in views for part in view.get("parts", ()) for axis in part.get("axes", ())}
    made = {}
    for axis, given in picks.items():
        name, settings = (given, None) if isinstance(given, str) else given
        if axis not in known:
            raise ValueError(f"picks names the axis {axis!r}, which no view has; they have {sorted(known)}.")
        if name not in controls:
            raise ValueError(
                f"picks[{axis!r}] must name a control, got {name!r}; there are {list(controls)}."
            )
        control = controls[name]
        made[axis] = {"control": name, "values": _settings(axis, name, control, settings)}
    return made


def _settings(axis: str, name: str, control: Control, given: Sequence[Any] | None) -> list[Any]:
    """Return the setting that each item stands for: by default the control's stops, one after the other."""
    if given is None:
        stops = isinstance(control, Choice) or (isinstance(control, Slider) and not control.log)
        if not stops:
            raise ValueError(
                f"picks[{axis!r}]: {name} has no stops that could stand for the items; "
                f"give their settings, as in ({name!r}, [...])."
            )
        given = control.options()
    return [control.to_js(control.check(name, value)) for value in given]
