"""Pages with the stored live figures of one notebook and the committed bundle: no site is built."""

import functools
import json
import re
from pathlib import Path

import matplotlib
import nbformat
from built_site import ROOT
from sampling import covering

from attn_helpers.plotting.fonts import FONT as CHINESE
from livetorch.pools import put_back

DIST = ROOT / "livetorch" / "built" / "pages"
FILES = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
# Letters that every machine has, so that a verdict is the same on all: as wide as the engine reckons with
# (and as Verdana), and narrower than what any system shows.
LETTERS = {
    "wide": ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    "narrow": ("STIXGeneral.ttf", "STIXGeneralBol.ttf"),
}
# The picture that a figure takes the place of is kept beside it, to be held against it.
KEEP = """<script>addEventListener("DOMContentLoaded", () => {
  for (const figure of document.querySelectorAll("figure.livetorch"))
    figure.dataset.still = figure.querySelector("img").src;
});</script>"""
EACH = Path("one_of_each_kind")  # in place of a notebook
BETWEEN = '<p style="margin: 260px 0">What stands between two figures.</p>'


@functools.cache
def notebooks() -> list[Path]:
    """List the notebooks that hold a live figure."""
    books = sorted((ROOT / "notebooks").glob("*.ipynb"))
    return [path for path in books if 'class=\\"livetorch' in path.read_text(encoding="utf-8")]


@functools.cache
def specs_of(notebook: Path) -> list[dict]:
    """Give what the figures and questions of a notebook are made of."""
    texts = re.findall(r'<script type=\\"application/json\\">(.*?)</script>', notebook.read_text("utf-8"))
    return [json.loads(json.loads(f'"{text}"')) for text in texts]


def kinds(notebook: Path) -> set[str]:
    """Name the kinds of controls, views and questions of a notebook, and what belongs to a whole figure."""
    return set().union(*map(kinds_of, specs_of(notebook)))


def kinds_of(spec: dict) -> set[str]:
    """Name the kinds of a figure's controls and views and what it has as a whole, or of a question."""
    parts = [*spec.get("controls", ()), *spec.get("views", ())] or [spec]
    return {part["kind"] for part in parts} | {f"figure.{n}" for n in spec if "views" in spec and spec[n]}


def moved(notebook: Path) -> set[str]:
    """Name the kinds of controls that the figures of a notebook have, and steps."""
    figures = [spec for spec in specs_of(notebook) if "views" in spec]
    return {one["kind"] for spec in figures for one in spec["controls"]} | {
        "steps" for spec in figures if spec["carry"]
    }


def questions(notebook: Path) -> set[str]:
    """Name the kinds of questions that a notebook asks."""
    return {spec["kind"] for spec in specs_of(notebook) if "kind" in spec}


@functools.cache
def one_of_each() -> list[tuple[Path, str]]:
    """Choose as few figures as have every kind of control and view, and all that a figure may have."""
    marks = {
        (notebook, spec["name"]): kinds_of(spec)
        for notebook in notebooks()
        for spec in specs_of(notebook)
        if "views" in spec
    }
    return covering(marks)


def figures_of(notebook: Path) -> list[str]:
    """The stored HTML of each figure, whole, in order; of EACH, of one of each kind."""
    if notebook == EACH:
        chosen = ((figures_of(path), f' data-name="{name}"') for path, name in one_of_each())
        return [next(html for html in figures if named in html) for figures, named in chosen]
    cells = nbformat.read(notebook, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    stored = [output.get("data", {}).get("text/html", "") for output in outputs]
    return [
        put_back(html, notebook.parent)
        for text in stored
        for html in re.findall(r'<figure class="livetorch.*?</figure>', text, re.DOTALL)
    ]


def faces(letters: str) -> str:
    """The style sheet that brings letters of LETTERS, and the Chinese ones of the book's pictures."""
    regular, bold = (FILES / name for name in LETTERS[letters])
    files = [("Given", regular, "100 500"), ("Given", bold, "600 900"), ("Given Chinese", CHINESE, "100 900")]
    face = '@font-face {{ font-family: "{}"; src: url({}); font-weight: {}; font-display: block }}'
    return "".join(face.format(family, file.as_uri(), weight) for family, file, weight in files)


def write_page(notebook: Path, folder: Path, width: int = 736, letters: str = "") -> str:
    """Write the page and give its address; letters: a name of LETTERS in place of the machine's own."""
    family = "Given, 'Given Chinese', system-ui" if letters else "system-ui"
    page = folder / f"{notebook.stem}.html"
    head = f'<link rel="stylesheet" href="{DIST.as_uri()}/livetorch.css">'
    head += f'<script defer src="{DIST.as_uri()}/livetorch.js"></script>'
    body = f"margin: 0 auto; padding: 0 12px; max-width: {width}px; font: 16px {family}, sans-serif"
    shown = [html.replace(" data-veil>", ">", 1) for html in figures_of(notebook)]  # nobody asks here
    page.write_text(
        '<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{head}<style>body {{ {body} }} @media (max-width: 576px) {{ body {{ padding: 0 }} }}</style>"
        f"{f'<style>{faces(letters)}</style>{KEEP}' if letters else ''}"
        f"<body>{BETWEEN}{BETWEEN.join(shown)}<div style='height: 1200px'></div></html>",
        encoding="utf-8",
    )
    return page.as_uri()
