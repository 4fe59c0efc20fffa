"""Earlier builds of the book beside the present one, in the same Chromium and the same run.

    python benchmarks/side_by_side.py [--old COMMIT ...] [--events 8] [--rounds 2] [--figures NAME ...]

The earlier commits are checked out and built into _build/old (once); the present book must be built. For each
figure that all have, the pages are opened beside each other and moved in turn, as live_latency.py moves
them, so that a machine whose speed drifts is slow for all. A training step (training_step.py) comes first.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

import old_builds
import report
import torch
import training_step
from live_latency import MEASURE, percentile
from page_weight import weigh
from playwright.sync_api import Browser, sync_playwright
from site_server import serving

sys.path[:0] = [str(report.ROOT / "tests"), str(report.ROOT / "tests" / "browser")]

import browser as browser_program  # noqa: E402

OLD = ("9177837", "67e1859")  # the first edition; the last commit before figures were made quicker
NOW = "now"
WEIGHED = ("11 learn", "13 score")  # figures whose pages all builds have
COLUMNS = {"figure": "figure", "events": "events", "now_ms": "now, median ms"}


def script_for(build: str) -> str:
    """Give what moves a figure; in the first edition a figure had another name."""
    if build != OLD[0]:
        return MEASURE
    return MEASURE.replace("figure.livetorch[", "figure.attention-live[").replace(
        "element.livetorch", "element.attentionLive"
    )


def race(pages: dict[str, Any], name: str, events: int, rounds: int) -> dict[str, list[float]]:
    """Move the same figure in each page in turn; gives milliseconds from event to frame for each build."""
    times: dict[str, list[float]] = {build: [] for build in pages}
    order = list(pages)
    for turn in range(rounds):
        for build in order if turn % 2 == 0 else order[::-1]:
            pages[build].bring_to_front()
            times[build] += pages[build].evaluate(script_for(build), [name, events])["times"]
    return times


def figure_row(figure: str, times: dict[str, list[float]]) -> dict[str, Any]:
    """Give the medians and 95th percentiles of all builds, and the present one's share of each."""
    middle = {build: statistics.median(taken) for build, taken in times.items()}
    return {
        "figure": figure,
        "median": middle,
        "p95": {build: percentile(taken, 0.95) for build, taken in times.items()},
        "ratio": {build: middle[NOW] / value for build, value in middle.items() if build != NOW},
        "events": len(times[NOW]),
        "now_ms": middle[NOW],
    }


def measure_figures(
    chromium: Browser, sites: dict[str, Path], events: int, rounds: int, only: list[str] | None
) -> list[dict[str, Any]]:
    """Time every figure that all builds have."""
    known = {build: old_builds.figures(site) for build, site in sites.items()}
    common = [name for name in known[NOW] if all(name in figures for figures in known.values())]
    rows = []
    for figure in common:
        if only and figure not in only:
            continue
        pages = {}
        for build, site in sites.items():
            with_server = serving(site)
            address = with_server.__enter__()
            page = chromium.new_page()
            page.goto(f"{address}/notebooks/{known[build][figure].name}")
            page.evaluate(browser_program.AWAKE)
            pages[build] = (page, with_server)
        times = race({build: page for build, (page, _) in pages.items()}, figure[3:], events, rounds)
        for page, with_server in pages.values():
            page.close()
            with_server.__exit__(None, None, None)
        if all(times.values()):
            rows.append(figure_row(figure, times))
            shown = " | ".join(f"{value:.1f}" for value in rows[-1]["median"].values())
            print(f"| {figure} | {shown} |", flush=True)
    return rows


def weights(chromium: Browser, sites: dict[str, Path]) -> list[dict[str, Any]]:
    """Weigh some pages of all builds: the median and the heaviest, in kB."""
    rows = []
    for build, site in sites.items():
        found, sizes = old_builds.figures(site), []
        for path in sorted({found[name] for name in WEIGHED}):
            page = chromium.new_page()
            sizes.append(sum(weigh(page, path)))
            page.close()
        rows.append(
            {
                "build": build,
                "pages": len(sizes),
                "median_kB": statistics.median(sizes),
                "most_kB": max(sizes),
            }
        )
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--old", nargs="*", default=list(OLD))
    parser.add_argument("--events", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--figures", nargs="*")
    options = parser.parse_args()
    torch.set_num_threads(1)
    folders = {commit: old_builds.build(commit) for commit in options.old}
    sites = {commit: folder / "_build" / "html" for commit, folder in folders.items()} | {NOW: report.SITE}
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser_program.find(shell=True), args=list(browser_program.FLAGS)
        )
        steps, apart = training_step.measure(chromium, list(folders.values()), options.steps)
        rows = measure_figures(chromium, sites, options.events, options.rounds, options.figures)
        pages = weights(chromium, sites)
        chromium.close()
    ratios = {old: statistics.geometric_mean(row["ratio"][old] for row in rows) for old in options.old}
    broken = [] if apart < 1e-3 else [f"ONNX Runtime Web and livetorch are {apart:.1e} apart"]
    return report.finish(
        "side_by_side",
        what=f"The builds {', '.join(options.old)} beside the present one, interleaved in one Chromium",
        rules=["the forward passes of ONNX Runtime Web and of livetorch differ by less than 0.001"],
        rows={"figures": rows},
        broken=broken,
        columns=COLUMNS,
        builds=options.old,
        ratios=ratios,
        steps=steps,
        pages=pages,
    )


if __name__ == "__main__":
    sys.exit(main())
