"""Static drawings of the views along axes: lines, bars, plane, history."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from attn_helpers.live.picture_parts import (
    COLOURS,
    INK,
    LINE,
    MUTED,
    number,
    short,
    text,
    text_width,
    thin,
    ticks,
)

__all__ = ["draw_bars", "draw_history", "draw_lines", "draw_plane"]

SERIES = COLOURS["series"]["light"]
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 2", "1 3")
Drawing = tuple[float, list[str]]


class _Axes:
    """A box with two linear axes."""

    def __init__(
        self, x: Sequence[float], y: Sequence[float], width: float, height: float, spec: dict, *, bands=False
    ):
        (self.x0, self.x1), (self.y0, self.y1) = x, y
        self.y_ticks = ticks(self.y0, self.y1, max(2, round(height / 50)))
        widest = max([text_width(label) for _, label in self.y_ticks], default=0)
        self.left = widest + 12 + (18 if spec.get("ylabel") else 0)
        self.right, self.top, self.bottom = width - 12, 10, height - 24 - (18 if spec.get("xlabel") else 0)
        self.height, self.spec, self.bands = height, spec, bands

    def equalise(self, highest: float) -> None:
        """Give both axes the same unit, within the width and at most `highest` pixels high."""
        unit = min((self.right - self.left) / (self.x1 - self.x0), highest / (self.y1 - self.y0))
        self.right = self.left + unit * (self.x1 - self.x0)
        self.height += self.top + unit * (self.y1 - self.y0) - self.bottom
        self.bottom = self.top + unit * (self.y1 - self.y0)

    def px(self, x: float) -> float:
        return self.left + (x - self.x0) / (self.x1 - self.x0) * (self.right - self.left)

    def py(self, y: float) -> float:
        return self.bottom - (y - self.y0) / (self.y1 - self.y0) * (self.bottom - self.top)

    def parts(self) -> list[str]:
        across = "".join(
            f"M{short(self.left)} {short(self.py(y))}H{short(self.right)}" for y, _ in self.y_ticks
        )
        out = [text(self.left - 7, self.py(y) + 4, label, anchor="end") for y, label in self.y_ticks]
        if not self.bands:
            x_ticks = ticks(self.x0, self.x1, max(2, round((self.right - self.left) / 70)))
            across += "".join(
                f"M{short(self.px(x))} {short(self.top)}V{short(self.bottom)}" for x, _ in x_ticks
            )
            out += [text(self.px(x), self.bottom + 18, label, anchor="middle") for x, label in x_ticks]
        titles = []
        if self.spec.get("xlabel"):
            titles.append(
                text(
                    (self.left + self.right) / 2,
                    self.height - 5,
                    self.spec["xlabel"],
                    anchor="middle",
                    fill=INK,
                )
            )
        if self.spec.get("ylabel"):
            titles.append(
                text(
                    12, (self.top + self.bottom) / 2, self.spec["ylabel"], anchor="middle", fill=INK, turn=-90
                )
            )
        return [f'<path stroke="{LINE}" d="{across}"/>', *out, *titles]


def domain(
    numbers: Iterable[float], given: Sequence[float] | None, *, zero: bool = False, exact: bool = False
) -> list[float]:
    """Return the ends of an axis: as told, else a little more than the numbers reach."""
    if given is not None:
        return list(given)
    finite = [float(v) for v in numbers if np.isfinite(v)] + ([0.0] if zero else [])
    if not finite:
        return [0.0, 1.0]
    low, high = min(finite), max(finite)
    if low == high:
        return [0.0, 1.0] if zero and low == 0 else [low - 0.5, high + 0.5]
    if exact:
        return [low, high]
    places = MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(low, high)
    return [float(places[0]), float(places[-1])]


def draw_lines(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of curves, scattered points and the points to drag."""
    x = None if spec["x"] is None else scene.numbers(spec["x"]).ravel()
    curves: list[tuple[np.ndarray, np.ndarray]] = []
    names: list[str] = []
    for part in spec["y"]:
        rows = np.atleast_2d(scene.numbers(part["source"]))
        names += [part["label"] if len(rows) == 1 else f"{part['label']} {i + 1}" for i in range(len(rows))]
        curves += [(np.arange(1, rows.shape[1] + 1) if x is None else x, row) for row in rows]
    names = (spec["labels"] or names)[: len(curves)]
    points = np.zeros((0, 2))
    if spec["points"]:
        points = np.stack([scene.numbers(spec["points"][axis]).ravel() for axis in "xy"], axis=1)
        names = [*names, spec["points"]["label"]]
    handles = [np.asarray(scene.state[name], dtype=float) for name in spec["drag"]]
    handles = [one.reshape(len(one), -1) for one in handles]
    xs = [v for c in curves for v in c[0]] + list(points[:, 0]) + [v for one in handles for v in one[:, 0]]
    flat = [one for one in handles if one.shape[1] == 2]
    ys = [v for c in curves for v in c[1]] + list(points[:, 1]) + [v for one in flat for v in one[:, 1]]
    axes = _Axes(domain(xs, spec["xlim"], exact=not len(points)), domain(ys, spec["ylim"]), width, 300, spec)
    out = axes.parts()
    for i, (cx, cy) in enumerate(curves):
        dash = f' stroke-dasharray="{DASHES[i % 6]}"' if i % 6 else ""
        out.append(
            f'<path fill="none" stroke="{SERIES[i % 6]}" stroke-width="2.2"{dash} d="{_path(axes, cx, cy)}"/>'
        )
    out += [
        _dot(axes.px(px), axes.py(py), 4, "#fff", MUTED) for px, py in points if np.isfinite([px, py]).all()
    ]
    for one in handles:
        for point in one:
            at = axes.py(point[1]) if len(point) == 2 else axes.bottom
            if len(point) == 1:
                line = f"M{short(axes.px(point[0]))} {axes.top}V{short(at)}"
                out.append(f'<path stroke="{MUTED}" stroke-dasharray="4 3" d="{line}"/>')
            out.append(_dot(axes.px(point[0]), at, 6, SERIES[1] if len(point) == 2 else SERIES[3], "#fff"))
    return _with_legend(out, names, len(curves), axes)


def _path(axes: _Axes, xs: Sequence[float], ys: Sequence[float]) -> str:
    """Return a curve; on long curves only the points that a pixel can show."""
    out, pen = [], "M"
    for x, y in zip(xs, ys, strict=False):
        if not np.isfinite(y):
            pen = "M"
            continue
        out.append(f"{pen}{short(axes.px(x))} {short(axes.py(y))}")
        pen = "L"
    return "".join(out)


def _dot(x: float, y: float, r: float, fill: str, stroke: str) -> str:
    place = f'cx="{short(x)}" cy="{short(y)}" r="{short(r)}"'
    return f'<circle {place} fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'


def _with_legend(parts: list[str], names: Sequence[str], curves: int, axes: _Axes) -> Drawing:
    if len(names) < 2:
        return axes.height, parts
    out, x = [], 2.0
    for i, name in enumerate(names):
        if i < curves:
            dash = f' stroke-dasharray="{DASHES[i % 6]}"' if i % 6 else ""
            out.append(f'<path stroke="{SERIES[i % 6]}" stroke-width="2.2"{dash} d="M{short(x)} 8h22"/>')
        else:
            out.append(_dot(x + 14, 8, 4, "#fff", MUTED))
        out.append(text(x + 28, 12, name, fill=INK))
        x += 44 + text_width(name)
    return axes.height + 20, [*out, '<g transform="translate(0 20)">', *parts, "</g>"]


def draw_bars(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of bars; of a matrix, its first row."""
    values = np.atleast_2d(scene.numbers(spec["source"]))
    axes = _Axes((0, 1), domain(values.ravel(), spec["ylim"], zero=True), width, 220, spec, bands=True)
    row, labels = values[0], scene.labels(spec["labels"])
    step = (axes.right - axes.left) / len(row)
    zero = axes.py(min(max(0.0, axes.y0), axes.y1))
    out = axes.parts()
    shown = thin(len(row), step, max(text_width(s) for s in labels or [str(len(row))]) + 6, labels is None)
    for i, value in enumerate(row):
        left, top = axes.left + (i + 0.125) * step, axes.py(min(max(np.nan_to_num(value), axes.y0), axes.y1))
        colour = SERIES[1 if value < 0 else 0]
        box = f'x="{short(left)}" y="{short(min(zero, top))}"'
        size = f'width="{short(0.75 * step)}" height="{short(abs(zero - top))}"'
        out.append(f'<rect {box} {size} fill="{colour}"/>')
        if step >= 30:
            middle = left + 0.375 * step
            out.append(
                text(
                    middle,
                    top + 12 if value < 0 else top - 4,
                    number(value),
                    anchor="middle",
                    fill=INK,
                    size=11,
                )
            )
        if i in shown:
            name = labels[i] if labels else str(i + 1)
            out.append(text(left + 0.375 * step, axes.bottom + 17, name, anchor="middle"))
    return axes.height, [
        *out,
        f'<path stroke="{MUTED}" d="M{short(axes.left)} {short(zero)}H{short(axes.right)}"/>',
    ]


def draw_plane(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of groups of points, with equal units on both axes."""
    groups = [scene.numbers(group["source"]).reshape(-1, 2) for group in spec["groups"]]
    told = [np.asarray(group["domain"]).T for group in spec["groups"] if group["domain"]]
    every = np.concatenate([*groups, *told, np.zeros((1, 2))])
    x, y = domain(every[:, 0], spec["xlim"]), domain(every[:, 1], spec["ylim"])
    axes = _Axes(x, y, width, 370, spec)
    axes.equalise(320)
    out = axes.parts()
    if spec["weights"]:
        weights = scene.numbers(spec["weights"])
        for q, k in np.argwhere(weights > 0.01):
            (ax, ay), (bx, by) = groups[0][q], groups[1][k]
            line = f"M{short(axes.px(ax))} {short(axes.py(ay))}L{short(axes.px(bx))} {short(axes.py(by))}"
            out.append(f'<path stroke="#86bde9" stroke-width="{short(0.5 + 6 * weights[q, k])}" d="{line}"/>')
    for i, (group, points) in enumerate(zip(spec["groups"], groups, strict=True)):
        for j, (px, py) in enumerate(points):
            name = group["labels"][j] if group["labels"] else f"{group['prefix']}{j + 1}"
            at = axes.px(px), axes.py(py)
            if group["arrows"]:
                line = f"M{short(axes.px(0))} {short(axes.py(0))}L{short(at[0])} {short(at[1])}"
                out.append(f'<path stroke="{SERIES[i % 6]}" stroke-width="2" d="{line}"/>')
            out.append(_dot(*at, 6, SERIES[i % 6], "#fff"))
            out.append(text(at[0] + 9, at[1] - 7, name, fill=INK))
    return axes.height, out


def draw_history(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of the first point of each curve: no step has been taken yet."""
    values = [float(scene.numbers(one).ravel()[0]) for one in spec["series"]]
    axes = _Axes((0, 10), domain(values, spec["ylim"], zero=not spec["log"]), width, 220, spec)
    dots = [
        _dot(axes.px(0), axes.py(v), 4, SERIES[i % 6], "#fff") for i, v in enumerate(values) if np.isfinite(v)
    ]
    return _with_legend([*axes.parts(), *dots], [one["label"] for one in spec["series"]], len(values), axes)
