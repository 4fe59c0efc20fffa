"""Pictures that carry their numbers."""

from attn_helpers.plotting.show import (
    Heatmaps,
    Picture,
    draw_with,
    new_axes,
    show_figure,
    show_heatmaps,
    show_lines,
)
from livetorch.palette import COLOURS, ROLES

__all__ = [
    "COLOURS",
    "ROLES",
    "Heatmaps",
    "Picture",
    "draw_with",
    "new_axes",
    "show_figure",
    "show_heatmaps",
    "show_lines",
]
