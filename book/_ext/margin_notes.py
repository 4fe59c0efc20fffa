"""Put asides into the margin: what stands in ``<small>`` at the end of a paragraph of a lesson.

Every notebook shows such a line in small type where it is written. On a wide page it stands beside its
paragraph, on a narrow one, on paper and for a screen reader below it.
"""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

OPENS, CLOSES = "<small>", "</small>"


def _is(node: nodes.Node, tag: str) -> bool:
    return isinstance(node, nodes.raw) and node.astext().strip() == tag


def cut(paragraph: nodes.paragraph) -> list[nodes.Node] | None:
    """Take the note off the end of a paragraph, None where it has none."""
    start = next((at for at, node in enumerate(paragraph.children) if _is(node, OPENS)), None)
    if start is None:
        return None
    said = " ".join(paragraph.astext().split())
    if (
        not _is(paragraph.children[-1], CLOSES)
        or not isinstance(paragraph.parent, nodes.section)
        or start == 0
    ):
        raise ExtensionError(f"A margin note must end a paragraph that no fold and no list holds: {said}")
    note = paragraph.children[start + 1 : -1]
    paragraph.children = paragraph.children[:start]
    return note


class MarginNotes(SphinxTransform):
    """Set each note beside its paragraph, once a page has its form."""

    default_priority = 415

    def apply(self, **kwargs) -> None:
        """Walk the paragraphs of one page."""
        if not self.env.doc2path(self.env.docname).endswith(".ipynb"):
            return
        for paragraph in list(self.document.findall(nodes.paragraph)):
            note = cut(paragraph)
            if note is None:
                continue
            place = nodes.container(classes=["noted"])
            paragraph.replace_self(place)
            place += paragraph
            place += nodes.raw("", '<aside class="margin-note" role="note">', format="html")
            place += nodes.paragraph("", "", *note)
            place += nodes.raw("", "</aside>", format="html")


def setup(app) -> dict[str, bool]:
    """Register the transform with Sphinx."""
    app.add_transform(MarginNotes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
