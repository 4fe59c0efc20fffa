"""Say at the head of each lesson how long it takes, which lessons it needs, and what the reader did of it.

The lessons needed stand in one place, the lines of ``{chapter-map}`` in `book/how_to_read.md`; the time is
counted from the notebook, as on the first page. A numbered notebook without a line is an error.
"""

import html
import json
from pathlib import Path

from chapter_map import LINES, MAP, NUMBERED, parse
from docutils import nodes
from landing import as_data, minutes, tasks
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

CLAIMS = "notebooks/claims_tested"


def needed(page: str, docname: str) -> list[tuple[str, str]]:
    """Read in the page with the map which lessons a lesson needs, as (number, short title)."""
    listed = parse(LINES.search(page)[1].splitlines())
    number = NUMBERED.fullmatch(docname)[1]
    if number not in listed:
        raise ExtensionError(f"{docname} has no line in the chapter-map of {MAP}: what does it need?")
    return [(wanted, listed[wanted][1]) for wanted in listed[number][2] if wanted in listed]


def claims_about(page: dict, docname: str) -> tuple[str, int]:
    """Give a lesson's number as the claims page writes it, and how many of its claims are about it."""
    number = NUMBERED.fullmatch(docname)[1].lstrip("0")
    code = "".join("".join(cell["source"]) for cell in page["cells"] if cell["cell_type"] == "code")
    return number, code.count(f'lesson="{number}"')


def head(notebook: dict, lessons: list[tuple[str, str, str]], claims: str = "") -> str:
    """Write time, questions, the lessons needed as (address, number, short title), and what is done."""
    asked = tasks(notebook)["asked"]
    whole, less = minutes(notebook), minutes(notebook, exercises=False)
    without = f'<span class="said-wide"> ({less} without the exercise)</span>' * (less < whole)
    takes = f"About {whole} minutes{without}, {asked} question{'s' * (asked != 1)}."
    links = [
        f'<a href="{address}">{number.lstrip("0")}<span class="said-wide"> {html.escape(name)}</span></a>'
        for address, number, name in lessons
    ]
    wanted = f"First read {' and '.join(links)}." if links else "You need no other lesson before."
    # the words are there before the script, which only changes them: nothing below moves
    done = (
        f'<span class="lesson-done-here pst-js-only" {as_data(notebook)}>'
        "<span>\u00a0</span> "
        '<button type="button" hidden>Clear</button></span>'
    )
    # on a phone the first part is one line above the figure, the second follows it (first_screen.css)
    return f'<p class="lesson-head"><span>{takes} {wanted} </span><span>{claims}{done}</span></p>'


class LessonHead(SphinxTransform):
    """Put the line under the title of a lesson."""

    default_priority = 420

    def apply(self, **kwargs) -> None:
        """Find the title of a numbered notebook, and write below it."""
        here = self.env.docname
        if not NUMBERED.fullmatch(here):
            return
        self.env.note_dependency(self.env.doc2path(MAP))
        by_number = {found[1]: name for name in self.env.found_docs if (found := NUMBERED.fullmatch(name))}
        wanted = needed(Path(self.env.doc2path(MAP)).read_text(encoding="utf-8"), here)
        link = self.env.app.builder.get_relative_uri
        lessons = [
            (link(here, by_number[number]), number, name) for number, name in wanted if number in by_number
        ]
        heading = next(iter(self.document.findall(nodes.title)), None)
        if heading is not None:
            number, many = claims_about(self.read(CLAIMS), here)
            address = f"{link(here, CLAIMS)}?lesson={number}#all-verdicts"
            said = f'<a href="{address}">We tested {many} claim{"s" * (many != 1)}</a>. ' if many else ""
            text = head(self.read(here), lessons, said)
            heading.parent.insert(heading.parent.index(heading) + 1, nodes.raw("", text, format="html"))

    def read(self, docname: str) -> dict:
        """Read a notebook; the page is made again when it changes."""
        path = Path(self.env.doc2path(docname))
        self.env.note_dependency(str(path))
        return json.loads(path.read_text(encoding="utf-8"))


def setup(app) -> dict[str, bool]:
    """Register the transform with Sphinx."""
    app.add_transform(LessonHead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
