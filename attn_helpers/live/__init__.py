"""Live figures: a torch function in, a picture that lives without a kernel out."""

from attn_helpers.live.carrying import Carry
from attn_helpers.live.choices import Checkbox, Choice
from attn_helpers.live.controls import Slider, fixed
from attn_helpers.live.editable import Mask, Matrix, Points
from attn_helpers.live.errors import TraceError
from attn_helpers.live.explore import explore
from attn_helpers.live.figure import LiveFigure
from attn_helpers.live.program import Program
from attn_helpers.live.sources import TokenIds, Typed
from attn_helpers.live.texts import State, Text
from attn_helpers.live.trace import trace, trace_with
from attn_helpers.live.view_grids import Heatmap, Table, Tokens
from attn_helpers.live.view_plane import Plane
from attn_helpers.live.view_plots import Bars, History, Lines

__all__ = [
    "Bars",
    "Carry",
    "Checkbox",
    "Choice",
    "Heatmap",
    "History",
    "Lines",
    "LiveFigure",
    "Mask",
    "Matrix",
    "Plane",
    "Points",
    "Program",
    "Slider",
    "State",
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
