"""Give each lesson one number, that of its file: "12a" at its title, in the contents, before its equations.

Sphinx counts the pages of a table of contents: it would call the first lesson of chapter 12 "12", and the
second one nothing.
"""

from chapter_map import NUMBERED
from docutils import nodes
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector

Numbers = dict[str, tuple[str, ...] | None]  # by anchor; sphinx-external-toc wants None where there is none


def label(docname: str) -> str | None:
    """Give the number of a lesson as readers see it, None for another page.

    >>> label("notebooks/03b_minus_infinity")
    '3b'
    """
    found = NUMBERED.fullmatch(docname)
    return found[1].lstrip("0") if found else None


def numbers_of(contents: nodes.Node, number: str) -> Numbers:
    """Number the title of a page, whose anchor is empty, and none of the headings below it."""
    found: Numbers = {}
    for entry in contents.findall(nodes.reference):
        if "anchorname" not in entry:
            continue
        found[entry["anchorname"]] = entry["secnumber"] = None if entry["anchorname"] else (number,)
    return found


def number_lessons(collector: TocTreeCollector, env: BuildEnvironment) -> list[str]:
    """Take the place of Sphinx's counting; gives the pages whose number has changed."""
    before, env.toc_secnumbers = env.toc_secnumbers, {}
    for name in sorted(env.found_docs):
        number = label(name)
        if number and name in env.tocs:
            env.toc_secnumbers[name] = numbers_of(env.tocs[name], number)
            env.titles[name]["secnumber"] = (number,)
    return [name for name, given in env.toc_secnumbers.items() if before.get(name) != given]


def setup(app) -> dict[str, bool]:
    """Count lessons by their files."""
    TocTreeCollector.assign_section_numbers = number_lessons
    return {"parallel_read_safe": True, "parallel_write_safe": True}
