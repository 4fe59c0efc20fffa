"""From what an `explore` call says to a control: the abbreviations and widgets of `ipywidgets.interact`."""

import math
from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np
import torch

from livetorch.controls.base import Control, fixed
from livetorch.controls.choice import Checkbox, Choice
from livetorch.controls.slider import Slider
from livetorch.controls.state import State
from livetorch.controls.text import Text

_FORMS = (
    "(min, max) or (min, max, step), a list or dict of options, True or False, a text, a number, "
    "a control such as Slider(...), or fixed(value)"
)


def parse_control(name: str, given: Any, *, default: Any = None, carried: bool = False) -> Control | fixed:
    """Return the control that `given` stands for.

    Args:
        name: the argument that it feeds, for error messages.
        given: what the reader wrote: an abbreviation of `ipywidgets.interact`, an ipywidgets control, one of
            our controls, or `fixed(value)`.
        default: the default value of that argument, where it has one: the control starts there if it can.
        carried: the argument is named in `carry`, so that a plain tensor is allowed.
    Returns: The control, or the `fixed` value.
    Raises:
        TypeError: nothing fits.

    >>> parse_control("width", (0.0, 2.0)).kind
    'slider'
    """
    if isinstance(given, Control | fixed):
        return given
    if isinstance(given, ipywidgets.fixed):
        return fixed(given.value)
    try:
        if isinstance(given, ipywidgets.Widget):
            return _from_widget(name, given)
        if carried and isinstance(given, torch.Tensor):
            return State(given)
        return _from_abbreviation(name, given, default)
    except (TypeError, ValueError) as error:
        raise type(error)(f"control {name}: {error}") from error


def _from_abbreviation(name: str, given: Any, default: Any) -> Control:
    given = _plain(given)
    if isinstance(given, bool):
        return Checkbox(default if isinstance(default, bool) else given)
    if isinstance(given, str):
        return Text(given)
    if isinstance(given, int | float):
        return _around(given)
    if isinstance(given, tuple) and len(given) in (2, 3) and all(_is_number(n) for n in given):
        slider = Slider(*given)
        if _is_number(default) and slider.min <= default <= slider.max:
            floats = isinstance(default, float) and slider.integer
            low, high = (float(end) if floats else end for end in given[:2])
            step = None if len(given) == 2 else given[2]
            return Slider(low, high, float(step) if floats and step is not None else step, default)
        return slider
    if isinstance(given, list | tuple | Mapping):
        choice = Choice(given)
        found = choice.index(default) if default is not None else None
        return choice if found is None else Choice(given, choice.values[found])
    what = f"a tensor of shape {tuple(given.shape)}" if isinstance(given, torch.Tensor) else repr(given)
    hint = ""
    if isinstance(given, torch.Tensor):
        hint = (
            " For a tensor, write Points(...), Matrix(...) or Mask(...) to edit it, "
            "fixed(...) to keep it, or name it in carry."
        )
    raise TypeError(f"must be {_FORMS}; got {what}.{hint}")


def _plain(given: Any) -> Any:
    """Take numbers out of NumPy's scalars and tensors without axes: (keys.min(), keys.max()) is a slider."""
    if isinstance(given, tuple):
        return tuple(map(_plain, given))
    if isinstance(given, np.generic) or (isinstance(given, torch.Tensor) and given.ndim == 0):
        return given.item()
    return given


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _around(value: float) -> Slider:
    """Return the slider that `interact` makes of a single number: from -value to 3 times value."""
    if not math.isfinite(value):
        raise ValueError(f"must be a finite number, got {value}.")
    if value == 0:
        return Slider(type(value)(0), type(value)(1), value=value)
    low, high = sorted((-value, 3 * value))
    return Slider(low, high, value=value)


def _from_widget(name: str, widget: ipywidgets.Widget) -> Control:
    """Return the control with the bounds, the value and the label of an ipywidgets control."""
    label = getattr(widget, "description", "") or None
    if isinstance(widget, ipywidgets.FloatLogSlider):
        ends = widget.base**widget.min, widget.base**widget.max
        return Slider(*ends, value=widget.value, log=True, label=label)
    if isinstance(getattr(widget, "value", None), int | float) and hasattr(widget, "max"):
        number_format = getattr(widget, "readout_format", None)
        number_format = number_format if number_format not in (None, "d") else None
        return Slider(
            widget.min, widget.max, widget.step or None, widget.value, label=label, format=number_format
        )
    if isinstance(widget, ipywidgets.Checkbox | ipywidgets.ToggleButton | ipywidgets.Valid):
        return Checkbox(widget.value, label=label)
    if isinstance(widget, ipywidgets.Text | ipywidgets.Textarea | ipywidgets.Combobox):
        return Text(widget.value, label=label)
    if hasattr(widget, "options") and hasattr(widget, "index") and isinstance(widget.index, int | None):
        labels, values = widget._options_labels, widget._options_values
        pairs = list(zip(labels, values, strict=True))
        return Choice(pairs, None if widget.index is None else values[widget.index], label=label)
    raise TypeError(
        f"the ipywidgets control {type(widget).__name__} has no counterpart in a live figure; "
        "use a slider, a drop-down list, a checkbox or a text field."
    )
