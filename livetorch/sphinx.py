"""What a Sphinx book needs for live figures: their script on the pages that hold one, and weights beside it.

A page would be heavy with all that a notebook's cell holds: a large pool of constants becomes files of their
own (see `pools`), which the live runtime loads when the reader comes near the figure, or, where they are very
large, asks for them. Pools that lie beside the notebook already are put back first.

Each figure gets a file of its own besides, `embed/PAGE-NAME.html`, for other pages to show (see `embed`). It
leads back to its page: by the site's address if `html_baseurl` has it, else by where the page lies.
"""

from __future__ import annotations

import hashlib
import html as markup
import json
import math
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from livetorch.embed import FIGURE as WHOLE
from livetorch.embed import FOLDER as EMBED
from livetorch.embed import SPEC, anchor, credit, embed_page, file_name
from livetorch.pools import first_numbers, put_back, take_out
from livetorch.scripts import built

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

PARTS = "pages/parts.json"  # the scripts that a figure may need besides the core, and for what
MARK = 'class="livetorch'
FOLDER = "live"
SECTION = re.compile(r"<section\b|\Z")
BEHIND = 30_000  # compressed bytes of a page, what a phone's line brings while it waits for an answer


def add_folder(app: Sphinx, config: Config) -> None:
    """Copy script and style sheet, as built, beside the book's other static files."""
    config.html_static_path.append(str(built("pages")))


def add_sheet(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Load the style sheet on pages that hold a live figure."""
    if MARK in (context.get("body") or ""):
        app.add_css_file("livetorch.css")


def add_script(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Load the script on pages that hold a live figure, and what the first of them asks for when it runs."""
    body = context.get("body") or ""
    if MARK not in body:
        return
    core, static = built("pages/livetorch.js").read_bytes(), context["pathto"]("_static", 1)
    tags = [
        f'<link rel="preload" as="script" fetchpriority="low" href="{static}/{file}" />'
        for file in first_parts(body)
    ]
    version = hashlib.sha256(core).hexdigest()[:8]
    tags.append(f'<script async src="{static}/livetorch.js?v={version}"></script>')
    context["body"] = behind_the_sheet(body, "".join(tags))


def behind_the_sheet(body: str, tags: str) -> str:
    """Write tags before that section of a page where what they ask for comes after the style sheet.

    Nothing is shown before the sheet is there, so on a slow line scripts should not share the line with it.

    >>> behind_the_sheet("<section>All of a page.</section>", "<script></script>")
    '<section>All of a page.</section><script></script>'
    """
    packing, place, done, size = zlib.compressobj(), 0, 0, 0
    for found in SECTION.finditer(body):
        size += len(packing.compress(body[done : found.start()].encode()) + packing.flush(zlib.Z_SYNC_FLUSH))
        if size > BEHIND:
            break
        place = done = found.start()
    return body[:place] + tags + body[place:]


def first_parts(html: str) -> list[str]:
    """Give the files that a page's first figure asks for when the core runs: a page can fetch them with it.

    >>> first_parts("<p>No figure.</p>")
    []
    """
    figure = WHOLE.search(html)
    found = figure and SPEC.search(figure[0])
    if not found:
        return []
    spec, parts = json.loads(found[1]), json.loads(built(PARTS).read_text(encoding="utf-8"))
    programs, pool = spec.get("programs", []), spec.get("pool", [])
    wanted = {parts["views"].get(view["kind"]) for view in spec["views"]}
    wanted |= {"zoom" for view in spec["views"] if view.get("zoom")}
    asked = {node["op"].removeprefix("aten.") for program in programs for node in program["nodes"]}
    if asked & set(parts["operators"]):
        wanted.add("operators")
    if any(_numbers(program, pool) >= parts["many"] for program in programs):
        wanted.add("lanes")
    if any(control.get("unit") == "library" for control in spec.get("controls", [])):
        wanted.add("tokenizer")
    return sorted(parts["files"][name] for name in wanted if name)


def _numbers(program: dict[str, Any], pool: list[dict[str, Any]]) -> int:
    held = [*program.get("inputs", []), *program.get("constants", [])]
    shapes = [(pool[each["pool"]] if each.get("pool", -1) in range(len(pool)) else each) for each in held]
    return sum(math.prod(each.get("shape", [])) for each in shapes)


def join_pools(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Give each figure the constants that lie beside its notebook: what follows finds it whole."""
    if doctree is not None and MARK in (context.get("body") or ""):
        context["body"] = put_back(context["body"], Path(app.env.doc2path(pagename)).parent)


def move_weights(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Write a page's large pools into static files, and say where they are."""
    place = context["pathto"]
    html, files = take_out(
        context.get("body") or "",
        url=lambda name: place(f"_static/{FOLDER}/{name}", 1),
        first=first_numbers,
        lean=True,
    )
    if not files:
        return
    folder = Path(app.outdir, "_static", FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        Path(folder, name).write_text(text, encoding="utf-8")
    context["body"] = html


def embed_figures(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Write a file for each figure of a page that does not name one, and say at the figure where it is."""
    folder, config, place = Path(app.outdir, EMBED), app.config, context["pathto"]
    home = config.html_baseurl.rstrip("/") if config.html_baseurl else ".."
    title = app.env.titles[pagename].astext() if pagename in app.env.titles else pagename

    def store(match: re.Match[str]) -> str:
        named = re.search(r'data-name="([^"]+)"', match["attributes"])
        if named is None or "data-embed=" in match["attributes"]:
            return match[0]
        name = markup.unescape(named[1])
        file = file_name(pagename, name)
        back = f"{home}/{app.builder.get_target_uri(pagename)}#{anchor(name)}"
        said = credit(
            back, title, config.html_title or config.project, config.author, config.livetorch_licence
        )
        folder.mkdir(parents=True, exist_ok=True)
        head = context.get("figure_heads", {}).get(name, "")
        text = embed_page(match[0], said, language=config.language, head=head)
        Path(folder, file).write_text(text, encoding="utf-8")
        where = f'id="{markup.escape(anchor(name))}" data-embed="{place(f"{EMBED}/{file}", 1)}"'
        return match[0].replace('<figure class="livetorch"', f'<figure class="livetorch" {where}', 1)

    if MARK in (context.get("body") or ""):
        context["body"] = WHOLE.sub(store, context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx: pools are put back, figures are stored whole, then the weights leave the page."""
    app.connect("config-inited", add_folder)
    app.connect("html-page-context", add_sheet)
    app.add_config_value("livetorch_licence", "", "html", str)
    app.connect("html-page-context", join_pools, priority=580)
    app.connect("html-page-context", embed_figures, priority=590)
    app.connect("html-page-context", move_weights, priority=600)
    app.connect("html-page-context", add_script, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
