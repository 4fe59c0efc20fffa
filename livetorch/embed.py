"""A live figure in a file of its own, for other pages to show in a frame: ``embed/PAGE-NAME.html`` of a site.

The file holds all that the figure needs, its script, its style and its weights, so that it works from any
server, from disk, and copied into another course. It names its own scripts in a content security policy and
asks no host for anything.
"""

import base64
import hashlib
import html
import json
import re
import urllib.parse
from functools import cache
from pathlib import Path

from livetorch.scripts import PAGES

__all__ = ["FIGURE", "FOLDER", "anchor", "credit", "embed_page", "file_name"]

FOLDER = "embed"
FIGURE = re.compile(r'<figure class="livetorch"(?P<attributes>[^>]*)>.*?</figure>', re.DOTALL)
SPEC = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)
TITLE = re.compile(r'<p class="lt-title">(.*?)</p>', re.DOTALL)
# A browser that finds none in a page asks the host for /favicon.ico, which may not be there.
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 2'%3E"
    "%3Cpath fill='%231d5fa7' d='M0 0h.9v.9H0zM1.1 1.1H2V2h-.9z'/%3E"
    "%3Cpath fill='%237fb0de' d='M1.1 0H2v.9h-.9zM0 1.1h.9V2H0z'/%3E%3C/svg%3E"
)
_LARGE = 1_000_000  # characters of a figure beside which the worker's script is little
STYLE = """
:root { color-scheme: light; background: #fff; font: 16px/1.5 system-ui, Roboto, Arial, sans-serif; }
body { margin: 0; }
body > figure.livetorch { margin: 0; }
figure.livetorch:not(.lt-mounted) { padding: 14px 16px; color: #171b24; background: #fff; }
.lt-credit { margin: 0; padding: 6px 16px 10px; font-size: 13px; color: #566070; }
.lt-credit a { color: inherit; }
.lt-credit a:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
:root[data-plays] :is(.lt-head, .lt-controls, .lt-run, .lt-caption, .lt-foot, .lt-credit) { display: none; }
:root[data-theme="dark"] { color-scheme: dark; background: #12151b; }
:root[data-theme="dark"] .lt-credit { color: #a6b0bf; }
@media screen and (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) { color-scheme: dark; background: #12151b; }
  :root:not([data-theme="light"]) .lt-credit { color: #a6b0bf; }
}
"""


@cache
def _script(folder: Path, left_out: tuple[str, ...]) -> str:
    """Read the script and its parts as one, so that no figure begins before all are there."""
    parts = sorted(folder.glob("livetorch-*.js"))
    files = [folder / "livetorch.js", *(path for path in parts if path.stem not in left_out)]
    text = ";\n".join(path.read_text(encoding="utf-8") for path in files)
    return text.replace("</script", "<\\/script").replace("<!--", "\\x3c!--")


def _not_needed(figure: str, folder: Path) -> tuple[str, ...]:
    """Name the parts of the script that a figure never asks for: other views, and what only some can do."""
    views = json.loads((folder / "parts.json").read_text(encoding="utf-8"))["views"]
    needed = dict.fromkeys((*views.values(), "notebook"), False)
    for kind, part in views.items():
        needed[part] |= f'"kind":"{kind}"' in figure
    needed["tokenizer"] = '"unit":"library"' in figure
    needed["worker"] = '"first":' in figure or len(figure) > _LARGE  # its runs may hold up the page
    needed["zoom"] = '"zoom":true' in figure
    return tuple(f"livetorch-{part}" for part, is_needed in needed.items() if not is_needed)


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def file_name(page: str, figure: str) -> str:
    """Name the file of a figure.

    >>> file_name("notebooks/01a_weighted_average", "fit")
    '01a_weighted_average-fit.html'
    """
    return f"{page.rpartition('/')[2]}-{re.sub(r'[^A-Za-z0-9._-]', '-', figure)}.html"


def credit(address: str, page: str, book: str, author: str = "", licence: str = "") -> str:
    """Say in HTML where a figure comes from.

    >>> credit("a.html", "A & B", "Book", "Us", "CC BY 4.0")
    '<a href="a.html" target="_blank" rel="noopener">A &amp; B</a>, in <cite>Book</cite> by Us, CC BY 4.0.'
    """
    link = f'<a href="{html.escape(address)}" target="_blank" rel="noopener">{html.escape(page)}</a>'
    by = f" by {html.escape(author)}" if author else ""
    under = f", {html.escape(licence)}" if licence else ""
    return f"{link}, in <cite>{html.escape(book)}</cite>{by}{under}."


def embed_page(
    figure: str,
    from_: str,
    *,
    language: str = "en",
    folder: Path = PAGES,
    files: bool = False,
    head: str = "",
    below: str = "",
) -> str:
    """Write the file of a figure.

    Args:
        figure: its HTML as a notebook stores it, weights included.
        from_: HTML of the line below it, see `credit`.
        language: of the figure's words.
        folder: of the built script and style sheet.
        head: HTML that its head holds besides, such as what a shared link shows.
        below: HTML that the figure need not wait for: it stands last, and the script before it.
        files: whether it loads files beside it, which a policy cannot name where they lie on a disk.
    Returns: A page; nobody asks a question there, so that nothing is veiled.

    >>> page = embed_page('<figure class="livetorch" data-name="a"></figure>', "From a book.")
    >>> page.count("</script>") == page.count("sha256-") == 1
    True
    """
    script = _script(folder, _not_needed(figure, folder))
    style = (folder / "livetorch.css").read_text(encoding="utf-8") + STYLE
    found = TITLE.search(figure)
    policy = (
        f"default-src 'none'; script-src 'wasm-unsafe-eval' {_digest(script)}; "
        "worker-src blob:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    allowed = "" if files else f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    written = f"<script>{script}</script>"
    return f"""<!doctype html>
<html lang="{language}" data-embedded>
<head>
<meta charset="utf-8">
{allowed}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="{ICON}">
<title>{found[1] if found else "A live figure"}</title>
{head}
<style>{style}</style>
{"" if below else written}
</head>
<body>
{figure.replace(" data-veil>", ">", 1)}
<p class="lt-credit">{from_}</p>
{written + below if below else ""}
</body>
</html>
"""


def anchor(name: str) -> str:
    """Give the place of a figure in a link; it is its id too, so that the link works without a script."""
    return f"lt:{urllib.parse.quote(name)}="
