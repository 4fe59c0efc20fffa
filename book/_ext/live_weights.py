"""Move the trained weights of live figures out of the page, into files that are loaded when first used.

A notebook holds all of a figure in one cell's output, so that it is whole wherever the notebook is opened.
A page would be heavy with it: here a large pool of constants becomes a classic script of its own, named by
what it holds, which the live runtime loads when the reader comes near the figure. A script and not JSON,
because a page opened from disk may load scripts only.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

FOLDER = "live"
LARGE = 60_000  # characters of JSON above which a pool leaves the page
FIGURE = re.compile(
    r'(?P<open><figure class="attention-live")(?P<middle>(?:(?!</figure>).)*?'
    r'<script type="application/json">)(?P<spec>.*?)(?P<close></script>)',
    flags=re.DOTALL,
)


def compact(value) -> str:
    """Write JSON as the notebooks hold it: no "<", so that nothing in it can end a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def take_out(html: str, large: int = LARGE) -> tuple[str, dict[str, str]]:
    """Replace large pools in a page's HTML; gives the HTML and the files, name to text.

    The figure then names its file as ``data-pool="NAME.js"``, without a folder, and says how much is loaded.
    """
    files: dict[str, str] = {}

    def shorten(match: re.Match) -> str:
        spec = json.loads(match["spec"])
        pool = compact(spec.get("pool") or [])
        if len(pool) <= large:
            return match[0]
        name = hashlib.sha256(pool.encode()).hexdigest()[:16]
        files[f"{name}.js"] = text = f'AttentionLive.provide("{name}",{pool});\n'
        size = f"{len(gzip.compress(text.encode(), mtime=0)) / 1000:.0f} kB"
        data = f' data-pool="{name}.js" data-size="{size}"'
        return match["open"] + data + match["middle"] + compact({**spec, "pool": []}) + match["close"]

    return FIGURE.sub(shorten, html), files


def move_weights(app, pagename, templatename, context, doctree) -> None:
    """Write a page's large pools into static files, and say where they are."""
    html, files = take_out(context.get("body") or "")
    if not files:
        return
    folder = Path(app.outdir, "_static", FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        Path(folder, name).write_text(text, encoding="utf-8")
        html = html.replace(
            f'data-pool="{name}"', f'data-pool="{context["pathto"](f"_static/{FOLDER}/{name}", 1)}"'
        )
    context["body"] = html


def setup(app) -> dict[str, bool]:
    """Connect to Sphinx, before anything looks at the finished body."""
    app.connect("html-page-context", move_weights, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
