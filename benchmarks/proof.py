"""Run all long measurements one after the other; a part that fails does not hide the others.

    python benchmarks/proof.py [--only NAME ...]

The site must be built. On two quiet cores all of it takes about 40 minutes, which is too long for CI;
what each part took is printed at the end.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

import report

HERE = Path(__file__).resolve().parent
PARTS = {
    "live_latency": "From event to frame, for every control of every live figure",
    "lighthouse": "Lighthouse of every chapter, beside a default Jupyter Book page",
    "firefox": "Every page in Firefox, live figures held against torch",
    "random_settings": "40 random settings of every live figure, held against torch",
    "hammer": "Live figures hammered for a minute each",
    "slow_devices": "Slow processor and slow line",
    "page_cells": "Every cell of every lesson in the page's Python",
    "page_start": "Python in the page: its weight, its start, a cell",
    "notebook_memory": "Memory of every notebook",
}


def run(name: str) -> tuple[int, float]:
    """Run one part; gives its exit code and how many seconds it took."""
    start = time.monotonic()
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    done = subprocess.run(
        [sys.executable, HERE / f"{name}.py"], env=environment, cwd=report.ROOT, check=False
    )
    return done.returncode, time.monotonic() - start


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS))
    failed, rows = [], []
    for name in parser.parse_args().only:
        print(f"\n{PARTS[name]} (benchmarks/{name}.py)\n", flush=True)
        code, seconds = run(name)
        rows.append({"name": name, "seconds": round(seconds), "outcome": "failed" if code else "passed"})
        failed += [name] if code else []
    rows.append({"name": "all", "seconds": sum(row["seconds"] for row in rows), "outcome": ""})
    print()
    report.print_table(rows, {"name": "part", "seconds": "seconds", "outcome": "outcome"})
    print(
        f"\nFailed: {', '.join(failed)}" if failed else "\nAll parts passed; figures in benchmarks/results."
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
