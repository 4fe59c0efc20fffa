"""Cut the fonts of the book's prose out of Source Serif 4.

    npm pack @fontsource-variable/source-serif-4      # then unpack it
    python tools/recipes/make_prose_font.py package/files

Keeps ASCII, the accents of names, and the punctuation that prose uses. Needs fontTools and brotli.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

TARGET = Path(__file__).parents[2] / "book" / "book_static" / "fonts"
KEPT = [*range(0x20, 0x7F), 0xA0, 0xA7, 0xB0, 0xB1, 0xB2, 0xB7, 0xD7, *map(ord, "ÄÉÖÜßàáâäåçèéêëíîïñóôöøúüý")]
KEPT += [0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2190, 0x2192, 0x2212]
STYLES = {"normal": (400, 700), "italic": 400}  # the weights that pages use


def main(folder: str) -> None:
    """Write one file for upright and one for italic letters."""
    for style, weights in STYLES.items():
        font = TTFont(Path(folder, f"source-serif-4-latin-wght-{style}.woff2"), recalcTimestamp=False)
        options = Options(hinting=False, layout_features=["kern", "liga", "ccmp", "locl", "mark"])
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=KEPT)
        subsetter.subset(font)
        font = instantiateVariableFont(font, {"wght": weights})
        font.flavor = "woff2"
        path = TARGET / f"prose-{style}.woff2"
        font.save(path)
        print(f"{path.name}: {path.stat().st_size} bytes, {len(font.getBestCmap())} characters")


if __name__ == "__main__":
    main(*sys.argv[1:])
