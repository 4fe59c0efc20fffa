"""Run every notebook in a kernel of its own and read how much memory the kernel had at most.

    python benchmarks/notebook_memory.py [--notebooks NAME ...]

Binder gives a session 2 GB, of which the notebook server wants some: no kernel may have more than 1.5 GB.
"""

import sys
import time
from typing import Any

import nbformat
import report

sys.path.insert(0, str(report.ROOT / "tools" / "notebooks"))

from notebooks import execute

MOST = 1500  # MB
LONGEST = 60  # seconds
# the most that was in memory at one time: kB on Linux, bytes on a Mac
PEAK = """
import resource, sys
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""
COLUMNS = {"notebook": "notebook", "peak_mb": "peak memory, MB", "seconds": "seconds"}


def measure(name: str) -> dict[str, Any]:
    """Run one notebook, and a last cell that asks the kernel."""
    path = report.ROOT / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(PEAK, id="peak"))
    start = time.perf_counter()
    last = execute(notebook, path.parent).cells[-1]
    seconds = time.perf_counter() - start
    return {"notebook": name, "peak_mb": round(int(last.outputs[0].text) / 1e6), "seconds": round(seconds, 1)}


def main() -> int:
    rows = [measure(name) for name in report.options(__doc__, notebooks=report.chapters()).notebooks]
    broken = [f"{row['notebook']}: {row['peak_mb']} MB" for row in rows if row["peak_mb"] > MOST]
    broken += [f"{row['notebook']}: {row['seconds']} s" for row in rows if row["seconds"] > LONGEST]
    return report.finish(
        "notebook_memory",
        what="Peak memory of each notebook's kernel, and how long it runs, its start included",
        rules=[f"at most {MOST} MB", f"at most {LONGEST} s"],
        rows={"notebooks": rows},
        broken=broken,
        columns=COLUMNS,
    )


if __name__ == "__main__":
    sys.exit(main())
