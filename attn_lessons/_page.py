"""The book in a reader's browser: heatmaps and lines are live figures, other drawings their numbers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from attn_helpers.plotting import draw_with, drawer, heatmaps
from livetorch import Heatmap, Lines, explore

NOTEBOOKS = "/page/notebooks"  # where a lesson stands: it imports and opens files of ../plain by name


def start() -> None:
    """Make the page's Python ready for the lessons' cells; it is called before the first one."""
    os.makedirs(NOTEBOOKS, exist_ok=True)
    os.chdir(NOTEBOOKS)
    draw_with(PageDrawer())


class NoDrawing:
    """Axes, lines and figures that take every call and draw nothing."""

    def __getattr__(self, name: str) -> NoDrawing:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: object, **__: object) -> NoDrawing:
        """Take a call."""
        return self

    def __iter__(self) -> Iterator[NoDrawing]:
        return iter((self, self))

    def __getitem__(self, place: object) -> NoDrawing:
        return self


class PageDrawer(drawer.Drawer):
    """What `attn_helpers.plotting` draws with: figures of livetorch that nobody moves, or nothing."""

    def heatmaps(
        self, grid: heatmaps.Grid, colours: heatmaps.Colours, annotate: bool | None, _decimals: int
    ) -> tuple[Any, list[Any]]:
        """Draw the panels of `show_heatmaps`: one view for panels of one kind, else one for each."""
        panels = [torch.tensor(panel.tolist(), dtype=torch.float32) for panel in grid.panels]
        look: dict[str, Any] = {"vmin": colours.vmin, "vmax": colours.vmax}
        look |= {
            "scale": "diverging" if "diverging" in colours.scales else "sequential",
            "xlabel": grid.axes[1],
            "ylabel": grid.axes[0],
            "annotate": "auto" if annotate is None else annotate,
        }
        if grid.own_names:
            outputs = {f"panel {k}": panel for k, panel in enumerate(panels, 1)}
            views = [
                Heatmap(name, xticks=keys, yticks=queries, title=title or None, mask=mask, **look)
                for name, keys, queries, title, mask in zip(
                    outputs, grid.keys, grid.queries, grid.titles, grid.masks, strict=True
                )
            ]
            return still(outputs, [views], grid.title()), []
        single = len(panels) == 1
        outputs = {"numbers": panels[0] if single else torch.stack(panels)}
        titles = grid.titles if any(grid.titles) else None
        names = {"title": titles and titles[0]} if single else {"titles": titles}
        masks = [mask for mask in grid.masks if mask is not None]
        mask = (masks[0] if single else torch.stack(masks)) if masks else None
        view = Heatmap("numbers", xticks=grid.keys[0], yticks=grid.queries[0], mask=mask, **names, **look)
        return still(outputs, view, grid.title()), []

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
    ) -> Any:
        """Draw the lines of `show_lines`, unless their axis is logarithmic or the points are of two kinds."""
        if logy or len(points) > 1:
            return None
        outputs = {name: torch.tensor(line.tolist(), dtype=torch.float32) for name, line in heights.items()}
        dots = [[float(v) for v in numbers] for pair in points.values() for numbers in pair]
        extra: dict[str, Any] = {}
        if points:
            extra = {"points": tuple(dots), "points_label": next(iter(points))}
        where = [float(v) for v in x]
        labels = list(outputs)
        view = Lines(where, labels, xlabel=xlabel, ylabel=ylabel, title=title, labels=labels, **extra)
        return still(outputs, view, title or f"{ylabel} over {xlabel}")

    def axes(self, columns: int, rows: int, _width: float, _height: float) -> list[Any]:
        """Give axes that draw nothing."""
        return [NoDrawing() for _ in range(columns * rows)]

    def figure_of(self, _drawn: object) -> Any:
        """Give nothing: the numbers stand alone."""
        return None

    def forms(self, figure: Any, _title: str) -> dict[str, str]:
        """Give the figure where there is one."""
        return {} if figure is None else {"text/html": figure.to_html()}


def still(outputs: Mapping[str, torch.Tensor], views: Any, name: str) -> Any:
    """Make a figure that nobody moves; where the page cannot draw it, the numbers stand alone."""
    name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "picture"
    try:
        return explore(lambda: outputs, view=views, name=name)
    except (ValueError, TypeError):
        return None
