"""Hammer live figures with random settings for a minute each, and watch the page's memory.

    python benchmarks/hammer.py [--site _build/html] [--seconds 60] [--figures 3]

Chosen are the figures with the most controls and those with the largest trained models. All controls are set
again and again, each time with a frame painted between, as fast as the browser can. Every five seconds the
figure is put back to how it opened, the garbage is collected, and what is left is read: JavaScript memory,
nodes of the document, event listeners.
"""

import random
import sys
from typing import Any

import report
from browser import AWAKE
from playwright.sync_api import CDPSession, Page
from site_server import serving
from torch_says import drawn

SAMPLE = 5  # seconds
GROWTH, SLACK = 1.1, 1.0  # of the memory in MB, last third of the samples against the first
LEAK = 0.01  # nodes or listeners a frame: fewer came once and stay
DRAWN = 100  # settings, tried in turn

FIGURES = """() => [...document.querySelectorAll("figure.livetorch")].map((figure) => {
  const { spec } = figure.livetorch;
  return {
    name: spec.name,
    controls: spec.controls.length,
    size: JSON.stringify(spec).length,
    model: parseInt(figure.dataset.size ?? "0", 10),
  };
})"""
SPEC = """async (name) => {
  const figure = document.querySelector(`figure.livetorch[data-name="${name}"]`);
  figure.scrollIntoView({ block: "center" });
  await figure.livetorch.ready;
  return figure.livetorch.spec;
}"""
HAMMER = """async ([name, all, seconds]) => {
  const figure = document.querySelector(`figure.livetorch[data-name="${name}"]`).livetorch;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  const end = performance.now() + 1000 * seconds;
  let events = 0;
  let frames = 0;
  while (performance.now() < end) {
    for (const [control, value] of Object.entries(all[frames % all.length])) {
      figure.set(control, value);
      events += 1;
    }
    await frame();
    frames += 1;
  }
  figure.reset();
  await frame();
  await frame();
  return { events, frames };
}"""
COLUMNS = {
    "page": "page",
    "figure": "figure",
    "controls": "controls",
    "seconds": "seconds",
    "events": "events",
    "frames": "frames",
    "heap_first_mb": "MB, first third",
    "heap_last_mb": "MB, last third",
    "nodes": "nodes",
    "listeners": "listeners",
    "errors": "errors",
}


def left(session: CDPSession) -> dict[str, float]:
    """Collect the garbage and read what stays."""
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.collectGarbage")  # what finalizers let go
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return {
        "heap_mb": metrics["JSHeapUsedSize"] / 1e6,
        "nodes": metrics["Nodes"],
        "listeners": metrics["JSEventListeners"],
    }


def hammer(page: Page, name: str, seconds: float) -> dict[str, Any]:
    """Hammer one figure of an open page."""
    spec = page.evaluate(SPEC, name)
    settings = [dict(turn) for turn in drawn(spec, DRAWN, random.Random(2))]
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    done = page.evaluate(
        HAMMER, [name, settings, min(SAMPLE, seconds / 6)]
    )  # warms up: code, Programs, caches
    samples = [left(session)]
    while len(samples) * SAMPLE < seconds or len(samples) < 3:
        more = page.evaluate(HAMMER, [name, settings, min(SAMPLE, seconds / 6)])
        done = {key: done[key] + more[key] for key in done}
        samples.append(left(session))
    session.detach()
    third = len(samples) // 3
    first, last = samples[:third], samples[-third:]
    return {
        "figure": name,
        "controls": len(spec["controls"]),
        **done,
        "heap_first_mb": round(min(one["heap_mb"] for one in first), 2),
        "heap_last_mb": round(min(one["heap_mb"] for one in last), 2),
        "nodes_first": round(max(one["nodes"] for one in first)),
        "nodes": round(max(one["nodes"] for one in last)),
        "listeners_first": round(max(one["listeners"] for one in first)),
        "listeners": round(max(one["listeners"] for one in last)),
        "samples": [round(one["heap_mb"], 2) for one in samples],
    }


def growth(row: dict[str, Any]) -> list[str]:
    """Say what grew although the figure stood as it opened."""
    found = []
    if row["heap_last_mb"] > row["heap_first_mb"] * GROWTH + SLACK:
        found.append(f"memory grew from {row['heap_first_mb']} to {row['heap_last_mb']} MB")
    for what in ("nodes", "listeners"):
        if row[what] > row[f"{what}_first"] + LEAK * row["frames"]:
            found.append(f"{what} grew from {row[f'{what}_first']} to {row[what]}")
    return found


def choose(page: Page, address: str, number: int) -> list[tuple[str, str]]:
    """Pick figures, page and name: by turns one with many controls and one with a large trained model."""
    known = []
    for name in report.chapters():
        page.goto(f"{address}/{name}.html")
        page.evaluate(AWAKE)
        known += [{"page": name, **figure} for figure in page.evaluate(FIGURES)]
    by_controls = sorted(known, key=lambda one: (-one["controls"], -one["size"]))
    by_model = sorted(known, key=lambda one: (-one["model"], -one["size"]))
    by_turns = [one for pair in zip(by_controls, by_model, strict=True) for one in pair]
    return list(dict.fromkeys((one["page"], one["name"]) for one in by_turns))[:number]


def main() -> int:
    options = report.options(__doc__, site=report.SITE, seconds=60.0, figures=3)
    rows = []
    with serving(options.site) as address, report.chromium() as chromium:
        page = chromium.new_page()
        chosen = choose(page, address, options.figures)
        page.close()
        for name, figure in chosen:
            page = chromium.new_page()
            errors = report.errors_of(page)
            page.goto(f"{address}/{name}.html")
            page.evaluate(AWAKE)
            row = hammer(page, figure, options.seconds)
            rows.append({"page": name, "seconds": round(options.seconds), **row, "errors": len(errors)})
            rows[-1]["broken"] = errors[:3] + growth(row)
            page.close()
    broken = [f"{row['figure']}: {line}" for row in rows for line in row.pop("broken")]
    return report.finish(
        "hammer",
        what="Live figures set at random without a pause, in Chromium; what stays after collecting garbage",
        rules=[
            f"memory, last third of the samples: at most {GROWTH} times the first third's, and {SLACK:g} MB",
            "no more nodes and listeners in the last third than in the first",
            "no error on the page",
        ],
        rows={"figures": rows},
        broken=broken,
        columns=COLUMNS,
    )


if __name__ == "__main__":
    sys.exit(main())
