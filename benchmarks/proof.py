"""Run all long measurements; a part that fails, hangs or is too slow does not hide the others.

    python benchmarks/proof.py [--only NAME ...] [--minutes 40]

The site must be built. What takes times runs alone, then the rest two at a time. What a part prints is kept
in _build/proof/NAME.txt and printed when it ends; each has an end of its own, and all of them a common one.
"""

import argparse
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import report

HERE = Path(__file__).resolve().parent
LOGS = report.ROOT / "_build" / "proof"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class Part:
    """One measurement: what it says, what runs (by itself benchmarks/NAME.py), and its longest time."""

    what: str
    minutes: float
    command: tuple[str, ...] = ()
    more: dict[str, str] = field(default_factory=dict)  # environment


ALONE = {
    "first_figures": Part("First figures on a phone's profile, beside a default Jupyter Book page", 5),
    "lighthouse": Part("Lighthouse, beside a default Jupyter Book page", 16),
    "live_latency": Part("From event to frame, for every control of every live figure", 8),
    "onnx_race": Part("Transformers beside ONNX Runtime Web", 3),
    "runtime_speed": Part("A step of training beside torch eager", 2),
}
BESIDE = {  # the longest first
    "planted": Part("Faults planted in a copy, each looked for", 25, ("tests/planted/plant.py",)),
    "notebook_memory": Part("Memory of every notebook", 10),
    "rare": Part("Keras, nbgrader, other libraries' models, Binder", 12, (*PYTEST, "tests/rare")),
    "hammer": Part("Live figures hammered for a minute each", 8),
    "firefox": Part("Lessons of each kind in Firefox, live figures held against torch", 10),
    "webkit": Part("Lessons of each kind in WebKit, a cell edited and run", 10),
    "slow_devices": Part("Slow processor and slow line, lessons of each kind", 10),
    "random_settings": Part(
        "40 random settings of every live figure, held against torch",
        20,
        (*PYTEST, "tests/browser/test_pages.py", "-k", "test_live_figures_hold_torchs_numbers"),
        {"LIVE_SETTINGS": "40", "SAMPLE_SEED": "all"},
    ),
    "page_cells": Part("Every cell of lessons of each kind in the page's Python", 10),
    "open_random": Part(
        "200 numbers of every figure opened at random settings",
        10,
        (*PYTEST, "tests/browser/test_open_random.py"),
        {"OPEN_NUMBERS": "200"},
    ),
    "page_start": Part("Python in the page: its weight, its start, a cell", 4),
}
PARTS = ALONE | BESIDE


def run(name: str, seconds: float) -> str:
    """Run one part; gives what became of it."""
    if seconds < 1:
        return "not begun: the time is over"
    part = PARTS[name]
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "SITE": str(report.SITE),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        **part.more,
    }
    command = [sys.executable, *(part.command or (str(HERE / f"{name}.py"),))]
    with (LOGS / f"{name}.txt").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=report.ROOT,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return "failed" if process.wait(seconds) else "passed"
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its browsers too
            process.wait()
            return f"stopped after {seconds / 60:.0f} minutes"


def measure(names: list[str], lanes: int, end: float, rows: list[dict[str, object]]) -> None:
    """Run parts, so many at a time."""
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for name in names:
        waiting.put(name)

    def lane() -> None:
        while not waiting.empty():
            try:
                name = waiting.get_nowait()
            except queue.Empty:
                return
            start = time.monotonic()
            outcome = run(name, min(60 * PARTS[name].minutes, end - start))
            rows.append({"name": name, "seconds": round(time.monotonic() - start), "outcome": outcome})
            said = LOGS / f"{name}.txt"
            text = said.read_text(encoding="utf-8", errors="replace") if said.exists() else ""
            print(f"\n{PARTS[name].what} ({name}): {outcome}\n\n{text}", flush=True)

    threads = [threading.Thread(target=lane) for _ in range(lanes)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--minutes", type=float, default=40)
    options = parser.parse_args()
    LOGS.mkdir(parents=True, exist_ok=True)
    for old in LOGS.glob("*.txt"):
        old.unlink()
    start = time.monotonic()
    rows: list[dict[str, object]] = []
    for parts, lanes in ((ALONE, 1), (BESIDE, 2)):
        measure([name for name in parts if name in options.only], lanes, start + 60 * options.minutes, rows)
    rows.append({"name": "all", "seconds": round(time.monotonic() - start), "outcome": ""})
    print()
    report.print_table(rows, {"name": "part", "seconds": "seconds", "outcome": "outcome"})
    failed = [str(row["name"]) for row in rows if row["outcome"] not in ("passed", "")]
    print(
        f"\nNot passed: {', '.join(failed)}"
        if failed
        else "\nAll parts passed; figures in benchmarks/results."
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
