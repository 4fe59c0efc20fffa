"""Turn a matplotlib figure into a small SVG that takes on the colours of the page it stands on."""

import hashlib
import io
import re
from functools import cache
from xml.sax.saxutils import escape

from matplotlib.figure import Figure

from attn_helpers.plotting.fonts import PAGE_FAMILIES, drawing, families_of
from attn_helpers.plotting.scales import TINTED, steps
from livetorch.palette import COLOURS

# on its own (a notebook, a code host) the picture is a card; a page that inlines it drops this style
CARD = (
    ".attn-picture{color:#222;color:light-dark(#222,#e8ebf1);"
    "background:#fff;background:light-dark(#fff,#191e27)}"
)
ON_CELL = "on-"  # begins the id of a number in a cell; the ink that it has in the dark follows
_NUMBER = re.compile(rf'<g id="{ON_CELL}([0-9a-f]{{6}})">\n(<text.*?</text>\n)</g>', re.DOTALL)
ATTRIBUTES = ("font-size", "font-weight", "font-style", "text-anchor")  # of a text, said outside its style
_CELL = re.compile(
    r'<path d="M ([-\d.]+) ([-\d.]+) +L ([-\d.]+) \2 +L \3 ([-\d.]+) +L \1 \4 +L \1 \2 +" '
    r'style="fill: (#[0-9a-f]{6})"/>\n'
)


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
    ((width, height),) = [
        map(float, sizes) for sizes in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[:1]
    ]
    body = svg[svg.index("<defs>") :] if "<defs>" in svg else svg
    body = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>\s*", "", body, count=1, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->\s*|\s*(?=/>)", "", body, flags=re.DOTALL)
    body = body.replace("#000000", "currentColor")
    body = re.sub(r' d="[^"]*"', lambda found: _rounded(found[0].replace("\n", " ")), body)
    body = re.sub(r"(?:translate|rotate)\([^)]*\)", lambda found: _rounded(found[0]), body)
    body = re.sub(r'\b(?:x|y|width|height)="[-\d.]+"', lambda found: _rounded(found[0]), body)
    body = re.sub(r"\s*\n\s*", "\n", body)
    body = _own_ids(_in_both_themes(_plain_texts(_with_minus_signs(_joined_cells(body)))))
    card = f"<title>{escape(title)}</title><style>{CARD}</style>"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'class="attn-picture" width="{width * 4 / 3:.0f}" height="{height * 4 / 3:.0f}" '
        f'viewBox="0 0 {width:g} {height:g}" fill="currentColor" stroke-linejoin="round" '
        f'stroke-linecap="butt" font-family="{PAGE_FAMILIES}" style="max-width: 100%; height: auto">'
        f"{card}\n{body.strip()}\n"
    )


def _rounded(text: str) -> str:
    """Keep two decimals of every number: a hundredth of a pixel, and no last bits of some processor."""
    return re.sub(
        r"-?\d+\.\d{2,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), text
    ).replace("-0 ", "0 ")


def _joined_cells(body: str) -> str:
    """Make one path of neighbouring cells for each colour: a heatmap is a dozen paths, not a hundred."""

    def joined(run: re.Match[str]) -> str:
        by_colour: dict[str, str] = {}
        for left, top, right, bottom, colour in _CELL.findall(run[0]):
            by_colour[colour] = by_colour.get(colour, "") + f"M{left} {top}H{right}V{bottom}H{left}z"
        crisp = 'shape-rendering="crispEdges"'
        paths = (f'<path d="{d}" {crisp} style="fill: {colour}"/>\n' for colour, d in by_colour.items())
        return "".join(paths)

    return re.sub(f"(?:{_CELL.pattern})+", joined, body)


def _with_minus_signs(body: str) -> str:
    """Write a minus sign, as live figures do, where a text begins with a number; "-5th" is a name."""
    return re.sub(r">-(?=\d[\d.,]*+(?:e[+-]?\d+)?(?![\w-])[^<]*</text>)", ">−", body)


def _plain_texts(body: str) -> str:
    """Say font size and anchor of a text as attributes; its family is that of the whole picture."""

    def plain(found: re.Match[str]) -> str:
        style = dict(part.split(": ", 1) for part in found[1].split("; "))
        style.pop("font-family", None)
        said = {name: style.pop(name).removesuffix("px") for name in ATTRIBUTES if name in style}
        if style:
            said["style"] = "; ".join(f"{name}: {value}" for name, value in style.items())
        attributes = "".join(f' {name}="{value}"' for name, value in said.items())
        return f"<text{attributes}{found[2]}>"

    level = r' transform="rotate\(-?0 [^"]*"'
    return re.sub(rf'<text style="([^"]*)"((?:(?!{level})[^>])*)({level})?>', plain, body)


@cache
def _dark() -> dict[str, str]:
    """Each colour of the light palette, and what stands for it on a dark page."""
    pairs = {COLOURS["points"]["light"]: COLOURS["points"]["dark"]}
    pairs |= dict(zip(COLOURS["series"]["light"], COLOURS["series"]["dark"], strict=True))
    pairs |= dict(zip(COLOURS["hatch"]["light"], COLOURS["hatch"]["dark"], strict=True))
    pairs |= {colour: COLOURS["roles"]["dark"][role] for role, colour in COLOURS["roles"]["light"].items()}
    pairs |= {COLOURS["grid"]["light"]: COLOURS["grid"]["dark"]}
    pairs |= {COLOURS["page"]["light"][name]: COLOURS["page"]["dark"][name] for name in ("ink2", "line")}
    for scale in ("diverging", "sequential", *TINTED):
        pairs |= dict(zip(steps(scale, "light"), steps(scale, "dark"), strict=True))
    return pairs


def _in_both_themes(body: str) -> str:
    """Say for each colour of the palette what it is on a dark page; an old browser skips what is new."""

    def both(found: re.Match[str]) -> str:
        what, colour = found.groups()
        dark = _dark().get(colour)
        return f"{found[0]}; {what}: light-dark({colour}, {dark})" if dark else found[0]

    def number(found: re.Match[str]) -> str:
        ink = found[1]
        return re.sub(r"fill: (#[0-9a-f]{6})", rf"fill: \1; fill: light-dark(\1, #{ink})", found[2])

    return re.sub(
        r"\b(fill|stroke): (#[0-9a-f]{6})(?=[;\"])(?!; \1: light-dark)", both, _NUMBER.sub(number, body)
    )


def _own_ids(body: str) -> str:
    """Drop ids that nothing refers to; shorten the others, and make them differ from other pictures' ids."""
    used = list(dict.fromkeys(re.findall(r'(?:href="#|url\(#)([^")]+)', body)))
    own = f"p{hashlib.sha256(body.encode()).hexdigest()[:6]}-"
    short = {name: f"{own}{number}" for number, name in enumerate(used)}
    body = re.sub(
        r' id="([^"]+)"', lambda found: f' id="{short[found[1]]}"' if found[1] in short else "", body
    )
    return re.sub(r'(?:xlink:)?(href="#|url\(#)([^")]+)', lambda found: found[1] + short[found[2]], body)
