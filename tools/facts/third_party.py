"""Write book/third_party.md: what in the site and the packages was made by others, and its licences.

    python tools/facts/third_party.py --write

Libraries and their licences come from package-lock.json and from the installed packages; what lies in the
repository itself is in `BESIDE`, and each licence must be named in the note beside the files.
"""

import json
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "book" / "third_party.md"
FREE = "public domain"
# what, its licence, where the note is that says where it comes from and how it was changed
BESIDE = (
    (
        "KaTeX: formulas, drawn while the book is built; its style sheet and fonts",
        "MIT",
        "book/_ext/katex/README.md",
    ),
    (
        "Droid Sans Fallback, a part: Chinese characters in pictures",
        "Apache-2.0",
        "attn_helpers/plotting/font/README.md",
    ),
    (
        "Measurements of crash helmets (Silverman 1985), as pygam has them",
        "Apache-2.0",
        "attn_lessons/studies/mcycle.md",
    ),
    (
        "Names of months and weekdays: Unicode CLDR",
        "Unicode-3.0",
        "attn_lessons/studies/translation/dates.md",
    ),
    ("Alice's Adventures in Wonderland (1865)", FREE, "attn_lessons/studies/text/alice.md"),
    (
        "Handwritten digits (Alpaydin and Kaynak 1998), as scikit-learn has them",
        "BSD-3-Clause",
        "attn_lessons/studies/vision/digits.md",
    ),
    (
        "What all-MiniLM-L6-v2 does with the sentences of lessons 13a and 13b",
        "Apache-2.0",
        "attn_lessons/studies/minilm/weights/minilm_readings.md",
    ),
    (
        "Weights of all-MiniLM-L6-v2, rounded",
        "Apache-2.0",
        "attn_lessons/studies/minilm/weights/minilm_page.md",
    ),
)
# whose scripts and style sheets the built pages load
THEME = (
    "Sphinx", "pydata-sphinx-theme", "sphinx-book-theme", "sphinx-copybutton", "sphinx-thebe",
    "sphinx-togglebutton", "sphinx_design", "sphinx-exercise", "sphinx-proof", "myst-nb",
)  # fmt: skip
BUILDS = ("esbuild",)  # makes the files, and is not in them
NODE = ("ws", "@types/emscripten")  # what Pyodide wants outside a browser
IN_WORDS = {"apache-2.0": "Apache License 2.0", "bsd-3-clause": "BSD 3-Clause License"}


def bundled() -> list[tuple[str, str, str]]:
    """Give name, version and licence of every JavaScript library in the live figures' script."""
    packages = _locked("package-lock.json")
    return _with_needs(
        packages, [name for name in packages[""]["dependencies"] if name.startswith(("d3-", "@huggingface/"))]
    )


def in_page() -> list[tuple[str, str, str]]:
    """Give the same of what comes where a reader presses *Edit and run*; Pyodide has CPython in it."""
    packages = _locked("pagepython/package-lock.json")
    wanted = [name for name in packages[""]["dependencies"] if name not in BUILDS]
    return [("CPython", "3.14", "PSF-2.0"), *_with_needs(packages, wanted)]


def _locked(path: str) -> dict[str, dict]:
    return json.loads((ROOT / path).read_text(encoding="utf-8"))["packages"]


def _with_needs(packages: dict[str, dict], wanted: list[str]) -> list[tuple[str, str, str]]:
    """List packages and what they need in turn, without what only Node wants."""
    found: dict[str, tuple[str, str, str]] = {}
    while wanted:
        name = wanted.pop()
        if name not in found and name not in NODE:
            one = next(each for path, each in packages.items() if path.endswith(f"node_modules/{name}"))
            found[name] = (name, one["version"], one["license"])
            wanted += one.get("dependencies", {})
    return sorted(found.values())


def theme() -> list[tuple[str, str, str]]:
    """Give name, version and licence of every package whose files are in the built pages."""
    return [(name, metadata.version(name), _licence(name)) for name in THEME]


def _licence(name: str) -> str:
    about = metadata.metadata(name)
    classified = [line.split(" :: ")[-1] for line in about.get_all("Classifier", []) if "License ::" in line]
    short = (about.get("License-Expression"), about.get("License"), *classified)
    return next(text for text in short if text and len(text) < 40)


def page() -> str:
    """Give the page as it should stand in the book."""
    lines = [
        "# What others made",
        "",
        "<!-- python tools/facts/third_party.py --write -->",
        "The book's own code is under the MIT licence and its text under CC BY 4.0. "
        "This is what came from elsewhere; a note beside each part in the repository tells its source, "
        "what was changed, and its terms.",
        "",
        "## In the repository",
        "",
        "| part | licence | note |",
        "| --- | --- | --- |",
        *(f"| {what} | {licence} | `{note}` |" for what, licence, note in BESIDE),
        "",
        "## In the script of the live figures",
        "",
        "| library | version | licence |",
        "| --- | --- | --- |",
        *(f"| {' | '.join(row)} |" for row in bundled()),
        "",
        "## For Python in the pages",
        "",
        "Fetched where a reader presses *Edit and run*.",
        "",
        "| package | version | licence |",
        "| --- | --- | --- |",
        *(f"| {' | '.join(row)} |" for row in in_page()),
        "",
        "## In the pages",
        "",
        "The pages are made by Jupyter Book; scripts and styles of these packages come with them.",
        "",
        "| package | version | licence |",
        "| --- | --- | --- |",
        *(f"| {' | '.join(row)} |" for row in theme()),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    print(page())
