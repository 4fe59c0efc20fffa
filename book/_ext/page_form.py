"""Give a notebook's page its form: question, figure, answer and code of a figure stand together.

The notebooks stay as they run from top to bottom. On the page

- a live figure, the prediction asked before it ("Predict ..."), what is told after it ("What to notice
  ...") and its code, folded, become one block that nothing splits;
- all that a figure or picture brings along besides itself (its numbers, its code, what gets it ready, what
  checks the sentences about it) waits in one fold below it; a check
  without a figure goes to the one before;
- the hints of an exercise wait one behind the other;
- questions show no code: it holds the answer; a long listing of the package's own code is folded.

Tags of a code cell decide where the rules above would not: ``idea`` keeps its code in view, ``setup``,
``figure``, ``check`` and ``experiment`` fold it. Folds are ``<details>`` and work without a script.
"""

import html
import itertools
import re
from collections.abc import Iterable

from docutils import nodes
from sphinx.transforms import SphinxTransform

LINES_OF_A_CELL = 10_000  # MyST-NB counts lines as 10,000 times the cell, from 1, and the line in it
SHORT_LISTING = 12  # lines of the package's own code that stay in view
FOLDED = {"setup": "Setup", "check": "Checks"}
LABELS = ("Numbers", "Code", *FOLDED.values())  # of the parts of a fold, in its order
LIVE, QUESTION = 'class="livetorch"', "lt-question"
HINT, CLOSE = "<details><summary>Hint", "</details>"
FEW = (3, 16, 50)  # from so many lines to so many, of so many signs at most: numbers beside their picture
NUMBERS = re.compile(r'<pre class="figure-numbers".*?</pre>', re.DOTALL)
IMPORTS = re.compile(r"(?:import|from) \w")
NOT_WRITTEN = "<p><strong>Your function is still empty.</strong>"


def is_cell(node: nodes.Node) -> bool:
    """Tell whether a node is a notebook's code cell."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def parts(cell: nodes.container) -> tuple[nodes.container | None, nodes.container | None]:
    """Give a cell's code and its output, None where it has none."""
    found = {child.get("nb_element"): child for child in cell.children}
    return found.get("cell_code_source"), found.get("cell_code_output")


def tags(cell: nodes.container) -> set[str]:
    """Give the tags of a code cell."""
    return set(cell.get("cell_metadata", {}).get("tags", []))


def _raw(cell: nodes.container) -> str:
    return "".join(node.astext() for node in cell.findall(nodes.raw) if "html" in node.get("format", ""))


def kind(cell: nodes.container) -> str:
    """Say what a code cell is on the page: live, question, setup, source, code, or what its tag says."""
    (code, output), text = parts(cell), _raw(cell)
    written = code.astext().lstrip() if code else ""
    if LIVE in text:
        return "live"
    if QUESTION in text:
        return "question"
    if output is None and ("setup" in tags(cell) or IMPORTS.match(written)):
        return "setup"
    if named := {"check", "experiment"} & tags(cell):
        return named.pop()
    if written.startswith("show_source("):
        return "source"
    if {"figure", "setup"} & tags(cell) or "figure-inline" in text or cell.get("hide_mode") == "input":
        return "picture"  # what a preparation shows stays in view
    return "code"


def starts_with(node: nodes.Node, words: str | tuple[str, ...]) -> bool:
    """Tell whether a node is a paragraph that opens with these words (or some of these) in bold type."""
    inside = node.children if isinstance(node, nodes.paragraph) else ()
    bold = next((child for child in inside if child.astext().strip()), None)  # the parser leaves empty text
    return isinstance(bold, nodes.strong) and bold.astext().startswith(words)


def is_raw(node: nodes.Node, begins: str) -> bool:
    """Tell whether a node is a piece of HTML that begins with these letters."""
    return isinstance(node, nodes.raw) and node.astext().lstrip().startswith(begins)


def mark(text: str) -> nodes.raw:
    """Give a piece of HTML as a node."""
    return nodes.raw("", text, format="html")


def fold(summary: str, inside: Iterable[nodes.Node], name: str = "code-fold") -> list[nodes.Node]:
    """Put nodes into a ``<details>``."""
    opening = f'<details class="{name}"><summary>{html.escape(summary)}</summary>'
    return [mark(opening), *inside, mark("</details>")]


def counted(summary: str, codes: Iterable[nodes.Node]) -> str:
    """Say how many lines of code wait in a fold."""
    lines = sum(len(code.astext().strip().splitlines()) for code in codes)
    return f"{summary} ({lines} line{'s' * (lines != 1)})"


def shorten_reply(cell: nodes.container) -> None:
    """Say of an exercise only that nobody has written it: task and hints stand right above."""
    for raw in cell.findall(nodes.raw):
        if raw.astext().startswith(NOT_WRITTEN):
            raw.children = []
            raw += nodes.Text(f"{NOT_WRITTEN}</p>")


def nest_hints(row: list[nodes.Node]) -> list[nodes.Node]:
    """Put each hint of an exercise behind the one before it: all of them close after the last."""
    nested: list[nodes.Node] = []
    waiting: list[nodes.Node] = []  # the ends of hints that another one followed
    for node, follows in itertools.zip_longest(row, row[1:]):
        if is_raw(node, CLOSE) and follows is not None and is_raw(follows, HINT):
            waiting.append(node)
            continue
        nested.append(node)
        if is_raw(node, CLOSE) and waiting:
            nested += waiting
            waiting = []
    return nested + waiting


class Host:
    """A live figure's block, or the cell of a picture, and what waits in the fold below it."""

    def __init__(self, node: nodes.container, **parts: list[nodes.Node]) -> None:
        """Begin with the numbers and the code of the figure itself."""
        self.node, self.parts = node, parts

    def add(self, what: str, node: nodes.Node) -> None:
        """Put one more cell into the fold."""
        self.parts.setdefault(what, []).append(node)

    def close(self) -> None:
        """Write the folds below the figure: where its numbers are few, they have their own."""
        numbers = self.parts.get("Numbers", [])
        if numbers and all(are_few(raw.astext()) for raw in numbers):
            self.node.extend(fold("Numbers", self.parts.pop("Numbers"), "code-fold figure-beside"))
        named = [(label, self.parts[label]) for label in LABELS if self.parts.get(label)]
        if not named:
            return
        words = [label.lower() if place else label for place, (label, _) in enumerate(named)]
        summary = " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
        inside: list[nodes.Node] = []
        for label, cells in named:
            if label != "Numbers":
                label = counted(label, cells)
            inside += [mark(f'<p class="fold-part">{label}</p>')] * (len(named) > 1) + cells
        self.node.extend(fold(summary, inside, "code-fold under-figure"))


def are_few(numbers: str) -> bool:
    """Tell whether numbers have room beside their picture, and are a table that is read."""
    lines = html.unescape(re.sub("<[^>]+>", "", numbers)).strip("\n").split("\n")
    return FEW[0] <= len(lines) <= FEW[1] and max(map(len, lines)) <= FEW[2] and "$" not in numbers


def numbers_of(cell: nodes.container) -> list[nodes.Node]:
    """Take the numbers out of the pictures of a cell."""
    taken: list[nodes.Node] = []
    for raw in cell.findall(nodes.raw):
        if found := NUMBERS.search(raw.astext()):
            raw.children = [nodes.Text(raw.astext().replace(found[0], ""))]
            taken.append(mark(found[0]))
    return taken


def host_of(node: nodes.Node) -> Host | None:
    """Say whether a node of a row can have a fold below it; its own code goes there."""
    if isinstance(node, nodes.container) and "figure-place" in node["classes"]:
        node = node.children[-1]
    if isinstance(node, nodes.container) and "figure-block" in node["classes"]:
        return Host(node, Code=node.attributes.pop("codes"), Setup=node.attributes.pop("needs"))
    if is_cell(node) and kind(node) == "picture":
        numbers = numbers_of(node)
        return Host(node, Numbers=numbers, Code=[] if "idea" in tags(node) else split_off(node))
    return None


def gather(rows: list[nodes.Element]) -> None:
    """Bring checks to the figure before them and preparations to the figure after them; then fold."""
    hosts: list[Host] = []
    waiting: list[nodes.Node] = []  # preparations, and checks before the first figure
    for parent in rows:
        stay: list[nodes.Node] = []
        for node in parent.children:
            what = kind(node) if is_cell(node) and "idea" not in tags(node) else ""
            if what == "check" and hosts:
                hosts[-1].add(FOLDED[what], node)
            elif what in FOLDED:
                waiting.append(node)
            else:
                stay.append(node)
                if host := host_of(node):
                    hosts.append(host)
                    for cell in waiting:
                        host.add(FOLDED[kind(cell)], cell)
                    waiting = []
        parent.children = []
        parent.extend(stay)
    for cell in waiting if hosts else ():
        hosts[-1].add(FOLDED[kind(cell)], cell)
    if waiting and not hosts:
        rows[-1].extend(waiting)
    for host in hosts:
        host.close()


def fold_code(cell: nodes.container) -> None:
    """Fold a listing or an experiment by itself; a question loses its code."""
    (code, output), what = parts(cell), kind(cell)
    if what == "question" and code:
        cell.remove(code)
    elif what == "source" and output is not None:
        lines = len(output.astext().splitlines())
        names = code.astext().strip()[len("show_source(") :].split(")")[0].replace("\n", " ")
        listing = "The package's own code: " + " ".join(names.split()).strip(" ,")
        folded = fold(counted(listing, [output]), [output]) if lines > SHORT_LISTING else [output]
        cell.children = []
        cell.extend(folded)
    elif what == "experiment" and code and "idea" not in tags(cell):
        cell.remove(code)
        cell.extend(fold(counted("The experiment", [code]), [*numbers_of(cell), code]))
    elif what not in {"picture", *FOLDED} or "idea" in tags(cell):
        return
    if cell.get("hide_mode") == "input":
        del cell["hide_mode"]
    cell["classes"].append(f"cell-{what}")


def split_off(cell: nodes.container) -> list[nodes.Node]:
    """Take the code away from a cell whose fold stands elsewhere."""
    code, _ = parts(cell)
    if code is None:
        return []
    cell.remove(code)
    return [code]


def before(row: list[nodes.Node], place: int) -> tuple[int, list, list]:
    """Find the prediction before a figure: from where, what is asked, and the code cells in between."""
    start = place
    while start and is_cell(row[start - 1]) and kind(row[start - 1]) == "question":
        start -= 1  # graded questions just before the figure belong to it
    asked, first = row[start:place], start
    while (
        first and is_cell(row[first - 1]) and kind(row[first - 1]) == "code" and not parts(row[first - 1])[1]
    ):
        first -= 1
    words = first
    while words and not is_cell(row[words - 1]) and not starts_with(row[words - 1], "Predict"):
        words -= 1
    if words and starts_with(row[words - 1], "Predict"):
        return words - 1, [*row[words - 1 : first], *asked], row[first:start]
    return start, asked, []


def after(row: list[nodes.Node], place: int) -> tuple[int, list]:
    """Find what is told after a figure: up to where, and the nodes."""
    first = place + 1
    while first < len(row) and is_cell(row[first]) and kind(row[first]) == "code":
        first += 1
    if first == len(row) or not starts_with(row[first], "What to notice"):
        return place + 1, []
    numbers, end = row[place + 1 : first], first + 1
    here = (row[first].line or 0) // LINES_OF_A_CELL
    while end < len(row) and not is_cell(row[end]):
        opens = isinstance(row[end], nodes.paragraph) and starts_with(row[end], "")
        if opens or (row[end].line or 0) // LINES_OF_A_CELL != here:
            break
        end += 1
    if row[end - 1].astext().endswith(":") and end < len(row) and is_cell(row[end]):
        end += 1  # "The same in numbers:"
    return end, [*row[first:end], *numbers]


def block(row: list[nodes.Node], place: int) -> tuple[int, int, nodes.container]:
    """Make the block of the figure at a place of a row; gives what it replaces, and the block."""
    start, asked, helpers = before(row, place)
    first = start
    while first and is_cell(row[first - 1]) and kind(row[first - 1]) == "setup":
        first -= 1
    needs = row[first:start]  # nothing stands between words and figure
    end, told = after(row, place)
    kept = [cell for cell in helpers if "idea" in tags(cell)]
    codes = [code for cell in [*helpers, row[place]] if cell not in kept for code in split_off(cell)]
    made = nodes.container(classes=["figure-block"])
    if asked:
        made += nodes.container("", *asked, classes=["figure-question"])
    made += row[place]
    if told:
        graded = any(is_cell(node) and kind(node) == "question" for node in asked)
        made += mark(
            f'<div class="figure-answer"{" data-graded" * graded}>'
            '<button type="button" class="figure-reveal pst-js-only" aria-expanded="false">'
            f"{'Show' if graded else 'I have my guess: show'} what to notice</button>"
            '<div class="figure-told" tabindex="-1">'
        )
        made.extend(told)
        made += mark("</div></div>")
    made["codes"], made["needs"] = codes, needs
    return first, end, nodes.container("", *kept, made, classes=["figure-place"]) if kept else made


class PageForm(SphinxTransform):
    """Arrange the cells of each section, once pictures stand in the page."""

    default_priority = 410

    def apply(self, **kwargs) -> None:
        """Walk the sections of one page."""
        if not any(map(is_cell, self.document.findall(nodes.container))):
            return
        inside = [node for node in self.document.findall(nodes.container) if "deeper-row" in node["classes"]]
        rows = [self.document, *self.document.findall(nodes.section)]
        for parent in [*rows, *inside]:
            self.arrange(parent)
        gather(rows)
        for row in inside:
            gather([row])
        for cell in list(filter(is_cell, self.document.findall(nodes.container))):
            shorten_reply(cell)
            fold_code(cell)

    def arrange(self, parent: nodes.Element) -> None:
        """Make the blocks of one section's figures."""
        row, place = nest_hints(list(parent.children)), 0
        while place < len(row):
            if is_cell(row[place]) and kind(row[place]) == "live":
                place, end, made = block(row, place)
                row[place:end] = [made]
            place += 1
        parent.children = []
        parent.extend(row)


def setup(app) -> dict[str, bool]:
    """Register the transform with Sphinx."""
    app.add_transform(PageForm)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
