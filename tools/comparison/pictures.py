"""Two SVG pictures compared: the same shapes and words, coordinates to half a unit, colours to one shade.

Names that are hashes of a picture's content do not count. Cells of a heatmap are compared one by one, though
those of one colour are drawn as one path.
"""

import base64
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree

import numpy as np
import printed

HALF_A_UNIT = 0.5
THIN = 0.1001  # widths of lines and the like are written with one decimal
SCALED = 0.01  # of a factor
ITS = "its "  # an attribute of the shape that a mark repeats
SHADE = 16  # of 255: neighbours on the coarsest colour scale differ by less, hatching and white by more

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b")
_PLACES = {"x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "points", "d"}
_PLACES |= {"viewBox", "transform"}
_COLOURED = ("fill", "style")
_RUN = re.compile(r"M(\d+) (\d+)h(\d+)v1h-\d+z")
_BOX = re.compile(r"M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H\1z")
_WHITE = "#ffffff"  # a cell of this colour is left out: the card is white
_Cell = tuple[str, tuple[float, ...]]


@dataclass(frozen=True)
class _Mark:
    """One thing that is drawn: its kind, its attributes without names, its words, its cells' colours."""

    kind: str
    attributes: Mapping[str, str]
    words: str = ""
    cells: Mapping[tuple[int, int], _Cell] = field(default_factory=dict)


def differences(stored: str, computed: str) -> list[str]:
    """Say where two SVG documents show something else; an empty list if nowhere."""
    if stored == computed:
        return []
    old, new = ([*_marks(tree, _by_name(tree))] for tree in map(ElementTree.fromstring, (stored, computed)))
    if len(old) != len(new):
        return [f"picture: {len(old)} shapes stored, {len(new)} computed"]
    return [f"picture, {a.kind}: {fault}" for a, b in zip(old, new, strict=True) for fault in _compared(a, b)]


# --- what is drawn --------------------------------------------------------------------------------


def _marks(node: ElementTree.Element, named: dict[str, ElementTree.Element]) -> Iterator[_Mark]:
    """List what a part of the document draws; a shape that is kept for use is listed where it is used."""
    kind, attributes, words = _tag(node), _unnamed(node), (node.text or "").strip()
    if kind == "use":
        yield _Mark(kind, attributes | {ITS + name: v for name, v in _unnamed(named[_link(node)]).items()})
    elif not (kind == "path" and "id" in node.attrib):
        if kind == "image":
            attributes["pixels"] = _link(node)
        if kind == "text" and printed.is_number(words):  # its ink turns where its cell gets dark
            attributes = {name: v for name, v in attributes.items() if name not in _COLOURED}
        runs = [child for child in node if _is_cells(child, attributes)]
        yield _Mark(kind, attributes, words, _cells(runs))
        yield from (mark for child in node if child not in runs for mark in _marks(child, named))


def _tag(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]


def _unnamed(node: ElementTree.Element) -> dict[str, str]:
    return {name: v for name, v in node.attrib.items() if name != "id" and not name.endswith("href")}


def _link(node: ElementTree.Element) -> str:
    return next((value.removeprefix("#") for name, value in node.attrib.items() if name.endswith("href")), "")


def _by_name(tree: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {node.attrib["id"]: node for node in tree.iter() if "id" in node.attrib}


def _is_cells(node: ElementTree.Element, around: Mapping[str, str]) -> bool:
    """Tell whether a path is all cells of one colour: of a live figure, or of a heatmap of matplotlib's."""
    crisp = "crispEdges" in (node.get("shape-rendering"), around.get("shape-rendering"))
    return crisp and _tag(node) == "path" and not _BOX.sub("", _RUN.sub("", node.get("d", "")))


def _cells(paths: list[ElementTree.Element]) -> dict[tuple[int, int], _Cell]:
    """List the cells of several colours by row and column: colour, and the places of its sides.

    A live figure draws runs of cells of unit size and leaves out white ones, matplotlib draws every box.
    """
    drawn = [(path.attrib["d"], path.get("style") or path.get("fill", "")) for path in paths]
    cells: dict[tuple[int, int], _Cell] = {
        (int(row), int(left) + i): (colour, ())
        for d, colour in drawn
        for left, row, length in _RUN.findall(d)
        for i in range(int(length))
    }
    boxes = [(tuple(map(float, box)), colour) for d, colour in drawn for box in _BOX.findall(d)]
    rows, columns = (sorted({box[side] for box, _ in boxes}) for side in (1, 0))
    return cells | {(rows.index(box[1]), columns.index(box[0])): (colour, box) for box, colour in boxes}


# --- compared -------------------------------------------------------------------------------------


def _compared(old: _Mark, new: _Mark) -> Iterator[str]:
    if old.kind != new.kind or list(old.attributes) != list(new.attributes):
        yield f"{old.kind} {list(old.attributes)} stored, {new.kind} {list(new.attributes)} computed"
        return
    yield from printed.differences(old.words, new.words)
    for name, value in old.attributes.items():
        faults = _attribute(name.removeprefix(ITS), value, new.attributes[name])
        yield from (f"{name}: {fault}" for fault in faults)
    for cell in sorted(old.cells.keys() | new.cells.keys()):
        pair = (mark.cells.get(cell, (_WHITE, ())) for mark in (old, new))
        yield from (f"row {cell[0]}, column {cell[1]}: {fault}" for fault in _cell(*pair))


def _attribute(name: str, old: str, new: str) -> Iterator[str]:
    if name == "pixels":
        yield from _pixels(old, new)
        return
    old, new = (re.sub(r"url\(#[^)]*\)", "url()", text) for text in (old, new))
    words = [_NUMBER.split(_COLOUR.sub("#", text)) for text in (old, new)]
    if [_bare(word) for word in words[0]] != [_bare(word) for word in words[1]]:
        yield f"{_brief(old)} stored, {_brief(new)} computed"
        return
    for before, after in zip(_COLOUR.findall(old), _COLOUR.findall(new), strict=True):
        yield from _shade(before, after)
    numbers = [map(float, _NUMBER.findall(_COLOUR.sub("#", text))) for text in (old, new)]
    function = ""
    for word, before, after in zip(words[0], *numbers, strict=False):
        function = word.strip(" ,)(") or function
        allowed = (
            THIN if name not in _PLACES else SCALED * abs(before) if function == "scale" else HALF_A_UNIT
        )
        if abs(before - after) > allowed:
            yield f"{before:g} stored, {after:g} computed: {printed.by(abs(before - after), allowed)}"


def _cell(old: _Cell, new: _Cell) -> Iterator[str]:
    yield from _attribute("fill", old[0], new[0])
    if max((abs(a - b) for a, b in zip(old[1], new[1], strict=False)), default=0.0) > HALF_A_UNIT:
        yield f"at {old[1]} stored, at {new[1]} computed"


def _bare(word: str) -> str:
    return re.sub(r"[\s,]+", "", word)


def _brief(text: str) -> str:
    return text if len(text) < 60 else text[:57] + "..."


def _shade(before: str, after: str) -> Iterator[str]:
    gap = int(np.abs(_rgb(before) - _rgb(after)).max())
    if gap > SHADE:
        yield f"colour {before} stored, {after} computed: {printed.by(gap, SHADE)} of 255"


def _rgb(colour: str) -> np.ndarray:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * letter for letter in colour[1:])
    return np.array([int(digits[i : i + 2], 16) for i in (0, 2, 4)])


def _pixels(old: str, new: str) -> Iterator[str]:
    before, after = (_decoded(link) for link in (old, new))
    if before.shape != after.shape:
        yield f"{before.shape} stored, {after.shape} computed"
    elif (gap := int(np.abs(before - after).max())) > SHADE:
        row, column = (int(i) for i in np.argwhere(np.abs(before - after).max(-1) > SHADE)[0])
        yield f"row {row}, column {column}: {printed.by(gap, SHADE)} of 255"


def _decoded(link: str) -> np.ndarray:
    from PIL import Image

    data = base64.b64decode(link.partition("base64,")[2])
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGBA")).astype(int)
