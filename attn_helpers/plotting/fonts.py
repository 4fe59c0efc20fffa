"""Draw with fonts that every machine has: matplotlib's own, and the Chinese one in this package.

Nothing is left behind: the settings and the list of fonts are as before when the drawing is done.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import matplotlib
import matplotlib.style
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.patheffects import Normal
from matplotlib.text import Text

from attn_helpers.plotting.look import LOOK

FONT = Path(__file__).parent / "font" / "attn-cjk.ttf"
FAMILIES = ["DejaVu Sans", "Attn CJK"]  # each glyph comes from the first family that has it
# of what stays text in an SVG, as in live figures; none is wider than DejaVu Sans, in which it was measured
PAGE_FAMILIES = "system-ui, 'DejaVu Sans', sans-serif"
# asked for only when a character is in neither of the two, and only if the machine has them
OTHERS = ["Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "Droid Sans Fallback"]


@contextmanager
def drawing() -> Iterator[None]:
    """Run a drawing with the book's look, our fonts, and settings that make SVGs reproducible."""
    settings = {
        **LOOK,
        "font.family": FAMILIES,
        "svg.fonttype": "none",  # letters stay letters, in the font of the page
        "svg.hashsalt": "attn",
    }
    manager = font_manager.fontManager
    fonts, log = list(manager.ttflist), logging.getLogger(font_manager.__name__)
    level = log.level
    log.setLevel(logging.ERROR)  # it says that it takes bold letters for half bold ones, which a page has
    try:
        manager.addfont(FONT)
        with matplotlib.style.context(["default", settings]):
            yield
    finally:
        manager.ttflist[:] = fonts
        log.setLevel(level)


@contextmanager
def families_of(figure: Figure) -> Iterator[None]:
    """Give every text of a figure a font for each of its characters, for as long as it is drawn.

    What a page's own font may lack (Chinese, formulas) is drawn as shapes.
    """
    texts = [text for text in figure.findobj(Text) if text.get_text()]
    before = [(text.get_fontfamily(), text.get_path_effects()) for text in texts]
    try:
        for text in texts:
            missing = set(map(ord, text.get_text())) - _covered()
            text.set_fontfamily(FAMILIES + (_installed_others() if missing else []))
            if re.search(r"[^\x00-\u024f\u2010-\u2026\u2212]|\$", text.get_text()):
                text.set_path_effects([Normal()])
        yield
    finally:
        for text, (families, effects) in zip(texts, before, strict=True):
            text.set_fontfamily(families)
            text.set_path_effects(effects)


@cache
def _covered() -> frozenset[int]:
    """Code points that the two families can draw."""
    own = matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans.ttf"
    covered = (font_manager.get_font(path).get_charmap() for path in (own, str(FONT)))
    return frozenset().union(*covered)


def _installed_others() -> list[str]:
    installed = {font.name for font in font_manager.fontManager.ttflist}
    return [family for family in OTHERS if family in installed]
