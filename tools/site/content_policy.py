"""Print the content security policy under which the built book works: own files only, no eval of JavaScript.

    python tools/site/content_policy.py [FOLDER OF PAGES]

Scripts come from files, except one in each page that sets the theme before anything is painted; the policy
names it by its hash. Styles stand in the pages too: drawings and the theme use `style="..."`.
Files below embed/ name their own scripts in a policy of their own: their header says only who may show them.
Python in the page is WebAssembly in a worker: 'wasm-unsafe-eval' lets a browser compile that and no more.
A figure that computes long does so in a worker made of a text (blob:), which keeps the page's policy.
"""

import base64
import hashlib
import html
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
EMBED = "embed"
SHOWN_ANYWHERE = "frame-ancestors *"
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def hashes(folder: Path) -> list[str]:
    """Give the hash of every script that stands in a page itself, as a policy names it."""
    pages = (page for page in folder.rglob("*.html") if page.parent.name != EMBED)
    scripts = {code for page in pages for code in INLINE.findall(page.read_text("utf-8"))}
    digests = (hashlib.sha256(code.encode()).digest() for code in scripts)
    return sorted(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def policy(folder: Path = SITE) -> str:
    """Give the value of the Content-Security-Policy header for the built pages."""
    rules = {
        "default-src": ["'self'"],
        "script-src": ["'self'", "'wasm-unsafe-eval'", *hashes(folder)],
        "worker-src": ["'self'", "blob:"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'", "data:"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'self'"],
    }
    return "; ".join(f"{name} {' '.join(values)}" for name, values in rules.items())


def server_text(folder: Path = SITE) -> str:
    """Give the settings of a web server that the built page on hosting shows."""
    page = (folder / "book" / "hosting.html").read_text("utf-8")
    (block,) = re.findall(r'<div class="highlight-nginx.*?<pre>(.*?)</pre>', page, re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", block))


if __name__ == "__main__":
    print(policy(Path(sys.argv[1]) if len(sys.argv) > 1 else SITE))
