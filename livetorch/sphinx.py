"""What a Sphinx book needs for live figures: their script on the pages that hold one, and weights beside it.

A notebook holds all of a figure in one cell's output, so that it is whole wherever the notebook is opened.
A page would be heavy with it: here a large pool of constants becomes classic scripts of their own, named by
what they hold, which the live runtime loads when the reader comes near the figure, or, where they are very
large, asks for them. Scripts and not JSON, because a page opened from disk may load scripts only; several,
so that the page can show how much has come. With the weights go the Programs, and what the figure shows at
first is computed here, by the page's own engine: so it lives, and plays, before a reader has touched it, and
loads the rest for whoever does. Where there is no Node it loads them when it comes near the window.

Each figure gets a file of its own besides, `embed/PAGE-NAME.html`, for other pages to show (see `embed`). It
leads back to its page: by the site's address if `html_baseurl` has it, else by where the page lies.
"""

from __future__ import annotations

import gzip
import hashlib
import html as markup
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from livetorch.embed import FIGURE as WHOLE
from livetorch.embed import FOLDER as EMBED
from livetorch.embed import anchor, credit, embed_page, file_name
from livetorch.node import ask

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

DIST = Path(__file__).parent / "js" / "dist"
MARK = 'class="livetorch'
FOLDER = "live"
LARGE = 60_000  # characters of JSON above which a pool leaves the page
PART = 200_000  # characters of JSON to a file, if no single constant is longer
FIRST = 30_000  # characters of JSON that the first numbers of a figure may take in the page
UNASKED = 300_000  # compressed bytes that a page may load before its reader asks for them
FIGURE = re.compile(
    r'(?P<open><figure class="livetorch")(?P<middle>(?:(?!</figure>).)*?'
    r'<script type="application/json">)(?P<spec>.*?)(?P<close></script>)',
    flags=re.DOTALL,
)


def compact(value: object) -> str:
    """Write JSON as the notebooks hold it: no "<", so that nothing in it can end a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def in_parts(pool: list[Any], most: int = PART) -> list[list[Any]]:
    """Cut a pool into runs of constants, each as long as `most` characters allow."""
    parts: list[list[Any]] = []
    room = 0
    for constant in pool:
        length = len(compact(constant))
        if not parts or length > room:
            parts.append([])
            room = most
        parts[-1].append(constant)
        room -= length
    return parts


def first_numbers(spec: dict[str, Any]) -> dict[str, Any] | None:
    """Compute what a figure shows before a hand has moved anything; None if it is too much, or cannot be."""
    answer = ask({"begin": spec}) or {}
    found = answer.get("first")
    return found if found and len(compact(found)) <= FIRST else None


def take_out(
    html: str,
    large: int = LARGE,
    url: Callable[[str], str] = str,
    first: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda _: None,
) -> tuple[str, dict[str, str]]:
    """Replace large pools in a page's HTML; gives the HTML and the files, name to text.

    The figure then names its files as ``data-pool="NAME.js NAME.js"``, each as `url` of its name says, tells
    how much is loaded, and whether only when it is asked for (``data-asked``). Where `first` gives its first
    numbers, they stand in the page, and the Programs in a file (``data-programs``).
    """
    files: dict[str, str] = {}

    def put(content: str) -> tuple[str, int]:
        name = hashlib.sha256(content.encode()).hexdigest()[:16]
        files[f"{name}.js"] = text = f'LiveTorch.provide("{name}",{content});\n'
        return url(f"{name}.js"), len(gzip.compress(text.encode(), mtime=0))

    def shorten(match: re.Match[str]) -> str:
        spec = json.loads(match["spec"])
        pool = compact(spec.get("pool") or [])
        if len(pool) <= large:
            return match[0]
        parts = [put(part) for part in map(compact, in_parts(spec["pool"]))]
        data = f' data-pool="{" ".join(place for place, _ in parts)}"'
        size = sum(weight for _, weight in parts)
        asked = " data-asked" if size > UNASKED else ""
        spec["pool"] = []
        if not asked and (begins := first(spec | {"pool": json.loads(pool)})):
            place, weight = put(compact(spec["programs"]))
            spec |= {"programs": [], "first": begins}
            data, size = f'{data} data-programs="{place}"', size + weight
        words = f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"
        data += f' data-size="{words}"{asked}'
        return match["open"] + data + match["middle"] + compact(spec) + match["close"]

    return FIGURE.sub(shorten, html), files


def add_folder(app: Sphinx, config: Config) -> None:
    """Copy script and style sheet, as built, beside the book's other static files."""
    config.html_static_path.append(str(DIST))


def add_script(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Load script and style sheet on pages that hold a live figure."""
    if MARK in (context.get("body") or ""):
        app.add_js_file("livetorch.js", loading_method="defer")
        app.add_css_file("livetorch.css")


def move_weights(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Write a page's large pools into static files, and say where they are."""
    place = context["pathto"]
    html, files = take_out(
        context.get("body") or "", url=lambda name: place(f"_static/{FOLDER}/{name}", 1), first=first_numbers
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
        Path(folder, file).write_text(embed_page(match[0], said, language=config.language), encoding="utf-8")
        where = f'id="{markup.escape(anchor(name))}" data-embed="{place(f"{EMBED}/{file}", 1)}"'
        return match[0].replace('<figure class="livetorch"', f'<figure class="livetorch" {where}', 1)

    if MARK in (context.get("body") or ""):
        context["body"] = WHOLE.sub(store, context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx: figures are stored whole, then the weights leave the page."""
    app.connect("config-inited", add_folder)
    app.connect("html-page-context", add_script)
    app.add_config_value("livetorch_licence", "", "html", str)
    app.connect("html-page-context", embed_figures, priority=590)
    app.connect("html-page-context", move_weights, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
