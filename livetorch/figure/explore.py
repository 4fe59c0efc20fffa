"""`explore`: a torch function and its controls in, a live figure out."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets
import torch

from livetorch.controls.abbreviations import parse_control
from livetorch.figure.carry import Carry
from livetorch.figure.compile import Binding, Compiled, compile_programs, signature_defaults
from livetorch.figure.options import (
    check_options,
    check_views,
    checked_labels,
    curve_specs,
    moved_in,
    pick_specs,
    veil_spec,
    when_specs,
)
from livetorch.figure.stored import warn_if_heavy
from livetorch.figure.widget import LiveFigure
from livetorch.tracing.reader.short_errors import short_errors
from livetorch.views import Heatmap, Table


@short_errors
def explore(
    fn: Callable[..., Any],
    /,
    *,
    view: Any = None,
    carry: Mapping[str, str] | Carry | None = None,
    name: str | None = None,
    title: str | None = None,
    do: str | None = None,
    caption: str | None = None,
    labels: Mapping[str, str] | None = None,
    picks: Mapping[str, Any] | None = None,
    store: str | None = None,
    veil: str | Sequence[str] | None = None,
    controls: Mapping[str, Any] | None = None,
    **named_controls: Any,
) -> LiveFigure:
    """Make a live figure of a torch function, as `ipywidgets.interact` would, that works without a kernel.

    Args:
        fn: a function, closure or module that computes with torch and returns a tensor or a dict of tensors.
        view: a view such as `Heatmap()`, or a list of views, in the order of reading; a list in that list is
            a row of views that belong together. By default a heatmap of a single matrix, else a table.
        carry: argument name to the output that it gets in the next step; adds step, run, stop and reset
            buttons.
        name: a short name for links to the figure; by default the function's. Unique on its page.
        title: a claim or a question above the figure, which is its name for screen readers too.
        do: one line beside it that says what to do, such as "Drag a point".
        caption: a sentence or two below it that say what to look at.
        labels: output name to the words that stand for it in tables, legends and "Numbers", which opens only
            outputs that have words, where any has.
        picks: axis of a view to the control that a click on one of its items sets, such as
            `{"layers": "layer", "heads": "head"}`: the n-th item stands for the n-th stop or option, or for
            the n-th setting of `("head", [1, 3, 5])`.
        store: "float16" keeps the constants (a trained model's parameters) in half the space, rounded so;
            by default they are kept exactly.
        veil: names of outputs that would answer the question asked before the figure: the views that show one
            are veiled until it is answered, or until a button is pressed. Of curves over points that hands
            move only the curves are.
        controls: named controls in a dict, for arguments that are called like an option, such as `title`.
        named_controls: one for each argument of `fn`: `(min, max)` or `(min, max, step)` a slider, a list or
            dict a drop-down list, a bool a checkbox, a text a text field, an ipywidgets control as it is,
            `Slider`, `Choice`, `Checkbox`, `Text`, `Points`, `Mask`, `Matrix`, or `fixed(value)`.
            Sliders and tables reach `fn` as tensors; options of a list, and bools, as Python values.

    Returns:
        The figure; show it as the last value of a cell.

    Raises:
        ValueError: a control that no argument takes, an argument that no control feeds, a function that
            cannot be traced, a view that does not fit the output, too many combinations of options, a wrong
            `carry`.
        TypeError: a control that cannot be understood, or an output that is not a tensor.

    Example:
        >>> keys = torch.tensor([0.0, 1.0, 2.0])
        >>> def weights(width):
        ...     return torch.softmax(-(((keys[:, None] - keys) / width) ** 2) / 2, dim=-1)
        >>> explore(weights, width=(0.5, 2.0)).value
        {'width': 1.25}

    Source:
        The manner of calling it follows `ipywidgets.interact`.

    Chapter:
        notebooks/01a_weighted_average.ipynb
    """
    controls = dict(controls or {}) | named_controls
    texts = {"name": name, "title": title, "do": do, "caption": caption}
    check_options(
        fn,
        texts
        | {"view": view, "carry": carry, "labels": labels, "picks": picks, "store": store, "veil": veil},
        controls,
    )
    carry = Carry(carry) if carry is not None and not isinstance(carry, Carry) else carry
    compiled = compile_programs(_bind(fn, controls, carry), store)
    widgets = {key: given for key, given in controls.items() if _is_linked(given)}
    figure = assemble(
        compiled, texts, view=view, carry=carry, labels=labels, picks=picks, veil=veil, widgets=widgets
    )
    warn_if_heavy(figure.spec, figure.outputs)
    return figure


def assemble(
    compiled: Compiled,
    texts: Mapping[str, Any],
    *,
    view: Any = None,
    carry: Carry | None = None,
    labels: Mapping[str, str] | None = None,
    picks: Mapping[Any, Any] | None = None,
    veil: str | Sequence[str] | None = None,
    widgets: Mapping[str, Any] | None = None,
    make: Callable[..., LiveFigure] = LiveFigure,
) -> Any:
    """Make the figure of Programs and controls that are there; the arguments are those of `explore`.

    Args:
        compiled: the Programs and the controls that feed them.
        texts: `name`, `title`, `do` and `caption`, where there are any.
        view, carry, labels, picks, veil: as in `explore`.
        widgets: ipywidgets controls by argument name, linked both ways.
        make: the figure's class.
    """
    outputs = compiled.run(compiled.binding.defaults())
    views, rows = _as_views(view, outputs)
    labels = checked_labels(labels, outputs)
    view_specs = _view_specs(views, outputs, compiled, carry, labels)
    spec: dict[str, Any] = {"format": "livetorch/figure", "version": 1}
    spec |= dict(texts) | {"name": texts["name"] or _slug(compiled.binding.name), "labels": labels}
    spec |= {"controls": _control_specs(compiled.binding, outputs, labels, view_specs), **compiled.spec}
    spec |= {"views": view_specs, "rows": rows}
    spec |= {} if picks is None else {"picks": pick_specs(picks, compiled.binding.controls, view_specs)}
    spec |= {} if veil is None else {"veil": veil_spec(veil, view_specs, outputs)}
    spec["carry"] = None if carry is None else carry.to_spec()
    return make(compiled, spec, carry, widgets)


def _is_linked(given: Any) -> bool:
    return isinstance(given, ipywidgets.Widget) and not isinstance(given, ipywidgets.fixed)


def _bind(fn: Callable[..., Any], controls: dict[str, Any], carry: Carry | None) -> Binding:
    carried = set(carry.names) if carry is not None else set()
    defaults = signature_defaults(fn)
    return Binding(
        fn,
        {
            key: parse_control(key, given, default=defaults.get(key), carried=key in carried)
            for key, given in controls.items()
        },
    )


def _slug(text: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return slug or "figure"


def _as_views(view: Any, outputs: dict[str, torch.Tensor]) -> tuple[list[Any], list[list[int]] | None]:
    """Return the views in order, and the numbers of those in each row where the author has put rows."""
    if view is None:
        single = next(iter(outputs.values())) if len(outputs) == 1 else None
        matrix = single is not None and single.ndim == 2 and single.is_floating_point()
        return [Heatmap(output=next(iter(outputs)))] if matrix else [Table(outputs=list(outputs))], None
    given = list(view) if isinstance(view, Sequence) else [view]
    rows = [list(each) if isinstance(each, Sequence) else [each] for each in given]
    views = [each for row in rows for each in row]
    if not views or not all(rows):
        raise ValueError("view must be a view or a list of views, got an empty list.")
    for each in views:
        if not hasattr(each, "to_spec") or isinstance(each, type):
            raise TypeError(f"view must be a view such as Heatmap(), or a list of them, got {each!r}.")
    places = iter(range(len(views)))
    numbered = [[next(places) for _ in row] for row in rows]
    return views, numbered if any(isinstance(each, Sequence) for each in given) else None


def _view_specs(
    views: list[Any],
    outputs: dict[str, torch.Tensor],
    compiled: Compiled,
    carry: Carry | None,
    labels: dict[str, str],
) -> list[dict[str, Any]]:
    """Return the JSON form of the views, after trying them, and what else must fit, at every option."""
    binding = compiled.binding
    controls = {key: control.to_spec(key) for key, control in binding.controls.items()}
    combinations = list(compiled.combinations())
    for settings, made in combinations:
        for view in views:
            view.to_spec(made, controls, labels)
        curve_specs(binding.controls, made, labels)
        if carry is not None:
            carry.check(binding, settings, made)
    specs = [view.to_spec(outputs, controls, labels) for view in views]
    check_views(specs)
    for view, spec in zip(views, specs, strict=True):
        if others := view.at_options(spec, outputs, [made for _, made in combinations]):
            spec["others"] = others
    return specs


def _control_specs(
    binding: Binding,
    outputs: dict[str, torch.Tensor],
    labels: dict[str, str],
    views: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    """Return the JSON form of the controls, with the curves of sliders and when each does something."""
    curves = curve_specs(binding.controls, outputs, labels)
    whens = when_specs(binding.controls, moved_in(views))
    return [
        control.to_spec(key)
        | ({"curve": curves[key]} if key in curves else {})
        | ({"when": whens[key]} if key in whens else {})
        for key, control in binding.controls.items()
    ]
