"""What pictures are drawn with: matplotlib, unless a place that has none hands in another drawer."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attn_helpers.plotting import heatmaps
from attn_helpers.plotting.fonts import drawing
from attn_helpers.plotting.look import LookAxes
from attn_helpers.plotting.svg import to_svg
from livetorch.palette import COLOURS


class Drawer:
    """Draws with matplotlib. `draw_with` takes an object with the same methods.

    >>> len(Drawer().axes(columns=2, rows=1, width=5.6, height=3.0))
    2
    """

    def heatmaps(
        self, grid: heatmaps.Grid, colours: heatmaps.Colours, annotate: bool | None, decimals: int
    ) -> tuple[Figure, list[Axes]]:
        """Draw the panels of `show_heatmaps`; give the figure and the Axes of its panels."""
        with drawing():
            return heatmaps.draw(grid, colours, annotate, decimals)

    def axes(self, columns: int, rows: int, width: float, height: float) -> list[Axes]:
        """Make the empty axes of `new_axes`."""
        with drawing():
            figure = Figure(figsize=(width, height), layout="constrained")
            kind = {"axes_class": LookAxes}
            return list(figure.subplots(rows, columns, squeeze=False, subplot_kw=kind).flat)

    def lines(
        self,
        x: np.ndarray,
        heights: Mapping[str, np.ndarray],
        points: Mapping[str, tuple[np.ndarray, np.ndarray]],
        *,
        xlabel: str,
        ylabel: str,
        title: str | None,
        logy: bool,
    ) -> Figure:
        """Draw the lines and points of `show_lines`."""
        (axes,) = self.axes(1, 1, 5.6, 3.0)
        for name, (left, up) in points.items():
            look = {"color": COLOURS["points"]["light"], "markersize": 3.5, "alpha": 0.8}
            axes.plot(left.round(4), up.round(4), "o", label=name, **look)
        for name, line in heights.items():
            axes.plot(x.round(4), line.round(4), label=name)
        with drawing():
            axes.set(xlabel=xlabel, ylabel=ylabel, title=title or "", yscale="log" if logy else "linear")
            if len(heights) + len(points) > 1:
                axes.legend()
        return self.figure_of(axes)

    def figure_of(self, drawn: Figure | Axes) -> Figure:
        """Give the figure that axes belong to."""
        owner = drawn if isinstance(drawn, Figure) else drawn.get_figure(root=True)
        assert owner is not None
        return owner

    def forms(self, figure: Figure, title: str) -> dict[str, str]:
        """Give what a notebook shows in place of the numbers, by its kind (MIME type)."""
        return {"image/svg+xml": to_svg(figure, title)}
