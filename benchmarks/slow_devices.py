"""Open lessons of each kind on a slow device and a slow line, and drive its live figures.

    python benchmarks/slow_devices.py [--site _build/html] [--events 12] [--pages NAME ...]

Line: 400 kbit/s each way, 400 ms to the host and back, nothing kept from an earlier visit. Processor: 6 times
slower. First both together: when the first paint is there, when the first live figure answers a reader who
scrolls to it at once, and when each figure's trained weights have come. Then, with the processor still slow,
the time from a control's event to the painted frame, as benchmarks/live_latency.py takes it.
"""

import json
import math
import statistics
import sys
from typing import Any

import report
from browser import AWAKE
from live_latency import MODEL_BYTES, measure_figure, percentile
from playwright.sync_api import Browser, Page
from site_server import serving

SLOWER = 6
KBIT, ROUND_TRIP = 400, 400  # kbit/s, ms
PAINT, LIVE, WEIGHTS = 5_000, 15_000, 20_000  # ms at most
# ms, 95th percentile: what the Web Vitals (interaction to next paint) call good, and what not yet poor
EVENT, MODEL_EVENT = 200, 500
LINE = {
    "offline": False,
    "latency": ROUND_TRIP,
    "downloadThroughput": KBIT * 1000 / 8,
    "uploadThroughput": KBIT * 1000 / 8,
}
# milliseconds since the page was asked for
FIRST_PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.name === "first-contentful-paint") done(entry.startTime);
}).observe({ type: "paint", buffered: true }))"""
FIRST_FIGURE = """async () => {
  const figure = () => document.querySelector("figure.livetorch");
  const pause = () => new Promise((done) => setTimeout(done, 50));
  while (!figure() && document.readyState === "loading") await pause();
  if (!figure()) return null;
  // a page that is still loading moves its figures
  const seen = new IntersectionObserver((rows) => {
    if (!rows.at(-1).isIntersecting) figure().scrollIntoView({ block: "center" });
  });
  seen.observe(figure());
  const lives = () => figure().classList.contains("lt-mounted");
  await new Promise((done) => {
    const watch = new MutationObserver(() => lives() && done());
    watch.observe(figure(), { attributeFilter: ["class"] });
    if (lives()) done();
  });
  return performance.now();
}"""
FIGURES = """() => [...document.querySelectorAll("figure.livetorch")].map((figure) => [
  figure.dataset.name, Boolean(figure.dataset.pool)])"""
SPEC = 'name => document.querySelector(`figure.livetorch[data-name="${name}"]`).livetorch.spec'
ARRIVAL = """async (name) => {
  const figure = document.querySelector(`figure.livetorch[data-name="${name}"]`);
  if (figure.classList.contains("lt-mounted")) return null;  // the first figure's came with it
  const start = performance.now();
  figure.scrollIntoView({ block: "center" });
  await figure.livetorch.ready;
  return performance.now() - start;
}"""
COLUMNS = {
    "page": "page",
    "paint_ms": "first paint, ms",
    "live_ms": "first figure alive, ms",
    "weights_ms": "trained weights, ms",
    "figures": "figures",
    "median_ms": "event to frame, median ms",
    "p95_ms": "slowest figure's p95, ms",
    "errors": "errors",
}


def runs_a_model(spec: dict[str, Any]) -> bool:
    """Tell from a figure's constants and carried numbers whether it runs or trains a model."""
    carried = [control for control in spec["controls"] if control["kind"] == "state"]
    size = len(json.dumps(spec["pool"]))
    return size + sum(4 * math.prod(control["shape"]) for control in carried) > MODEL_BYTES


def measure_page(page: Page, address: str, events: int) -> dict[str, Any]:
    """Open one page on the slow line, then drive its figures on the slow processor."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="commit")
    live = page.evaluate(FIRST_FIGURE)
    paint = page.evaluate(FIRST_PAINT)
    page.wait_for_load_state("load")
    page.evaluate(AWAKE)
    figures = page.evaluate(FIGURES)
    arrivals = [page.evaluate(ARRIVAL, name) for name, pool in figures if pool]
    weights = [taken for taken in arrivals if taken is not None]
    session.send("Network.emulateNetworkConditions", {**LINE, "latency": 0, "downloadThroughput": -1})
    rows = []
    for name, _ in figures:
        spec = page.evaluate(SPEC, name)
        times = measure_figure(page, name, spec["controls"], events)["times"]
        if times:
            rows.append({"figure": name, "model": runs_a_model(spec), "times": times})
    session.detach()
    return {
        "paint_ms": round(paint),
        "live_ms": round(live) if live else None,
        "weights_ms": round(max(weights)) if weights else None,
        "figures": len(figures),
        "median_ms": round(statistics.median(t for row in rows for t in row["times"]), 1) if rows else None,
        "p95_ms": round(max(percentile(row["times"], 0.95) for row in rows), 1) if rows else None,
        "by_figure": [
            {
                "figure": row["figure"],
                "model": row["model"],
                "median_ms": round(statistics.median(row["times"]), 1),
                "p95_ms": round(percentile(row["times"], 0.95), 1),
            }
            for row in rows
        ],
    }


def too_slow(row: dict[str, Any]) -> list[str]:
    """Name what took longer than allowed."""
    limits = {"paint_ms": PAINT, "live_ms": LIVE, "weights_ms": WEIGHTS}
    found = [
        f"{name} {row[name]}, at most {most}" for name, most in limits.items() if (row[name] or 0) > most
    ]
    if row["figures"] and not row["by_figure"]:
        found.append("no control was moved")
    for figure in row["by_figure"]:
        most = MODEL_EVENT if figure["model"] else EVENT
        if figure["p95_ms"] > most:
            found.append(f"{figure['figure']}: p95 {figure['p95_ms']} ms, at most {most}")
    return found


def measure(chromium: Browser, site: str, name: str, events: int) -> dict[str, Any]:
    """Measure a page in a context of its own, so that nothing is there yet."""
    context = chromium.new_context(viewport={"width": 412, "height": 823})
    page = context.new_page()
    page.set_default_timeout(120_000)
    errors = report.errors_of(page)
    row = measure_page(page, f"{site}/{name}.html", events)
    context.close()
    return {"page": name, **row, "errors": len(errors), "broken": errors[:3] + too_slow(row)}


def main() -> int:
    options = report.options(__doc__, site=report.SITE, events=12, pages=report.some_chapters())
    with serving(options.site) as address, report.chromium() as chromium:
        rows = [measure(chromium, address, name, options.events) for name in options.pages]
    broken = [f"{row['page']}: {line}" for row in rows for line in row.pop("broken")]
    return report.finish(
        "slow_devices",
        what=f"Lessons of each kind, processor {SLOWER} times slower, at {KBIT} kbit/s and {ROUND_TRIP} ms",
        rules=[
            f"first paint within {PAINT} ms, first figure alive within {LIVE} ms of asking for the page",
            f"trained weights within {WEIGHTS} ms of scrolling to their figure",
            f"event to frame: p95 at most {EVENT} ms, {MODEL_EVENT} ms where a model runs or is trained",
            "no error on the page",
        ],
        rows={"pages": rows},
        broken=broken,
        columns=COLUMNS,
    )


if __name__ == "__main__":
    sys.exit(main())
