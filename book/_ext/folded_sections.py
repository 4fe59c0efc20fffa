"""Fold the sections of a page of reference, so that its first screen shows all that it has.

``folded_from: 2`` at the head of a page makes of each heading from the second one on the line that opens its
section; `book.js` opens the one that a link names, and on paper all of them are open.
"""

from docutils import nodes
from page_form import mark

OPEN = '<details class="section-fold"><summary>'


def fold(section: nodes.section) -> None:
    """Put what follows a section's title into a ``<details>`` that the title opens."""
    title, *rest = section.children
    section.children = []
    section.extend([mark(OPEN), title, mark("</summary>"), *rest, mark("</details>")])


def fold_sections(app, doctree: nodes.document, docname: str) -> None:
    """Fold the sections just below the title, but for the first ones; titles are collected by then."""
    first = app.env.metadata[docname].get("folded_from")
    if first is None:
        return
    page = next(doctree.findall(nodes.section))
    for section in [part for part in page.children if isinstance(part, nodes.section)][int(first) - 1 :]:
        fold(section)


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx, after its table of contents has read the titles."""
    app.connect("doctree-resolved", fold_sections)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
