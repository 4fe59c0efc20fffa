"""What `make proof` has stored: the results that name pages and figures which the book still has."""

import functools
import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
TABLES = (
    "pages",
    "figures",
    "notebooks",
    "visits",
    "parts",
    "rest",
    "models",
)  # of a result: rows that name what was measured


@functools.cache
def figure_names() -> set[str]:
    """Name all figures and questions of the book, as stored in its notebooks."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "notebooks").glob("*.ipynb")]
    return {name for text in texts for name in re.findall(r'data-name=\\"([\w-]+)\\"', text)}


def is_in_the_book(row: Any) -> bool:
    """Tell whether the page and the figure that a row names are still there; a row of words names none.

    >>> is_in_the_book({"page": "book/intro"}), is_in_the_book({"chapter": "01_gone", "p95": 3})
    (True, False)
    """
    if not isinstance(row, dict):
        return True
    places = [row[key] for key in ("page", "chapter", "notebook") if key in row]
    files = [ROOT / f"{place}{end}" for place in places for end in (".md", ".ipynb")]
    files += [ROOT / f"notebooks/{place}.ipynb" for place in places]
    return (not places or any(file.is_file() for file in files)) and (
        "figure" not in row or row["figure"] in figure_names()
    )


def stored(name: str) -> dict[str, Any] | None:
    """Read what a benchmark measured last; None if nothing is stored."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def record(name: str) -> dict[str, Any] | None:
    """Read what a benchmark measured last, of pages and figures that are still there; None if of none."""
    made = stored(name)
    if made is None:
        return None
    tables = {key: rows for key, rows in made.items() if isinstance(rows, list) and key in TABLES}
    kept = {key: [row for row in rows if is_in_the_book(row)] for key, rows in tables.items()}
    return {**made, **kept} if any(kept.values()) else None


def when(name: str) -> str:
    """Say when something was measured, and at which commit."""
    made = stored(name)
    return f"{made['date']}, at {made['commit']}" if made else "never"
