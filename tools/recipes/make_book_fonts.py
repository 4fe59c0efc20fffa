"""Cut the fonts that pages begin with: prose out of Source Serif 4, usual formulas out of KaTeX.

    npm pack @fontsource-variable/source-serif-4      # then unpack it
    python tools/recipes/make_book_fonts.py package/files

The prose keeps ASCII, the accents of names, and its punctuation. Formulas keep the usual letters and signs;
for all others the style sheet names KaTeX's whole fonts, which a page fetches only then.
Needs fontTools and brotli.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

TARGET = Path(__file__).parents[2] / "book" / "book_static"
ASCII = range(0x20, 0x7F)
KEPT = [*ASCII, 0xA0, 0xA7, 0xB0, 0xB1, 0xB2, 0xB7, 0xD7, *map(ord, "ÄÉÖÜßàáâäåçèéêëíîïñóôöøúüý")]
KEPT += [0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2190, 0x2192, 0x2212]
STYLES = {"normal": (400, 700), "italic": 400}  # the weights that pages use
SIGNS = map(ord, "\xa0±×ˉ˜ΔΠΣ…′ℓ←→∂∈∑−∗√∞∣∥∨≈≠≤≥⊙⊤⋅⋯⌈⌉")
GREEK = map(ord, "αβγδεζηθκλμνξπρστφχψωϕϵϑ")
LETTERS = [*range(0x41, 0x5B), *range(0x61, 0x7B)]
FORMULAS = {
    "Main-Regular": [*ASCII, *SIGNS],
    "Main-Bold": [*LETTERS, *range(0x30, 0x3A)],
    "Math-Italic": [*LETTERS, *GREEK],
}


def keep(font: TTFont, characters: Iterable[int], features: list[str]) -> None:
    """Leave only some characters in a font, and no hints."""
    subsetter = Subsetter(Options(hinting=False, layout_features=features))
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)


def save(font: TTFont, path: Path) -> None:
    """Write a font as pages load it."""
    font.flavor = "woff2"
    font.save(path)
    print(f"{path.name}: {path.stat().st_size} bytes, {len(font.getBestCmap())} characters")


def ranges(characters: Iterable[int]) -> str:
    """Write characters as a style sheet's ``unicode-range`` does.

    >>> ranges([65, 66, 67, 90])
    'U+41-43,U+5A'
    """
    runs: list[list[int]] = []
    for code in sorted(characters):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return ",".join(f"U+{first:X}" + (f"-{last:X}" if last > first else "") for first, last in runs)


def main(folder: str) -> None:
    """Write a file for upright and one for italic letters, and those for formulas."""
    for style, weights in STYLES.items():
        font = TTFont(Path(folder, f"source-serif-4-latin-wght-{style}.woff2"), recalcTimestamp=False)
        keep(font, KEPT, ["kern", "liga"])
        save(instantiateVariableFont(font, {"wght": weights}), TARGET / "fonts" / f"prose-{style}.woff2")
    formulas()


def formulas() -> None:
    """Write KaTeX's usual characters, and the rules that name for each character the file that holds it."""
    rules = []
    for name, usual in FORMULAS.items():
        font = TTFont(TARGET / "katex" / "fonts" / f"KaTeX_{name}.woff2", recalcTimestamp=False)
        every = {*font.getBestCmap()}
        kept = {*usual} & every
        keep(font, sorted(kept), ["*"])
        save(font, TARGET / "katex" / "fonts" / f"usual-{name}.woff2")
        rules += [face(name, f"KaTeX_{name}", every - kept), face(name, f"usual-{name}", kept)]
    (TARGET / "katex" / "usual.css").write_text("\n".join(rules) + "\n", encoding="utf-8")


def face(name: str, file: str, characters: Iterable[int]) -> str:
    """Write the rule by which a file draws some characters."""
    family, style = name.split("-")
    slope, weight = ("italic" if style == "Italic" else "normal"), (700 if style == "Bold" else 400)
    return (
        f"@font-face{{font-family:KaTeX_{family};font-style:{slope};font-weight:{weight};"
        f'src:url(fonts/{file}.woff2) format("woff2");unicode-range:{ranges(characters)}}}'
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
