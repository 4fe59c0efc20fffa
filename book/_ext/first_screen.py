"""Lay out the first screen of a lesson: words and question at the left, its first figure at the right.

The order on the page stays that of the notebook; `first_screen.css` places the pieces where the window is
wide. A figure that needs the whole width (`first_screen_below` in `_config.yml`) stands below, with words and
question side by side.
"""

import html

from chapter_map import NUMBERED
from docutils import nodes
from lesson_head import CLAIMS
from page_form import mark

NAME = "first_screen_below"


def opening(section: nodes.section) -> int:
    """Count what stands before the first figure's block of a lesson, 0 where code does."""
    for place, node in enumerate(section.children):
        if isinstance(node, nodes.container) and "figure-block" in node["classes"]:
            return place
        if not isinstance(node, nodes.title | nodes.paragraph | nodes.table | nodes.raw):
            break
    return 0


def arrange(app, doctree: nodes.document, docname: str) -> None:
    """Wrap title, words and first figure of a lesson."""
    found = NUMBERED.fullmatch(docname)
    if not (found or docname == CLAIMS) or app.builder.format != "html":
        return
    section = next(iter(doctree.findall(nodes.section)))
    captions, topics = app._whereabouts
    home = app.builder.get_relative_uri(docname, app.config.root_doc)
    about = (
        f'<p class="lesson-topic"><a class="book-name" href="{home}">{html.escape(app.config.html_title)}</a>'
        f'<span class="book-part">{html.escape(captions.get(docname, ""))}</span>'
        f"<span>{html.escape(topics.get(docname, ''))}</span></p>"
    )
    children, last = list(section.children), opening(section)
    below = " data-below" if found and found[1] in getattr(app.config, NAME) else ""
    end = last or 2  # title and the line below it
    words = [mark(f'<div class="first-words">{about}'), *children[:end], mark("</div>")]
    figure = children[end : end + 1] if last else []
    section.children = []
    screen = [mark(f'<div class="first-screen wide"{below}>'), *words, *figure, mark("</div>")]
    section.extend([*screen, *children[end + len(figure) :]])


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx, after titles have been collected."""
    app.add_config_value(NAME, [], "env")
    app.connect("doctree-resolved", arrange, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
