"""Draw which chapter needs which: a directive with one line for each chapter.

    ```{chapter-map}
    01a_weighted_average | Weighted average |
    02a_scores | Scores | 01a
    ```

Each line is a notebook, a short title, and the numbers of the chapters that it needs. Lines whose notebook
is not in the table of contents are left out; a numbered notebook without a line is a warning, so that the
map stays complete. Below the picture the same is said as a list.
"""

from __future__ import annotations

import html
import re
import textwrap

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

WIDTH, NODE, HEIGHT, GAP = 340, 80, 46, 26  # of the picture, of a box, and between rows
LINE = 13  # characters of a title's line
NUMBERED = re.compile(r"notebooks/(\d\d[a-z]?)_\w+")

logger = logging.getLogger(__name__)


def parse(lines: list[str]) -> dict[str, tuple[str, str, list[str]]]:
    """Read the lines: number -> (notebook, title, numbers of the chapters needed)."""
    found = {}
    for line in filter(str.strip, lines):
        notebook, title, needs = (part.strip() for part in f"{line} | |".split("|")[:3])
        found[notebook.partition("_")[0]] = (f"notebooks/{notebook}", title, needs.split())
    return found


def rows(needs: dict[str, list[str]]) -> list[list[str]]:
    """Put each chapter one row below the lowest of those that it needs."""
    depth: dict[str, int] = {}

    def of(chapter: str) -> int:
        if chapter not in depth:
            depth[chapter] = 1 + max(map(of, needs[chapter]), default=-1)
        return depth[chapter]

    for chapter in needs:
        of(chapter)
    return [[c for c in needs if depth[c] == row] for row in range(max(depth.values(), default=-1) + 1)]


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


def picture(chapters: dict[str, tuple[str, str, list[str]]], links: dict[str, str]) -> str:
    """Draw the boxes and the lines between them, in the ink of the page; each box is a link."""
    needs = {number: wanted for number, (_, _, wanted) in chapters.items()}
    place, levels = {}, rows(needs)
    for row, level in enumerate(levels):
        for column, number in enumerate(level):
            centre = WIDTH * (column + 0.5) / len(level)
            place[number] = centre, row * (HEIGHT + GAP) + 1
    parts = []
    for above, below in direct(needs):
        (x, y), (to_x, to_y) = place[above], place[below]
        y, middle = y + HEIGHT, (y + HEIGHT + to_y) / 2
        curve = f"M{x:.0f},{y} C{x:.0f},{middle:.0f} {to_x:.0f},{middle:.0f} {to_x:.0f},{to_y}"
        parts.append(f'<path d="{curve}" fill="none" stroke="currentColor" opacity="0.55"/>')
    parts += [_box(number, chapters[number][1], links[number], *place[number]) for number in chapters]
    height = len(levels) * (HEIGHT + GAP) - GAP + 2
    size = f'viewBox="0 0 {WIDTH} {height}" style="width:100%;max-width:34rem;margin-bottom:1rem"'
    name = "Map of the chapters: a line leads down to a chapter from those that it needs"
    return f'<svg class="chapter-map" role="group" aria-label="{name}" {size}>{"".join(parts)}</svg>'


def _box(number: str, title: str, link: str, x: float, y: float) -> str:
    lines = textwrap.wrap(f"{number.lstrip('0')} {title}", LINE)
    box = f'<rect x="{x - NODE / 2:.0f}" y="{y}" width="{NODE}" height="{HEIGHT}" rx="6"'
    first = y + HEIGHT / 2 + 4 - 6.5 * (len(lines) - 1)
    words = "".join(
        f'<tspan x="{x:.0f}" y="{first + 13 * i:.1f}">{html.escape(line)}</tspan>'
        for i, line in enumerate(lines)
    )
    text = f'<text text-anchor="middle" font-size="10.5" fill="currentColor">{words}</text>'
    return f'<a href="{link}">{box} fill="none" stroke="currentColor"/>{text}</a>'


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
        chapters = {
            number: (notebook, title, [n for n in needs if n in listed and n in has])
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
