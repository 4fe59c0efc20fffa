"""What a live figure can show: `Heatmap`, `Lines`, `Plane`, `Bars`, `Table`, `Tokens`, `History`.

A view says which output of the traced function it draws and how its axes are called. `to_spec` checks that
against the outputs at the default setting and returns the JSON that both the JavaScript view and
`attn_helpers.live.picture` draw.
"""

from attn_helpers.live.sources import TokenIds, Typed
from attn_helpers.live.view_base import View
from attn_helpers.live.view_grids import Heatmap, Table, Tokens
from attn_helpers.live.view_plane import Plane
from attn_helpers.live.view_plots import Bars, History, Lines

__all__ = ["Bars", "Heatmap", "History", "Lines", "Plane", "Table", "TokenIds", "Tokens", "Typed", "View"]
