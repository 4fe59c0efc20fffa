"""Load on each page only what that page uses, and say in its head what it is about."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.util import logging

logger = logging.getLogger(__name__)
LIVE = Path(__file__).resolve().parents[2] / "attn_helpers" / "live" / "js" / "dist"
LIVE_MARK = 'class="attention-live'
DESCRIPTION_LENGTH = 160
UNUSED = ("sphinx-thebe",)
ONLY_WITH = {"togglebutton": 'class="toggle', "design-tabs": "sd-tab-set"}  # scripts, and what they are for
THEBE = re.compile(
    r"<script type=\"text/x-thebe-config\">.*?</script>|<script>kernelName = .*?</script>", re.DOTALL
)
# `.fa-name:before{...}`, alone or with other such selectors, and the fonts they draw with
ICON_RULE = re.compile(
    r"(?<=[{}])(?:\.fa(?:[bdlrs]|-[-\w]+)?(?![-\w])(?::{1,2}\w+)?,?)+\{[^{}]*\}|@font-face\{[^{}]*Awesome[^{}]*\}"
)
PRINT = ' onclick="window.print()"'
# The theme's last statement: `"complete" === document.readyState ? f() : window.addEventListener("load", f)`
MEASURING = re.compile(
    r'"complete"===document\.readyState\?(\w+)\(\):window\.addEventListener\("load",\1\)(?=\}\)\(\);)'
)


def add_live_folder(app, config) -> None:
    """Copy the live runtime, as built, beside the book's other static files."""
    if LIVE.is_dir():
        config.html_static_path.append(str(LIVE))


def _is_wanted(file, page: str, seen: set) -> bool:
    written = file.attributes.get("body")  # settings of scripts that the book does without
    name = str(file.filename or "")
    lacks = any(script in name and mark not in page for script, mark in ONLY_WITH.items())
    if written or lacks or any(word in name for word in UNUSED) or name in seen:
        return False
    seen.add(name)
    return True


def trim(app, pagename, templatename, context, doctree) -> None:
    """Load only the scripts that a page uses, after the page, and write none into it.

    Thebe would fetch from another host. Scripts in the page itself would need `unsafe-inline` in a content
    security policy.
    """
    body, seen = context.get("body") or "", set()
    context["script_files"] = [
        file for file in context.get("script_files", []) if _is_wanted(file, body, seen)
    ]
    for file in context["script_files"]:
        file.attributes.setdefault("defer", "defer")
    if body:
        context["body"] = THEBE.sub("", body)


def add_live(app, pagename, templatename, context, doctree) -> None:
    """Load the live runtime on pages that hold a live figure."""
    if LIVE_MARK in (context.get("body") or ""):
        app.add_js_file("attention-live.js", loading_method="defer")
        app.add_css_file("attention-live.css")


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


def spare_layout(static: Path) -> None:
    """Take out the theme's measuring of every code block, on load and after each change of the page.

    It would lay out a whole chapter before the reader has seen its first screen, and again at every move of a
    slider; book.js does the same (keyboard access to what scrolls) a few elements at a time.
    """
    script = static / "scripts" / "pydata-sphinx-theme.js"
    if script.is_file():
        text, found = MEASURING.subn("0", script.read_text(encoding="utf-8"))
        if found == 0:
            logger.warning("the theme's script has changed: lean_pages.MEASURING finds nothing in it")
        script.write_text(text, encoding="utf-8")


def name_print_button(folder: Path) -> None:
    """Leave printing to book.js: a script in an attribute would be refused by a content security policy."""
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if PRINT in text:
            page.write_text(text.replace(PRINT, " data-print"), encoding="utf-8")


def leave_out(app, exception) -> None:
    """Take what no page uses out of the built site: icon fonts and their rules, source maps, thebe."""
    static = Path(app.outdir, "_static")
    if exception is not None or not static.is_dir():
        return
    shutil.rmtree(static / "vendor" / "fontawesome", ignore_errors=True)
    unused = {*static.rglob("*.map"), *static.glob("scripts/fontawesome*"), *static.glob("sphinx-thebe.*")}
    for path in sorted(unused):
        path.unlink()
    spare_layout(static)
    name_print_button(Path(app.outdir))
    sheet = static / "styles" / "pydata-sphinx-theme.css"
    text = sheet.read_text(encoding="utf-8")
    sheet.write_text(ICON_RULE.sub("", text), encoding="utf-8")


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx: descriptions and live files first, the trimming after every other extension."""
    app.connect("config-inited", add_live_folder)
    app.connect("html-page-context", describe)
    app.connect("html-page-context", add_live)
    app.connect("html-page-context", trim, priority=900)
    app.connect("html-page-context", name_toggles, priority=900)
    app.connect("html-page-context", plain_bibliography, priority=900)
    app.connect("build-finished", leave_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
