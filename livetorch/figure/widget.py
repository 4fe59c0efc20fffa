"""`LiveFigure`: the widget of a live figure in a notebook, and what the notebook stores of it."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import torch
import traitlets

from livetorch.figure.carry import Carry
from livetorch.figure.compile import Compiled
from livetorch.figure.opening import Opened, open_number
from livetorch.figure.save import save_figure
from livetorch.figure.still import picture
from livetorch.figure.stored import figure_html, numbers_as_text, settings_as_text
from livetorch.program.program import Program
from livetorch.scripts import PAGES, built

__all__ = ["LiveFigure"]

# The core first; parts that a page fetches when it needs them come along, without the worker of large models.
_SCRIPTS = [built("pages/livetorch.js"), *sorted(PAGES.glob("livetorch-[!w]*.js"))]
_SCRIPT = "\n".join(path.read_text(encoding="utf-8") for path in _SCRIPTS)
STYLE = built("pages/livetorch.css").read_text(encoding="utf-8")


def _settings_to_js(settings: dict[str, Any], figure: "LiveFigure") -> dict[str, Any]:
    controls = figure._binding.controls
    return {name: controls[name].to_js(value) for name, value in settings.items()}


def _settings_from_js(state: dict[str, Any], figure: "LiveFigure") -> dict[str, Any]:
    controls = figure._binding.controls
    return {name: controls[name].from_js(value) for name, value in state.items() if name in controls}


class LiveFigure(anywidget.AnyWidget):
    """A live figure, as `explore` returns it.

    `value` holds the settings of the controls: read it, set it (all of it or some names), or `observe` it.
    `outputs` holds what its Program, the function as it was recorded, gives for these settings.

    Args:
        compiled: the function's Programs and its controls.
        spec: the figure's JSON.
        carry: what flows from step to step, or None.
        widgets: ipywidgets controls by argument name, linked both ways.

    Example:
        >>> from livetorch import explore
        >>> figure = explore(lambda x: x * 2, x=(0.0, 1.0))
        >>> figure.value = {"x": 0.25}
        >>> figure.outputs
        {'output': tensor(0.5000)}
    """

    # Classic scripts that the website uses too; a module needs an export besides.
    _esm = _SCRIPT + "\nexport default globalThis.LiveTorch.widget;\n"
    _css = STYLE

    weights = "float32"  # how numbers are kept in a page
    value = traitlets.Dict().tag(sync=True, to_json=_settings_to_js, from_json=_settings_from_js)
    _spec = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        compiled: Compiled,
        spec: dict[str, Any],
        carry: Carry | None = None,
        widgets: Mapping[str, ipywidgets.Widget] | None = None,
    ) -> None:
        self._compiled, self._binding, self._carry = compiled, compiled.binding, carry
        self._widgets = dict(widgets or {})
        self._computed: tuple[str, dict[str, torch.Tensor]] | None = None
        super().__init__(value=self._binding.defaults(), _spec=spec)
        self._start = compiled.run(self._binding.defaults())
        self._text = self._default_text()
        self._link_widgets()

    @property
    def spec(self) -> dict[str, Any]:
        """The figure's JSON, as it is stored in the notebook."""
        return self._spec

    @property
    def card(self) -> dict[str, Any]:
        """That JSON, which may lack the Programs and their pool."""
        return self._spec

    @property
    def outputs(self) -> dict[str, torch.Tensor]:
        """What the recorded function, as the page runs it, gives for the present settings.

        A figure is a snapshot: weights that change later change neither the page nor these tensors.
        """
        key = json.dumps(_settings_to_js(self.value, self), sort_keys=True)
        if self._computed is None or self._computed[0] != key:
            self._computed = (key, self._compiled.run(self.value))
        return dict(self._computed[1])

    def set(self, **settings: Any) -> None:
        """Change some settings, the others stay.

        Args:
            settings: control name to new value.

        Raises:
            ValueError: there is no such control, or the value is outside its range.
        """
        self.value = settings

    def open(self, name: str | None = None, index: int | Sequence[int] = ()) -> Opened | None:
        """Say how a number came to be at the present settings, as the page does.

        Args:
            name: an output.
            index: the number's place, one whole number for each axis; () for a single number.

        Returns:
            The number; printed, its lines. `parts` are the numbers that it was made of.

        Raises:
            ValueError: there is no such output, or no number there.
            RuntimeError: there is no Node, which runs the page's own code.
        """
        if name is None:  # ipywidgets' own `open()` connects a widget with its page
            return super().open()
        return open_number(self.spec, _settings_to_js(self.value, self), name, index)

    def save(self, path: str | Path, *, weights: str | None = None, large: bool = False) -> Path:
        """Write the figure at its present settings as a file that needs no kernel, no server and no network.

        Args:
            path: `dog.html` for a page with all that it needs in it, `.svg` or `.png` for a picture of it.
            weights: how its numbers are kept in a page: "float32" exactly, "float16" or "int8" smaller; what
                that costs is measured, and written below the figure. By default as the figure was made.
            large: write a folder in place of one file, with the weights beside the page, loaded when they
                are asked for.

        Returns:
            The path.

        Raises:
            ValueError: another ending, another way of keeping numbers, or a figure too large for one file.
            RuntimeError: a picture needs Node, a `.png` the package resvg-py besides.

        Example:
            >>> from livetorch import explore
            >>> import tempfile
            >>> figure = explore(lambda x: x * torch.ones(2), x=(0.0, 1.0))
            >>> figure.save(Path(tempfile.mkdtemp()) / "figure.html").name
            'figure.html'
        """
        return save_figure(self, path, weights or self.weights, large)

    @property
    def exact_programs(self) -> Sequence[Program]:
        """The Programs with the numbers that torch has."""
        return self._compiled.programs

    def place_now(self) -> int:
        """Say which of the Programs runs at the present settings."""
        return self._compiled.place(self.value)

    def seen(self, place: int, outputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Return of a Program's outputs what a reader sees: all, but for what a text is filled up with."""
        return outputs

    def settings_in_js(self) -> dict[str, Any]:
        """Return the present settings in the browser's form."""
        return _settings_to_js(self.value, self)

    def inputs_now(self) -> dict[str, torch.Tensor]:
        """Return what the Programs are fed at the present settings."""
        return self._binding.inputs(self.value)

    def step(self, steps: int = 1) -> None:
        """Do what the Step button does: feed the carried `outputs` of the recorded function back as inputs.

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

    def _default_text(self) -> str:
        settings = settings_as_text(self._binding.controls)
        head = f"LiveFigure {self._spec['name']}" + (f", {settings}" if settings else "")
        return head + "\n" + numbers_as_text(self._start, brief=self._fed_back())

    def _fed_back(self) -> frozenset[str]:
        """Outputs that only start the next step: no hand moves them, and no view shows them."""
        states = {control["name"] for control in self._spec["controls"] if control["kind"] == "state"}
        carried = {out for name, out in (self._carry.names if self._carry else {}).items() if name in states}
        views = json.dumps(self._spec["views"], ensure_ascii=False)
        return frozenset(out for out in carried if json.dumps(out, ensure_ascii=False) not in views)

    def to_html(self) -> str:
        """Return the HTML that the notebook stores: picture (without Node none), numbers, and JSON."""
        settings = settings_as_text(self._binding.controls)
        what = self._spec["title"] or f"Live figure {self._spec['name']}"
        alt = what + (f", drawn for {settings}." if settings else ".") + " Its numbers follow."
        svg = picture(self._spec["views"], self._spec["rows"], self._spec["controls"], self._start)
        return figure_html(self.spec, svg, self._text, alt)

    def __repr__(self) -> str:
        """Return the numbers at the default setting: the same text each time, on every machine."""
        return self._text

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made or {}, {})
        data = {k: v for k, v in data.items() if k != "text/plain"}
        return {"text/plain": self._text, "text/html": self.to_html(), **data}, metadata
