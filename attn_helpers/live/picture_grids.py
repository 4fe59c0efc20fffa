"""Static drawings of a table and of a row of tokens."""

from typing import Any

import numpy as np

from attn_helpers.live.picture_heatmap import nice_ceil
from attn_helpers.live.picture_parts import (
    COLOURS,
    INK,
    LINE,
    MUTED,
    is_dark,
    number,
    padded,
    ramp,
    short,
    text,
    text_width,
)

__all__ = ["draw_table", "draw_tokens"]

_HEAD, _CELL = 130, 66  # widths of the row names and of one number

Drawing = tuple[float, list[str]]


def draw_table(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of the tables, as far as they fit on the card."""
    y, out = 0.0, []
    for part in spec["parts"]:
        height, drawn = _table(spec, part, scene, width)
        out.append(f'<g transform="translate(0 {short(y)})">{"".join(drawn)}</g>')
        y += height
    return y, out


def _table(spec: dict[str, Any], part: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return one output as rows of numbers, with row sums where told."""
    tensor = scene.numbers(part["source"])
    values = np.atleast_2d(tensor)
    own = [part["axes"][0] == spec["rows_axis"], part["axes"][1] == spec["cols_axis"]]  # else only numbered
    cols = padded(scene.labels(spec["cols"]) if own[1] else None, values.shape[1]) if tensor.ndim else [""]
    rows = padded(scene.labels(spec["rows"]) if own[0] else None, len(values)) if tensor.ndim == 2 else [""]
    sums = np.round(np.atleast_2d(scene.exact(part["source"])).sum(1, keepdims=True), 4) + 0.0
    shown = values[:16, : max(1, int((width - _HEAD) // _CELL) - part["sums"])]
    if part["sums"]:
        shown, cols = np.concatenate([shown, sums[:16]], 1), [*cols[: shown.shape[1]], "sum"]
    ends = [_HEAD + (c + 1) * _CELL - 10 for c in range(shown.shape[1])]
    out = [text(0, 11, part["label"], fill=INK, bold=True)]
    out += [text(x, 11, name, anchor="end") for x, name in zip(ends, cols, strict=False)]
    for r, row in enumerate(shown):
        out.append(text(8, 29 + 18 * r, rows[r]))
        line = 29 + 18 * r if tensor.ndim else 11
        out += [
            text(x, line, number(v, spec["decimals"]), anchor="end", fill=INK)
            for x, v in zip(ends, row, strict=True)
        ]
    return (18 * len(shown) + 24 if tensor.ndim else 20), out


def draw_tokens(spec: dict[str, Any], scene: Any, width: float) -> Drawing:
    """Return height and parts of the tokens, shaded by the weights of the query that is chosen at first."""
    weights = np.atleast_2d(scene.numbers(spec["source"]))
    query = spec["query"] % len(weights)
    row, y = weights[query], 0.0
    top = nice_ceil(float(np.nanmax(row))) if spec["vmax"] == "auto" else spec["vmax"] or 1.0
    shades = [ramp("sequential")[round(share * 63)] for share in np.clip(np.nan_to_num(row) / top, 0, 1)]
    out: list[str] = []
    if spec["query_tokens"]:
        names = padded(scene.labels(spec["query_tokens"]), len(weights))
        y, out = _boxes(names, ["#ffffff"] * len(names), None, query, y, width)
    named = scene.labels(spec["tokens"])
    shown = max(1, len(named)) if spec["tokens"] and spec["tokens"].get("crop") else len(row)
    row, shades, names = row[:shown], shades[:shown], padded(named, len(row))[:shown]
    chosen = None if spec["query_tokens"] or scene.numbers(spec["source"]).ndim == 1 else query
    y, more = _boxes(names, shades, row, chosen, y, width)
    return y, out + more


def _boxes(names, shades, weights, chosen, y, width) -> Drawing:
    """Return tokens in rows that fit the width, each with its weight under it."""
    x, out, step = 0.0, [], 32 if weights is None else 44
    for i, (name, shade) in enumerate(zip(names, shades, strict=True)):
        wide = max(34.0, text_width(name, 14) + 16)
        if x + wide > width and x > 0:
            x, y = 0.0, y + step
        edge = f'stroke="{INK}" stroke-width="2"' if i == chosen else f'stroke="{LINE}"'
        box = f'x="{short(x + 1)}" y="{short(y + 2)}" width="{short(wide - 2)}" height="25" rx="4"'
        ink = COLOURS["ink"]["light"][is_dark(shade)]
        out += [f'<rect {box} fill="{shade}" {edge}/>']
        out += [text(x + wide / 2, y + 19, name, anchor="middle", size=14, fill=ink)]
        if weights is not None:
            out.append(text(x + wide / 2, y + 39, number(weights[i]), anchor="middle", size=10, fill=MUTED))
        x += wide + 4
    return y + step, out
