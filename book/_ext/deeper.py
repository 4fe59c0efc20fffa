"""Fold what goes deeper: consecutive cells tagged ``deeper``, under their first bold words.

The tag ``answer`` beside it says that the fold holds what the reader was asked to find first.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from page_form import LINES_OF_A_CELL, fold, mark, starts_with
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

Tags = dict[int, set[str]]  # of each cell, from 1
NAMELESS = ("Predict", "What to notice", "Derive")  # bold words that do not say what a fold is about


def place(node: nodes.Node) -> int:
    """Give the number of the cell that a node comes from."""
    return (node.line or 0) // LINES_OF_A_CELL


def folded(run: list[nodes.Node], tags: Tags) -> nodes.container:
    """Fold nodes under what they are and the bold words that open their paragraphs."""
    opening = [next(iter(node.findall(nodes.strong))) for node in run if starts_with(node, "")]
    bold = [node.astext().rstrip(".:?") for node in opening if not node.astext().startswith(NAMELESS)]
    if not bold:
        bold = [each.astext() for node in run for each in node.findall(nodes.strong)][:1]
    if not bold:
        raise ExtensionError(f"cell {place(run[0])} begins a fold without bold words to call it by.")
    what = "Answer" if "answer" in tags[place(run[0])] else "Go deeper"
    row = nodes.container("", *run, classes=["deeper-row"])
    opening, *rest = fold(f"{what}: {'; '.join(bold)}", [row], "deeper")
    opening = mark(opening.astext().replace(f"{what}:", f"<b>{what}:</b>", 1))
    return nodes.container("", opening, *rest)


def arranged(children: list[nodes.Node], tags: Tags) -> Iterator[nodes.Node]:
    """Give the nodes of a section with its runs of deeper cells folded."""
    run: list[nodes.Node] = []
    for node in children:
        inside = not isinstance(node, nodes.section | nodes.title)
        if inside and "deeper" in tags.get(place(node), ()):
            run.append(node)
            continue
        if run:
            yield folded(run, tags)
            run = []
        yield node
    if run:
        yield folded(run, tags)


class FoldDeeper(SphinxTransform):
    """Fold the deeper cells of a notebook, before its page gets its form."""

    default_priority = 409

    def apply(self, **kwargs) -> None:
        """Walk the sections of one page."""
        path = Path(self.env.doc2path(self.env.docname))
        if path.suffix != ".ipynb":
            return
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        tags = {number: set(cell["metadata"].get("tags", ())) for number, cell in enumerate(cells, 1)}
        for section in list(self.document.findall(nodes.section)):
            row = list(arranged(list(section.children), tags))
            section.children = []
            section.extend(row)


def setup(app) -> dict[str, bool]:
    """Register the transform with Sphinx."""
    app.add_transform(FoldDeeper)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
