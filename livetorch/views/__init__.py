"""What a live figure can show: `Heatmap`, `Flow`, `Arcs`, `Lines`, `Plane`, `Bars`, `Number`, and more.

A view says which output of the traced function it draws and how its axes are called. `to_spec` checks that
against the outputs at the default setting and returns the JSON that both the JavaScript view and
`livetorch.still.picture` draw.
"""

from livetorch.views.arcs import Arcs
from livetorch.views.bars import Bars
from livetorch.views.base import View
from livetorch.views.flow import Flow
from livetorch.views.heatmap import Heatmap
from livetorch.views.history import History
from livetorch.views.lines import Lines
from livetorch.views.number import Number
from livetorch.views.plane import Plane
from livetorch.views.sources import TokenIds, Typed
from livetorch.views.table import Table
from livetorch.views.tokens import Tokens

__all__ = [
    "Arcs",
    "Bars",
    "Flow",
    "Heatmap",
    "History",
    "Lines",
    "Number",
    "Plane",
    "Table",
    "TokenIds",
    "Tokens",
    "Typed",
    "View",
]
