"""Draw still pictures again: for a card as much as can be read, for a lent figure the views that it keeps.

The page's own code draws them, in Node, as it drew those that the notebooks store.
"""

import functools
import json
import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from sphinx.errors import ExtensionError

from livetorch.node import ask

ROOM = 320, 200  # of a picture on a card, in pixels
LEAST = 0.5  # below this scale, less is shown
ROOMS = 640, 440, 320  # pixels that one view is tried in
SAYS_LITTLE = ("number", "history", "table")  # one number, a curve not begun yet, words
SVG = "http://www.w3.org/2000/svg"
WORDLESS = ("tokens", "flow")  # boxes and specks, once their words and numbers are gone
WORDY = re.compile("lt-(axis-title|ramp|legend|foot)")
RIM = 4  # pixels around the marks
NUMBERS = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
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


def marks(specs: Sequence[dict]) -> str:
    """Give a small picture without a word: the marks of the first view that says something without it."""
    views = [(spec, place) for spec in specs for place in range(len(spec["views"]))]
    kinds = [spec["views"][place]["kind"] for spec, place in views]
    first = next((at for at, kind in enumerate(kinds) if kind not in (*SAYS_LITTLE, *WORDLESS)), 0)
    spec, place = views[first]
    room = {"flow": ROOMS[0], "arcs": ROOMS[1]}.get(kinds[first], ROOMS[-1])  # in less they stand upright
    return cropped(redraw(fewer(spec, [place]), room), kinds[first] == "plane")


def cropped(svg: str, bare: bool = False) -> str:
    """Leave out words and legends, and what lies around the rest; bare: axes and their grid, too.

    >>> svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>a</text><path d="M9 8h10v5"/></svg>'
    >>> cropped(svg).split(" ", 2)[2]
    'viewBox="5 4 18 13" width="18" height="13"><path d="M9 8h10v5" /></svg>'
    >>> grid = svg.replace("<text>a</text>", '<g class="lt-axes"><path d="M0 0h99"/></g>')
    >>> cropped(grid, bare=True) == cropped(svg)
    True
    """
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(svg)
    for parent in root.iter():
        for child in list(parent):
            legend = any(one.get("d", "").endswith(",9h22") for one in child)  # a dash of a curve's colour
            ground = child.get("rx") == "6"
            grid = bare and child.get("class") == "lt-axes"
            if (
                child.tag == f"{{{SVG}}}text"
                or legend
                or ground
                or grid
                or WORDY.search(child.get("class", ""))
            ):
                parent.remove(child)
    xs, ys = zip(*_corners(root, (0.0, 0.0, 1.0)), strict=True)
    left, top = min(xs) - RIM, min(ys) - RIM
    across, down = max(xs) + RIM - left, max(ys) + RIM - top
    root.set("viewBox", f"{left:g} {top:g} {across:g} {down:g}")
    root.attrib |= {"width": f"{across:g}", "height": f"{down:g}"}
    return ElementTree.tostring(root, encoding="unicode")


def _corners(node: ElementTree.Element, at: tuple[float, float, float]) -> Iterator[tuple[float, float]]:
    """Give points that a node reaches to; at: where its 0 is, and its scale."""
    if node.tag in (f"{{{SVG}}}defs", f"{{{SVG}}}style"):
        return
    x, y, scale = at
    for kind, numbers in re.findall(r"(translate|scale)\(([^)]*)\)", node.get("transform", "")):
        first, second = (*map(float, NUMBERS.findall(numbers)), 0.0)[:2]
        x, y, scale = (
            (x + scale * first, y + scale * second, scale) if kind == "translate" else (x, y, scale * first)
        )

    def value(name: str) -> float:
        return float(node.get(name, 0))

    own = {
        "rect": [(value("x"), value("y")), (value("x") + value("width"), value("y") + value("height"))],
        "line": [(value("x1"), value("y1")), (value("x2"), value("y2"))],
        "circle": [(value("cx") + d, value("cy") + d) for d in (-value("r"), value("r"))],
        "path": _along(node.get("d", "")),
    }
    yield from ((x + scale * a, y + scale * b) for a, b in own.get(node.tag.partition("}")[2], ()))
    for child in node:
        yield from _corners(child, (x, y, scale))


def _along(path: str) -> list[tuple[float, float]]:
    """Give the ends of a path's parts, where a curve begins and ends."""
    found, (x, y) = [], (0.0, 0.0)
    for letter, numbers in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", re.sub(r"[\d.]+e-\d+", "0", path)):
        many = list(map(float, NUMBERS.findall(numbers)))
        step = {"h": 1, "v": 1, "c": 6, "q": 4, "s": 4, "a": 7, "z": 1}.get(letter.lower(), 2)
        for place in range(0, len(many), step):
            a, b = (*many[place : place + step], 0.0)[-3:-1] if step > 1 else (many[place], many[place])
            from_x, from_y = (x, y) if letter.islower() else (0.0, 0.0)
            x, y = x if letter in "vV" else from_x + a, y if letter in "hH" else from_y + b
            found.append((x, y))
    return found


@functools.cache  # the gallery and shared links show the same
def _thumbnail(text: str) -> str:
    spec = json.loads(text)
    whole = redraw(spec, round(ROOM[0] / LEAST))
    if scale(whole) >= LEAST:
        return whole
    kinds = [view["kind"] for view in spec["views"]]
    telling = next((place for place, kind in enumerate(kinds) if kind not in SAYS_LITTLE), 0)
    return max((redraw(fewer(spec, [telling]), room) for room in ROOMS), key=scale)
