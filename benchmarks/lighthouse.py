"""Judge pages with Lighthouse, as a phone on a slow line loads them: some by lot, all with SAMPLE_SEED=all.

    python benchmarks/lighthouse.py [--site _build/html] [--runs 5] [--minutes 12] [--pages NAME ...]

Lighthouse (npm, version in benchmarks/package.json) runs in the installed Chromium with its default, the
mobile profile: a CPU four times slower, 1.6 Mbit/s, 150 ms to the host. The pages come compressed from this
machine. The median of five runs counts. Only the score of performance differs from run to run: it alone is
judged again, until the median is known to reach 95 or to miss it. Two pages are judged side by side; one that
misses a score is judged anew with nothing beside it.

Beside them, in the same way: the notebook of one chapter, built by Jupyter Book with nothing but a title set.
What that page wants from other hosts is counted; without a connection it gets nothing from there, and its
weight is then less than a reader's.
"""

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import report
from site_server import serving

sys.path.insert(0, str(report.ROOT / "tools" / "site"))

import browser as browser_program

PROGRAM = Path(__file__).resolve().parent / "node_modules" / ".bin" / "lighthouse"
FLAGS = "--headless --no-sandbox --disable-gpu --disable-background-networking"
SCORES = ("performance", "accessibility", "best-practices", "seo")
TIMES = {
    "first-contentful-paint": "fcp_ms",
    "largest-contentful-paint": "lcp_ms",
    "total-blocking-time": "tbt_ms",
    "cumulative-layout-shift": "cls",
}
LEAST = 95
COMPARED = "notebooks/03a_masked_softmax"
DEFAULT = 'title: Default\nexecute:\n  execute_notebooks: "off"\n'
COLUMNS = {
    "page": "page",
    "performance": "performance",
    "accessibility": "accessibility",
    "best-practices": "best practices",
    "seo": "SEO",
    "fcp_ms": "FCP, ms",
    "lcp_ms": "LCP, ms",
    "tbt_ms": "TBT, ms",
    "cls": "CLS",
    "kB": "kB",
    "requests": "requests",
    "other_hosts": "other hosts",
    "console_errors": "console errors",
}


def judge(address: str, *more: str) -> dict[str, Any]:
    """Run Lighthouse once; gives its report."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "report.json")
        command = [
            PROGRAM,
            address,
            f"--chrome-flags={FLAGS}",
            "--output=json",
            f"--output-path={output}",
            *more,
        ]
        environment = {**os.environ, "CHROME_PATH": str(browser_program.find())}
        done = subprocess.run(
            [*command, "--quiet"], env=environment, capture_output=True, text=True, check=False, timeout=180
        )
        if not output.exists():
            raise RuntimeError(f"Lighthouse gave no report of {address}: {done.stderr[-2000:]}")
        return json.loads(output.read_text(encoding="utf-8"))


def facts(found: dict[str, Any]) -> dict[str, Any]:
    """Pick out of a report the scores, the times, and what the page asked for."""
    audits = found["audits"]
    items = [item for item in audits["network-requests"]["details"]["items"] if "url" in item]
    asked = [item for item in items if urlsplit(item["url"]).scheme in ("http", "https")]
    foreign = [item for item in asked if urlsplit(item["url"]).hostname != "127.0.0.1"]
    row: dict[str, Any] = {name: score(found, name) for name in SCORES} | times(found)
    row["kB"] = round(sum(item.get("transferSize") or 0 for item in asked) / 1000)
    row["requests"] = len(asked)
    row["other_hosts"] = sorted({str(urlsplit(item["url"]).hostname) for item in foreign})
    row["other_requests"] = len(foreign)
    row["other_failed"] = sum(item.get("statusCode", -1) < 200 for item in foreign)
    row["console_errors"] = len(audits["errors-in-console"]["details"]["items"])
    weak = [
        audits[part["id"]]["title"]
        for category in found["categories"].values()
        for part in category["auditRefs"]
        if part["weight"] and (audits[part["id"]]["score"] or 0) < 0.5
        if audits[part["id"]]["scoreDisplayMode"] in ("numeric", "binary", "metricSavings")
    ]
    row["weak"] = sorted(set(weak))
    return row


def score(found: dict[str, Any], name: str) -> int:
    """Give a score of 100."""
    return round(100 * (found["categories"][name]["score"] or 0))


def times(found: dict[str, Any]) -> dict[str, float]:
    """Pick out of a report what takes time, or moves."""
    values = {name: found["audits"][key].get("numericValue", 0.0) for key, name in TIMES.items()}
    return {name: round(value, 3) if name == "cls" else round(value) for name, value in values.items()}


def measure(address: str, runs: int) -> dict[str, Any]:
    """Judge a page until the median of so many runs is known to reach the score or to miss it."""
    row = facts(judge(address))
    rows, settled = [row], runs // 2 + 1
    while max(sum((one["performance"] >= LEAST) == good for one in rows) for good in (True, False)) < settled:
        found = judge(address, "--only-categories=performance")
        rows.append({"performance": score(found, "performance"), **times(found)})
    middle = {name: statistics.median(one[name] for one in rows) for name in ["performance", *TIMES.values()]}
    return {
        **row,
        "runs": len(rows),
        **{name: value if name == "cls" else round(value) for name, value in middle.items()},
    }


def good(row: dict[str, Any]) -> bool:
    """Tell whether a page reaches all four scores."""
    return all(row[name] >= LEAST for name in SCORES)


@contextlib.contextmanager
def default_book() -> Iterator[Path]:
    """Build the compared chapter with Jupyter Book as it comes: a title, one page, outputs as stored."""
    with tempfile.TemporaryDirectory() as folder:
        name = COMPARED.rpartition("/")[2]
        shutil.copy(report.ROOT / f"{COMPARED}.ipynb", folder)
        Path(folder, "_config.yml").write_text(DEFAULT, "utf-8")
        Path(folder, "_toc.yml").write_text(f"format: jb-book\nroot: {name}\n", "utf-8")
        command = [Path(sys.executable).parent / "jupyter-book", "build", folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        pages = Path(folder, "_build", "html")
        if not (pages / f"{name}.html").exists():
            raise RuntimeError(f"the default book was not built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        yield pages


def main() -> int:
    pages = report.pages_by_lot(report.pages())
    options = report.options(__doc__, site=report.SITE, runs=5, minutes=12.0, pages=pages)
    with default_book() as folder, serving(folder) as address:
        name = COMPARED.rpartition("/")[2]
        default = {"page": f"{name}, default Jupyter Book", **measure(f"{address}/{name}.html", options.runs)}
    end = time.monotonic() + 60 * options.minutes
    with serving(options.site) as address:

        def page(name: str) -> dict[str, Any]:
            print(f"{name} ...", file=sys.stderr, flush=True)
            return {"page": name, **measure(f"{address}/{name}.html", options.runs)}

        def in_time(name: str) -> dict[str, Any] | None:
            return page(name) if time.monotonic() < end else None

        with ThreadPoolExecutor(2) as side_by_side:
            first = list(side_by_side.map(in_time, options.pages))
        judged = [row for row in first if row]
        rows = [row if good(row) else in_time(row["page"]) or row for row in judged]
    late = len(options.pages) - len(rows)
    broken = [f"{late} pages were not judged: {options.minutes:g} minutes were over"] if late else []
    broken += [
        f"{row['page']}: {score} {row[score]}, wanted {LEAST} ({'; '.join(row['weak'])})"
        for row in rows
        for score in SCORES
        if row[score] < LEAST
    ]
    broken += [
        f"{row['page']}: {row['console_errors']} console errors" for row in rows if row["console_errors"]
    ]
    broken += [f"{row['page']} asks {row['other_hosts']}" for row in rows if row["other_hosts"]]
    code = report.finish(
        "lighthouse",
        what="Lighthouse 12.8.2, mobile profile, of every page; a default page apart",
        rules=[f"the four scores at least {LEAST}", "no console error", "no request to another host"],
        rows={"pages": rows, "default": [default]},
        broken=broken,
        columns=COLUMNS,
    )
    if default["other_failed"]:
        print(
            f"\nOf the default page's {default['other_requests']} requests to other hosts "
            f"{default['other_failed']} failed here: its weight and times are those without them."
        )
    return code


if __name__ == "__main__":
    sys.exit(main())
