"""What a live figure can show: the kinds of views, one line each, and where their names come from.

A view says which output of the traced function it draws and how its axes are called. `to_spec` checks that
against the outputs at the default setting and returns the JSON that the view of the same kind in
`js/views/` draws, in a page and as a picture.
"""

from livetorch.views.arcs import Arcs as Arcs
from livetorch.views.bars import Bars as Bars
from livetorch.views.flow import Flow as Flow
from livetorch.views.heatmap import Heatmap as Heatmap
from livetorch.views.history import History as History
from livetorch.views.lines import Lines as Lines
from livetorch.views.number import Number as Number
from livetorch.views.plane import Plane as Plane
from livetorch.views.sources import TokenIds as TokenIds
from livetorch.views.sources import Typed as Typed
from livetorch.views.strip import Strip as Strip
from livetorch.views.table import Table as Table
from livetorch.views.tokens import Tokens as Tokens
