"""Say on each page where the reader is, and what a message that links to it shows.

Parts are the captions of `_toc.yml`, topics the short titles of ``{chapter-map}`` in `book/how_to_read.md`.
The header has book, part and topic, the contents write the topic below each question. Title and text of a
page are its Open Graph; the site's whole address is `html_baseurl` in
`_config.yml`, or `BOOK_URL` in the environment.
"""

import html
import posixpath
import re
from pathlib import Path

import yaml
from chapter_map import MAP, NUMBERED, topics
from lesson_numbers import label

TABLE = "_toc.yml"
MARK = "mark.svg"
ENTRY = re.compile(r'(<a class="[^"]*\breference internal" href="([^"]*)">)(.*?)</a>', re.DOTALL)


def parts(toc: dict) -> dict[str, str]:
    """Give the caption of each page of a table of contents.

    >>> parts({"parts": [{"caption": "One", "chapters": [{"file": "a", "sections": [{"file": "b"}]}]}]})
    {'a': 'One', 'b': 'One'}
    """
    found = {}
    for part in toc.get("parts", []):
        for chapter in part["chapters"]:
            for page in (chapter, *chapter.get("sections", [])):
                found[page["file"]] = part["caption"]
    return found


def short(part: str) -> tuple[str, str]:
    """Give a part's name before its colon, and its place on the first page.

    >>> short("Part II: Attention in sequences")
    ('Part II', 'part-ii')
    """
    name = part.partition(":")[0]
    return name, name.lower().replace(" ", "-")


def of_book(app) -> tuple[dict[str, str], dict[str, str]]:
    """Read the captions of the pages, and the topics of the lessons; both by page."""
    table = yaml.safe_load(Path(app.srcdir, TABLE).read_text(encoding="utf-8"))
    return parts(table), topics(Path(app.srcdir)) if Path(app.srcdir, f"{MAP}.md").exists() else {}


def with_topics(contents: str, here: str, named: dict[str, str]) -> str:
    """Write below each lesson's question in the contents what it is about."""

    def entry(found: re.Match) -> str:
        page = posixpath.normpath(posixpath.join(posixpath.dirname(here), found[2])).removesuffix(".html")
        topic = named.get(here if found[2] == "#" else page)
        about = f'<span class="topic">{html.escape(topic)}</span>' if topic else ""
        return f"{found[1]}{found[3]}{about}</a>"

    return ENTRY.sub(entry, contents)


def say(app, pagename, templatename, context, doctree) -> None:
    """Give the templates the names of the place, and what a shared link shows."""
    captions, named = app._whereabouts
    topic, number = named.get(pagename), label(pagename)
    part = captions.get(pagename, "") if NUMBERED.fullmatch(pagename) else ""
    lesson = f"{number} {topic}" if number and topic else ""
    named_short, anchor = short(part)
    place = {"part": part, "short": named_short, "anchor": anchor, "lesson": lesson}
    context["whereabouts"] = {"book": app.config.html_title, **place}
    following = context.get("next")
    name = following and posixpath.normpath(posixpath.join(posixpath.dirname(pagename), following["link"]))
    if name and (about := named.get(name.removesuffix(".html"))):
        context["next_topic"] = f"{label(name.removesuffix('.html'))} {about}"
    title = context.get("title", pagename)
    context["shared"] = {
        "title": f"{topic}: {title}" if lesson else title,
        "site": app.config.html_title,
        "base": app.config.html_baseurl.rstrip("/"),
        "page": f"{pagename}.html",
    }


def name_topics(app, pagename, templatename, context, doctree) -> None:
    """Give the contents the topics, once the theme has made what writes them."""
    make, named = context.get("generate_toctree_html"), app._whereabouts[1]
    if make is not None:
        context["generate_toctree_html"] = lambda *a, **k: with_topics(str(make(*a, **k)), pagename, named)


def read(app) -> None:
    """Read parts and topics once."""
    app._whereabouts = of_book(app)


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx: names before the theme's templates are read, topics after, before lean_pages."""
    app.connect("builder-inited", read)
    app.connect("html-page-context", say, priority=400)
    app.connect("html-page-context", name_topics, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
