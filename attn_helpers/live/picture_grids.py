"""Static drawings of the views in rows and columns: heatmap, table, tokens."""

import math
from typing import Any

import numpy as np

from attn_helpers.live.picture_parts import (
    COLOURS,
    INK,
    LINE,
    MUTED,
    cells,
    hatch,
    number,
    ramp,
    short,
    text,
    text_width,
    thin,
)

__all__ = ["draw_heatmap", "draw_table", "draw_tokens"]

_GAP, _NUMBERED = 14, 150
Drawing = tuple[float, list[str]]


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


def draw_heatmap(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of one matrix or a grid of heads."""
    data = scene.numbers(spec["source"])
    data = data[None] if data.ndim == 2 else data  # (heads, queries, keys)
    panels, rows, cols = data.shape
    kept = np.ones_like(data, dtype=bool)
    if spec["mask"]:
        kept = np.broadcast_to(scene.numbers(spec["mask"]) != 0, data.shape)
    low, high = limits(spec, data, kept)
    x_labels, y_labels = scene.labels(spec["xticks"]), scene.labels(spec["yticks"])
    left = (20 if spec["ylabel"] else 0) + max(map(text_width, (y_labels or [str(rows)])[:rows])) + 8
    columns = _columns(panels, cols, width - left)
    cell_w = min(34 if panels > 1 else 46, (width - left - (columns - 1) * _GAP) / columns / cols)
    cell_w = math.floor(cell_w) if cell_w >= 6 else cell_w
    tallest = (320 if panels > 1 else 460) / rows
    cell_h = max(min(cell_w, tallest), min(22, 150 / rows, tallest), 2)
    head = 20 if panels > 1 or spec["titles"] else 4
    widest = max(map(text_width, (x_labels or [str(cols)])[:cols]))
    turned = x_labels is not None and widest + 5 > cell_w
    foot = (widest * 0.77 + 8 if turned else 12) + 10
    out: list[str] = []
    for p in range(panels):
        at = left + (p % columns) * (cols * cell_w + _GAP), head + (p // columns) * (rows * cell_h + head + 7)
        title = spec["titles"][p] if spec["titles"] else f"head {p + 1}" if panels > 1 else ""
        if title:
            out.append(
                text(at[0] + cols * cell_w / 2, at[1] - 7, title, anchor="middle", fill=INK, bold=True)
            )
        out.append(f'<g transform="translate({short(at[0])} {short(at[1])})">')
        out += _matrix(data[p], ~kept[p], (low, high), spec, (cell_w, cell_h), panels)
        if p + columns >= panels:
            out += _x_labels(x_labels, cols, cell_w, rows * cell_h, widest, turned)
        if p % columns == 0:
            out += _y_labels(y_labels, rows, cell_h)
        out.append("</g>")
    lines = math.ceil(panels / columns)
    bottom = head + lines * rows * cell_h + (lines - 1) * (head + 7)
    across = left + (columns * (cols * cell_w + _GAP) - _GAP) / 2
    out += (
        [text(across, bottom + foot + 12, spec["xlabel"], anchor="middle", fill=INK)]
        if spec["xlabel"]
        else []
    )
    if spec["ylabel"]:
        out.append(text(12, (head + bottom) / 2, spec["ylabel"], anchor="middle", fill=INK, turn=-90))
    bottom += foot + (24 if spec["xlabel"] else 8)
    return bottom + 16, [*out, *_scale(spec["scale"], low, high, bottom, bool((~kept).any()))]


def _columns(panels: int, cols: int, room: float) -> int:
    fits = [c for c in range(1, panels + 1) if (w := (room - (c - 1) * _GAP) / c) / cols >= 18 or w >= 108]
    return math.ceil(panels / math.ceil(panels / max(fits, default=1)))


def _matrix(data, hidden, ends, spec, cell, panels) -> list[str]:
    """Return the cells of one head: colours, lines between them, numbers where they fit."""
    rows, cols = data.shape
    (low, high), (w, h) = ends, cell
    colours = ramp(spec["scale"])
    share = np.clip((np.nan_to_num(data, posinf=high, neginf=low) - low) / (high - low), 0, 1)
    levels = np.where(np.isnan(data), -1, np.round(share * (len(colours) - 1))).astype(int)
    drawn = cells(levels, colours, hidden, panels)
    out = [f'<g transform="scale({w:.4g} {h:.4g})" shape-rendering="crispEdges">{drawn}</g>']
    out.append(hatch(hidden | (levels < 0), w, h))
    lines = f"M0 0h{short(cols * w)}v{short(rows * h)}h{short(-cols * w)}z"
    if w >= 9 and h >= 9:
        lines += "".join(f"M{short(c * w)} 0v{short(rows * h)}" for c in range(1, cols))
        lines += "".join(f"M0 {short(r * h)}h{short(cols * w)}" for r in range(1, rows))
    out.append(f'<path fill="none" stroke="{LINE}" d="{lines}"/>')
    longest = max(text_width(number(v), 11) for v in data.ravel())
    if spec["annotate"] is not False and data.size * panels <= _NUMBERED and longest + 4 <= w and h >= 16:
        dark = COLOURS["ink"]["light"]
        out.append('<g font-size="11" text-anchor="middle">')
        for (r, c), value in np.ndenumerate(data):
            if not (hidden[r, c] and np.isfinite(value)):
                fill = dark[_is_dark(colours[max(levels[r, c], 0)]) and not hidden[r, c]]
                out.append(text((c + 0.5) * w, (r + 0.5) * h + 4, number(value), fill=fill))
        out.append("</g>")
    return out


def _is_dark(colour: str) -> bool:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.2126 * r**2.2 + 0.7152 * g**2.2 + 0.0722 * b**2.2 < 0.2


def _x_labels(labels, cols, w, bottom, widest, turned) -> list[str]:
    need = 15 if turned else 0 if labels else widest + 6
    shown = thin(cols, w, need, labels is None)
    names = labels or [str(i + 1) for i in range(cols)]
    if turned:
        return [text((i + 0.5) * w + 3, bottom + 12, names[i], anchor="end", turn=-50) for i in shown]
    return [text((i + 0.5) * w, bottom + 16, names[i], anchor="middle") for i in shown]


def _y_labels(labels, rows, h) -> list[str]:
    names = labels or [str(i + 1) for i in range(rows)]
    return [text(-6, (i + 0.5) * h + 4, names[i], anchor="end") for i in thin(rows, h, 14, labels is None)]


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


def draw_table(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of the tables, as far as they fit on the card."""
    rows, cols = scene.labels(spec["rows"]), scene.labels(spec["cols"])
    y, out = 0.0, []
    for part in spec["parts"]:
        values = np.atleast_2d(scene.numbers(part["source"]))
        few = values[:16, : max(1, int((width - 130) // 62))]
        out.append(text(0, y + 11, part["label"], fill=INK, bold=True))
        for c in range(few.shape[1] if values.size > 1 else 0):
            out.append(text(130 + c * 62 + 40, y + 11, cols[c] if cols else str(c + 1), anchor="end"))
        for r, row in enumerate(few):
            line = y + 29 + 18 * r
            name = rows[r] if rows and values.shape[0] > 1 else str(r + 1) if values.shape[0] > 1 else ""
            out.append(text(8, line, name))
            out += [
                text(130 + c * 62 + 40, line, number(v, spec["decimals"]), anchor="end", fill=INK)
                for c, v in enumerate(row)
            ]
        y += 18 * len(few) + 26
    return y, out


def draw_tokens(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of the tokens, shaded by the weights of the first chosen query."""
    weights = np.atleast_2d(scene.numbers(spec["source"]))
    query = spec["query"] % len(weights)
    row, labels = weights[query], scene.labels(spec["tokens"])
    top = nice_ceil(float(np.nanmax(row))) if spec["vmax"] == "auto" else spec["vmax"] or 1.0
    colours, ink = ramp("sequential"), COLOURS["ink"]["light"]
    x, y, out = 0.0, 2.0, []
    for i, weight in enumerate(row):
        name = (labels[i] if labels and i < len(labels) else str(i + 1)).replace(" ", "␣")
        wide = max(34.0, text_width(name, 14) + 16)
        if x + wide > width and x > 0:
            x, y = 0.0, y + 44
        colour = colours[round(min(1.0, max(0.0, float(np.nan_to_num(weight)) / top)) * (len(colours) - 1))]
        edge = (
            f'stroke="{INK}" stroke-width="2"'
            if i == query and not spec["query_tokens"]
            else f'stroke="{LINE}"'
        )
        box = f'x="{short(x + 1)}" y="{short(y)}" width="{short(wide - 2)}" height="25" rx="4"'
        out.append(f'<rect {box} fill="{colour}" {edge}/>')
        out.append(text(x + wide / 2, y + 17, name, anchor="middle", size=14, fill=ink[_is_dark(colour)]))
        out.append(text(x + wide / 2, y + 37, number(weight), anchor="middle", size=10, fill=MUTED))
        x += wide + 4
    return y + 44, out
