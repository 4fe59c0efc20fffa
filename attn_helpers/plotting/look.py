"""How still pictures look: as the live figures beside them do, in letters, colours, lines and bars.

A point of a picture is 4/3 pixels of a page, so the sizes here are three quarters of those in livetorch's
style sheet (views.css).
"""

import functools
import re
from collections.abc import Callable
from typing import Any

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.text import Text

from livetorch.palette import COLOURS, ROLES

PIXEL = 0.75  # points
TITLE = 13 * PIXEL
HEAVY = 600
BAR = 0.75  # of the place of each
INK2, LINE = (COLOURS["page"]["light"][name] for name in ("ink2", "line"))
GRID = COLOURS["grid"]["light"]  # between the cells of a map
LOOK: dict[str, Any] = {
    "axes.prop_cycle": f"cycler('color', {COLOURS['series']['light']})",
    "font.size": 12 * PIXEL,
    "axes.labelsize": 12 * PIXEL,
    "axes.titlesize": TITLE,
    "axes.titleweight": HEAVY,
    "axes.titlelocation": "left",
    "axes.edgecolor": INK2,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": PIXEL,
    "legend.fontsize": 12 * PIXEL,
    "legend.frameon": False,
    "lines.linewidth": 2.25 * PIXEL,
    "lines.solid_capstyle": "round",
    "patch.linewidth": 1.5 * PIXEL,
}
LOOK |= {f"axes.spines.{side}": False for side in ("left", "bottom", "top", "right")}
for _axis in ("xtick", "ytick"):
    LOOK |= {f"{_axis}.labelcolor": INK2, f"{_axis}.labelsize": 12 * PIXEL, f"{_axis}.major.pad": 6 * PIXEL}
    LOOK |= {f"{_axis}.major.size": 0, f"{_axis}.minor.size": 0}

_BEGINS = {role: re.compile(begins, re.IGNORECASE) for role, begins in COLOURS["begins"].items()}


def in_its_hue(title: Text) -> None:
    """Write what names an axis in the colour of its role, and in black where it has none.

    >>> title = Text(text="Keys")
    >>> in_its_hue(title)
    >>> title.get_color() == ROLES["key"]
    True
    """
    role = next((role for role, begins in _BEGINS.items() if begins.match(title.get_text())), None)
    title.set(color=ROLES[role] if role else "black", fontweight=HEAVY if role else "normal")


class LookAxes(Axes):
    """Axes that keep the look, whenever something is drawn on them.

    Matplotlib asks for sizes and colours when a thing is drawn, which is after these axes were made.
    """


def _with_look(name: str, **thick: float) -> Callable[..., Any]:
    drawn = getattr(Axes, name)

    @functools.wraps(drawn)
    def draw(self: Axes, *args: Any, **options: Any) -> Any:
        given = {**thick, **options} if len(args) < 3 else options  # the third may be how thick they are
        with matplotlib.style.context(LOOK):
            return drawn(self, *args, **given)

    return draw


def _axis_title(name: str) -> Callable[..., Any]:
    named = _with_look(name)

    @functools.wraps(named)
    def write(self: Axes, *args: Any, **options: Any) -> Text:
        in_its_hue(named(self, *args, **options))
        title: Text = named(self, *args, **options)  # again: what the caller says of its look stands
        return title

    return write


def _bar(name: str) -> Callable[..., Any]:
    """Bars (`barh` makes them by `bar`) stand on a line at 0, and no lines of the grid run along them."""
    drawn = _with_look(name, width=BAR)

    @functools.wraps(drawn)
    def draw(self: Axes, *args: Any, **options: Any) -> BarContainer:
        lying = options.get("orientation") == "horizontal"
        bars: BarContainer = drawn(self, *args, **options)
        self.grid(visible=False, axis="y" if lying else "x")
        (self.axvline if lying else self.axhline)(0, color=INK2, linewidth=PIXEL)
        return bars

    return draw


for _name in (
    "annotate", "axhline", "axhspan", "axvline", "axvspan", "fill_between", "hlines", "legend", "plot",
    "scatter", "set_title", "text", "vlines",
):  # fmt: skip
    setattr(LookAxes, _name, _with_look(_name))
for _name in ("set_xlabel", "set_ylabel"):
    setattr(LookAxes, _name, _axis_title(_name))
LookAxes.barh = _with_look("barh", height=BAR)  # type: ignore[method-assign]
LookAxes.bar = _bar("bar")  # type: ignore[method-assign]
