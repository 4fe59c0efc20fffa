"""What the pages to look something up in need: each problem above its solution, and a way to a letter.

The problems stand once, in the notebooks; a page of solutions that says of what would go stale.
"""

import html
import re

from docutils import nodes
from sphinx import addnodes

from tools.course.lessons import lessons

SOLUTIONS, GLOSSARY = "book/solutions", "book/glossary"
LESSON = re.compile(r"\(\.\./notebooks/(\w+)\.ipynb\)")
NUMBER = re.compile(r"^(\d+)\. ", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def with_problems(section: str, problems: list[str]) -> str:
    """Write above each numbered solution of a section its problem, whose links lead nowhere from here.

    >>> print(with_problems("1. It is 1.", ["What is [the sum](#sum)?"]))
    1. > What is the sum?
    <BLANKLINE>
       It is 1.
    """
    stated = [" ".join(LINK.sub(r"\1", each).split()) for each in problems]
    return NUMBER.sub(lambda found: f"{found[0]}> {stated[int(found[1]) - 1]}\n\n   ", section)


def state_problems(app, docname: str, source: list[str]) -> None:
    """Give the page of solutions its problems before it is read."""
    if docname != SOLUTIONS:
        return
    head, *sections = source[0].split("\n## ")
    for place, section in enumerate(sections):
        if name := LESSON.search(section):
            app.env.note_dependency(app.env.doc2path(f"notebooks/{name[1]}"))
            sections[place] = with_problems(section, lessons()[name[1]].problems)
    source[0] = "\n## ".join([head, *sections])


def letters(terms: list[nodes.term]) -> str:
    """Write a row of letters, each a link to the first term that begins with it."""
    first: dict[str, str] = {}
    for term in terms:
        first.setdefault(term.astext()[0].upper(), term["ids"][0])
    links = " ".join(
        f'<a href="#{html.escape(name)}">{html.escape(letter)}</a>' for letter, name in first.items()
    )
    return f'<p class="letters">{links} <a href="#chinese">中文</a></p>'


def jump_to_letters(app, doctree: nodes.document, docname: str) -> None:
    """Put the row of letters above the glossary's first list."""
    if docname != GLOSSARY or app.builder.format != "html":
        return
    listed = next(iter(doctree.findall(addnodes.glossary)))
    terms = [term for each in doctree.findall(addnodes.glossary) for term in each.findall(nodes.term)]
    listed.parent.insert(listed.parent.index(listed), nodes.raw("", letters(terms), format="html"))


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", state_problems)
    app.connect("doctree-resolved", jump_to_letters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
