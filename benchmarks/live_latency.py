"""Measure how long a live figure takes from a control's event to the painted frame, for every figure of the book.

    python benchmarks/live_latency.py [--site _build/html] [--events 60] [--markdown]

The built book is opened in the installed Chromium, each control of each figure is moved `events` times, and the
time from just before the event to just after the frame that shows it is taken inside the page. The same matrix is
then redrawn by `ipywidgets.interact` and `seaborn.heatmap` in this process: run side by side like this, the ratio
means something even on a machine whose speed drifts. Times of the kernel's messages and of the browser's decoding
of the picture are not even counted for interact.

The browser runs without waiting for the screen's refresh, which would add up to 16.7 ms of idle time to both.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import io
import statistics
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser"), str(ROOT / "tools")]

import browser as browser_program
import ipywidgets
import matplotlib
import numpy as np
import seaborn
import torch
from live_chapters import chapters, figures
from playwright.sync_api import Page, sync_playwright

matplotlib.use("Agg")
from matplotlib.figure import Figure

FLAGS = ["--disable-frame-rate-limit", "--disable-gpu-vsync"]
BUDGET = 16.0  # milliseconds, 95th percentile
MODEL_BUDGET = 50.0  # of a figure that runs a trained model
MODEL_BYTES = 50_000  # a figure with more constants than this runs a trained model

# Moves one control at a time to and fro; a frame counts as painted when a message sent from its callback arrives.
MEASURE = """async ([name, events]) => {
  const element = document.querySelector(`figure.attention-live[data-name="${name}"]`);
  element.scrollIntoView({ block: "center" });
  const figure = element.attentionLive;
  await figure.ready;
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now());
    channel.port2.postMessage(0);
  }));
  const moves = figure.spec.controls.map((control) => {
    const at = structuredClone(figure.state()[control.name]);
    const table = (change) => at.map((row, i) => (i ? row : row.map((x, j) => (j ? x : change(x, control.domain?.[0])))));
    switch (control.kind) {
      case "slider": {
        const log = control.scale === "log";
        return (i) => {
          const share = 0.3 + 0.4 * ((i * 0.381966) % 1);
          const steps = Math.round((share * (control.max - control.min)) / control.step);
          return log ? control.min * (control.max / control.min) ** share : control.min + control.step * steps;
        };
      }
      case "dropdown": return (i) => i % control.options.length;
      case "checkbox": return (i) => i % 2 === 1;
      case "text": return (i) => (i % 2 ? at.slice(0, -1) : at);
      case "points": return (i) => table((x, [low, high]) => low + (high - low) * (0.3 + 0.4 * ((i * 0.381966) % 1)));
      case "matrix": return (i) => table((x) => Math.min(control.max, Math.max(control.min, x + (i % 2) * control.step)));
      case "mask": return (i) => table((x) => i % 2 === 1);
      default: return null;
    }
  });
  const times = [];
  for (let c = 0; c < moves.length; c += 1) {
    if (!moves[c]) continue;
    for (let i = 0; i < events + 5; i += 1) {
      await painted();
      const start = performance.now();
      figure.set(figure.spec.controls[c].name, moves[c](i));
      const end = await painted();
      if (i >= 5) times.push(end - start);  // the first few load a Program and warm the machine code
    }
  }
  return times;
}"""


def percentile(times: list[float], share: float) -> float:
    return float(np.quantile(times, share))


def interact_times(matrix: torch.Tensor, redraws: int = 7) -> list[float]:
    """Redraw a matrix as `ipywidgets.interact` with seaborn does: a new picture, encoded, for each event."""
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


def measure_page(page: Page, path: Path, events: int) -> list[dict]:
    rows = []
    for name, figure in figures(path).items():
        times = page.evaluate(MEASURE, [name, events])
        if not times:
            continue
        matrix = first_matrix(figure)
        other = interact_times(matrix) if matrix is not None else []
        constants = sum(len(constant["data"]) for constant in figure.spec["pool"])
        rows.append(
            {
                "chapter": path.stem,
                "figure": name,
                "events": len(times),
                "median": statistics.median(times),
                "p95": percentile(times, 0.95),
                "interact": statistics.median(other) if other else None,
                "budget": MODEL_BUDGET if constants > MODEL_BYTES else BUDGET,
            }
        )
    return rows


def measure(site: Path, events: int) -> list[dict]:
    """Measure all figures of the built book; one row each."""
    handler = functools.partial(Quiet, directory=str(site))
    rows = []
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        chromium = playwright.chromium.launch(
            executable_path=browser_program.find(), args=[*browser_program.FLAGS, *FLAGS]
        )
        for path in chapters():
            page = chromium.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/notebooks/{path.stem}.html")
            rows += measure_page(page, path, events)
            page.close()
        chromium.close()
        server.shutdown()
    return rows


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serve files without a line on the terminal for each."""

    def log_message(self, *_) -> None:
        """Say nothing."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, default=ROOT / "_build" / "html")
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows = measure(options.site, options.events)
    print("| figure | events | median ms | p95 ms | interact + seaborn ms | times faster |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        other = f"{row['interact']:.0f} | {row['interact'] / row['median']:.0f}" if row["interact"] else "- | -"
        print(
            f"| {row['chapter'][:2]} {row['figure']} | {row['events']} | {row['median']:.1f} | {row['p95']:.1f} | {other} |"
        )
    over = [row for row in rows if row["p95"] > row["budget"]]
    for row in over:
        print(f"over the budget of {row['budget']:.0f} ms: {row['figure']} with p95 {row['p95']:.1f} ms")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
