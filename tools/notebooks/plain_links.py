"""Links that read well in every notebook, in the place of roles that only the site understands.

A citation is a link to the list of sources, an equation's label a comment in its TeX.
`book/_ext/notebook_roles.py` turns them back into roles when the site is built.
"""

import functools
import re
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "book" / "references.bib"
_CITATION = re.compile(r"\{cite:([pt])\}`([\w,]+)`")
_EQUATION = re.compile(r"\{eq\}`([\w-]+)`")
_LABEL = re.compile(r"\n\$\$ \(([\w-]+)\)[ \t]*(?=\n|$)")


def plain(source: str) -> str:
    """Write a markdown cell's roles as links, and its labels as comments."""
    source = _CITATION.sub(lambda found: citation(found[2].split(","), in_brackets=found[1] == "p"), source)
    source = _EQUATION.sub(r"[the equation](#equation-\1)", source)
    return _LABEL.sub(r"\n% (\1)\n$$", source)


def citation(keys: list[str], *, in_brackets: bool) -> str:
    """Write a link to sources, as "Vaswani et al. (2017)" or, in brackets, "(Vaswani et al., 2017)"."""
    if unknown := [key for key in keys if key not in _sources()]:
        raise ValueError(f"book/references.bib must hold what is cited, got {', '.join(unknown)}.")
    pairs = [_sources()[key] for key in keys]
    if in_brackets:
        text = f"({'; '.join(f'{authors}, {year}' for authors, year in pairs)})"
    else:
        text = ", ".join(f"{authors} ({year})" for authors, year in pairs)
    return f"[{text}](../book/references.bib#{','.join(keys)})"


@functools.cache
def _sources() -> dict[str, tuple[str, str]]:
    """Read the authors, shortened, and the year of each source."""
    found = {}
    for entry in re.split(r"^@", SOURCES.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        key = re.match(r"\w+\{([^,]+),", entry)
        authors = re.search(r"^ *author = \{(.*)\},?$", entry, re.MULTILINE)
        year = re.search(r"^ *year = \{(\d+)\}", entry, re.MULTILINE)
        if key and authors and year:
            found[key[1]] = _shortened(authors[1].split(" and ")), year[1]
    return found


def _shortened(authors: list[str]) -> str:
    names = [author.partition(",")[0].replace("{", "").replace("}", "") for author in authors]
    if len(names) > 2 or names[-1] == "others":
        return f"{names[0]} et al."
    return " and ".join(names)
