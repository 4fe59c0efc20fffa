"""Draw still pictures again: for a card as much as can be read, for a lent figure the views that it keeps.

The page's own code draws them, in Node, as it drew those that the notebooks store.
"""

import functools
import json
import re
from collections.abc import Sequence

from sphinx.errors import ExtensionError

from livetorch.node import ask

ROOM = 320, 200  # of a picture on a card, in pixels
LEAST = 0.5  # below this scale, less is shown
ROOMS = 640, 440, 320  # pixels that one view is tried in
SAYS_LITTLE = ("number", "history", "table")  # one number, a curve not begun yet, words
SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def redraw(spec: dict, room: int | None = None) -> str:
    """Give a figure's picture as SVG; in `room` pixels no wider than its views are, else as it is stored."""
    answer = ask({"draw": spec, **({"room": room} if room else {})}) or {"error": "there is no Node"}
    if "error" in answer:
        why = answer["error"].rstrip(".")
        raise ExtensionError(f"the figure {spec['name']!r} cannot be drawn again: {why}.")
    return answer["svg"]


def fewer(spec: dict, views: Sequence[int]) -> dict:
    """Give a figure's JSON with some of its views only.

    >>> fewer({"views": ["a", "b", "c"], "rows": [[0, 1], [2]]}, [1, 2])
    {'views': ['b', 'c'], 'rows': [[0], [1]]}
    """
    rows = [[views.index(place) for place in row if place in views] for row in spec.get("rows") or ()]
    kept = [spec["views"][place] for place in views]
    return {**spec, "views": kept, "rows": [row for row in rows if row] or None}


def size(svg: str) -> tuple[int, int]:
    """Give the width and height of a picture.

    >>> size('<svg width="320" height="200">')
    (320, 200)
    """
    return tuple(map(int, SIZE.search(svg).groups()))


def scale(svg: str) -> float:
    """Give how large a picture is on a card, 1: as it is drawn."""
    return min(room / own for room, own in zip(ROOM, size(svg), strict=True))


def thumbnail(spec: dict) -> str:
    """Give what of a figure can be read on a card: all of it, or the first view that says something."""
    return _thumbnail(json.dumps(spec))


@functools.cache  # the gallery, the landing page and shared links show the same
def _thumbnail(text: str) -> str:
    spec = json.loads(text)
    whole = redraw(spec, round(ROOM[0] / LEAST))
    if scale(whole) >= LEAST:
        return whole
    kinds = [view["kind"] for view in spec["views"]]
    telling = next((place for place, kind in enumerate(kinds) if kind not in SAYS_LITTLE), 0)
    return max((redraw(fewer(spec, [telling]), room) for room in ROOMS), key=scale)
