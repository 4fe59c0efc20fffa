"""How the long measurements of `make proof` tell what they found: a table, a file, and an exit code.

The file (benchmarks/record.py) says what was measured, under which rules, the figures, and what broke a rule:
an empty list, or the command fails.
"""

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import record  # finds the others

import browser  # isort: skip
from built_site import pages
from playwright.sync_api import Browser, Page, sync_playwright
from sampling import covering, sample
from stored_figures import kinds, notebooks

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"


def options(doc: str | None, **defaults: Any) -> argparse.Namespace:
    """Read what a command is given, each with its default; all `pages` must be pages of the `site`."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        many = isinstance(default, list)
        kind = str if many else type(default)
        parser.add_argument(f"--{name}", default=default, type=kind, nargs="*" if many else None)
    given = parser.parse_args()
    gone = [name for name in getattr(given, "pages", ()) if not (given.site / f"{name}.html").is_file()]
    if gone:
        parser.error(f"{given.site} has no page {', '.join(gone)} (a page is named like book/intro)")
    return given


@contextlib.contextmanager
def chromium(shell: bool = False) -> Iterator[Browser]:
    """Run the installed Chromium; with `shell`, rather the one without windows."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser.find(shell), args=list(browser.FLAGS))
        yield running
        running.close()


def errors_of(page: Page) -> list[str]:
    """Give the list into which a page's errors come from now on."""
    errors: list[str] = []
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


def chapters() -> list[str]:
    """List the pages that are notebooks."""
    return [name for name in pages() if name.startswith("notebooks/")]


def some_chapters() -> list[str]:
    """List lessons that have each kind of control, view and question; all with SAMPLE_SEED=all."""
    cover = covering({f"notebooks/{path.stem}": kinds(path) for path in notebooks()})
    return sample(chapters(), 0, [*cover, "notebooks/11b_induction_learned"])


def pages_by_lot(pages: Sequence[str]) -> list[str]:
    """List twelve of these pages and the landing page if it is there; all with SAMPLE_SEED=all."""
    return sample(pages, 12, ["book/intro"])


def cell(value: Any) -> str:
    """Write a value as it stands in a table."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.1e}" if 0 < abs(value) < 0.001 else f"{value:g}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def print_table(rows: Sequence[dict[str, Any]], columns: dict[str, str]) -> None:
    """Print rows as a markdown table; `columns` maps the names of fields to the words above them."""
    numbers = {name: all(isinstance(row.get(name), int | float) for row in rows) for name in columns}
    print("| " + " | ".join(columns.values()) + " |")
    print("| " + " | ".join("---:" if numbers[name] else "---" for name in columns) + " |")
    for row in rows:
        print("| " + " | ".join(cell(row.get(name)) for name in columns) + " |")


def lost(rows: list[dict[str, Any]], most: float, error: float) -> list[str]:
    """Say of a race which models took more than so many times as long, or gave other numbers than torch."""
    slow = [f"{row['model']}: {row['ratio']} times as long" for row in rows if row["ratio"] > most]
    return slow + [
        f"{row['model']}: {row['differs']:.0e} from torch" for row in rows if row["differs"] > error
    ]


def finish(
    name: str,
    *,
    what: str,
    rules: list[str],
    rows: dict[str, list[dict[str, Any]]],
    broken: list[str],
    columns: dict[str, str],
    **more: Any,
) -> int:
    """Print the table, store the result and give the exit code: 1 if a rule was broken.

    `rows` maps what the rows are, such as "pages", to the rows.
    """
    record.write(name, {"what": what, "rules": rules, **more, **rows, "broken": broken})
    print_table([row for group in rows.values() for row in group], columns)
    for line in broken:
        print(f"broken rule: {line}", file=sys.stderr)
    return 1 if broken else 0
