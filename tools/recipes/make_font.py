"""Cut the bundled Chinese font out of Droid Sans Fallback.

    python tools/recipes/make_font.py DroidSansFallbackFull.ttf

The source is DroidSansFallbackFull.ttf as Debian ships it in fonts-droid-fallback. Needs fontTools.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

TARGET = Path(__file__).parents[2] / "attn_helpers" / "plotting" / "font" / "attn-cjk.ttf"


def characters() -> set[int]:
    """List what the font keeps: the 6763 hanzi of GB 2312, kana, and the punctuation around them."""
    pairs = (bytes([row, cell]) for row in range(0xB0, 0xF8) for cell in range(0xA1, 0xFF))
    hanzi = {ord(pair.decode("gb2312")) for pair in pairs if not b"\xd7\xfa" <= pair <= b"\xd7\xfe"}
    hanzi.add(ord("曜"))  # Japanese names of weekdays
    ranges = [(0x3000, 0x303F), (0x3040, 0x30FF), (0xFF00, 0xFFEF), (0x2010, 0x2027)]
    return hanzi.union(*(range(first, last + 1) for first, last in ranges))


def main(source: str) -> None:
    """Write the subset beside this file, without hinting and under a name of its own."""
    options = Options(hinting=False, layout_features=[], name_IDs=[0, 13, 14], notdef_outline=True)
    font = TTFont(source, recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    # the licence lets us change the font; the trademark does not let us keep its name
    for name_id, text in {1: "Attn CJK", 2: "Regular", 4: "Attn CJK", 6: "AttnCJK"}.items():
        font["name"].setName(text, name_id, 3, 1, 0x409)
    font.save(TARGET)
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes, {len(font.getBestCmap())} characters")


if __name__ == "__main__":
    main(*sys.argv[1:])
