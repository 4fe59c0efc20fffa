"""The book's colour scales as matplotlib takes them, and the ink that can be read on each of their steps."""

from functools import cache

import numpy as np
from matplotlib.colors import Colormap, LinearSegmentedColormap, to_hex, to_rgb

from livetorch.palette import COLOURS

LEVELS = 48  # steps of a scale: fewer than 50, from which on matplotlib makes a colour bar a bitmap


# scales from nothing to a tint of a role, on which black is read: as the matrices of a live flow are filled
TINTED = ("query", "key", "value", "suppressed")
FULL = 0.42  # of the role's colour


@cache
def colour_map(scale: str, theme: str = "light") -> Colormap:
    """Return a scale of one theme: `sequential`, `diverging` or that of a role."""
    if scale in TINTED:
        ends = COLOURS["page"][theme]["card"], COLOURS["roles"][theme][scale]
        ground, ink = (np.array(to_rgb(colour)) for colour in ends)
        stops = [tuple(ground), tuple(ground + FULL * (ink - ground))]
    else:
        stops = COLOURS[scale][theme]
    made = LinearSegmentedColormap.from_list(f"attn-{scale}-{theme}", stops, N=LEVELS)
    return made.with_extremes(bad=COLOURS["hatch"][theme][1])


def steps(scale: str, theme: str) -> list[str]:
    """Return the colours of a scale from the lowest to the highest."""
    return [to_hex(colour) for colour in colour_map(scale, theme)(np.arange(LEVELS))]


def ink_on(colour: str, theme: str = "light") -> str:
    """Return black or white, whichever stands out more from a colour."""
    return max(COLOURS["ink"][theme], key=lambda ink: _contrast(ink, colour))


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
