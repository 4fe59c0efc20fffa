"""`LiveFigure`: the widget of a live figure in a notebook, and what the notebook stores of it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import torch
import traitlets

from attn_helpers.live.binding import Binding
from attn_helpers.live.carrying import Carry
from attn_helpers.live.html import figure_html, numbers_as_text, settings_as_text

__all__ = ["LiveFigure"]

_DIST = Path(__file__).parent / "js" / "dist"
_SCRIPT = (_DIST / "attention-live.js").read_text(encoding="utf-8")
_STYLE = (_DIST / "attention-live.css").read_text(encoding="utf-8")


def _settings_to_js(settings: dict[str, Any], figure: "LiveFigure") -> dict[str, Any]:
    controls = figure._binding.controls
    return {name: controls[name].to_js(value) for name, value in settings.items()}


def _settings_from_js(state: dict[str, Any], figure: "LiveFigure") -> dict[str, Any]:
    controls = figure._binding.controls
    return {name: controls[name].from_js(value) for name, value in state.items() if name in controls}


class LiveFigure(anywidget.AnyWidget):
    """A live figure, as `explore` returns it.

    `value` holds the settings of the controls: read it, set it (all of it or some names), or `observe` it.
    `outputs` holds what torch gives for these settings.

    Args:
        binding: the function and its controls.
        spec: the figure's JSON.
        picture: the static picture, an SVG document.
        carry: what flows from step to step, or None.
        widgets: ipywidgets controls by argument name, linked both ways.
    """

    # The bundle is a classic script that the website uses too; a module needs an export besides.
    _esm = _SCRIPT + "\nexport default globalThis.AttentionLive.widget;\n"
    _css = _STYLE

    value = traitlets.Dict().tag(sync=True, to_json=_settings_to_js, from_json=_settings_from_js)
    _spec = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        binding: Binding,
        spec: dict[str, Any],
        picture: str,
        carry: Carry | None = None,
        widgets: Mapping[str, ipywidgets.Widget] | None = None,
    ) -> None:
        self._binding, self._picture, self._carry = binding, picture, carry
        self._widgets = dict(widgets or {})
        self._computed: tuple[str, dict[str, torch.Tensor]] | None = None
        super().__init__(value=binding.defaults(), _spec=spec)
        self._text = self._default_text()
        self._link_widgets()

    @property
    def spec(self) -> dict[str, Any]:
        """The figure's JSON, as it is stored in the notebook."""
        return self._spec

    @property
    def outputs(self) -> dict[str, torch.Tensor]:
        """What the function itself returns in torch for the present settings, as a dict of tensors."""
        key = json.dumps(_settings_to_js(self.value, self), sort_keys=True)
        if self._computed is None or self._computed[0] != key:
            self._computed = (key, self._binding.call(self.value))
        return dict(self._computed[1])

    def set(self, **settings: Any) -> None:
        """Change some settings, the others stay.

        Args:
            settings: control name to new value.

        Raises:
            ValueError: there is no such control, or the value is outside its range.
        """
        self.value = settings

    def step(self, steps: int = 1) -> None:
        """Do what the Step button does: feed the carried outputs back as inputs.

        Args:
            steps: how many times.

        Raises:
            ValueError: the figure carries nothing.
        """
        if self._carry is None:
            raise ValueError(f"the figure {self._spec['name']} has no carry, so there is nothing to step.")
        for _ in range(steps):
            self.value = self._carry.next_settings(self._binding, self.value, self.outputs)

    @traitlets.validate("value")
    def _check_value(self, proposal: Any) -> dict[str, Any]:
        controls = self._binding.controls
        for name in proposal["value"]:
            if name not in controls:
                raise ValueError(
                    f"the figure has no control {name}; its controls are: {', '.join(controls)}."
                )
        carried = self._carry.names if self._carry else {}
        before = self.value or self._binding.defaults()
        given = before | proposal["value"]
        return {n: control.check(n, given[n], free=n in carried) for n, control in controls.items()}

    def _link_widgets(self) -> None:
        for name, widget in self._widgets.items():
            widget.observe(self._follow(name), "value")
            self.observe(self._lead(name, widget), "value")

    def _follow(self, name: str) -> Callable[[Any], None]:
        def follow(change: Any) -> None:
            if self.value[name] != change["new"]:
                self.value = {name: change["new"]}

        return follow

    def _lead(self, name: str, widget: ipywidgets.Widget) -> Callable[[Any], None]:
        def lead(change: Any) -> None:
            if widget.value != change["new"][name]:
                widget.value = change["new"][name]

        return lead

    def _default_state(self) -> dict[str, Any]:
        return {control["name"]: control["value"] for control in self._spec["controls"]}

    def _default_text(self) -> str:
        settings = settings_as_text(self._spec["controls"], self._default_state())
        head = f"LiveFigure {self._spec['name']}" + (f", {settings}" if settings else "")
        outputs = self._binding.call(self._binding.defaults())
        return head + "\n" + numbers_as_text(outputs, brief=self._fed_back())

    def _fed_back(self) -> frozenset[str]:
        """Outputs that only start the next step: no hand moves them, and no view shows them."""
        states = {control["name"] for control in self._spec["controls"] if control["kind"] == "state"}
        carried = {out for name, out in (self._carry.names if self._carry else {}).items() if name in states}
        views = json.dumps(self._spec["views"], ensure_ascii=False)
        return frozenset(out for out in carried if json.dumps(out, ensure_ascii=False) not in views)

    def to_html(self) -> str:
        """Return the HTML that the notebook stores: picture, numbers, and the figure's JSON."""
        settings = settings_as_text(self._spec["controls"], self._default_state())
        what = self._spec["title"] or f"Live figure {self._spec['name']}"
        alt = what + (f", drawn for {settings}." if settings else ".") + " Its numbers follow."
        return figure_html(self._spec, self._picture, self._text, alt)

    def __repr__(self) -> str:
        """Return the numbers at the default setting: the same text each time, on every machine."""
        return self._text

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made or {}, {})
        data = {k: v for k, v in data.items() if k != "text/plain"}
        return {"text/plain": self._text, "text/html": self.to_html(), **data}, metadata
