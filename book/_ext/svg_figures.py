"""Put SVG outputs of cells into the page itself, with their numbers, instead of linking them as images.

Inline, a picture follows the page's light or dark theme (its ink is ``currentColor``), and a reader who
cannot see it gets the numbers, which the cell's output carries as text.
"""

import html
import itertools
import re
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform

SVG = "image/svg+xml"
NUMBERS_AS_LABEL = 120  # characters of the numbers that a label may quote
LETTERS = 10  # px of the smallest letters on a phone: a picture that is wider then scrolls
UNIT = 4 / 3  # px of a unit of a picture at most: so matplotlib's points are shown where there is room


def theme_following(svg: str, prefix: str, label: str) -> str:
    """Give an SVG that has no colours of its own, ids of its own, and a name for those who cannot see it."""
    svg = svg[svg.index("<svg") :].rstrip()  # no XML prolog in HTML
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<title[^>]*>.*?</title>\s*", "", svg, flags=re.DOTALL)  # becomes the label
    svg = re.sub(r"<style[^>]*>[^<]*\b(?:color|background)\b[^<]*</style>\s*", "", svg, count=1)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}\1"', svg)
    svg = re.sub(r'(href=")#', rf"\1#{prefix}", svg)
    svg = re.sub(r"url\(#", f"url(#{prefix}", svg)
    opening, rest = svg.split(">", 1)
    opening = re.sub(r'\s(?:role|aria-label|aria-labelledby|xmlns:\w+)="[^"]*"', "", opening)
    if 'class="' in opening:
        opening = opening.replace('class="', 'class="figure-svg ', 1)
    else:
        opening += ' class="figure-svg"'
    if box := re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ', opening):
        sizes = [float(size) for size in re.findall(r'font-size(?:="|:\s*)([\d.]+)', rest)]
        least = f"--least: {float(box[1]) * min(UNIT, LETTERS / min(sizes, default=LETTERS)):.0f}px"
        opening, styled = re.subn(r'style="', f'style="{least}; ', opening, count=1)
        opening += "" if styled else f' style="{least}"'
    return f'{opening} role="img" aria-label="{html.escape(label, quote=True)}">{rest}'


def spoken(text: str) -> str:
    r"""Say a text without the signs of its maths: ``$\alpha_{1a}$`` is "alpha 1a"."""
    return re.sub(r"\$([^$]+)\$", lambda maths: " ".join(re.sub(r"[\\{}_^]+", " ", maths[1]).split()), text)


def label_of(svg: str, numbers: str) -> str:
    """Name a picture: its own title if it has one, else the beginning of its numbers."""
    if title := re.search(r"<title[^>]*>([^<]+)</title>", svg):
        return spoken(html.unescape(title.group(1)).strip())
    first = " ".join(numbers.split())
    return first if len(first) <= NUMBERS_AS_LABEL else f"{first[:NUMBERS_AS_LABEL].rsplit(' ', 1)[0]} ..."


def figure(svg: str, numbers: str, prefix: str) -> str:
    """Give the HTML of one picture and of its numbers, which the form of the page folds (page_form.py)."""
    picture = theme_following(svg, prefix, label_of(svg, numbers) or "Figure")
    below = ""
    if numbers.strip():
        below = f'<pre class="figure-numbers" tabindex="0">{html.escape(numbers.strip(chr(10)))}</pre>'
    return f'<div class="figure-inline">{picture}{below}</div>'


class InlineSvg(SphinxTransform):
    """Replace the outputs that hold an SVG, before Sphinx collects images."""

    default_priority = 400

    def apply(self, **kwargs) -> None:
        """Walk the outputs of one page."""
        count = itertools.count(1)
        bundles = [n for n in self.document.findall(nodes.container) if n.get("nb_element") == "mime_bundle"]
        for bundle in bundles:
            by_type = {child.get("mime_type"): child for child in bundle.children}
            if SVG not in by_type or "text/html" in by_type:
                continue
            image = next(iter(by_type[SVG].findall(nodes.image)), None)
            if image is None:
                continue
            svg = Path(self.app.srcdir, image["uri"].lstrip("/")).read_text(encoding="utf-8")
            numbers = by_type["text/plain"].astext() if "text/plain" in by_type else ""
            raw = nodes.raw("", figure(svg, numbers, f"f{next(count)}-"), format="html")
            raw.source, raw.line = image.source, image.line
            bundle.replace_self(raw)


def setup(app) -> dict[str, bool]:
    """Register the transform with Sphinx."""
    app.add_transform(InlineSvg)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
