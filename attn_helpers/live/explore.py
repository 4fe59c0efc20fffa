"""`explore`: a torch function and its controls in, a live figure out."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets
import torch

from attn_helpers.live.abbreviations import parse_control
from attn_helpers.live.binding import Binding, function_name, signature_defaults
from attn_helpers.live.carrying import Carry
from attn_helpers.live.compile import compile_programs
from attn_helpers.live.figure import LiveFigure
from attn_helpers.live.picture import picture
from attn_helpers.live.views import Heatmap, Table

__all__ = ["explore"]


def explore(
    fn: Callable[..., Any],
    *,
    view: Any = None,
    carry: Mapping[str, str] | Carry | None = None,
    name: str | None = None,
    title: str | None = None,
    caption: str | None = None,
    store: str | None = None,
    **controls: Any,
) -> LiveFigure:
    """Make a live figure of a torch function, as `ipywidgets.interact` would, that works without a kernel.

    Args:
        fn: a function, closure or module that computes with torch and returns a tensor or a dict of tensors.
        view: a view such as `Heatmap()`, or a list of views; by default a heatmap of a single matrix, else
            a table.
        carry: argument name to the output that it gets in the next step; adds step, run, stop and reset
            buttons.
        name: a short name for links to the figure; by default the function's. Unique on its page.
        title: a heading above the figure.
        caption: a sentence below it.
        store: "float16" keeps the constants (a trained model's parameters) in half the space, rounded so;
            by default they are kept exactly.
        controls: one for each argument of `fn`: `(min, max)` or `(min, max, step)` a slider, a list or dict a
            drop-down list, a bool a checkbox, a text a text field, an ipywidgets control as it is,
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
        notebooks/01_kernel_pooling.ipynb
    """
    carry = Carry(carry) if carry is not None and not isinstance(carry, Carry) else carry
    name = _checked_name(name or _slug(function_name(fn)))
    binding = _bind(fn, controls, carry)
    outputs = binding.call(binding.defaults())
    views = _as_views(view, outputs)

    def check(settings: dict[str, Any], made: dict[str, torch.Tensor]) -> None:
        _view_specs(views, made, binding)
        if carry is not None:
            carry.check(binding, settings, made)

    check(binding.defaults(), outputs)
    binding, programs = compile_programs(binding, check, store)
    control_specs = [control.to_spec(key) for key, control in binding.controls.items()]
    spec = {"format": "attention-live/figure", "version": 1, "name": name, "title": title, "caption": caption}
    spec |= {"controls": control_specs, **programs, "views": _view_specs(views, outputs, binding)}
    spec["carry"] = None if carry is None else carry.to_spec()
    state = {control["name"]: control["value"] for control in control_specs}
    svg = picture(spec["views"], outputs, state)
    widgets = {key: given for key, given in controls.items() if _is_linked(given)}
    return LiveFigure(binding, spec, svg, carry, widgets)


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


def _checked_name(name: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", name):
        raise ValueError(
            f"name must be small letters, digits and hyphens, such as kernel-width, got name={name!r}."
        )
    return name


def _as_views(view: Any, outputs: dict[str, torch.Tensor]) -> list[Any]:
    if view is None:
        single = next(iter(outputs.values())) if len(outputs) == 1 else None
        matrix = single is not None and single.ndim == 2 and single.is_floating_point()
        return [Heatmap(output=next(iter(outputs)))] if matrix else [Table(outputs=list(outputs))]
    views = list(view) if isinstance(view, Sequence) else [view]
    if not views:
        raise ValueError("view must be a view or a list of views, got an empty list.")
    for each in views:
        if not hasattr(each, "to_spec") or isinstance(each, type):
            raise TypeError(f"view must be a view such as Heatmap(), or a list of them, got {each!r}.")
    return views


def _view_specs(views: list[Any], outputs: dict[str, torch.Tensor], binding: Binding) -> list[dict[str, Any]]:
    specs = {key: control.to_spec(key) for key, control in binding.controls.items()}
    return [view.to_spec(outputs, specs) for view in views]
