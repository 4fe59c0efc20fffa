"""Turn a matplotlib figure into a small SVG that takes on the colours of the page it stands on."""

import hashlib
import io
import re
from xml.sax.saxutils import escape

from matplotlib.figure import Figure

from ._fonts import drawing, families_of

# on its own (a notebook, a code host) the picture is a light card; a page that inlines it drops this style
CARD = ".attn-picture{color:#222;background:#fff}"


def to_svg(figure: Figure, title: str) -> str:
    """Draw a figure as SVG: black becomes the text colour of the page, the background is left out."""
    buffer = io.StringIO()
    with drawing(), families_of(figure):
        figure.savefig(
            buffer, format="svg", dpi=144, transparent=True, metadata={"Date": None, "Creator": None}
        )
    return clean(buffer.getvalue(), title)


def clean(svg: str, title: str) -> str:
    """Reduce what matplotlib wrote to what a page needs, the same on every machine."""
    width, height = (float(size) for size in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    body = svg[svg.index("<defs>") :] if "<defs>" in svg else svg
    body = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>\s*", "", body, count=1, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->\s*|\s*(?=/>)", "", body, flags=re.DOTALL)
    body = body.replace("#000000", "currentColor")
    body = re.sub(r' d="[^"]*"', lambda found: _rounded(found[0].replace("\n", " ")), body)
    body = re.sub(r"translate\([^)]*\)", lambda found: _rounded(found[0]), body)
    body = re.sub(r'\b(?:x|y|width|height)="[-\d.]+"', lambda found: _rounded(found[0]), body)
    body = re.sub(r"\s*\n\s*", "\n", _own_ids(body))
    card = f"<title>{escape(title)}</title><style>{CARD}</style>"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'class="attn-picture" width="{width * 4 / 3:.0f}" height="{height * 4 / 3:.0f}" '
        f'viewBox="0 0 {width:g} {height:g}" fill="currentColor" stroke-linejoin="round" '
        f'stroke-linecap="butt" style="max-width: 100%; height: auto">{card}\n{body.strip()}\n'
    )


def _rounded(text: str) -> str:
    """Keep two decimals of every number: a hundredth of a pixel, and no last bits of some processor."""
    return re.sub(
        r"-?\d+\.\d{2,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), text
    ).replace("-0 ", "0 ")


def _own_ids(body: str) -> str:
    """Drop ids that nothing refers to; shorten the others, and make them differ from other pictures' ids."""
    used = list(dict.fromkeys(re.findall(r'(?:href="#|url\(#)([^")]+)', body)))
    own = f"p{hashlib.sha256(body.encode()).hexdigest()[:6]}-"
    short = {name: f"{own}{number}" for number, name in enumerate(used)}
    body = re.sub(
        r' id="([^"]+)"', lambda found: f' id="{short[found[1]]}"' if found[1] in short else "", body
    )
    return re.sub(r'(?:xlink:)?(href="#|url\(#)([^")]+)', lambda found: found[1] + short[found[2]], body)
