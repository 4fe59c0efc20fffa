"""Draw formulas while the book is built, so that a page needs no script (and no other host) to show them.

All formulas of the book go to KaTeX in one node process. A formula that KaTeX cannot read is a warning
that names its place, and the book is built with warnings as errors.

sphinxcontrib-katex can draw while building as well (`katex_prerender`), but it links a style sheet on another
host unless told otherwise, on every page, asks a server process one formula at a time, and does not say in
which file a formula stands that cannot be read.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)
RENDER = Path(__file__).parent / "katex" / "render.cjs"
NUMBERED = re.compile(r"\\(begin|end)\{(align|alignat|equation|gather)\}")
GATHERED = re.compile(r"\\begin\{gathered\}(.*)\\end\{gathered\}", re.DOTALL)
TOKEN = re.compile(r"\\(?:begin|end)\b|\\q?quad\b|\\.|[{}]")
GAP = re.compile(  # what KaTeX makes of a quad that a line may end at
    r'<span class="mspace" style="margin-right:([12])em;"></span><span class="mspace allowbreak"></span>'
    r'(?:<span class="mspace" style="margin-right:[\d.]+em;"></span>)?</span>(?=<span class="base">)'
)
NEWLINE = '<span class="mspace newline"></span>'
HTML, PART = '<span class="katex-html" aria-hidden="true">', '<span class="part">'
SPACE = 0.25  # em of a space between parts, which a line's end swallows
TIED = {-1: "tied_before", 1: "tied_after"}
TIED_AFTER, TIED_BEFORE = re.compile(r"[^\w\s]+"), re.compile(r"[(\[“]+$")
STYLE_SHEETS = ("katex/katex.min.css", "katex/usual.css")

Formula = tuple[str, bool]  # (latex, is it displayed on its own lines?)


def render(formulas: list[Formula]) -> list[dict[str, str]]:
    """Render formulas with one call of node; each result holds ``html`` or ``error``."""
    node = shutil.which("node")
    if node is None:
        raise RuntimeError("node is needed to draw formulas; `python tools/site/ensure_node.py` installs it")
    request = json.dumps([{"latex": latex, "display": display} for latex, display in formulas])
    answer = subprocess.run(
        [node, str(RENDER)],
        input=request,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return [parted(result) for result in json.loads(answer.stdout)]


def breakable(latex: str) -> str:
    r"""Let a line end at each quad that stands in no group.

    >>> breakable(r"a = \frac{1 \quad 2}{b}, \qquad c")
    'a = \\frac{1 \\quad 2}{b}, \\qquad\\allowbreak  c'
    """
    depth, pieces, end = 0, [], 0
    for found in TOKEN.finditer(latex):
        token = found[0]
        depth += (token in ("{", "\\begin")) - (token in ("}", "\\end"))
        if depth == 0 and token.endswith("quad"):
            pieces.append(latex[end : found.end()])
            end = found.end()
    return "\\allowbreak ".join([*pieces, latex[end:]])


def parted(result: dict[str, str]) -> dict[str, str]:
    """Wrap what stands between the quads of a drawn formula: a line that is too short ends between two."""
    page = result.get("html", "").replace("\\allowbreak ", "")
    if HTML not in page or not (GAP.search(page) or NEWLINE in page):
        return {**result, "html": page} if page else result
    page = GAP.sub(
        lambda gap: f'</span></span><span style="word-spacing:{int(gap[1]) - SPACE}em"> </span>{PART}', page
    )
    page = page.replace(NEWLINE, f"</span>{NEWLINE}{PART}")
    return {"html": page.replace(HTML, HTML + PART).removesuffix("</span></span>") + "</span></span></span>"}


def formula_of(node: nodes.math | nodes.math_block) -> Formula:
    """Give a node's LaTeX as KaTeX reads it: several lines (``\\\\``) need an environment around them."""
    latex = node.astext().strip()
    display = isinstance(node, nodes.math_block)
    latex = NUMBERED.sub(r"\\\1{\2*}", latex)  # only Sphinx counts equations
    if display and not node.get("nowrap") and "\\\\" in latex and "\\begin{" not in latex:
        latex = f"\\begin{{aligned}}{latex}\\end{{aligned}}"
    if gathered := GATHERED.fullmatch(latex):  # nothing is aligned: each of its lines may end at its quads
        latex = gathered[1].strip()
    return (breakable(latex) if display else latex), display


def collect(app, env) -> list[str]:
    """Render every formula of the book that is not yet known."""
    known = app.katex_html
    wanted: dict[Formula, nodes.Node] = {}
    for name in sorted(env.found_docs):
        for node in env.get_doctree(name).findall(lambda n: isinstance(n, nodes.math | nodes.math_block)):
            wanted.setdefault(formula_of(node), node)
    new = [formula for formula in wanted if formula not in known]
    for formula, result in zip(new, render(new) if new else [], strict=True):
        known[formula] = result.get("html", "")
        if "error" in result:
            logger.warning("formula %r: %s", formula[0], result["error"], location=wanted[formula])
    return []


def _html(translator, node) -> str:
    known, formula = translator.builder.app.katex_html, formula_of(node)
    if formula not in known:  # made by a transform after `collect`
        known[formula] = render([formula])[0].get("html", "")
    return known[formula]


def tie(app, doctree, docname) -> None:
    """Give each formula within a line the signs that touch it: no line begins with its full stop."""
    for node in list(doctree.findall(nodes.math)):
        siblings, place = node.parent.children, node.parent.index(node)
        for side, pattern in ((1, TIED_AFTER), (-1, TIED_BEFORE)):
            near = siblings[place + side] if 0 <= place + side < len(siblings) else None
            if not isinstance(near, nodes.Text):
                continue
            text = str(near)
            found = pattern.match(text) if side > 0 else pattern.search(text)
            if found:
                node[TIED[side]] = found[0]
                node.parent.replace(near, nodes.Text(text[: found.start()] + text[found.end() :]))


def visit_inline(translator, node) -> None:
    """Write a formula within a line, in one piece with the signs that touch it."""
    drawn = f'<span class="math notranslate">{_html(translator, node)}</span>'
    before, after = (translator.encode(node.get(TIED[side], "")) for side in (-1, 1))
    translator.body.append(f'<span class="tied">{before}{drawn}{after}</span>' if before or after else drawn)
    raise nodes.SkipNode


def visit_block(translator, node) -> None:
    """Write a displayed formula with its number."""
    translator.body.append(translator.starttag(node, "div", CLASS="math notranslate"))
    if node.get("number"):
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append(f"{_html(translator, node)}</div>\n")
    raise nodes.SkipNode


def add_style(app, pagename, templatename, context, doctree) -> None:
    """Load KaTeX's style sheet on the pages that show a formula, and nowhere else."""
    if 'class="katex"' in (context.get("body") or ""):
        for name in STYLE_SHEETS:
            app.add_css_file(name)


def setup(app) -> dict[str, bool]:
    """Register the renderer with Sphinx."""
    app.katex_html = {}
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.connect("env-updated", collect)
    app.connect("doctree-resolved", tie)
    app.connect("html-page-context", add_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
