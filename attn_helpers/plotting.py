"""Pictures that carry their numbers: heatmaps of attention weights, lines, and any matplotlib figure."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from . import _heatmaps, _numbers
from ._fonts import drawing
from ._svg import to_svg

COLOURS = json.loads((Path(__file__).parent / "live" / "colours.json").read_text(encoding="utf-8"))


class Picture:
    """A figure together with its numbers: an SVG where pictures are shown, text everywhere else.

    Formula: none; `repr(picture)` is the numbers, and a notebook stores them beside the SVG.

    Args:
        figure: a matplotlib figure.
        numbers: what it shows, as text.
        title: one line that names it, for those who cannot see it.

    Example:
        >>> Picture(Figure(), "1 2 3", "three numbers")
        1 2 3

    Source: this book.
    Chapter: notebooks/01_kernel_pooling.ipynb
    """

    def __init__(self, figure: Figure, numbers: str, title: str) -> None:
        self.figure = figure
        self.numbers = numbers
        self.title = title
        self._svg: str | None = None

    def __repr__(self) -> str:
        return self.numbers

    def svg(self) -> str:
        """Draw the figure, once; black lines and letters take the colour of the page's text."""
        if self._svg is None:  # a second drawing would move the layout by a hundredth of a pixel
            self._svg = to_svg(self.figure, self.title)
        return self._svg

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.numbers, "image/svg+xml": self.svg()}


class Heatmaps(Picture):
    """What `show_heatmaps` returns: a `Picture` that also holds its matrices and axes.

    Formula: none; see `show_heatmaps`.

    Args:
        figure: the matplotlib figure, one Axes per panel and one for the colour bar.
        numbers: the matrices as text.
        title: one line that names the picture.
        panels: the matrices drawn, in reading order.
        axes: the Axes of the panels, in the same order.

    Example:
        >>> show_heatmaps(torch.eye(2)).panels[0].shape
        (2, 2)

    Source: this book.
    Chapter: notebooks/01_kernel_pooling.ipynb
    """

    def __init__(
        self, figure: Figure, numbers: str, title: str, panels: list[np.ndarray], axes: list[Axes]
    ) -> None:
        super().__init__(figure, numbers, title)
        self.panels = panels
        self.axes = axes


def show_heatmaps(
    weights: torch.Tensor | np.ndarray | Sequence,
    *,
    xlabel: str = "Keys",
    ylabel: str = "Queries",
    titles: str | Sequence[str] | None = None,
    xticks: Sequence | None = None,
    yticks: Sequence | None = None,
    vmin: float | None = None,
    vmax: float | None = None,
    scale: str | None = None,
    annotate: bool | None = None,
    decimals: int = 3,
    label: str | None = None,
) -> Heatmaps:
    """Draw one or many matrices with one colour scale and one colour bar, query 0 on top.

    Formula: none; the cell in row i and column j shows weights[i, j].

    Args:
        weights: (queries, keys), (panels, queries, keys) or (rows, columns, queries, keys), or a list of
            matrices, whose sizes may differ.
        xlabel: name of the axis of keys.
        ylabel: name of the axis of queries.
        titles: one per panel.
        xticks: names of the keys (tokens, Chinese ones too), or one list of names per panel.
        yticks: names of the queries, or one list of names per panel.
        vmin: lowest value of the scale; if left out 0 for numbers within 0 to 1, else the lowest there is.
        vmax: highest value of the scale; if left out 1 for numbers within 0 to 1, else the highest there is.
        scale: "sequential", or "diverging" with 0 in the middle; if left out, diverging if there are
            negative numbers.
        annotate: write the number into each cell; if left out, where the cells are few enough.
        decimals: decimals in the numbers as text.
        label: name of the colour bar.

    Returns:
        a `Heatmaps`: the picture in a notebook, the numbers as its repr.

    Raises:
        TypeError: numbers that are not real.
        ValueError: another rank, an empty axis, titles or names of another number than there are panels or
            cells, an unknown scale, vmin >= vmax.

    Example:
        >>> show_heatmaps(torch.tensor([[1.0, 0.0], [0.25, 0.75]]), xticks=["我", "学习"])
        Queries \\ Keys     我   学习
                     0  1.000  0.000
                     1  0.250  0.750

    Source: Waskom 2021, seaborn: statistical data visualization (heatmap).
    Chapter: notebooks/01_kernel_pooling.ipynb
    """
    grid = _heatmaps.Grid(weights, (ylabel, xlabel), titles, yticks, xticks)
    colours = _heatmaps.Colours(grid.panels, scale, vmin, vmax, label)
    numbers = grid.text(decimals)
    with drawing():
        figure, axes = _heatmaps.draw(grid, colours, _colour_map(colours.scale), annotate)
    return Heatmaps(figure, numbers, grid.title(), grid.panels, axes)


def new_axes(
    columns: int = 1, rows: int = 1, *, width: float = 6.4, height: float = 3.2
) -> Axes | list[Axes]:
    """Make empty axes in the book's style, to draw on and hand to `show_figure`.

    Formula: none.

    Args:
        columns: panels side by side, at least 1.
        rows: panels above each other, at least 1.
        width: of the whole figure in inches, above 0.
        height: of the whole figure in inches, above 0.

    Returns:
        the Axes, or a list of them in reading order if there are several.

    Raises:
        ValueError: a number of panels below 1.

    Example:
        >>> len(new_axes(columns=3))
        3

    Source: this book.
    Chapter: notebooks/01_kernel_pooling.ipynb
    """
    if columns < 1 or rows < 1:
        raise ValueError(f"columns and rows must be at least 1, got columns={columns}, rows={rows}.")
    style = {
        "axes.prop_cycle": f"cycler('color', {COLOURS['series']['light']})",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "font.size": 9.5,
    }
    with drawing(style):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    return axes[0] if len(axes) == 1 else axes


def show_figure(
    figure: Figure | Axes | Sequence[Axes],
    numbers: str | Mapping[str, object],
    *,
    title: str = "Figure",
    decimals: int = 3,
) -> Picture:
    """Show a matplotlib figure together with the numbers it was drawn from.

    Formula: none.

    Args:
        figure: a figure, or its axes as `new_axes` returns them.
        numbers: text, or names with what they stand for: a number, a sequence or a matrix each. Sequences of
            one length become the columns of a table.
        title: one line that names the picture, for those who cannot see it.
        decimals: decimals in the numbers as text.

    Returns:
        a `Picture`: the SVG in a notebook, the numbers as its repr.

    Raises:
        ValueError: no numbers at all, or an array of more than two axes.

    Example:
        >>> axes = new_axes()
        >>> _ = axes.plot([0, 1], [0.0, 0.5])
        >>> show_figure(axes, {"x": [0, 1], "y": [0.0, 0.5]})
           x      y
        0  0  0.000
        1  1  0.500

    Source: this book.
    Chapter: notebooks/01_kernel_pooling.ipynb
    """
    if not numbers:
        raise ValueError("numbers must say what the figure shows, got nothing.")
    first = figure[0] if isinstance(figure, Sequence) else figure
    owner = first if isinstance(first, Figure) else first.figure
    text = numbers if isinstance(numbers, str) else _as_text(numbers, decimals)
    return Picture(owner, text, title)


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

    Formula: none.

    Args:
        x: (n,) positions shared by all lines.
        lines: name -> (n,) heights.
        points: name -> (x, y), each (m,), drawn as dots.
        xlabel: name of the x axis.
        ylabel: name of the y axis.
        title: what the picture shows; also drawn above it.
        logy: a logarithmic y axis.
        decimals: decimals in the numbers as text.

    Returns:
        a `Picture` whose numbers are the lines (every n-th position of long ones).

    Raises:
        ValueError: a line or points whose length does not fit.

    Example:
        >>> show_lines([0.0, 1.0], {"up": [0.0, 2.0], "down": [2.0, 0.0]})
               x     up   down
        0  0.000  0.000  2.000
        1  1.000  2.000  0.000

    Source: this book.
    Chapter: notebooks/01_kernel_pooling.ipynb
    """
    x, heights = _array(x), {name: _array(line) for name, line in lines.items()}
    for name, line in heights.items():
        if line.shape != x.shape:
            raise ValueError(
                f"line {name!r} must have one height per x, got x {x.shape}, {name} {line.shape}."
            )
    axes = new_axes()
    for name, (left, up) in (points or {}).items():
        left, up = _array(left), _array(up)
        if left.shape != up.shape:
            raise ValueError(f"points {name!r} must have as many x as y, got {left.shape} and {up.shape}.")
        axes.plot(left.round(4), up.round(4), "o", label=name, color="#8a93a0", markersize=3.5, alpha=0.8)
    for name, line in heights.items():
        axes.plot(x.round(4), line.round(4), label=name, linewidth=1.8)
    with drawing():
        axes.set(xlabel=xlabel, ylabel=ylabel, title=title or "", yscale="log" if logy else "linear")
        if len(heights) + len(points or {}) > 1:
            axes.legend(frameon=False)
    return show_figure(
        axes, {xlabel: x, **heights}, title=title or f"{ylabel} over {xlabel}", decimals=decimals
    )


def _array(values: object) -> np.ndarray:
    """Make a plain array of numbers, whatever the device, dtype or gradient."""
    return _heatmaps.as_array(values)


def _as_text(numbers: Mapping[str, object], decimals: int) -> str:
    arrays = {name: _array(value) for name, value in numbers.items()}
    if any(array.ndim > 2 for array in arrays.values()):
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"numbers must be single numbers, sequences or matrices, got {shapes}.")
    shapes = {array.shape for array in arrays.values()}
    if len(shapes) == 1 and len(next(iter(shapes))) == 1:
        return _numbers.columns(arrays, decimals=decimals)
    parts = []
    for name, array in arrays.items():
        if array.ndim == 0:
            parts.append(f"{name}: {_numbers.number(array[()], decimals)}")
        elif array.ndim == 1:
            parts.append(_numbers.columns({name: array}, decimals=decimals))
        else:
            names = [[str(i) for i in range(size)] for size in array.shape]
            parts.append(_numbers.matrix(array, *names, axes=(name, ""), decimals=decimals))
    return "\n".join(parts)


def _colour_map(scale: str) -> LinearSegmentedColormap:
    colours = LinearSegmentedColormap.from_list(f"attn-{scale}", COLOURS[scale]["light"], N=256)
    return colours.with_extremes(bad=COLOURS["hatch"]["light"][1])
