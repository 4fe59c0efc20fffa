"""Keep what a benchmark measured, with the commit and the day, so that book/measured.md can quote it."""

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# the root too: benchmarks look into tests/, whose folder livetorch would else be taken for the package
sys.path[:0] = [
    str(ROOT),
    *(
        str(ROOT / folder)
        for folder in ("tools/facts", "tools/comparison", "tools/site", "tests", "tests/browser")
    ),
]

RESULTS = ROOT / "benchmarks" / "results"
DIGITS = 2


def _rounded(value: Any) -> Any:
    match value:
        case float():
            # an error of 1e-7 is not 0
            return round(value, DIGITS) if abs(value) >= 1 else float(f"{value:.{DIGITS}g}")
        case dict():
            return {name: _rounded(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_rounded(inner) for inner in value]
    return value


def commit() -> str:
    """Give the short name of the commit that is checked out, with a + where files differ from it.

    The results themselves may differ: they are written after the commit that they measure.
    """
    name = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    measured = [".", ":!benchmarks/results"]
    changed = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", *measured], cwd=ROOT)
    return name.stdout.strip() + ("+" if changed.returncode else "")


def write(name: str, results: dict[str, Any]) -> Path:
    """Write `results` to benchmarks/results/NAME.json and return the file."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    when = {"commit": commit(), "date": datetime.date.today().isoformat(), "cores": os.cpu_count()}
    path.write_text(json.dumps({**when, **_rounded(results)}, indent=1) + "\n", encoding="utf-8")
    return path
