"""The README's tables of what `make proof` measured, made from benchmarks/results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"


def record(name: str) -> dict[str, Any]:
    """Read what a benchmark measured last."""
    path = RESULTS / f"{name}.json"
    if not path.is_file():
        raise FileNotFoundError(f"{path.relative_to(ROOT)} is missing: run `make proof` first.")
    return json.loads(path.read_text(encoding="utf-8"))


def folded(title: str, name: str, head: str, rows: list[str], after: str = "") -> str:
    """Put a table under a line that opens it and says how and when it was measured."""
    made = record(name)
    summary = f"{title}: <code>python benchmarks/{name}.py</code>, {made['date']}, commit {made['commit']}"
    columns = head.count("|") - 1
    ruler = "| --- " + "| ---: " * (columns - 1) + "|"
    text = "\n".join([f"<details><summary>{summary}</summary>\n", head, ruler, *rows])
    return f"{text}\n{after}\n</details>\n"


def latency() -> str:
    """Tabulate event to frame, figure by figure, beside `interact`."""
    rows = []
    for row in record("live_latency")["figures"]:
        other = row["interact"]
        ratio = f"{other:.0f} | {other / row['median']:.0f}" if other else "- | -"
        times = f"{row['median']:.1f} | {row['p95']:.1f} | {row['budget']:.0f}"
        rows.append(f"| {row['chapter'][:2]} {row['figure']} | {times} | {ratio} |")
    head = "| figure | median ms | p95 ms | budget ms | interact + seaborn ms | times faster |"
    return folded("From a control's event to the painted frame", "live_latency", head, rows)


def pages() -> str:
    """Tabulate weight and Lighthouse scores page by page, beside a default Jupyter Book page."""
    weights = {row["page"]: row for row in record("page_weight")["pages"]}
    found = record("lighthouse")
    rows = []
    for row in [*found["pages"], *found["default"]]:
        name = row["page"].rpartition("/")[2]
        weight = weights.get(name)
        loaded = f"{weight['kB']:.0f} | {weight['weights_kB']:.0f}" if weight else f"{row['kB']} | -"
        scores = " | ".join(
            str(row[key]) for key in ("performance", "accessibility", "best-practices", "seo")
        )
        rest = f"{row['fcp_ms'] / 1000:.1f} | {len(row['other_hosts'])}"
        rows.append(f"| {name} | {loaded} | {scores} | {rest} |")
    head = (
        "| page | kB | trained weights, kB | performance | accessibility | best practices | SEO "
        "| first paint, s | other hosts asked |"
    )
    failed = found["default"][0]["other_failed"]
    after = (
        f"\nkB: compressed, all that reading a page to the end loads. The default page's {failed} requests to"
        " other hosts failed here, so its own numbers leave out what those would bring.\n"
    )
    return folded("What a page weighs, and Lighthouse on its mobile profile", "lighthouse", head, rows, after)


def tables() -> str:
    """Give all tables, as they stand in the README."""
    return "\n".join([latency(), pages()])
