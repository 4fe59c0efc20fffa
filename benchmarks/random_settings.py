"""Set every live figure at random, many times, in Chromium, and hold each output against torch.

    python benchmarks/random_settings.py [--site _build/html] [--settings 200] [--chapters NAME ...]

All controls of a figure are drawn at once; the numbers are compared, not the pictures. The tests do the same
with four settings and all controls by hand (`LIVE_SETTINGS=200 pytest tests/browser/test_live_figures.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from pathlib import Path
from typing import Any

import report
import torch
from against_torch import ERROR_RULE, Agreement, random_settings, runs_trained_model
from live_chapters import OUTPUTS, STATE, chapters, figures
from playwright.sync_api import Page, sync_playwright
from site_server import serving

sys.path.insert(0, str(report.ROOT / "tools" / "site"))

import browser as browser_program

AT_ONCE = 10  # settings in one message to the page
COLUMNS = {
    "chapter": "chapter",
    "figure": "figure",
    "settings": "settings",
    "numbers": "numbers compared",
    "largest": "largest error",
}
TRY = f"""async ([name, all]) => {{
  const figure = document.querySelector(`figure.livetorch[data-name="${{name}}"]`);
  await figure.livetorch.ready;
  const state = {STATE}, outputs = {OUTPUTS};
  return all.map((settings) => {{
    for (const [control, value] of Object.entries(settings)) figure.livetorch.set(control, value);
    return [state(figure), outputs(figure)];
  }});
}}"""


def measure_page(page: Page, chapter: Path, number: int) -> list[dict[str, Any]]:
    rows = []
    for name, figure in figures(chapter).items():
        found = Agreement()
        drawn = random_settings(figure.spec, number)
        for start in range(0, number, AT_ONCE):
            for state, outputs in page.evaluate(TRY, [name, drawn[start : start + AT_ONCE]]):
                found.compare(figure, state, outputs)
        rows.append(
            {
                "chapter": chapter.stem,
                "figure": name,
                "settings": found.settings,
                "numbers": found.numbers,
                "largest": float(f"{found.largest:.1e}"),
                "trained": runs_trained_model(figure.spec),
                "broken": found.broken[:3],
            }
        )
    return rows


def measure(site: Path, number: int, names: list[str]) -> list[dict[str, Any]]:
    """Try all figures of the named chapters; one row each."""
    rows = []
    with serving(site) as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser_program.find(), args=list(browser_program.FLAGS)
        )
        for chapter in chapters():
            if chapter.stem not in names:
                continue
            page = chromium.new_page()
            errors: list[str] = []
            page.on("console", lambda m, errors=errors: errors.append(m.text) if m.type == "error" else None)
            page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
            page.goto(f"{address}/notebooks/{chapter.stem}.html")
            page.evaluate(browser_program.AWAKE)
            found = measure_page(page, chapter, number)
            found[-1]["broken"] += errors
            rows += found
            page.close()
        chromium.close()
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=report.SITE)
    parser.add_argument("--settings", type=int, default=40)
    parser.add_argument("--chapters", nargs="*", default=[path.stem for path in chapters()])
    options = parser.parse_args()
    torch.set_num_threads(1)
    with contextlib.redirect_stdout(io.StringIO()):  # the chapters' own prints
        rows = measure(options.site, options.settings, options.chapters)
    broken = [f"{row['figure']}: {line}" for row in rows for line in row.pop("broken")]
    return report.finish(
        "random_settings",
        what="Random settings of every live figure in Chromium, its outputs held against torch",
        rules=[
            ERROR_RULE,
            "no error on the page",
        ],
        settings=options.settings,
        comparisons=sum(row["numbers"] for row in rows),
        largest_error=max(row["largest"] for row in rows if not row["trained"]),
        largest_error_trained=max((row["largest"] for row in rows if row["trained"]), default=0.0),
        rows={"figures": rows},
        broken=broken,
        columns=COLUMNS,
    )


if __name__ == "__main__":
    sys.exit(main())
