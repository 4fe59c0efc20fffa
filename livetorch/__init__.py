"""Live figures: a torch function in, a picture that lives without a kernel out.

Names come when they are first asked for: building a site needs `livetorch.sphinx` and no torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from livetorch.controls.base import fixed
    from livetorch.controls.choice import Checkbox, Choice
    from livetorch.controls.slider import Slider
    from livetorch.controls.state import State
    from livetorch.controls.table import Mask, Matrix, Points
    from livetorch.controls.text import Text
    from livetorch.figure.carry import Carry
    from livetorch.figure.explore import explore
    from livetorch.figure.widget import LiveFigure
    from livetorch.program.errors import TraceError
    from livetorch.program.program import Program
    from livetorch.tracing.recorders import trace, trace_with
    from livetorch.views.arcs import Arcs
    from livetorch.views.bars import Bars
    from livetorch.views.flow import Flow
    from livetorch.views.heatmap import Heatmap
    from livetorch.views.history import History
    from livetorch.views.lines import Lines
    from livetorch.views.number import Number
    from livetorch.views.plane import Plane
    from livetorch.views.sources import TokenIds, Typed
    from livetorch.views.strip import Strip
    from livetorch.views.table import Table
    from livetorch.views.tokens import Tokens

_PLACES = {
    "controls.base": "fixed",
    "controls.choice": "Checkbox Choice",
    "controls.slider": "Slider",
    "controls.state": "State",
    "controls.table": "Mask Matrix Points",
    "controls.text": "Text",
    "figure.carry": "Carry",
    "figure.explore": "explore",
    "figure.widget": "LiveFigure",
    "program.errors": "TraceError",
    "program.program": "Program",
    "tracing.recorders": "trace trace_with",
    "views.arcs": "Arcs",
    "views.bars": "Bars",
    "views.flow": "Flow",
    "views.heatmap": "Heatmap",
    "views.history": "History",
    "views.lines": "Lines",
    "views.number": "Number",
    "views.plane": "Plane",
    "views.sources": "TokenIds Typed",
    "views.strip": "Strip",
    "views.table": "Table",
    "views.tokens": "Tokens",
}
_WHERE = {name: place for place, names in _PLACES.items() for name in names.split()}

__all__ = [
    "Arcs",
    "Bars",
    "Carry",
    "Checkbox",
    "Choice",
    "Flow",
    "Heatmap",
    "History",
    "Lines",
    "LiveFigure",
    "Mask",
    "Matrix",
    "Number",
    "Plane",
    "Points",
    "Program",
    "Slider",
    "State",
    "Strip",
    "Table",
    "Text",
    "TokenIds",
    "Tokens",
    "TraceError",
    "Typed",
    "explore",
    "fixed",
    "trace",
    "trace_with",
]


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
