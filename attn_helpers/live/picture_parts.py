"""Pieces of the static picture: colours, texts, ticks and cells as short SVG."""

import base64
import json
import re
import struct
import zlib
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.ticker import MaxNLocator

__all__ = [
    "COLOURS",
    "cells",
    "hatch",
    "is_dark",
    "number",
    "padded",
    "ramp",
    "short",
    "text",
    "text_width",
    "thin",
    "ticks",
]

COLOURS = json.loads(Path(__file__).with_name("colours.json").read_text(encoding="utf-8"))
INK, MUTED, LINE = "#1b2430", "#566170", "#dfe4ea"
_LEVELS = 64  # steps of a colour scale in the picture: fewer than the eye tells apart, and short
_VECTOR_CELLS = 700  # more cells than this are stored as pixels


@cache
def ramp(name: str) -> list[str]:
    """Return the colours of a scale, light theme, from its low to its high end."""
    colour_map = LinearSegmentedColormap.from_list(name, COLOURS[name]["light"], N=_LEVELS)
    return [to_hex(colour_map(i)) for i in range(_LEVELS)]


def short(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{round(float(value), 1):g}".replace("-0.0", "0")


def is_dark(colour: str) -> bool:
    """Return whether white letters are read better than black ones on a colour."""
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.2126 * r**2.2 + 0.7152 * g**2.2 + 0.0722 * b**2.2 < 0.18


def padded(labels: list[str] | None, count: int) -> list[str]:
    """Return a name for each item: its number, or the given names; a text may be shorter than the axis."""
    if labels is None:
        return [str(i + 1) for i in range(count)]
    return [visible(label) for label in [*labels, *["·"] * count][:count]]


def visible(token: str) -> str:
    """Return what stands for a token: spaces at its ends and line ends are made visible."""
    ends = re.sub("^ +| +$", lambda spaces: "␣" * len(spaces[0]), token)
    return ends.replace("\n", "⏎").replace("\t", "⇥") or "∅"


def number(value: float, decimals: int = 2) -> str:
    """Return a number as the pictures write it."""
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "∞" if value > 0 else "−∞"
    written = f"{value:.1e}".replace("e+0", "e") if abs(value) >= 1e5 else f"{value:.{decimals}f}"
    return (written[1:] if float(written) == 0 and written[0] == "-" else written).replace("-", "−")


def text_width(letters: str, size: float = 12) -> float:
    """Return about how wide a text is, a little generously: fonts differ, and CJK letters are square."""
    wide = {**dict.fromkeys("ijl.,:;|' ", 0.32), **dict.fromkeys("mwMW@%−<>=+", 0.86)}
    return size * sum(1.02 if ord(c) > 0x2E7F else wide.get(c, 0.62) for c in letters)


def text(
    x: float,
    y: float,
    letters: str,
    *,
    anchor: str = "",
    fill: str = "",
    size: int = 0,
    turn: int = 0,
    bold: bool = False,
) -> str:
    """Return one text; `anchor` is "middle" or "end"."""
    parts = [f'x="{short(x)}" y="{short(y)}"']
    parts += [f'text-anchor="{anchor}"'] if anchor else []
    parts += [f'fill="{fill}"'] if fill else []
    parts += [f'font-size="{size}"'] if size else []
    parts += ['font-weight="600"'] if bold else []
    parts += [f'transform="rotate({turn} {short(x)} {short(y)})"'] if turn else []
    return f"<text {' '.join(parts)}>{escape(letters, quote=False)}</text>"


def thin(count: int, space: float, need: float, numbers: bool) -> list[int]:
    """Return which items of an axis get a label so that labels do not touch."""
    step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 200) if s * space >= need), 500)
    if step == 1 or not numbers:
        return list(range(0, count, step))
    kept = list(range(step - 1, count, step))
    return [0, *kept] if (step - 1) * space >= need else kept


def ticks(low: float, high: float, count: int) -> list[tuple[float, str]]:
    """Return places and texts of the ticks of a linear axis."""
    places = [float(t) for t in MaxNLocator(count, steps=[1, 2, 5, 10]).tick_values(low, high)]
    step = places[1] - places[0] if len(places) > 1 else 1.0
    decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    inside = [t for t in places if low - 1e-9 * step <= t <= high + 1e-9 * step]
    return [(t, number(t, decimals)) for t in inside]


def cells(levels: np.ndarray, colours: Sequence[str], hatched: np.ndarray, panels: int = 1) -> str:
    """Return the cells of one matrix as shapes of unit size; `levels` is -1 where there is no number."""
    if levels.size * panels > _VECTOR_CELLS:
        drawn = _pixels(levels, colours)
    else:
        shown = [k for k in np.unique(levels) if k >= 0 and colours[k] != "#ffffff"]  # the card is white
        drawn = "".join(f'<path fill="{colours[k]}" d="{_runs(levels == k)}"/>' for k in shown)
    blank = hatched | (levels < 0)
    return drawn + (f'<path fill="#eef0f3" d="{_runs(blank)}"/>' if blank.any() else "")


def hatch(blank: np.ndarray, width: float, height: float) -> str:
    """Return the lines over cells that may not be attended to, in pixels."""
    runs = "".join(
        f"M{short(left * width)} {short(row * height)}h{short((right - left) * width)}v{short(height)}"
        f"h{short((left - right) * width)}z"
        for row, left, right in _spans(blank)
    )
    return f'<path fill="url(#no)" d="{runs}"/>' if runs else ""


def _spans(chosen: np.ndarray) -> list[tuple[int, int, int]]:
    spans = []
    for row, line in enumerate(chosen):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(int)))
        spans += [(row, int(left), int(right)) for left, right in zip(edges[::2], edges[1::2], strict=True)]
    return spans


def _runs(chosen: np.ndarray) -> str:
    return "".join(f"M{left} {row}h{right - left}v1h{left - right}z" for row, left, right in _spans(chosen))


def _pixels(levels: np.ndarray, colours: Sequence[str]) -> str:
    """Return a palette PNG, stored without compression: other zlib versions would give other bytes."""
    rows, cols = levels.shape
    lines = b"".join(b"\0" + bytes(row) for row in np.maximum(levels, 0).astype(np.uint8))
    blocks = [lines[i : i + 65535] for i in range(0, len(lines), 65535)]
    stored = b"".join(
        struct.pack("<BHH", block is blocks[-1], len(block), len(block) ^ 0xFFFF) + block for block in blocks
    )
    data = b"\x78\x01" + stored + struct.pack(">I", zlib.adler32(lines))
    palette = b"".join(bytes.fromhex(colour[1:]) for colour in colours)
    head = struct.pack(">IIBBBBB", cols, rows, 8, 3, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    )
    link = "data:image/png;base64," + base64.b64encode(png).decode("ascii")
    return (
        f'<image width="{cols}" height="{rows}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="{link}"/>'
    )
