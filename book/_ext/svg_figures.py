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
GROUP = re.compile(r"<g\b[^>]*?(/?)>|</g>")
FRAME = re.compile(r'<g>\s*<g>\s*<path d="M ([\d.]+) ([\d.]+)\s+L ([\d.]+) [\d.]+\s+L')
TEXT = re.compile(r'<text font-size="([\d.]+)" text-anchor="(\w+)"([^>]*?) x="([\d.]+)"([^>]*)>([^<]*)')
REACHES = {"start": 0, "middle": 0.5, "end": 1}  # the share of a text that stands left of its place
LETTER = 0.6  # of its size is how wide a letter is about
EDGE = 8  # units that the last letters below a panel reach beyond its frame
BAR = 30  # units: a frame that is narrower is a scale of colours, and stays with its panel
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


def pieces(inside: str) -> list[str]:
    """Give the groups that an SVG's outermost group holds; none where it holds something else besides."""
    depth, begins, found = 0, 0, []
    for tag in GROUP.finditer(inside):
        if tag[0] == "</g>":
            depth -= 1
            if depth == 1:
                found.append(inside[begins : tag.end()])
        elif not tag[1]:
            depth += 1
            if depth == 2:
                begins = tag.start()
    return found


def left_end(panel: str, frame: float) -> float:
    """Say about where a panel begins, with the letters at its left."""
    ends = [frame]
    for size, anchor, _, x, turned, words in TEXT.findall(panel):
        upright = REACHES[anchor] * LETTER * len(html.unescape(words))
        ends.append(float(x) - float(size) * (1 if "rotate" in turned else upright))
    return min(ends)


def panels(svg: str) -> str:
    """Cut panels that stand side by side into one picture for each: on a phone they go in rows."""
    opening, inside = svg.split(">", 1)
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', opening)
    cells = [(piece, FRAME.match(piece)) for piece in pieces(inside)[1:]]
    if not box or any(found is None for _, found in cells):
        return svg
    frames = [sorted((float(found[1]), float(found[3]))) for _, found in cells]
    own = [place for place, (left, right) in enumerate(frames) if right - left > BAR]
    least = re.search(r"--least: (\d+)px", opening)
    if len(own) < 2 or not least or any(frames[b][0] < frames[a][1] for a, b in itertools.pairwise(own)):
        return svg
    cuts = [0.0]
    for place in own[1:]:
        before = frames[place - 1][1]
        room = left_end(cells[place][0], frames[place][0]) - before
        cuts.append(before + max(0, min(EDGE, room / 2)))
    wide = float(box[1])
    named = " ".join(re.findall(r' ((?:role|aria-label)="[^"]*")', opening))
    bare = re.sub(r' (?:width|height|role|aria-label|viewBox|style|class)="[^"]*"', "", opening)
    drawn = []
    for place, (begin, end) in enumerate(itertools.pairwise([*cuts, wide])):
        until = own[place + 1] if place + 1 < len(own) else len(cells)
        body = "".join(cell for cell, _ in cells[own[place] : until])
        drawn.append(
            f'{bare} class="figure-svg" viewBox="{begin:.2f} 0 {end - begin:.2f} {box[2]}"'
            f' style="--units: {end - begin:.2f}"><g>{body}</g></svg>'
        )
    defs = inside[inside.rindex("</g>") + 4 :].replace("</svg>", "")
    drawn[0] = drawn[0].replace("</svg>", f"{defs}</svg>")
    sizes = f"--least: {least[1]}px; --all: {wide:g}"
    return f'<div class="figure-panels" {named} style="{sizes}">{"".join(drawn)}</div>'


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
    picture = panels(theme_following(svg, prefix, label_of(svg, numbers) or "Figure"))
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
