"""The parts of `show_heatmaps`: the matrices and their names, the colour scale, the drawing."""

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Colormap, to_hex
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from wcwidth import width

from attn_helpers.plotting.hatching import hatch, masks_of
from attn_helpers.plotting.look import GRID, LINE, PIXEL, LookAxes
from attn_helpers.plotting.scales import TINTED, colour_map, ink_on
from attn_helpers.plotting.svg import ON_CELL
from attn_helpers.plotting.tables import as_array, matrix, positions, thinned
from livetorch.format import number

WIDEST = 4  # panels side by side
ANNOTATED = 144  # cells of a panel, and
ANNOTATED_IN_ALL = 400  # of all panels, up to which numbers are written into them
SCALES = ("sequential", "diverging", *TINTED)
LETTERS = 13  # of a title in an inch
VECTOR = 4096  # cells of a panel up to which they are shapes in the SVG


class Grid:
    """The matrices in rows and columns of panels, their masks, the names of panels, queries and keys."""

    def __init__(
        self,
        weights: object,
        axes: tuple[str, str],
        titles: str | Sequence[str] | None,
        yticks: Sequence[Any] | None,
        xticks: Sequence[Any] | None,
        mask: object = None,
    ) -> None:
        self.axes = axes
        self.panels, self.columns = _panels(weights)
        self.most = [max(sizes) for sizes in zip(*(panel.shape for panel in self.panels), strict=True)]
        self.masks = masks_of(mask, self.panels)
        self.titles = self._titles(titles)
        self.own_names = any(ticks is not None and _nested(ticks) for ticks in (xticks, yticks))
        self.own_names |= len({panel.shape for panel in self.panels}) > 1
        self.queries = self._names("yticks", yticks, 0)
        self.keys = self._names("xticks", xticks, 1)

    def _titles(self, titles: str | Sequence[str] | None) -> list[str]:
        given = [titles] if isinstance(titles, str) else list(titles or [""] * len(self.panels))
        if len(given) != len(self.panels):
            raise ValueError(
                f"titles must name each panel, got titles={len(given)}, panels={len(self.panels)}."
            )
        return [str(title) for title in given]

    def _names(self, argument: str, ticks: Sequence[Any] | None, axis: int) -> list[list[str]]:
        """One list of names per panel."""
        if ticks is None:
            return [positions(panel.shape[axis]) for panel in self.panels]
        lists = [list(names) for names in ticks] if _nested(ticks) else [list(ticks)] * len(self.panels)
        if len(lists) != len(self.panels):
            raise ValueError(f"{argument} must be one list, or one per panel, got {len(lists)} lists.")
        for names, panel in zip(lists, self.panels, strict=True):
            if len(names) != panel.shape[axis]:
                cells = f"{'queries' if axis == 0 else 'keys'}={panel.shape[axis]}"
                raise ValueError(f"{argument} must name each row or column, got names={len(names)}, {cells}.")
        return [[str(name) for name in names] for names in lists]

    def written(self, annotate: bool | None) -> bool:
        """Tell whether numbers are written into the cells."""
        few = self.most[0] * self.most[1] <= ANNOTATED
        few = few and sum(panel.size for panel in self.panels) <= ANNOTATED_IN_ALL
        return few if annotate is None else annotate

    def text(self, decimals: int) -> str:
        """Write all panels as tables."""
        parts = []
        for panel, title, queries, keys in zip(
            self.panels, self.titles, self.queries, self.keys, strict=True
        ):
            table = matrix(panel, queries, keys, axes=self.axes, decimals=decimals)
            parts.append(f"{title}\n{table}" if title else table)
        return "\n\n".join(parts)

    def title(self) -> str:
        """Name the picture in one line."""
        names = ", ".join(title for title in self.titles if title)
        return f"Heatmap, {self.axes[0]} by {self.axes[1]}" + (f": {names}" if names else "")


class Colours:
    """The scale of each panel, from where to where all of them go, and whether a bar says so."""

    def __init__(
        self,
        panels: list[np.ndarray],
        scale: str | Sequence[str] | None,
        vmin: float | None,
        vmax: float | None,
        label: str | None,
        written: bool,
    ) -> None:
        numbers = np.concatenate([panel[np.isfinite(panel)].ravel() for panel in panels])
        low, high = (numbers.min(), numbers.max()) if numbers.size else (0.0, 1.0)
        one = scale or ("diverging" if low < 0 else "sequential")
        self.scales = [one] * len(panels) if isinstance(one, str) else list(one)
        if len(self.scales) != len(panels):
            raise ValueError(f"scale must be one, or one per panel, got {len(self.scales)} scales.")
        for each in self.scales:
            if each not in SCALES:
                raise ValueError(f"unknown scale {each!r}; choose one of {', '.join(SCALES)}.")
        if len(kinds := set(self.scales)) > 1:
            self._refuse(kinds, label, written)
        if "diverging" in self.scales:
            reach = max(abs(low), abs(high)) or 1.0
            low, high = -reach, reach
        elif low >= 0 and high <= 1 + 1e-6:
            low, high = 0.0, 1.0
        elif low == high:
            high = low + 1
        self.vmin = float(low if vmin is None else vmin)
        self.vmax = float(high if vmax is None else vmax)
        self.label = label
        self.barred = len(kinds) == 1 and (bool(label) or not (written and kinds <= set(TINTED)))
        if not self.vmin < self.vmax:
            raise ValueError(f"vmin must be below vmax, got vmin={self.vmin:g}, vmax={self.vmax:g}.")

    @staticmethod
    def _refuse(kinds: set[str], label: str | None, written: bool) -> None:
        """Raise where panels of several scales would need a bar, or one range cannot serve them."""
        if "diverging" in kinds:
            raise ValueError('"diverging" has 0 in its middle, other scales do not: give it to all or none.')
        if label or not written:
            raise ValueError(
                "panels of several scales have no colour bar: leave label out, and write the numbers into "
                f"the cells by annotate=True, got label={label!r}, numbers written={written}."
            )


def draw(grid: Grid, colours: Colours, annotate: bool | None, decimals: int = 2) -> tuple[Figure, list[Axes]]:
    """Draw the panels, and a bar where the colours need it; cells have room for two decimals at most."""
    decimals, written = min(decimals, 2), grid.written(annotate)
    rows = -(-len(grid.panels) // grid.columns)
    cell = 0.46 if written else 0.3
    largest = 4.6 if len(grid.panels) == 1 else 2.9
    height, width = (min(max(cell * count, 1.3), largest) for count in grid.most)
    titles = [_in_lines(title, width + (1.5 if len(grid.panels) == 1 else 0.35)) for title in grid.titles]
    titled = 0.13 + 0.17 * max(1 + title.count("\n") for title in titles) if any(titles) else 0.1
    size = (grid.columns * (width + 0.35) + 1.5, rows * (height + titled + 0.25) + 0.7)
    figure = Figure(figsize=size)
    figure.set_layout_engine("constrained", w_pad=0.06, h_pad=0.06, wspace=0.04, hspace=0.04)
    kind = {"axes_class": LookAxes}
    axes = list(figure.subplots(rows, grid.columns, squeeze=False, subplot_kw=kind).flat)
    for spare in axes[len(grid.panels) :]:
        spare.remove()
    axes = axes[: len(grid.panels)]
    for index, ax in enumerate(axes):
        mesh = _draw_panel(ax, grid, index, colours)
        if titles[index]:
            ax.set_title(titles[index], fontsize=12 * PIXEL, loc="center")
        if written:
            least = 0 if annotate or colours.scales[index] != "sequential" else 0.5 * 10**-decimals
            _write_numbers(ax, grid, index, mesh, colour_map(colours.scales[index], "dark"), decimals, least)
        _name_cells(ax, grid, index, (width, height))
        _tile(ax, grid.panels[index].shape, min(height / grid.most[0], width / grid.most[1]))
    if colours.barred:
        _colour_bar(figure, axes, mesh, colours, 0.9 * 72 * rows * height)
    return figure, axes


def _tile(ax: Axes, shape: tuple[int, ...], inches: float) -> None:
    """Draw a frame, and lines between cells that are wide enough for them."""
    rows, columns = shape
    within = 72 * inches >= 9 * PIXEL
    down = range(columns + 1) if within else (0, columns)
    across = range(rows + 1) if within else (0, rows)
    ends = [((at, 0), (at, rows)) for at in down] + [((0, at), (columns, at)) for at in across]
    lines = Path(np.reshape(ends, (-1, 2)), [Path.MOVETO, Path.LINETO] * len(ends))
    ax.add_patch(PathPatch(lines, facecolor="none", edgecolor=GRID, linewidth=PIXEL, clip_on=False))


def _colour_bar(figure: Figure, axes: list[Axes], mesh: QuadMesh, colours: Colours, long: float) -> None:
    """Say what the lowest and the highest colour stand for, and a scale's middle."""
    bar = figure.colorbar(mesh, ax=axes, shrink=0.9, aspect=long / (10 * PIXEL), pad=0.02)
    assert bar.solids is not None
    bar.solids.set_clip_on(False)  # its steps become a path each, without seams
    bar.outline.set(edgecolor=LINE, linewidth=PIXEL)
    middle = [0.0] if colours.vmin == -colours.vmax else []
    bar.set_ticks([colours.vmin, *middle, colours.vmax])
    if colours.label:
        bar.set_label(colours.label)


def _draw_panel(ax: Axes, grid: Grid, index: int, colours: Colours) -> QuadMesh:
    import seaborn  # slow to import, and needed only here

    panel = grid.panels[index].astype(float).round(4)
    seaborn.heatmap(
        panel,
        ax=ax,
        vmin=colours.vmin,
        vmax=colours.vmax,
        cmap=colour_map(colours.scales[index]),
        cbar=False,
        xticklabels=False,
        yticklabels=False,
        rasterized=panel.size > VECTOR,
        edgecolors="face",
        linewidths=0,
    )
    mesh = ax.collections[0]
    assert isinstance(mesh, QuadMesh)
    mesh.set_clip_on(False)  # nothing sticks out, and each cell would carry the clip
    if (allowed := grid.masks[index]) is not None:
        hatch(ax, allowed)
    ax.grid(visible=False)
    return mesh


def _in_lines(title: str, inches: float) -> str:
    """Break a title that is wider than its place, unless it holds a formula."""
    return title if "$" in title else textwrap.fill(title, int(LETTERS * inches))


def _write_numbers(
    ax: Axes, grid: Grid, index: int, mesh: QuadMesh, in_the_dark: Colormap, decimals: int, least: float
) -> None:
    """Write each number in black or white, whichever stands out more from its cell, in either theme.

    Fractions below `least` are left out: the eye looks for the others; so are masked numbers.
    """
    panel, allowed = grid.panels[index], grid.masks[index]
    silent = least if panel.dtype.kind == "f" else 0
    for (row, column), value in np.ndenumerate(panel):
        if abs(value) < silent or (allowed is not None and not allowed[row, column]):
            continue
        level = np.ma.masked_array(mesh.norm(np.ma.masked_invalid([float(value)])))
        # not #000000, which becomes the ink of the page
        ink = ink_on(to_hex(tuple(mesh.cmap(level)[0]))).replace("#000000", "#010101")
        dark = ink_on(to_hex(tuple(in_the_dark(level)[0])), "dark")
        place: dict[str, Any] = {"ha": "center", "va": "center"}
        text = ax.text(column + 0.5, row + 0.5, _in_cell(value, decimals), color=ink, **place)
        text.set_gid(f"{ON_CELL}{dark[1:]}")


def _name_cells(ax: Axes, grid: Grid, index: int, inches: tuple[float, float]) -> None:
    """Put names at the cells; where all panels have the same ones, only at the outer edge."""
    left, bottom = index % grid.columns == 0, index + grid.columns >= len(grid.panels)
    ax.set_ylabel(grid.axes[0] if left else "")
    ax.set_xlabel(grid.axes[1] if bottom else "")
    keys, queries = grid.keys[index], grid.queries[index]
    if bottom or grid.own_names:
        widest = 0.08 * max(map(width, keys))  # inches
        upright = widest * len(keys) < inches[0]
        room = inches[0] / (widest + 0.08) if all(key.isdigit() for key in keys) else inches[0] / 0.15
        shown = thinned(len(keys), max(1, int(room)))
        angle = 0 if upright or shown.step > 1 or widest < 0.2 else 90
        ax.set_xticks([i + 0.5 for i in shown], [keys[i] for i in shown], rotation=angle)
    if left or grid.own_names:
        shown = thinned(len(queries), max(1, int(inches[1] / 0.15)))
        ax.set_yticks([i + 0.5 for i in shown], [queries[i] for i in shown], rotation=0)


def _in_cell(value: float, decimals: int) -> str:
    text = number(value, decimals)
    return text if len(text) <= 6 else f"{value:.2g}"


def _nested(ticks: Sequence[Any]) -> bool:
    return len(ticks) > 0 and all(isinstance(names, list | tuple) for names in ticks)


def _panels(weights: Any) -> tuple[list[np.ndarray], int]:
    """Split the input into matrices, and say how many stand side by side."""
    if isinstance(weights, list | tuple) and weights and all(np.ndim(item) == 2 for item in weights):
        panels, columns = [as_array(item) for item in weights], min(len(weights), WIDEST)
    else:
        array = as_array(weights)
        if not 2 <= array.ndim <= 4:
            raise ValueError(
                "weights must have shape (queries, keys), (panels, queries, keys) or "
                f"(rows, columns, queries, keys), got {array.shape}."
            )
        panels = list(array.reshape(-1, *array.shape[-2:])) if array.size else []
        columns = array.shape[1] if array.ndim == 4 else min(len(panels), WIDEST)
    if not panels or any(panel.size == 0 for panel in panels):
        raise ValueError(f"weights must have at least one cell, got shape {tuple(np.shape(weights))}.")
    return panels, columns
