"""The options of `explore`, each held against the figure and turned into its JSON form.

What is wrong with one is said when the figure is made, not when it is shown.
"""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import torch

from livetorch.controls.base import Control
from livetorch.controls.choice import Choice
from livetorch.controls.slider import Slider
from livetorch.figure.compile import signature_defaults, signature_names
from livetorch.tracing.reader.reader_code import function_name

_TEXTS = ("name", "title", "do", "caption", "store")
_AXES = ("rows_axis", "cols_axis", "panels_axis", "axis", "query_axis")  # fields of a view that name one


def check_options(fn: Callable[..., Any], options: Mapping[str, Any], controls: Mapping[str, Any]) -> None:
    """Raise where an option is of the wrong kind, or may have been meant for an argument of the function.

    Args:
        fn: the reader's function.
        options: option name to what was given, None where nothing was.
        controls: argument name to what was given for it.
    Raises:
        TypeError: an option that must be a text is none.
        ValueError: an argument has an option's name and no control, or a name cannot stand in a link.
    """
    optional = signature_defaults(fn)
    for name in options:
        if name in signature_names(fn) and name not in controls and name not in optional:
            raise ValueError(
                f"{function_name(fn)} has an argument {name}, but explore keeps the name {name} for itself: "
                f'give its control as controls={{"{name}": ...}}.'
            )
    for name in _TEXTS:
        given = options.get(name)
        if given is not None and not isinstance(given, str):
            hint = f' An argument {name} gets its control by controls={{"{name}": ...}}.' * (name in optional)
            raise TypeError(f"{name} must be a text, got {name}={given!r}.{hint}")
    if options["name"] is not None and not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", options["name"]):
        raise ValueError(
            "name must be small letters, digits and hyphens, such as kernel-width, "
            f"got name={options['name']!r}."
        )


def check_views(specs: list[dict[str, Any]]) -> None:
    """Raise where a view holds what its JSON form cannot: a number that is not finite, or no plain value."""
    for spec in specs:
        for place, value in _leaves(spec, ""):
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(f"{spec['kind'].capitalize()}: {place} must be finite, got {value}.")
            if value is not None and not isinstance(value, str | int | float):
                raise TypeError(
                    f"{spec['kind'].capitalize()}: {place} must be a plain text or number, got {value!r}."
                )


def _leaves(tree: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(tree, Mapping):
        for name, item in tree.items():
            yield from _leaves(item, f"{place}.{name}".lstrip("."))
    elif isinstance(tree, list | tuple):
        for i, item in enumerate(tree):
            yield from _leaves(item, f"{place}[{i}]")
    else:
        yield place, tree


def checked_labels(labels: Mapping[str, str] | None, outputs: Collection[str]) -> dict[str, str]:
    """Return the labels as a dict, after holding them against the outputs.

    Args:
        labels: output name to the words that stand for it, or None.
        outputs: the names of all outputs.
    Raises:
        ValueError: a label for something that is no output, or an empty one.

    >>> checked_labels({"loss": "mean loss"}, ["loss", "new_w"])
    {'loss': 'mean loss'}
    """
    given = {str(name): str(words) for name, words in (labels or {}).items()}
    for name, words in given.items():
        if name not in outputs:
            known = ", ".join(map(repr, outputs))
            raise ValueError(f"labels names {name!r}, but the function returns only {known}.")
        if not words.strip():
            raise ValueError(f"labels must be words, got labels[{name!r}]={words!r}.")
    return given


def curve_specs(
    controls: Mapping[str, Control], outputs: Mapping[str, torch.Tensor], labels: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Return the JSON form of each slider's curve.

    Args:
        controls: argument name to control.
        outputs: what the function returns at some setting, by name.
        labels: output name to the words that a reader sees for it.

    Returns:
        Control name to `output`, `at` (the place among all its numbers) and `label`, for those with a curve.

    Raises:
        ValueError: a curve names no output, or more or less than one real number of it.

    Example:
        >>> slider = Slider(0.0, 1.0, curve=("pair", 1))
        >>> curve_specs({"x": slider}, {"pair": torch.tensor([1.0, 2.0])}, {})
        {'x': {'output': 'pair', 'at': 1, 'label': 'pair[1]'}}
    """
    curved = {name: c.curve for name, c in controls.items() if isinstance(c, Slider) and c.curve is not None}
    return {name: _curve_spec(name, curve, outputs, labels) for name, curve in curved.items()}


def _curve_spec(
    name: str,
    curve: str | tuple[str | int, ...],
    outputs: Mapping[str, torch.Tensor],
    labels: Mapping[str, str],
) -> dict[str, Any]:
    output, *place = [curve] if isinstance(curve, str) else curve
    if output not in outputs:
        raise ValueError(
            f"the curve of {name} names {output!r}, but the function returns: {', '.join(outputs)}."
        )
    tensor = outputs[str(output)]
    index = [int(n) for n in place]
    shape = tuple(tensor.shape)
    if len(index) != tensor.ndim:
        one = f"({', '.join([repr(output), *['0'] * tensor.ndim])})" if tensor.ndim else repr(output)
        raise ValueError(
            f"the curve of {name} must be one number, but {output} has the shape {shape}: "
            f"name a number by its place, such as curve={one}."
        )
    if not all(0 <= n < length for n, length in zip(index, shape, strict=True)):
        raise ValueError(f"the curve of {name} names place {index} of {output}, whose shape is {shape}.")
    at = sum(n * step for n, step in zip(index, tensor.contiguous().stride(), strict=True))
    words = labels.get(str(output), str(output))
    return {"output": output, "at": at, "label": f"{words}{index}" if index else words}


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
    return {name: _when_spec(name, when, controls) for name, when in whens.items()}


def moved_in(views: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the names of the controls that views let the reader move, in place of a field.

    >>> sorted(moved_in([{"drag": ["keys"]}, {"edit": "mask"}, {"muting": {"name": "kept"}}, {"edit": None}]))
    ['kept', 'keys', 'mask']
    """
    edited = {view["edit"] for view in views if view.get("edit")}
    edited |= {view["muting"]["name"] for view in views if view.get("muting")}
    return edited.union(*(view.get("drag", ()) for view in views))


def _when_spec(name: str, when: Mapping[str, Any], controls: Mapping[str, Any]) -> dict[str, Any]:
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


def pick_specs(
    picks: Mapping[Any, Any] | None, controls: Mapping[str, Control], views: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, Any]] | None:
    """Return the JSON form of `picks`, after checking it against the figure.

    Args:
        picks: axis to a control's name, or to a name and a list with the setting of each item; rows and
            columns of one view, as a pair, to a name and a list of lists.
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
    for key, given in picks.items():
        name, settings = (given, None) if isinstance(given, str) else given
        axis, *beside = [key] if isinstance(key, str) else key
        more: dict[str, Any] = {}
        if beside and settings:
            more = {"beside": beside[0], "width": len(settings[0])}
            settings = [each for row in settings for each in row]
        if not known.issuperset([axis, *beside]):
            raise ValueError(f"picks names the axis {axis!r}, which no view has; they have {sorted(known)}.")
        if name not in controls:
            raise ValueError(
                f"picks[{axis!r}] must name a control, got {name!r}; there are {list(controls)}."
            )
        control = controls[name]
        made[axis] = {"control": name, "values": _settings(axis, name, control, settings), **more}
    return made


def veil_spec(
    veil: str | Sequence[str], views: Sequence[Mapping[str, Any]], outputs: Collection[str]
) -> list[int]:
    """Return the numbers of the views that show a veiled output.

    Args:
        veil: a name, or several.
        views: the JSON form of the views.
        outputs: the names of all outputs.
    Raises:
        TypeError: it is neither a text nor a list of texts.
        ValueError: a name that no output has, or that no view shows.

    >>> veil_spec("sum", [{"source": {"output": "x"}}, {"source": {"output": "sum"}}], ["x", "sum"])
    [1]
    """
    names = [veil] if isinstance(veil, str) else veil
    if not isinstance(names, list | tuple) or not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"veil must be the name of an output, or a list of such names, got veil={veil!r}.")
    showing = [
        {value for place, value in _leaves(view, "") if place.rpartition(".")[2] == "output"}
        for view in views
    ]
    for name in names:
        if name not in outputs:
            raise ValueError(
                f"veil names {name!r}, but the function returns only {', '.join(map(repr, outputs))}."
            )
        if not any(name in shown for shown in showing):
            raise ValueError(f"veil names {name!r}, which no view shows.")
    return [i for i, shown in enumerate(showing) if not shown.isdisjoint(names)]


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
