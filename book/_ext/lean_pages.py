"""Load on each page only what that page uses, and say in its head what it is about."""

import base64
import hashlib
import re
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

DESCRIPTION_LENGTH = 160
THEME_SCRIPT = Path(__file__).parents[1] / "_templates" / "set_theme.js"
HASH = "sha256-OF-THE-THEME"  # what book/hosting.md writes for the hash of that script
UNUSED = ("sphinx-thebe",)
COPIES = 'class="highlight'
# scripts, and what they are for
ONLY_WITH = {"togglebutton": 'class="toggle', "design-tabs": "sd-tab-set"} | dict.fromkeys(
    ("clipboard", "copybutton"), COPIES
)
# What a page begins with: book.js fetches all others when the page has been painted; lists put a bar on top
FIRST = ("book.js", "filtered.js", "gallery.js")
# What moves nothing on the page: it comes after all that questions need
LATE = (
    "documentation_options",
    "doctools",
    "sphinx_highlight",
    "clipboard",
    "copybutton",
    "sphinx-book-theme",
)
FIGURE = re.compile(r"<figure.*?</figure>|<script.*?</script>", re.DOTALL)
A_SCREEN = 3000  # letters, more than a first screen shows
TEXT = re.compile(r">[^<]+")
# Fonts, and what is written in them
FONTS = {
    "fonts/prose-italic": re.compile(r"<(em|cite)\b"),
    "katex/fonts/usual-Main-Regular": re.compile(r'class="katex"'),
    "katex/fonts/usual-Math-Italic": re.compile(r"\bmathnormal\b"),
    "katex/fonts/usual-Main-Bold": re.compile(r"\bmathbf\b"),
    "katex/fonts/KaTeX_Size1-Regular": re.compile(r"\b(size1|small-op)\b"),
    "katex/fonts/KaTeX_Size2-Regular": re.compile(r"\b(size2|large-op)\b"),
    "katex/fonts/KaTeX_AMS-Regular": re.compile(r"\b(mathbb|amsrm)\b"),
    "katex/fonts/KaTeX_Caligraphic-Regular": re.compile(r"\bmathcal\b"),
}
THEBE = ("text/x-thebe-config", "<script>kernelName")
# What a script for copying says in other languages than the book's, and its comments
UNSAID = re.compile(r"  '(?!en')[\w-]+' ?: \{[^}]*\},?\n|^[ \t]*//.*\n|/\*\*[\s\S]*?\*/\n", re.MULTILINE)
# The last statement of the theme's script
MEASURING = '"complete"===document.readyState?I():window.addEventListener("load",I)})();'

# The theme's breakpoint for the bar at the left, and the book's (frame.css): below it, figures take the room
SIDEBAR_FROM = "(min-width: 992px)", "(min-width: 1280px)"


def _is_wanted(file, page: str, seen: set) -> bool:
    written = file.attributes.get("body")  # settings of scripts that the book does without
    name = str(file.filename or "")
    lacks = any(script in name and mark not in page for script, mark in ONLY_WITH.items())
    if written or lacks or any(word in name for word in UNUSED) or name in seen:
        return False
    seen.add(name)
    return True


def _turn(file) -> int:
    """Give the place of a script: the small ones, then what can wait."""
    name = str(file.filename)
    return next((place for place, word in enumerate(LATE) if word in name), -1)


def trim(app, pagename, templatename, context, doctree) -> None:
    """Load only the scripts that a page uses, after the page, and write none into it.

    Scripts in the page itself would need `unsafe-inline` in a content security policy.
    """
    context["unknown_header_button"] = refuse_button
    body, seen = context.get("body") or "", set()
    context["script_files"] = [
        file for file in context.get("script_files", []) if _is_wanted(file, body, seen)
    ]
    for file in context["script_files"]:
        file.attributes.setdefault("defer", "defer")
    later: list = []
    if pagename != "search":  # its own scripts need these
        later = [file for file in context["script_files"] if not str(file.filename).endswith(FIRST)]
        later.sort(key=_turn)
        context["script_files"] = [file for file in context["script_files"] if file not in later]
    tags = list(map(context["js_tag"], later))

    def come_late(theirs: str) -> str:
        """Keep the scripts in a template, where they do nothing, with the theme's own from the page's end."""
        if pagename == "search":
            return theirs
        return f"<template data-later>{''.join(tags)}{theirs}</template>"

    context["come_late"] = come_late
    context["first_fonts"] = " ".join(first_fonts(body))


def first_fonts(body: str) -> list[str]:
    """Name the fonts of what stands so near the top that they should be there when it is painted.

    One that comes later is wider or narrower than what stood in its place, and a line breaks at another word.

    >>> first_fonts("<p>a <em>b</em></p>"), first_fonts("<p>a</p>")
    (['fonts/prose-italic'], [])
    """
    body, letters = FIGURE.sub(f"<p>{'x' * (A_SCREEN // 2)}</p>", body), 0
    for place in TEXT.finditer(body):
        letters += len(place[0]) - 1
        if letters > A_SCREEN:
            body = body[: place.end()]
            break
    return [font for font, mark in FONTS.items() if mark.search(body)]


def write_hash(app, docname: str, source: list[str]) -> None:
    """Write the hash of the one script that stands in each page where a page shows the policy."""
    if HASH in source[0]:
        app.env.note_dependency(str(THEME_SCRIPT))
        script = THEME_SCRIPT.read_text(encoding="utf-8").removesuffix("\n")  # as the template includes it
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        source[0] = source[0].replace(HASH, f"sha256-{digest}")


def no_thebe(app, doctree, docname) -> None:
    """Take out what Thebe, which Jupyter Book always loads, leaves on a page: it would ask another host."""
    for raw in [node for node in doctree.findall(nodes.raw) if any(mark in node.astext() for mark in THEBE)]:
        raw.parent.remove(raw)


def refuse_button(button: dict) -> str:
    """Stop at a button above the page that the book's template cannot draw."""
    raise ExtensionError(f"article-header-buttons.html does not know the button {button!r}.")


def name_toggles(app, pagename, templatename, context, doctree) -> None:
    """Give the arrows of the table of contents a name that a screen reader can say."""
    make = context.get("generate_toctree_html")
    if make is not None:
        named = '<summary aria-label="Pages of this section">'
        context["generate_toctree_html"] = lambda *a, **k: str(make(*a, **k)).replace("<summary>", named)


def plain_bibliography(app, pagename, templatename, context, doctree) -> None:
    """Take the role off a bibliography's box: it promises list items, and docutils' entries are none."""
    if context.get("body"):
        context["body"] = context["body"].replace('<div role="list" class="citation-list">', "<div>")


def describe(app, pagename, templatename, context, doctree) -> None:
    """Take the page's description from its first paragraph."""
    paragraphs = doctree.findall(nodes.paragraph) if doctree is not None else ()
    text = next((" ".join(p.astext().split()) for p in paragraphs if len(p.astext()) > 30), "")
    if len(text) > DESCRIPTION_LENGTH:
        text = text[:DESCRIPTION_LENGTH].rsplit(" ", 1)[0] + " ..."
    context["description"] = text or f"{context.get('title', pagename)} - {app.config.html_title}"


def without_measuring(script: str) -> str:
    """Give the theme's script without its measuring of every code block, on load and after each change.

    It would lay out a whole chapter before the reader has seen its first screen, and again at every move of a
    slider; book.js does the same (keyboard access to what scrolls) a few elements at a time.
    """
    if script.count(MEASURING) != 1:
        raise ExtensionError(
            "the theme's script has changed: lean_pages.MEASURING must be its last statement"
        )
    return script.replace(MEASURING, "0})();")


def leave_out(app, exception) -> None:
    """Take what no page uses out of the built site: icon fonts, source maps, thebe, the theme's measuring."""
    static = Path(app.outdir, "_static")
    if exception is not None or not static.is_dir():
        return
    shutil.rmtree(static / "vendor" / "fontawesome", ignore_errors=True)
    unused = {*static.rglob("*.map"), *static.glob("scripts/fontawesome*"), *static.glob("sphinx-thebe.*")}
    for path in sorted(unused):
        path.unlink()
    script = static / "scripts" / "pydata-sphinx-theme.js"
    text = script.read_text(encoding="utf-8")
    script.write_text(without_measuring(text), encoding="utf-8")
    script = static / "scripts" / "sphinx-book-theme.js"
    text = script.read_text(encoding="utf-8")
    if text.count(SIDEBAR_FROM[0]) != 1:
        raise ExtensionError("the theme's script has changed: lean_pages.SIDEBAR_FROM is not in it")
    script.write_text(text.replace(*SIDEBAR_FROM), encoding="utf-8")
    script = static / "copybutton.js"
    script.write_text(UNSAID.sub("", script.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx: descriptions first, the trimming after every other extension."""
    app.connect("source-read", write_hash)
    app.connect("doctree-resolved", no_thebe, priority=900)
    app.connect("html-page-context", describe)
    app.connect("html-page-context", trim, priority=900)
    app.connect("html-page-context", name_toggles, priority=900)
    app.connect("html-page-context", plain_bibliography, priority=900)
    app.connect("build-finished", leave_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
