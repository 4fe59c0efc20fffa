"""Pages with the stored live figures of one notebook and the committed bundle: no site is built."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from built_site import ROOT

from livetorch.pools import put_back

DIST = ROOT / "livetorch" / "js" / "dist"
BETWEEN = '<p style="margin: 260px 0">What stands between two figures.</p>'


def notebooks() -> list[Path]:
    """List the notebooks that hold a live figure."""
    books = sorted((ROOT / "notebooks").glob("*.ipynb"))
    return [path for path in books if 'class=\\"livetorch' in path.read_text(encoding="utf-8")]


def figures_of(notebook: Path) -> list[str]:
    """The stored HTML of each figure, whole, in order."""
    cells = nbformat.read(notebook, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    stored = [output.get("data", {}).get("text/html", "") for output in outputs]
    return [
        put_back(html, notebook.parent)
        for text in stored
        for html in re.findall(r'<figure class="livetorch.*?</figure>', text, re.DOTALL)
    ]


def write_page(notebook: Path, folder: Path, width: int = 736) -> str:
    """Write the page and give its address."""
    page = folder / f"{notebook.stem}.html"
    head = f'<link rel="stylesheet" href="{DIST.as_uri()}/livetorch.css">'
    head += f'<script defer src="{DIST.as_uri()}/livetorch.js"></script>'
    body = f"margin: 0 auto; padding: 0 12px; max-width: {width}px; font: 16px system-ui, sans-serif"
    page.write_text(
        '<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{head}<style>body {{ {body} }} @media (max-width: 576px) {{ body {{ padding: 0 }} }}</style>"
        f"<body>{BETWEEN}{BETWEEN.join(figures_of(notebook))}<div style='height: 1200px'></div></html>",
        encoding="utf-8",
    )
    return page.as_uri()
