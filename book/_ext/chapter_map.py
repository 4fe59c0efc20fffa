"""Draw which lesson needs which: a directive with one line for each lesson.

    ```{chapter-map}
    01a_weighted_average | Weighted average |
    02a_scores | Scores | 01a
    ```

Each line is a notebook, a short title, and the numbers of the lessons that it needs. Lines whose notebook
is not in the table of contents are left out; a numbered notebook without a line, and a needed number without
one, is a warning, so that the map stays complete. Below the picture the same is said as a list.
"""

import html
import re
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

WIDTH, SPINE = 370, 108  # of the picture, and where its dots stand
ROW, AIR = 25, 4  # height of a row, and what parts two chapters
NUMBERED = re.compile(r"notebooks/(\d\d[a-z]?)_\w+")

MAP = "book/how_to_read"  # the page with the map of this book
LINES = re.compile(r"```\{chapter-map\}\n(.*?)```", re.DOTALL)

logger = logging.getLogger(__name__)


def parse(lines: list[str]) -> dict[str, tuple[str, str, list[str]]]:
    """Read the lines: number -> (notebook, title, numbers of the chapters needed)."""
    found = {}
    for line in filter(str.strip, lines):
        notebook, title, needs = (part.strip() for part in f"{line} | |".split("|")[:3])
        found[notebook.partition("_")[0]] = (f"notebooks/{notebook}", title, needs.split())
    return found


def topics(book: Path) -> dict[str, str]:
    """Give the short title of each lesson of a book, by page."""
    page = Path(book, f"{MAP}.md").read_text(encoding="utf-8")
    return {notebook: title for notebook, title, _ in parse(LINES.search(page)[1].splitlines()).values()}


def direct(needs: dict[str, list[str]]) -> list[tuple[str, str]]:
    """List the lines to draw: what a chapter needs anyway through another one is left out."""

    def all_of(chapter: str) -> set[str]:
        return set(needs[chapter]).union(*map(all_of, needs[chapter]))

    return [
        (above, chapter)
        for chapter, wanted in needs.items()
        for above in wanted
        if not any(above in all_of(other) for other in wanted)
    ]


def places(numbers: list[str]) -> dict[str, float]:
    """Put one lesson below the other, with a little air where a new chapter begins."""
    height, found, chapter = 0.0, {}, ""
    for number in numbers:
        height += AIR if found and number[:2] != chapter else 0
        chapter, found[number] = number[:2], height + ROW / 2
        height += ROW
    return found


def picture(chapters: dict[str, tuple[str, str, list[str]]], links: dict[str, str]) -> str:
    """Draw a row for each lesson and an arc to it from each that it needs, in the ink of the page."""
    y = places(list(chapters))
    arcs: dict[str, list[str]] = {number: [] for number in chapters}
    for above, below in direct({number: wanted for number, (_, _, wanted) in chapters.items()}):
        half = (y[below] - y[above]) / 2
        wide = min(half, SPINE * half / (half + 60))  # a long arc is flat, so that none leaves the picture
        arcs[below].append(
            f'<path d="M{SPINE},{y[above]:g}A{wide:.1f},{half:g} 0 0 0 {SPINE},{y[below]:g}"/>'
        )
    rows = [_row(number, chapters[number], links[number], y[number], arcs[number]) for number in chapters]
    size = f'viewBox="0 0 {WIDTH} {max(y.values(), default=0) + ROW / 2:g}"'
    name = "Map of the lessons: an arc leads down to a lesson from each that it needs"
    return f'<svg class="chapter-map" role="group" aria-label="{name}" {size}>{"".join(rows)}</svg>'


def _row(number: str, chapter: tuple[str, str, list[str]], link: str, y: float, arcs: list[str]) -> str:
    _, title, _ = chapter
    field = f'<rect x="{SPINE - 8}" y="{y - ROW / 2:g}" width="{WIDTH - SPINE + 8}" height="{ROW}"/>'
    words = f"<tspan>{number.lstrip('0')}</tspan> {html.escape(title)}"
    text = f'<text x="{SPINE + 12}" y="{y + 5:g}">{words}</text>'
    return f'<a href="{link}">{"".join(arcs)}{field}<circle cx="{SPINE}" cy="{y:g}" r="3.5"/>{text}</a>'


def as_list(chapters: dict[str, tuple[str, str, list[str]]], links: dict[str, str]) -> str:
    """Say the same in words."""
    items = []
    for number, (_, title, wanted) in chapters.items():
        after = f"needs {', '.join(n.lstrip('0') for n in wanted)}" if wanted else "needs none before it"
        items.append(
            f'<li><a href="{links[number]}">{number.lstrip("0")} {html.escape(title)}</a>: {after}</li>'
        )
    return f"<details><summary>The map as a list</summary><ul>{''.join(items)}</ul></details>"


class ChapterMap(SphinxDirective):
    """The directive ``chapter-map``."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Give the picture and the list of the chapters that the book has."""
        self.env.note_reread()  # what is in the book decides, not only what is on this page
        listed = parse(list(self.content))
        has = {found[1]: name for name in self.env.found_docs if (found := NUMBERED.fullmatch(name))}
        for number in sorted(set(has) - set(listed)):
            logger.warning("chapter-map has no line for %s", has[number], location=self.get_location())
        for notebook, _, needs in listed.values():
            for unknown in sorted(set(needs) - set(listed)):
                said = f"chapter-map: {notebook} needs {unknown}, which has no line"
                logger.warning(said, location=self.get_location())
        chapters = {
            number: (notebook, title, [n for n in needs if n in has])
            for number, (notebook, title, needs) in listed.items()
            if notebook in self.env.found_docs
        }
        builder, here = self.env.app.builder, self.env.docname
        links = {number: builder.get_relative_uri(here, chapters[number][0]) for number in chapters}
        text = picture(chapters, links) + as_list(chapters, links)
        return [nodes.raw("", f'<div class="chapter-map-box">{text}</div>', format="html")]


def setup(app) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("chapter-map", ChapterMap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
