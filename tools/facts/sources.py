"""What a stored measurement depends on: a digest of these files tells whether it is older than they are."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
# what a reader's browser gets
SITE = (
    *("_config.yml", "_toc.yml", "book/**/*", "notebooks/*.ipynb"),
    *("livetorch/built/pages/*", "attn_lessons/exercises/questions/built/*"),
)
PACKAGES = (
    "livetorch/**/*.py",
    "pagepython/**/*.py",
    "attn_helpers/**/*.py",
    "attn_lessons/**/*.py",
    "attn_lessons/**/*.npz",
)
DEPENDS = {
    "notebook_memory": ("notebooks/*.ipynb", *PACKAGES),
    "page_start": ("pagepython/**/*.mjs", "pagepython/**/*.json", *PACKAGES),
    "page_cells": (
        "notebooks/*.ipynb",
        "pagepython/**/*.mjs",
        "livetorch/js/runtime/*.mjs",
        *PACKAGES,
    ),
}
WRITTEN_LATER = {"book/measured.md"}  # quotes the measurements


def digest(name: str) -> str:
    """Give one short hash of all files that a measurement depends on."""
    found = {path for pattern in DEPENDS.get(name, SITE) for path in ROOT.glob(pattern) if path.is_file()}
    total = hashlib.sha256()
    for path in sorted(found):
        place = path.relative_to(ROOT).as_posix()
        if place not in WRITTEN_LATER and "__pycache__" not in place:
            total.update(f"{place}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def record(name: str) -> dict[str, Any]:
    """Read what a benchmark measured last."""
    path = RESULTS / f"{name}.json"
    if not path.is_file():
        raise FileNotFoundError(f"{path.relative_to(ROOT)} is missing: run `make proof` first.")
    return json.loads(path.read_text(encoding="utf-8"))


def is_older(name: str) -> bool:
    """Tell whether something that a stored measurement depends on has changed since."""
    return record(name).get("digest") != digest(name)


def when(name: str) -> str:
    """Say when something was measured, and whether the book has changed since."""
    made = record(name)
    return f"{made['date']}" + (", before the book last changed" if is_older(name) else "")
