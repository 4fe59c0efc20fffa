"""The first page's drawing of attention: a question, four notes, their weights, the answer.

The readings are those of lesson 1a, asked at another hour, so that the lesson's first guess is not told here.
"""

import math

NOTES = {1: 12, 2: 14, 4: 20, 7: 16}  # hour: degrees
ASKED = 5
SIZE = 430, 236
AT = 112, 204, 296, 388  # where the middle of each note is
MIDDLE = 250
NOTE = 76, 52  # width and height
ROWS = {"query": 24, "weights": 90, "keys": 127, "values": 150, "output": 221}


def weights(query: float = ASKED) -> list[float]:
    """Give the share of each note: the nearer its hour, the more.

    >>> [f"{weight:.2f}" for weight in weights()]
    ['0.00', '0.01', '0.81', '0.18']
    """
    heights = [math.exp(-((query - hour) ** 2) / 2) for hour in NOTES]
    return [height / sum(heights) for height in heights]


def answer(query: float = ASKED) -> float:
    """Give the average of what the notes say.

    >>> f"{answer():.1f}"
    '19.2'
    """
    return sum(w * degrees for w, degrees in zip(weights(query), NOTES.values(), strict=True))


def drawn() -> str:
    """Give the drawing as SVG, its colours left to the style sheet.

    >>> "0.81" in drawn(), "19.2 °C" in drawn(), "w<tspan" in drawn()
    (True, True, True)
    """
    top, height = 108, NOTE[1]
    box = f'y="{top}" width="{NOTE[0]}" height="{height}" rx="6"'
    parts = [_row(*row) for row in _NAMES]
    for x, weight, (hour, degrees) in zip(AT, weights(), NOTES.items(), strict=True):
        width = f'stroke-width="{1 + 12 * weight:.1f}"'
        parts += [
            f'<path class="sum-share" {width} d="M{MIDDLE} 34C{MIDDLE} 66 {x} 58 {x} {top}"/>',
            f'<path class="sum-share" {width} d="M{x} {top + height}C{x} 190 {MIDDLE} 180 {MIDDLE} 204"/>',
            f'<rect class="sum-note" {box} x="{x - NOTE[0] / 2:g}"/>',
            _said("key", x, ROWS["keys"], f"hour {hour}"),
            _said("value", x, ROWS["values"], f"{degrees} °C"),
            _said("weight", x, ROWS["weights"], f"{weight:.2f}", "sum-over"),
        ]
    pairs = zip(weights(), NOTES.values(), strict=True)
    added = " + ".join(f"{weight:.2f} · {degrees}" for weight, degrees in pairs)
    parts += [
        _said("query", MIDDLE, ROWS["query"], f"How warm was it at hour {ASKED}?", "sum-over"),
        _said("answer", MIDDLE, ROWS["output"], f"{added} = {answer():.1f} °C", "sum-over"),
    ]
    label = (
        f"A question, how warm it was at hour {ASKED}, four readings, their weights and the average, "
        f"{answer():.1f} °C."
    )
    view = f'viewBox="0 0 {SIZE[0]} {SIZE[1]}"'
    return f'<svg class="drawn-sum" {view} role="img" aria-label="{label}">{"".join(parts)}</svg>'


_NAMES = (("query", ""), ("weights", "w"), ("keys", ""), ("values", "v"), ("output", ""))


def _row(name: str, letter: str) -> str:
    sign = (
        f' <tspan class="sum-letter">{letter}<tspan dy="3" font-size="9">j</tspan></tspan>' if letter else ""
    )
    return f'<text class="sum-name" x="0" y="{ROWS[name]}">{name}{sign}</text>'


def _said(role: str, x: float, y: float, words: str, more: str = "") -> str:
    return f'<text class="sum-{role} {more}" text-anchor="middle" x="{x:g}" y="{y}">{words}</text>'
