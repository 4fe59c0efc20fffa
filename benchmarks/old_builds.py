"""The book as it was at earlier commits, built beside the present one: both are measured in one run."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import report

FIGURE = re.compile(
    r'<figure[^>]*data-name="(?P<name>[^"]+)"[^>]*>.*?<script[^>]*>(?P<spec>.*?)</script>', re.S
)


def build(commit: str) -> Path:
    """Check out `commit` into _build/old and build its book there, once; gives its folder."""
    folder = report.ROOT / "_build" / "old" / commit
    if not (folder / "_build" / "html" / "index.html").exists():
        archive = subprocess.run(
            ["git", "archive", commit], cwd=report.ROOT, capture_output=True, check=True
        ).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
            packed.extractall(folder, filter="data")
        (folder / "_build").mkdir(exist_ok=True)
        program = report.ROOT / ".venv-book" / "bin" / "jupyter-book"
        with (folder / "_build" / "book.log").open("w", encoding="utf-8") as log:
            subprocess.run([program, "build", ".", "-n"], cwd=folder, check=True, stdout=log, stderr=log)
        print(f"built {commit}", file=sys.stderr)
    return folder


def figures(site: Path) -> dict[str, Path]:
    """List the figures of a built book by chapter and name, as "01 fit", and the page of each."""
    found = {}
    for path in sorted((site / "notebooks").glob("[0-9]*.html")):
        for figure in FIGURE.finditer(path.read_text(encoding="utf-8")):
            found.setdefault(f"{path.stem[:2]} {figure['name']}", path)
    return found


def spec_of(path: Path, name: str) -> str:
    """Give the JSON of a figure, as its page has it."""
    text = path.read_text(encoding="utf-8")
    return next(figure["spec"] for figure in FIGURE.finditer(text) if figure["name"] == name)
