"""The static drawing of a heatmap: one matrix or a grid of heads, with one colour scale."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from attn_helpers.live.picture_parts import (
    COLOURS,
    INK,
    LINE,
    cells,
    hatch,
    is_dark,
    number,
    padded,
    ramp,
    short,
    text,
    text_width,
    thin,
)

__all__ = ["draw_heatmap", "limits", "nice_ceil"]

_GAP, _NUMBERED = 14, 150  # pixels between heads; more cells than this get no numbers


def limits(spec: dict[str, Any], data: np.ndarray, kept: np.ndarray) -> tuple[float, float]:
    """Return the ends of the colour scale, by the same rule as the JavaScript view."""
    low, high = spec["vmin"], spec["vmax"]
    finite = data[kept & np.isfinite(data)]
    reach = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if spec["scale"] == "diverging":
        told = [abs(end) for end in (low, high) if isinstance(end, int | float)]
        top = max(told) if told else nice_ceil(max(map(abs, reach)))
        return (low if isinstance(low, int | float) else -top), (
            high if isinstance(high, int | float) else top
        )
    bottom = min(reach[0], 0.0) if low == "auto" else 0.0 if low is None else low
    top = nice_ceil(reach[1]) if high == "auto" else 1.0 if high is None else high
    return bottom, top if top > bottom else bottom + 1.0


def nice_ceil(value: float) -> float:
    """Return the next of 1, 1.5, 2, 3, 5, 7.5, 10 times a power of ten."""
    if not value > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    step = next((s for s in (1, 1.5, 2, 3, 5, 7.5, 10) if s * power >= value * (1 - 1e-6)), 10)
    return float(f"{step * power:.3g}")


@dataclass(frozen=True)
class _Layout:
    """Where heads, labels and titles go; the rules are those of the JavaScript view."""

    panels: int
    rows: int
    cols: int
    x_names: list[str]
    y_names: list[str]
    numbered: bool  # the keys have numbers, not names
    spec: dict[str, Any]
    width: float

    @property
    def left(self) -> float:
        return (20 if self.spec["ylabel"] else 0) + max(map(text_width, self.y_names)) + 8

    @property
    def columns(self) -> int:
        room = self.width - self.left
        wide = [(c, (room - (c - 1) * _GAP) / c) for c in range(1, self.panels + 1)]
        fits = [c for c, w in wide if w / self.cols >= 18 or w >= 108]
        return math.ceil(self.panels / math.ceil(self.panels / max(fits, default=1)))

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell: whole pixels unless they are tiny."""
        room = (self.width - self.left - (self.columns - 1) * _GAP) / self.columns / self.cols
        width = min(34 if self.panels > 1 else 46, room)
        width = math.floor(width) if width >= 6 else width
        tallest = (320 if self.panels > 1 else 460) / self.rows
        return width, max(min(width, tallest), min(22, 150 / self.rows, tallest), 2)

    @property
    def size(self) -> tuple[float, float]:
        return self.cols * self.cell[0], self.rows * self.cell[1]

    @property
    def head(self) -> float:
        return 20 if self.panels > 1 or self.spec["titles"] else 4

    @property
    def widest(self) -> float:
        return max(map(text_width, self.x_names))

    @property
    def turned(self) -> bool:
        return not self.numbered and self.widest + 5 > self.cell[0]

    @property
    def foot(self) -> float:
        return (self.widest * 0.77 + 8 if self.turned else 12) + 10

    @property
    def bottom(self) -> float:
        lines = math.ceil(self.panels / self.columns)
        return self.head + lines * self.size[1] + (lines - 1) * (self.head + 7)

    def origin(self, p: int) -> tuple[float, float]:
        x = self.left + (p % self.columns) * (self.size[0] + _GAP)
        return x, self.head + (p // self.columns) * (self.size[1] + self.head + 7)


def draw_heatmap(spec: dict[str, Any], scene: Any, width: float) -> tuple[float, list[str]]:
    """Return height and parts of one matrix or a grid of heads."""
    data = scene.numbers(spec["source"])
    data = data[None] if data.ndim == 2 else data  # (heads, queries, keys)
    hidden = np.zeros_like(data, dtype=bool)
    if spec["mask"]:
        hidden = np.broadcast_to(scene.numbers(spec["mask"]) == 0, data.shape)
    data, hidden = (_cropped(part, spec, scene) for part in (data, hidden))
    panels, rows, cols = data.shape
    names = padded(scene.labels(spec["xticks"]), cols), padded(scene.labels(spec["yticks"]), rows)
    layout = _Layout(panels, rows, cols, *names, spec["xticks"] is None, spec, width)
    ends = limits(spec, data, ~hidden)
    out: list[str] = []
    for p in range(panels):
        x, y = layout.origin(p)
        out += _title(layout, p)
        out.append(f'<g transform="translate({short(x)} {short(y)})">')
        out += _matrix(data[p], hidden[p], ends, layout)
        out += _x_labels(layout) if p + layout.columns >= panels else []
        out += _y_labels(layout, spec["yticks"] is None) if p % layout.columns == 0 else []
        out.append("</g>")
    out += _axis_titles(layout)
    bottom = layout.bottom + layout.foot + (24 if spec["xlabel"] else 8)
    return bottom + 16, [*out, *_scale(spec["scale"], *ends, bottom, bool(hidden.any()))]


def _cropped(data: np.ndarray, spec: dict[str, Any], scene: Any) -> np.ndarray:
    """Leave out the rows and columns beyond a typed text, where their names come from it."""
    ticks = (spec["yticks"], spec["xticks"])
    rows, cols = (max(1, len(scene.labels(each))) if each and each.get("crop") else None for each in ticks)
    return data[:, :rows, :cols]


def _title(layout: _Layout, p: int) -> list[str]:
    titles, (x, y) = layout.spec["titles"], layout.origin(p)
    title = titles[p] if titles else f"head {p + 1}" if layout.panels > 1 else ""
    middle = x + layout.size[0] / 2
    return [text(middle, y - 7, title, anchor="middle", fill=INK, bold=True)] if title else []


def _axis_titles(layout: _Layout) -> list[str]:
    out, spec = [], layout.spec
    if spec["xlabel"]:
        across = layout.left + (layout.columns * (layout.size[0] + _GAP) - _GAP) / 2
        under = layout.bottom + layout.foot + 12
        out.append(text(across, under, spec["xlabel"], anchor="middle", fill=INK))
    if spec["ylabel"]:
        centre = (layout.head + layout.bottom) / 2
        out.append(text(12, centre, spec["ylabel"], anchor="middle", fill=INK, turn=-90))
    return out


def _matrix(data: np.ndarray, hidden: np.ndarray, ends: tuple[float, float], layout: _Layout) -> list[str]:
    """Return the cells of one head: colours, hatching, lines between them, numbers where they fit."""
    (rows, cols), (w, h), (low, high) = data.shape, layout.cell, ends
    colours = ramp(layout.spec["scale"])
    share = np.clip((np.nan_to_num(data, posinf=high, neginf=low) - low) / (high - low), 0, 1)
    levels = np.where(np.isnan(data), -1, np.round(share * (len(colours) - 1))).astype(int)
    drawn = cells(levels, colours, hidden, layout.panels)
    out = [f'<g transform="scale({w:.4g} {h:.4g})" shape-rendering="crispEdges">{drawn}</g>']
    out.append(hatch(hidden | (levels < 0), w, h))
    lines = f"M0 0h{short(cols * w)}v{short(rows * h)}h{short(-cols * w)}z"
    if w >= 9 and h >= 9:
        lines += "".join(f"M{short(c * w)} 0v{short(rows * h)}" for c in range(1, cols))
        lines += "".join(f"M0 {short(r * h)}h{short(cols * w)}" for r in range(1, rows))
    out.append(f'<path fill="none" stroke="{LINE}" d="{lines}"/>')
    longest = max(text_width(number(v), 11) for v in data.ravel())
    fits = data.size * layout.panels <= _NUMBERED and longest + 4 <= w and h >= 16
    return out + (
        _numbers(data, hidden, levels, layout) if fits and layout.spec["annotate"] is not False else []
    )


def _numbers(data: np.ndarray, hidden: np.ndarray, levels: np.ndarray, layout: _Layout) -> list[str]:
    """Return the numbers in the cells; a masked cell shows its own only where it has weight all the same."""
    (w, h), colours, ink = layout.cell, ramp(layout.spec["scale"]), COLOURS["ink"]["light"]
    on_colour, on_hatch = [], []
    for (r, c), value in np.ndenumerate(data):
        place = (c + 0.5) * w, (r + 0.5) * h + 4, number(value)
        if hidden[r, c] or levels[r, c] < 0:
            leaks = layout.spec["scale"] == "sequential" and number(value) != "0.00"
            on_hatch += [text(*place)] if leaks or not np.isfinite(value) else []
        else:
            dark = is_dark(colours[levels[r, c]])
            on_colour.append(text(*place, fill=ink[1] if dark else ""))
    style = f'font-size="11" text-anchor="middle" fill="{ink[0]}"'
    out = [f"<g {style}>", *on_colour, "</g>"]
    if on_hatch:
        out += [f'<g {style} stroke="#eef0f3" stroke-width="5" paint-order="stroke">', *on_hatch, "</g>"]
    return out


def _x_labels(layout: _Layout) -> list[str]:
    w, bottom, names = layout.cell[0], layout.size[1], layout.x_names
    need = layout.widest + 11 if layout.numbered else 15 if layout.turned else 0
    shown = thin(layout.cols, w, need, layout.numbered)
    if layout.turned:
        return [text((i + 0.5) * w + 3, bottom + 12, names[i], anchor="end", turn=-50) for i in shown]
    return [text((i + 0.5) * w, bottom + 16, names[i], anchor="middle") for i in shown]


def _y_labels(layout: _Layout, numbered: bool) -> list[str]:
    h, names = layout.cell[1], layout.y_names
    return [text(-6, (i + 0.5) * h + 4, names[i], anchor="end") for i in thin(layout.rows, h, 14, numbered)]


def _scale(name: str, low: float, high: float, y: float, masked: bool) -> list[str]:
    """Return the legend: the colour scale from its low to its high end."""
    ends = [number(end, 0 if float(end).is_integer() else 2) for end in (low, high)]
    colours, x = COLOURS[name]["light"], text_width(ends[0]) + 6
    stops = "".join(
        f'<stop offset="{i / (len(colours) - 1):.3g}" stop-color="{c}"/>' for i, c in enumerate(colours)
    )
    parts = [f'<linearGradient id="{name[0]}">{stops}</linearGradient>', text(0, y + 9, ends[0])]
    parts.append(
        f'<rect x="{short(x)}" y="{short(y)}" width="96" height="10" fill="url(#{name[0]})" stroke="{LINE}"/>'
    )
    parts.append(text(x + 102, y + 9, ends[1]))
    if masked:
        at = x + 120 + text_width(ends[1])
        box = f'x="{short(at)}" y="{short(y - 1)}" width="14" height="12"'
        parts += [
            f'<rect {box} fill="#eef0f3"/><rect {box} fill="url(#no)"/>',
            text(at + 20, y + 9, "masked"),
        ]
    return parts
