"""The book's pictures in the page's Python: heatmaps and lines are live, of other drawings the numbers."""

import contextlib
import os
import re

import torch

from attn_helpers.plotting import heatmaps, show
from livetorch import Heatmap, Lines, explore

os.mkdir("/page/notebooks")  # where a lesson stands: it imports and opens files of ../plain by name
os.chdir("/page/notebooks")


class NoDrawing:
    """Axes, lines and figures that take every call and draw nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args, **kwargs):
        """Take a call."""
        return self

    def __iter__(self):
        return iter((self, self))

    def __getitem__(self, place):
        return self


@contextlib.contextmanager
def no_drawing(*_):
    """Draw nothing inside."""
    yield


def no_axes(columns=1, rows=1, **_):
    """Give axes that draw nothing."""
    axes = [NoDrawing() for _ in range(columns * rows)]
    return axes[0] if len(axes) == 1 else axes


def shown(figure, numbers, *, title="Figure", decimals=3):
    """Show the numbers of a picture."""
    text = numbers if isinstance(numbers, str) else show._as_text(numbers, decimals)
    return show.Picture(None, text, title)


def still(outputs, views, name):
    """Make a figure that nobody moves; where the page cannot draw it, the numbers stand alone."""
    name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "picture"
    try:
        return explore(lambda: outputs, view=views, name=name)
    except (ValueError, TypeError):
        return None


def draw_heatmaps(grid, colours, annotate, _decimals=2):
    """Draw the panels of `show_heatmaps`: one view for panels of one kind, else one for each."""
    panels = [torch.tensor(panel.tolist(), dtype=torch.float32) for panel in grid.panels]
    look = {"scale": colours.scale, "vmin": colours.vmin, "vmax": colours.vmax}
    look |= {"xlabel": grid.axes[1], "ylabel": grid.axes[0], "annotate": annotate is not False and "auto"}
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
    masked = grid.masks[0] is not None
    mask = (grid.masks[0] if single else torch.stack(grid.masks)) if masked else None
    view = Heatmap("numbers", xticks=grid.keys[0], yticks=grid.queries[0], mask=mask, **names, **look)
    return still(outputs, view, grid.title()), []


def lines(x, lines, *, points=None, xlabel="x", ylabel="y", title=None, logy=False, decimals=3):
    """Show lines over one axis, as `show_lines` does."""
    made = plain_lines(x, lines, points=points, xlabel=xlabel, ylabel=ylabel, title=title, decimals=decimals)
    outputs = {name: torch.as_tensor(line, dtype=torch.float32).detach() for name, line in lines.items()}
    if not logy and len(points or {}) < 2:
        dots = [[float(v) for v in numbers] for pair in (points or {}).values() for numbers in pair]
        extra = {"points": tuple(dots), "points_label": next(iter(points))} if points else {}
        where = [float(v) for v in x]
        view = Lines(
            where, list(outputs), xlabel=xlabel, ylabel=ylabel, title=title, labels=list(lines), **extra
        )
        made.figure = still(outputs, view, made.title)
    return made


def forms(picture, **_):
    """Give a picture's numbers, and the figure where there is one."""
    figure = {"text/html": picture.figure.to_html()} if picture.figure is not None else {}
    return {"text/plain": picture.numbers, **figure}


plain_lines = show.show_lines
heatmaps.draw = draw_heatmaps
show.drawing, show.new_axes, show.show_figure, show.show_lines = no_drawing, no_axes, shown, lines
show.Axes = NoDrawing
show.Picture.svg, show.Picture._repr_mimebundle_ = lambda self: "", forms
for _name in ("new_axes", "show_figure", "show_lines", "show_heatmaps"):
    setattr(__import__("attn_helpers.plotting", fromlist=[_name]), _name, getattr(show, _name))
