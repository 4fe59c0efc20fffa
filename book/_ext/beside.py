"""Set what is short beside the paragraphs before it: a question, a small picture or table, hints.

Below its first screen a lesson has two columns, that of its words and what is left of the page, where the
window is wide (`first_screen.css`). The order on the page stays that of the notebook: rows are wrapped,
nothing moves. Sizes are guessed, and only say how many paragraphs stand at the left of a piece.
"""

import html
import re

from chapter_map import NUMBERED
from docutils import nodes
from first_screen import opening
from page_form import CLOSE, HINT, QUESTION, is_cell, is_raw, kind, mark, starts_with

ROOM = 400  # px of a picture or a table that the right column takes
MEASURE = 576  # px of a line of words
LINE, GAP, LETTERS = 28, 17, 70  # px of a line and below a paragraph, letters of a line
FORMULA = 75  # px
TAGS, COMMAND = re.compile(r"<[^>]+>"), re.compile(r"\\[a-z]+|[\\{}^_$]")
SIZE = re.compile(r'class="figure-svg[^>]*? width="(\d+)" height="(\d+)"')
PANELS = re.compile(r'--all: ([\d.]+)".*?viewBox="[\d.]+ 0 [\d.]+ ([\d.]+)"', re.DOTALL)
SHRUNK = 640  # px of a picture that the column of words takes, a little smaller
NOTE = 44  # letters of a line beside a picture
WORDS = (nodes.paragraph, nodes.bullet_list, nodes.enumerated_list, nodes.math_block, nodes.target)
TASK = "Write it yourself"
LAST = ("Sources", "Next")  # what ends a lesson, beside what it has found


def lines(text: str, letters: int = LETTERS) -> int:
    """Count about how many lines a text takes."""
    return -(-len(COMMAND.sub("", text)) // letters)


def tall(node: nodes.Node) -> int:
    """Guess the height of words, in px."""
    if isinstance(node, nodes.target):
        return 0
    if isinstance(node, nodes.math_block):
        return FORMULA
    items = node.children if isinstance(node, nodes.bullet_list | nodes.enumerated_list) else [node]
    return GAP + sum(LINE * lines(item.astext()) for item in items)


def html_of(cell: nodes.Node) -> str:
    """Give the HTML that a cell's output brings."""
    return "".join(raw.astext() for raw in cell.findall(nodes.raw))


def table_size(table: nodes.table) -> tuple[int, int]:
    """Guess how wide a table is if no cell breaks, and how tall."""
    rows = [
        [len(COMMAND.sub("", entry.astext())) for entry in row.findall(nodes.entry)]
        for row in table.findall(nodes.row)
    ]
    return sum(26 + 8 * max(column) for column in zip(*rows, strict=True)), 42 * len(rows)


def picture_size(cell: nodes.Node) -> tuple[int, int]:
    """Give how wide and tall the one picture of a cell is; (0, 0) where its numbers are beside it already."""
    inside = html_of(cell) if is_cell(cell) and kind(cell) == "picture" else ""
    if inside.count("figure-inline") != 1 or "figure-beside" in inside:
        return 0, 0
    if found := SIZE.search(inside):
        return int(found[1]), int(found[2])
    found = PANELS.search(inside)
    return tuple(int(float(each) * 4 / 3) for each in found.groups()) if found else (0, 0)


def question_of(node: nodes.Node) -> nodes.Node | None:
    """Give the one question that a node is, or that a figure's block begins with."""
    if is_cell(node):
        return node if kind(node) == "question" else None
    asked = node.children[0] if node.children and "figure-block" in node.get("classes", ()) else None
    alone = asked and "figure-question" in asked.get("classes", ()) and len(asked.children) == 1
    return question_of(asked[0]) if alone else None


def size(row: list[nodes.Node], place: int) -> tuple[int, int]:
    """Say how many nodes from a place on are one short piece (0: none), and about how tall it is."""
    node = row[place]
    if is_raw(node, HINT):
        depth, end = 0, place
        while end < len(row) and (depth or is_raw(row[end], HINT)):
            if isinstance(row[end], nodes.raw):
                depth += row[end].astext().count("<details") - row[end].astext().count(CLOSE)
            end += 1
        return end - place, 60
    if isinstance(node, nodes.table):
        wide, high = table_size(node)
        return int(wide <= ROOM), high
    if asked := question_of(node):
        inside = html_of(asked)
        said = TAGS.sub("", inside[inside.index(QUESTION) :].split("<details")[0])
        more = 14 * inside.count("<li>") or (130 if '"kind":"cells"' in inside else 40)
        return 1, 95 + 22 * lines(html.unescape(said), 42) + more
    wide, high = picture_size(node)
    return int(0 < wide <= ROOM), high + 60


def words_before(row: list[nodes.Node], start: int, place: int, high: int) -> int:
    """Find from where on the words just before a place are as tall as what stands beside them."""
    first, sum_of = place, 0
    while first > start and isinstance(row[first - 1], WORDS) and sum_of < high:
        first -= 1
        sum_of += tall(row[first])
    while first > start and isinstance(row[first], nodes.math_block) and isinstance(row[first - 1], WORDS):
        first -= 1  # a formula keeps its number's target, and the words that lead to it
    return first


def words_after(row: list[nodes.Node], end: int, room: int) -> int:
    """Find up to where words fill what a tall piece leaves free below those before it."""
    while end < len(row) and isinstance(row[end], nodes.paragraph) and room > tall(row[end]) / 2:
        if starts_with(row[end], TASK):
            break
        room -= tall(row[end])
        end += 1
    return end


def note_after(row: list[nodes.Node], place: int) -> int:
    """Find up to where words stand at the right of a picture that is as wide as the words before it."""
    wide, high = picture_size(row[place])
    end, room = place + 1, high + 2 * LINE
    while 0 < wide <= SHRUNK and end < len(row) and isinstance(row[end], nodes.paragraph):
        room -= GAP + LINE * lines(row[end].astext(), NOTE)
        if room < 0 or starts_with(row[end], TASK):
            break
        end += 1
    led = end < len(row) and (size(row, end)[0] or isinstance(row[end], nodes.math_block | nodes.target))
    return end - 1 if led and end > place + 1 else end  # what a piece or a formula follows stays with it


def wrapped(*parts: list[nodes.Node]) -> list[nodes.Node]:
    """Wrap the parts of a row: words, what stands beside them, and words below the first."""
    block = "figure-block" in parts[1][0].get("classes", ())  # its own question stands beside the words
    made = [mark('<div class="beside wide">')]
    for part, name in zip(parts, ("words", None if block else "piece", "words"), strict=False):
        if part:
            made += [mark(f'<div class="beside-{name}">'), *part, mark("</div>")] if name else part
    return [*made, mark("</div>")]


def ending(row: list[nodes.Node]) -> tuple[int, int, int]:
    """Find what a lesson has found, and its sources and way on, as (from, between, to)."""
    between = next((i for i, node in enumerate(row) if starts_with(node, LAST[0])), 0)
    start, end = between, between
    while start and isinstance(row[start - 1], nodes.paragraph):
        start -= 1
    while end < len(row) and isinstance(row[end], nodes.paragraph) and starts_with(row[end], LAST):
        end += 1
    return start, between, end


def in_rows(row: list[nodes.Node], start: int = 0) -> list[nodes.Node]:
    """Give the nodes of a section with its short pieces beside the words before them."""
    made, place = list(row[:start]), start
    first, between, last = ending(row)
    while place < len(row):
        if place == first < between:
            made += wrapped(row[first:between], row[between:last])
            place = start = last
            continue
        many, high = size(row, place)
        begin = words_before(row, start, place, high)
        before, asked = sum(map(tall, row[begin:place])), question_of(row[place])
        of_a_block = asked is not None and asked is not row[place]
        if of_a_block and before < high / 2:
            many = 0  # a line beside a figure's question would leave a hole above the figure
        if many and begin < place:
            end = place + many
            stays = of_a_block or is_raw(row[place], HINT)
            below = end if stays else words_after(row, end, high - before)
            del made[len(made) - (place - begin) :]
            made += wrapped(row[begin:place], row[place:end], row[end:below])
            place = start = below
            continue
        if (end := note_after(row, place)) > place + 1:
            made += wrapped(row[place : place + 1], row[place + 1 : end])
            place = start = end
            continue
        if asked is row[place]:
            row[place]["classes"].append("question-wide")
        made.append(row[place])
        place += 1
    return made


def arrange(app, doctree: nodes.document, docname: str) -> None:
    """Lay out the sections of a lesson; its first screen has its own form."""
    if not NUMBERED.fullmatch(docname) or app.builder.format != "html":
        return
    top = next(iter(doctree.findall(nodes.section)))
    first = opening(top) + 1
    folds = [node for node in doctree.findall(nodes.container) if "deeper-row" in node["classes"]]
    for table in doctree.findall(nodes.table):
        table["classes"].append("table-page" if table_size(table)[0] > MEASURE else "table-words")
    for parent in [*doctree.findall(nodes.section), *folds]:
        row = list(parent.children)
        parent.children = []
        parent.extend(in_rows(row, first if parent is top else 0))


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx, before the first screen is laid out."""
    app.connect("doctree-resolved", arrange, priority=940)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
