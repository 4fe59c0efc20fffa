"""Measure how long a live figure takes from a control's event to the painted frame, for every figure.

    python benchmarks/live_latency.py [--site _build/html] [--events 60]

The built book is opened in the installed Chromium, each control of each figure is moved `events` times, and
the time from just before the event to just after the frame that shows it is taken inside the page. The same
matrix is then redrawn by `ipywidgets.interact` and `seaborn.heatmap` in this process: run side by side like
this, the ratio means something even on a machine whose speed drifts. For interact, neither the messages of
the kernel nor the browser's decoding of the picture are counted.

Waiting for the screen's refresh (up to 16.7 ms at 60 Hz) is in neither; what an empty frame takes is printed.
"""

import contextlib
import io
import json
import math
import random
import statistics
import sys
import time
from pathlib import Path

import ipywidgets
import numpy as np
import report
import seaborn
import torch
from browser import AWAKE
from live_chapters import chapters, figures, random_value
from matplotlib.figure import Figure
from playwright.sync_api import Page
from site_server import serving

FIRST = 5  # moves of each control that are not counted
BUDGET = 16.0  # milliseconds, 95th percentile
MODEL_BUDGET = 50.0  # of a figure that runs a trained model
MODEL_BYTES = 50_000  # a figure with more constants or carried numbers than this runs a model
COLUMNS = {
    "chapter": "lesson",
    "figure": "figure",
    "events": "events",
    "idle": "empty frame ms",
    "median": "median ms",
    "p95": "p95 ms",
    "interact": "interact + seaborn ms",
    "faster": "times faster",
}

# Moves each control through the settings that are given. Browsers hand input to a page at the start of a
# frame, so the event is made there; a message sent then arrives when the frame has been laid out and painted.
MEASURE = """async ([name, moves, FIRST]) => {
  const element = document.querySelector(`figure.livetorch[data-name="${name}"]`);
  element.scrollIntoView({ block: "center" });
  const figure = element.livetorch;
  await figure.ready;
  await new Promise((done) => setTimeout(done, 500));  // figures nearby start, too
  const frame = (work) => new Promise((done) => requestAnimationFrame(() => {
    const start = performance.now();
    work();
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - start);
    channel.port2.postMessage(0);
  }));
  const idle = [];
  for (let i = 0; i < 30; i += 1) idle.push(await frame(() => {}));
  const times = [];
  for (const [control, values] of Object.entries(moves)) {
    for (const [i, value] of values.entries()) {
      const time = await frame(() => figure.set(control, value));
      if (i >= FIRST) times.push(time);  // the first few load a Program and warm the machine code
    }
  }
  return { times, idle };
}"""


def percentile(times: list[float], share: float) -> float:
    return float(np.quantile(times, share))


def interact_times(matrix: torch.Tensor, redraws: int = 7) -> list[float]:
    """Redraw a matrix as `interact` with seaborn does: a new picture, encoded, for each event."""
    panels = matrix.reshape(-1, *matrix.shape[-2:])

    def draw(shift: float) -> None:
        figure = Figure(figsize=(4 * len(panels), 3.5))
        axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for panel, ax in zip(panels, axes, strict=True):
            seaborn.heatmap(panel + shift, ax=ax, vmin=0, vmax=1, cmap="Blues")
        figure.savefig(io.BytesIO(), format="png", dpi=72)

    slider = ipywidgets.FloatSlider(min=0, max=1, step=0.001)
    ipywidgets.interactive(draw, shift=slider)
    times = []
    for i in range(redraws + 1):
        start = time.perf_counter()
        slider.value = 0.001 * (i + 1)
        times.append(1000 * (time.perf_counter() - start))
    return times[1:]


def first_matrix(figure) -> torch.Tensor | None:
    for view in figure.spec["views"]:
        name = view.get("source", {}).get("output")
        if view["kind"] == "heatmap" and name:
            return figure.outputs[name].detach().float()
    return None


def measure_figure(page: Page, name: str, controls: list[dict], events: int) -> dict[str, list[float]]:
    """Move each control through settings drawn at random; gives milliseconds, and those of empty frames."""
    draw = random.Random(name)
    drawn = {
        control["name"]: [random_value(control, draw) for _ in range(events + FIRST)] for control in controls
    }
    moves = {control: values for control, values in drawn.items() if None not in values}
    return page.evaluate(MEASURE, [name, moves, FIRST])


def measure_page(page: Page, path: Path, events: int) -> list[dict]:
    rows = []
    for name, figure in figures(path).items():
        measured = measure_figure(page, name, figure.spec["controls"], events)
        times = measured["times"]
        if not times:
            continue
        matrix = first_matrix(figure)
        other = interact_times(matrix) if matrix is not None else []
        constants = len(json.dumps(figure.spec["pool"]))
        carried = [control for control in figure.spec["controls"] if control["kind"] == "state"]
        constants += sum(4 * math.prod(control["shape"]) for control in carried)
        rows.append(
            {
                "chapter": path.stem,
                "figure": name,
                "events": len(times),
                "median": round(statistics.median(times), 1),
                "p95": round(percentile(times, 0.95), 1),
                "idle": round(statistics.median(measured["idle"]), 1),
                "interact": round(statistics.median(other), 1) if other else None,
                "faster": round(statistics.median(other) / statistics.median(times)) if other else None,
                "budget": MODEL_BUDGET if constants > MODEL_BYTES else BUDGET,
            }
        )
    return rows


def main() -> int:
    options = report.options(__doc__, site=report.SITE, events=60)
    torch.set_num_threads(1)
    rows = []
    with (
        contextlib.redirect_stdout(io.StringIO()),  # the chapters' own prints
        serving(options.site) as address,
        report.chromium() as chromium,
    ):
        for path in chapters():
            page = chromium.new_page()
            page.goto(f"{address}/notebooks/{path.stem}.html")
            page.evaluate(AWAKE)
            rows += measure_page(page, path, options.events)
            page.close()
    return report.finish(
        "live_latency",
        what="From a control's event to the painted frame, for every control of every live figure",
        rules=[f"p95 at most {BUDGET:g} ms, {MODEL_BUDGET:g} ms where a model runs or is trained"],
        rows={"figures": rows},
        broken=[
            f"{row['figure']}: p95 {row['p95']:.1f} ms, at most {row['budget']:g}"
            for row in rows
            if row["p95"] > row["budget"]
        ],
        columns=COLUMNS,
    )


if __name__ == "__main__":
    sys.exit(main())
