"""The pieces that static plots share: axes with ticks, dots, curves, legends."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.ticker import MaxNLocator

from attn_helpers.live.picture_parts import COLOURS, INK, LINE, MUTED, short, text, text_width, ticks

__all__ = [
    "DASHES",
    "SERIES",
    "Drawing",
    "PlotAxes",
    "curve",
    "domain",
    "dot",
    "legend",
    "line",
    "power_ticks",
]

SERIES = COLOURS["series"]["light"]
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 2", "1 3")
Drawing = tuple[float, list[str]]
_GAPS = MaxNLocator(5, steps=[1, 2, 5, 10])


def domain(
    numbers: Iterable[float], given: Sequence[float] | None, *, zero: bool = False, exact: bool = False
) -> list[float]:
    """Return the ends of an axis: as told, else a little more than the numbers reach."""
    if given is not None:
        return list(given)
    finite = [float(v) for v in numbers if np.isfinite(v)] + ([0.0] if zero else [])
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    if low == high:
        return [0.0, 1.0] if zero and low == 0 else [low - 0.5, high + 0.5]
    places = [low, high] if exact else _GAPS.tick_values(low, high)
    return [float(places[0]), float(places[-1])]


class PlotAxes:
    """A box with two linear axes; with `bands`, the x axis is left to the caller."""

    def __init__(
        self, x: Sequence[float], y: Sequence[float], width: float, height: float, spec: dict
    ) -> None:
        (self.x0, self.x1), (self.y0, self.y1) = x, y
        self.y_ticks = ticks(self.y0, self.y1, max(2, round(height / 50)))
        widest = max([text_width(label) for _, label in self.y_ticks], default=0)
        self.left = widest + 12 + (18 if spec.get("ylabel") else 0)
        self.right, self.top, self.bottom = width - 12, 10, height - 24 - (18 if spec.get("xlabel") else 0)
        self.height, self.spec = height, spec

    def equalise(self, highest: float) -> None:
        """Give both axes the same unit, within the width and at most `highest` pixels high."""
        unit = min((self.right - self.left) / (self.x1 - self.x0), highest / (self.y1 - self.y0))
        self.right = self.left + unit * (self.x1 - self.x0)
        self.height += self.top + unit * (self.y1 - self.y0) - self.bottom
        self.bottom = self.top + unit * (self.y1 - self.y0)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of a point."""
        across = (x - self.x0) / (self.x1 - self.x0) * (self.right - self.left)
        return self.left + across, self.bottom - (y - self.y0) / (self.y1 - self.y0) * (
            self.bottom - self.top
        )

    def parts(self, *, bands: bool = False) -> list[str]:
        """Return faint lines at the ticks, their texts, and the names of the axes."""
        lines, out, middle = "", [], (self.left + self.right) / 2
        for y, label in self.y_ticks:
            height = self.at(self.x0, y)[1]
            lines += f"M{short(self.left)} {short(height)}H{short(self.right)}"
            out.append(text(self.left - 7, height + 4, label, anchor="end"))
        for x, label in (
            [] if bands else ticks(self.x0, self.x1, max(2, round((self.right - self.left) / 70)))
        ):
            across = self.at(x, self.y0)[0]
            lines += f"M{short(across)} {short(self.top)}V{short(self.bottom)}"
            out.append(text(across, self.bottom + 18, label, anchor="middle"))
        if self.spec.get("xlabel"):
            out.append(text(middle, self.height - 5, self.spec["xlabel"], anchor="middle", fill=INK))
        if self.spec.get("ylabel"):
            centre = (self.top + self.bottom) / 2
            out.append(text(12, centre, self.spec["ylabel"], anchor="middle", fill=INK, turn=-90))
        return [f'<path stroke="{LINE}" d="{lines}"/>', *out]


def curve(axes: PlotAxes, xs: Sequence[float], ys: Sequence[float], i: int) -> str:
    """Return the i-th curve; it breaks where a number is missing."""
    out, pen = [], "M"
    for x, y in zip(xs, ys, strict=False):
        if np.isfinite(y):
            px, py = axes.at(x, y)
            out.append(f"{pen}{short(px)} {short(py)}")
        pen = "L" if np.isfinite(y) else "M"
    return f'<path fill="none" {_stroke(i)} d="{"".join(out)}"/>'


def _stroke(i: int) -> str:
    dash = f' stroke-dasharray="{DASHES[i % 6]}"' if i % 6 else ""
    return f'stroke="{SERIES[i % 6]}" stroke-width="2.2"{dash}'


def line(start: Sequence[float], end: Sequence[float], style: str) -> str:
    """Return a straight line between two pixels."""
    return f'<path {style} d="M{short(start[0])} {short(start[1])}L{short(end[0])} {short(end[1])}"/>'


def dot(at: Sequence[float], r: float, fill: str, stroke: str, *, square: bool = False) -> str:
    """Return a point as a circle or a square."""
    style = f'fill="{fill}" stroke="{stroke}" stroke-width="1.5"'
    if square:
        corner = f'x="{short(at[0] - r)}" y="{short(at[1] - r)}"'
        return f'<rect {corner} width="{short(2 * r)}" height="{short(2 * r)}" {style}/>'
    return f'<circle cx="{short(at[0])}" cy="{short(at[1])}" r="{short(r)}" {style}/>'


def legend(parts: list[str], names: Sequence[str], curves: int, height: float, width: float) -> Drawing:
    """Return a plot under the names of its curves and points; one name alone is left out."""
    if len(names) < 2:
        return height, parts
    out, x, y = [], 2.0, 0
    for i, name in enumerate(names):
        wide = 44 + text_width(name)
        if x + wide > width and x > 2:
            x, y = 2.0, y + 18
        out.append(
            f'<path {_stroke(i)} d="M{short(x)} {y + 8}h22"/>'
            if i < curves
            else dot((x + 14, y + 8), 4, "#fff", MUTED)
        )
        out.append(text(x + 28, y + 12, name, fill=INK))
        x += wide
    return height + y + 20, [*out, f'<g transform="translate(0 {y + 20})">', *parts, "</g>"]


def power_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return the ticks of a logarithmic axis whose ends are exponents of ten."""
    return [(k, f"{10.0**k:g}") for k in range(math.ceil(low), math.floor(high) + 1)]
