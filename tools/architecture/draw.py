"""Draw the picture of book/architecture.md from the code: which part stands on which.

python tools/architecture/draw.py            write book/architecture.svg
python tools/architecture/draw.py --check    fail if it is not as the code is
"""

import sys
from html import escape

from imports import ROOT, Band, imports, javascript_band, javascript_rooms, python_band

PICTURE = ROOT / "book" / "architecture.svg"
WIDTH, GAP, ROOM, ROW, EDGE = 760, 14, 30, 60, 12  # pixels
LETTER = 7.3  # width of one, at 13 px
STYLE = """
.house text { font: 13px system-ui, sans-serif; fill: currentColor; }
.house .what { font-size: 12px; opacity: 0.75; }
.house .name { font-weight: 600; }
.house rect { fill: currentColor; fill-opacity: 0.04; stroke: currentColor; stroke-opacity: 0.35; }
.house .room { fill: var(--pst-color-background, Canvas); fill-opacity: 1; stroke-opacity: 0.6; }
.house path { fill: none; stroke: currentColor; stroke-opacity: 0.55; }
.house .travels { stroke-dasharray: 5 4; stroke-opacity: 0.9; }
.house marker path { fill: currentColor; stroke: none; fill-opacity: 0.7; }
"""


def bands() -> list[Band]:
    """Read the packages, the highest first; the engine's script is the last."""
    return [
        page_band(),
        python_band("attn_lessons", "what lessons study and ask", ("studies", "exercises")),
        python_band("attn_helpers", "the formulas that lessons explain"),
        python_band("livetorch", "the engine: a torch function in, a live page out"),
        javascript_band(
            "livetorch/js",
            "the same engine in the reader's browser",
            (
                "embed",
                "hosts",
                "figure",
                "panel",
                "open",
                "compare",
                "curves",
                "controls",
                "views",
                "runtime",
                "shared",
            ),
        ),
    ]


def page_band() -> Band:
    """Read what runs lessons' cells in a page, in both languages."""
    called = {"torch": "pagepython/facade", "numpy": "pagepython/facade/_numpy"}
    band = python_band("pagepython", "runs the lessons' cells in the reader's browser", called=called)
    for room, others in javascript_band("pagepython", "", javascript_rooms("pagepython")).uses.items():
        band.uses.setdefault(room, set()).update(others)
    return band


def draw() -> str:
    """Give the picture as SVG that takes the page's colours."""
    parts, top, last = [], 0.0, None
    for band in bands():
        if last is not None:
            parts.append(_between(last, band, top))
            top += 46
        drawn, height = _band(band, top)
        parts += drawn
        top, last = top + height, band
    label = "Packages and their parts; each stands above what it imports from"
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="figure-svg house" style="--least: 633px" '
        f'viewBox="0 0 {WIDTH} {top:.0f}" role="img" aria-label="{label}">\n<style>{STYLE}</style>\n'
        '<defs><marker id="house-tip" viewBox="0 0 8 8" '
        'refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z"/></marker></defs>\n'
    )
    return head + "\n".join(parts) + "\n</svg>\n"


def _between(upper: Band, lower: Band, top: float) -> str:
    """Draw what goes from one package to the next below: imports, or Programs."""
    x, travels = WIDTH / 2, lower.name.endswith("/js")
    if travels:
        words, kind = "Programs, as JSON in the page", "travels"
    elif imports(upper.name, lower.name):
        words, kind = "imports from", "imports"
    else:  # it stands beside the packages below
        others = [band.name for band in bands() if band is not upper and imports(upper.name, band.name)]
        return (
            f'<text class="what" x="{x}" y="{top + 27:.0f}">imports from {" and ".join(others)} alone</text>'
        )
    return (
        f'<path class="{kind}" d="M{x} {top + 4:.0f}V{top + 40:.0f}" marker-end="url(#house-tip)"/>'
        f'<text class="what" x="{x + 12}" y="{top + 27:.0f}">{words}</text>'
    )


def _band(band: Band, top: float) -> tuple[list[str], float]:
    rows = [line for row in band.levels() for line in _lines(row)]
    height = 34 + len(rows) * ROW - (ROW - ROOM) + EDGE
    parts = [
        f'<rect x="1" y="{top + 1:.0f}" width="{WIDTH - 2}" height="{height - 2:.0f}" rx="8"/>',
        f'<text class="name" x="{EDGE}" y="{top + 21:.0f}">{band.name}/</text>',
        f'<text class="what" x="{EDGE + (len(band.name) + 3) * LETTER:.0f}" y="{top + 21:.0f}">'
        f"{escape(band.title, quote=False)}</text>",
    ]
    places = {}
    for number, row in enumerate(rows):
        y = top + 34 + number * ROW
        x = (WIDTH - sum(map(_wide, row)) - GAP * (len(row) - 1)) / 2
        for room in row:
            places[room] = (x, y)
            x += _wide(room) + GAP
    for room, other in band.arrows():
        parts.append(_arrow(places[room], _wide(room), places[other], _wide(other)))
    for room, (x, y) in places.items():
        middle = x + _wide(room) / 2
        parts.append(
            f'<rect class="room" x="{x:.0f}" y="{y:.0f}" width="{_wide(room):.0f}" height="{ROOM}" rx="6"/>'
            f'<text x="{middle:.0f}" y="{y + 20:.0f}" text-anchor="middle">{room}</text>'
        )
    return parts, height


def _lines(row: list[str]) -> list[list[str]]:
    """Break a row that is too long for the picture."""
    lines: list[list[str]] = [[]]
    for room in row:
        if sum(map(_wide, [*lines[-1], room])) + GAP * len(lines[-1]) > WIDTH - 2 * EDGE:
            lines.append([])
        lines[-1].append(room)
    return lines


def _wide(room: str) -> float:
    return len(room) * LETTER + 18


def _arrow(start: tuple[float, float], wide: float, end: tuple[float, float], other: float) -> str:
    x, y = start[0] + wide / 2, start[1] + ROOM
    u, v = end[0] + other / 2, end[1] - 2
    bend = max(14.0, (v - y) / 2)
    return (
        f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {u:.0f} {v - bend:.0f} {u:.0f} {v:.0f}" '
        'marker-end="url(#house-tip)"/>'
    )


def main() -> int:
    """Write the picture, or compare it."""
    if "--check" not in sys.argv:
        PICTURE.write_text(draw(), encoding="utf-8")
        return 0
    if PICTURE.read_text(encoding="utf-8") != draw():
        print("book/architecture.svg is not as the code is: python tools/architecture/draw.py writes it anew")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
