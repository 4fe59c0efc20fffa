"""Pictures that carry their numbers: heatmaps of attention weights, lines, and any matplotlib figure.

Chapter: notebooks/01a_weighted_average.ipynb
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from attn_helpers.plotting import heatmaps
from attn_helpers.plotting.drawer import Drawer
from attn_helpers.plotting.tables import as_array, columns, matrix, positions
from livetorch.format import number

_drawn_with: list[Drawer] = [Drawer()]


def draw_with(drawer: Drawer) -> None:
    """Let all pictures from now on be drawn by `drawer`: where matplotlib is not, as in a web page.

    Args:
        drawer: an object with the methods of `attn_helpers.plotting.drawer.Drawer`.

    >>> draw_with(Drawer())
    """
    _drawn_with[:] = [drawer]


class Picture:
    """A figure together with its numbers: an SVG where pictures are shown, text everywhere else.

    `repr(picture)` is the numbers, and a notebook stores them beside the SVG.

    Args:
        numbers: what it shows, as text.
        title: one line that names it, for those who cannot see it.

    >>> Picture(Figure(), "1 2 3", "three numbers")
    1 2 3
    """

    def __init__(self, figure: Figure, numbers: str, title: str) -> None:
        self.figure = figure
        self.numbers = numbers
        self.title = title
        self._forms: dict[str, str] | None = None

    def __repr__(self) -> str:
        return self.numbers

    def svg(self) -> str:
        """Draw the figure, once; black lines and letters take the colour of the page's text."""
        return self._shown().get("image/svg+xml", "")

    def _shown(self) -> dict[str, str]:
        if self._forms is None:  # a second drawing would move the layout by a hundredth of a pixel
            self._forms = _drawn_with[0].forms(self.figure, self.title)
        return self._forms

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.numbers, **self._shown()}


class Heatmaps(Picture):
    """What `show_heatmaps` returns: a `Picture` that also holds its matrices and axes.

    Args:
        figure: the matplotlib figure, one Axes per panel, and one for the colour bar if there is one.
        panels: the matrices drawn, in reading order.
        axes: the Axes of the panels, in the same order.

    >>> show_heatmaps(torch.eye(2)).panels[0].shape
    (2, 2)
    """

    def __init__(
        self, figure: Figure, numbers: str, title: str, panels: list[np.ndarray], axes: list[Axes]
    ) -> None:
        super().__init__(figure, numbers, title)
        self.panels = panels
        self.axes = axes


def show_heatmaps(
    weights: torch.Tensor | np.ndarray | Sequence[Any],
    *,
    xlabel: str = "Keys",
    ylabel: str = "Queries",
    titles: str | Sequence[str] | None = None,
    xticks: Sequence[Any] | None = None,
    yticks: Sequence[Any] | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    scale: str | Sequence[str] | None = None,
    annotate: bool | None = None,
    decimals: int = 3,
    label: str | None = None,
    mask: torch.Tensor | Sequence[torch.Tensor] | None = None,
) -> Heatmaps:
    """Draw one or many matrices in colours from one lowest to one highest number, the first query on top.

    The cell in row i and column j shows weights[i, j].

    Source: Waskom 2021, seaborn: statistical data visualization (heatmap).

    Args:
        weights: (queries, keys), (panels, queries, keys) or (rows, columns, queries, keys), or a list of
            matrices, whose sizes may differ.
        xticks: names of the keys (tokens, Chinese ones too), or one list of names per panel; without names
            positions are counted from 1, here as in live figures and tables.
        yticks: names of the queries, or one list of names per panel.
        vmin: lowest value of the scale; if left out 0 for numbers within 0 to 1, else the lowest there is.
        vmax: highest value of the scale; if left out 1 for numbers within 0 to 1, else the highest there is.
        scale: "sequential", or "diverging" with 0 in the middle; if left out, diverging if there are negative
            numbers. For matrices of queries, keys or values, which have no negative ones: "query", "key",
            "value", or "suppressed" for what is none of them, without a bar where numbers are written. A list
            gives each panel its own (not "diverging"): then numbers are written, and there is no bar. Where
            matplotlib is not, as in a web page, all but "diverging" look like "sequential".
        annotate: write the number into each cell; if left out, where the cells are few enough, and no zeros.
        label: what the numbers are, said along the colour bar.
        decimals: digits after the point; in the cells at most two.
        mask: True = may attend; one for all panels, or one of each; the other cells are hatched.
    Returns: a `Heatmaps`: the picture in a notebook, the numbers as its repr.

    >>> show_heatmaps(torch.tensor([[1.0, 0.0], [0.25, 0.75]]), xticks=["我", "学习"])
    Queries \\ Keys     我   学习
                 1  1.000  0.000
                 2  0.250  0.750
    """
    grid = heatmaps.Grid(weights, (ylabel, xlabel), titles, yticks, xticks, mask)
    colours = heatmaps.Colours(grid.panels, scale, vmin, vmax, label, grid.written(annotate))
    numbers = grid.text(decimals)
    figure, axes = _drawn_with[0].heatmaps(grid, colours, annotate, decimals)
    return Heatmaps(figure, numbers, grid.title(), grid.panels, axes)


def new_axes(
    columns: int = 1, rows: int = 1, *, width: float = 5.6, height: float = 3.0
) -> Axes | list[Axes]:
    """Make empty axes in the book's style, to draw on and hand to `show_figure`.

    Args:
        width: of the whole figure in inches, above 0.
    Returns: the Axes, or a list of them in reading order if there are several.

    >>> len(new_axes(columns=3))
    3
    """
    if columns < 1 or rows < 1:
        raise ValueError(f"columns and rows must be at least 1, got columns={columns}, rows={rows}.")
    axes = _drawn_with[0].axes(columns, rows, width, height)
    return axes[0] if len(axes) == 1 else axes


def show_figure(
    figure: Figure | Axes | Sequence[Axes],
    numbers: str | Mapping[str, object],
    *,
    title: str = "Figure",
    decimals: int = 3,
) -> Picture:
    """Show a matplotlib figure together with the numbers it was drawn from.

    Args:
        figure: a figure, or its axes as `new_axes` returns them.
        numbers: text, or names with what they stand for: a number, a sequence or a matrix each. Sequences of
            one length become the columns of a table.
        title: one line that names the picture, for those who cannot see it.
    Returns: a `Picture`: the SVG in a notebook, the numbers as its repr.

    >>> axes = new_axes()
    >>> _ = axes.plot([0, 1], [0.0, 0.5])
    >>> show_figure(axes, {"x": [0, 1], "y": [0.0, 0.5]})
       x      y
    1  0  0.000
    2  1  0.500
    """
    if not numbers:
        raise ValueError("numbers must say what the figure shows, got nothing.")
    first = figure[0] if isinstance(figure, Sequence) else figure
    text = numbers if isinstance(numbers, str) else _as_text(numbers, decimals)
    return Picture(_drawn_with[0].figure_of(first), text, title)


def show_lines(
    x: object,
    lines: Mapping[str, object],
    *,
    points: Mapping[str, tuple[object, object]] | None = None,
    xlabel: str = "x",
    ylabel: str = "y",
    title: str | None = None,
    logy: bool = False,
    decimals: int = 3,
) -> Picture:
    """Draw lines over one x axis, and points if there are any.

    Args:
        x: (n,) positions shared by all lines.
        lines: name -> (n,) heights.
        points: name -> (x, y), each (m,), drawn as dots.
        title: what the picture shows; also drawn above it.
        logy: a logarithmic y axis.
    Returns: a `Picture` whose numbers are the lines (every n-th position of long ones).

    >>> show_lines([0.0, 1.0], {"up": [0.0, 2.0], "down": [2.0, 0.0]})
           x     up   down
    1  0.000  0.000  2.000
    2  1.000  2.000  0.000
    """
    x, heights = as_array(x), {name: as_array(line) for name, line in lines.items()}
    for name, line in heights.items():
        if line.shape != x.shape:
            raise ValueError(
                f"line {name!r} must have one height per x, got x {x.shape}, {name} {line.shape}."
            )
    dots = {name: (as_array(left), as_array(up)) for name, (left, up) in (points or {}).items()}
    for name, (left, up) in dots.items():
        if left.shape != up.shape:
            raise ValueError(f"points {name!r} must have as many x as y, got {left.shape} and {up.shape}.")
    figure = _drawn_with[0].lines(x, heights, dots, xlabel=xlabel, ylabel=ylabel, title=title, logy=logy)
    text = _as_text({xlabel: x, **heights}, decimals)
    return Picture(figure, text, title or f"{ylabel} over {xlabel}")


def _as_text(numbers: Mapping[str, object], decimals: int) -> str:
    arrays = {name: as_array(value) for name, value in numbers.items()}
    if any(array.ndim > 2 for array in arrays.values()):
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"numbers must be single numbers, sequences or matrices, got {shapes}.")
    sizes = {array.shape for array in arrays.values()}
    if len(sizes) == 1 and len(next(iter(sizes))) == 1:
        return columns(arrays, decimals=decimals)
    parts = []
    for name, array in arrays.items():
        if array.ndim == 0:
            parts.append(f"{name}: {number(array.item(), decimals)}")
        elif array.ndim == 1:
            parts.append(columns({name: array}, decimals=decimals))
        else:
            names = [positions(size) for size in array.shape]
            parts.append(matrix(array, *names, axes=(name, ""), decimals=decimals))
    return "\n".join(parts)
