"""Static drawings of the views along axes: lines, bars, plane, history."""

import math
from typing import Any

import numpy as np

from attn_helpers.live.picture_axes import (
    SERIES,
    Drawing,
    PlotAxes,
    curve,
    domain,
    dot,
    legend,
    line,
    power_ticks,
)
from attn_helpers.live.picture_parts import INK, MUTED, number, padded, short, text, text_width, thin

__all__ = ["draw_bars", "draw_history", "draw_lines", "draw_plane"]

_BAR = 56  # a bar is at most this wide


def draw_lines(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of curves, scattered points and the points to drag."""
    curves, names = _curves(spec, scene)
    points = np.zeros((0, 2))
    if spec["points"]:
        points = np.stack([scene.numbers(spec["points"][axis]).ravel() for axis in "xy"], axis=1)
        names = [*names, spec["points"]["label"]]
    handles = [scene.numbers({"control": name}) for name in spec["drag"]]
    handles = [one.reshape(len(one), -1) for one in handles]
    every = [np.stack(np.broadcast_arrays(*one), 1) for one in curves] + [points]
    every += [one for one in handles if one.shape[1] == 2]
    every += [np.array(bounds, dtype=float).T for bounds in spec["domains"] if len(bounds) == 2]
    reach = np.concatenate(every)
    across = [
        *reach[:, 0],
        *(v for one in handles for v in one[:, 0]),
        *(v for d in spec["domains"] for v in d[0]),
    ]
    x = domain(across, spec["xlim"], exact=not len(points))
    axes = PlotAxes(x, domain(reach[:, 1], spec["ylim"]), width, 300, spec)
    out = axes.parts() + [curve(axes, *one, i) for i, one in enumerate(curves)]
    out += [dot(axes.at(*point), 4, "#fff", MUTED) for point in points if np.isfinite(point).all()]
    out += [part for one in handles for point in one for part in _handle(axes, point)]
    return legend(out, names, len(curves), axes.height, width)


def _curves(spec: dict[str, Any], scene: Any) -> tuple[list[tuple[np.ndarray, np.ndarray]], list[str]]:
    """Return the x and y of each curve, and their names."""
    x = None if spec["x"] is None else scene.numbers(spec["x"]).ravel()
    curves: list[tuple[np.ndarray, np.ndarray]] = []
    names: list[str] = []
    for part in spec["y"]:
        rows = np.atleast_2d(scene.numbers(part["source"]))
        names += [part["label"] if len(rows) == 1 else f"{part['label']} {i + 1}" for i in range(len(rows))]
        curves += [(np.arange(1.0, rows.shape[1] + 1) if x is None else x, row) for row in rows]
    return curves, (spec["labels"] or names)[: len(curves)]


def _handle(axes: PlotAxes, point: np.ndarray) -> list[str]:
    """Return a point to drag; a point on a line stands on the x axis under a dashed line."""
    if len(point) == 2:
        return [dot(axes.at(*point), 6, SERIES[1], "#fff")]
    x, _ = axes.at(point[0], axes.y0)
    rule = line((x, axes.top), (x, axes.bottom), f'stroke="{MUTED}" stroke-dasharray="4 3"')
    return [rule, dot((x, axes.bottom), 6, SERIES[3], "#fff")]


def draw_bars(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of bars; of a matrix, its first row."""
    values = np.atleast_2d(scene.numbers(spec["source"]))
    row, names = values[0], padded(scene.labels(spec["labels"]), values.shape[1])
    axes = PlotAxes((0, 1), domain(values.ravel(), spec["ylim"], zero=True), width, 220, spec)
    step = (axes.right - axes.left) / len(row)
    zero = axes.at(0, min(max(0.0, axes.y0), axes.y1))[1]
    out = axes.parts(bands=True)
    for i, value in enumerate(row):
        middle = axes.left + (i + 0.5) * step
        out += _bar(axes, value, middle, min(0.75 * step, _BAR), zero, numbered=step >= 30)
    out.append(line((axes.left, zero), (axes.right, zero), f'stroke="{MUTED}"'))
    widest = max(map(text_width, names))
    turned = bool(spec["labels"]) and widest + 5 > step
    for i in thin(len(row), step, 15 if turned else 0 if spec["labels"] else widest + 11, not spec["labels"]):
        x, y = axes.left + (i + 0.5) * step, axes.bottom + 17
        out.append(
            text(x + 3, y - 4, names[i], anchor="end", turn=-50)
            if turned
            else text(x, y, names[i], anchor="middle")
        )
    return axes.height + (0.77 * widest - 8 if turned else 0), out


def _bar(
    axes: PlotAxes, value: float, middle: float, wide: float, zero: float, *, numbered: bool
) -> list[str]:
    top = axes.at(0, min(max(float(np.nan_to_num(value)), axes.y0), axes.y1))[1]
    box = f'x="{short(middle - wide / 2)}" y="{short(min(zero, top))}" width="{short(wide)}"'
    out = [f'<rect {box} height="{short(abs(zero - top))}" fill="{SERIES[1 if value < 0 else 0]}"/>']
    if numbered:
        y = min(top + 12, axes.bottom - 2) if value < 0 else max(top - 4, axes.top + 6)
        out.append(text(middle, y, number(value), anchor="middle", fill=INK, size=11))
    return out


def draw_plane(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of groups of points, with equal units on both axes."""
    groups = [scene.numbers(group["source"]).reshape(-1, 2) for group in spec["groups"]]
    told = [np.asarray(group["domain"], dtype=float).T for group in spec["groups"] if group["domain"]]
    every = np.concatenate([*groups, *told, np.zeros((1, 2))])
    axes = PlotAxes(domain(every[:, 0], spec["xlim"]), domain(every[:, 1], spec["ylim"]), width, 370, spec)
    axes.equalise(320)
    out = axes.parts()
    if spec["weights"]:
        weights = scene.numbers(spec["weights"])
        for q, k in np.argwhere(weights > 0.01):
            style = f'stroke="#86bde9" stroke-width="{short(0.5 + 6 * weights[q, k])}"'
            out.append(line(axes.at(*groups[0][q]), axes.at(*groups[1][k]), style))
    for i, (group, points) in enumerate(zip(spec["groups"], groups, strict=True)):
        out += [part for j, point in enumerate(points) for part in _named_point(axes, group, point, i, j)]
    return axes.height, out


def _named_point(axes: PlotAxes, group: dict[str, Any], point: np.ndarray, i: int, j: int) -> list[str]:
    name = group["labels"][j] if group["labels"] else f"{group['prefix']}{j + 1}"
    (x, y), origin = axes.at(*point), axes.at(0, 0)
    out = [line(origin, (x, y), f'stroke="{SERIES[i % 6]}" stroke-width="2"')] if group["arrows"] else []
    out.append(dot((x, y), 6, SERIES[i % 6], "#fff", square=i % 2 == 1))
    return [*out, text(x + 10, y - 7, name, fill=INK, bold=True)]


def draw_history(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of the first point of each curve: no step has been taken yet."""
    values = [float(scene.numbers(one).ravel()[0]) for one in spec["series"]]
    if spec["log"]:
        values = [math.log10(v) if v > 0 else math.nan for v in values]
        finite = [v for v in values if np.isfinite(v)] or [0.0]
        ends = [
            math.log10(end)
            for end in spec["ylim"] or (10 ** math.floor(min(finite)), 10 ** math.ceil(max(finite)))
        ]
        ends[1] = ends[1] if ends[1] > ends[0] else ends[0] + 1
    else:
        ends = domain(values, spec["ylim"], zero=True)
    axes = PlotAxes((0, 10), ends, width, 220, spec)
    if spec["log"]:
        axes.y_ticks = power_ticks(*ends)
    dots = [dot(axes.at(0, v), 4, SERIES[i % 6], "#fff") for i, v in enumerate(values) if np.isfinite(v)]
    names = [one["label"] for one in spec["series"]]
    return legend([*axes.parts(), *dots], names, len(values), axes.height, width)
