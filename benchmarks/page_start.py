"""Weigh and time Python in the page: what comes over the line, until it is ready, a cell of ten operators.

    python benchmarks/page_start.py [--times 3]

The site must be built. Starting is told in seconds of the processor's time, of the whole browser, and a cell
by its fastest run: both hang little on what else the machine does. Beside the cell stands PyTorch's.
"""

import gzip
import statistics
import sys
import tempfile
import time
from pathlib import Path

import report

import content_policy  # isort: skip
import site_server
from page_python import client, open_bare
from playwright.sync_api import Browser, CDPSession

MOST_KB, MOST_SECONDS, MOST_MS = 7000, 5.0, 20.0
CELL = """import torch
x = torch.arange(60.0).reshape(12, 5) / 7
scores = x @ x.mT / 5**0.5
masked = scores.masked_fill(torch.ones(12, 12).triu(1).bool(), float("-inf"))
weights = masked.softmax(-1)
((weights @ x).relu() - x.mean(-1, keepdim=True)).sum()
"""


def weights(folder: Path) -> list[dict]:
    """List what is fetched once a reader presses, compressed as hosts do it or as it lies there."""
    rows = []
    for path in sorted(folder.glob("*.*")):
        if path.suffix in (".js", ".css", ".zip", ".bin"):
            data = path.read_bytes()
            size = len(data) if path.suffix in (".zip", ".bin") else len(gzip.compress(data, 6))
            rows.append({"what": path.name, "kB": round(size / 1000)})
    return [*rows, {"what": "all", "kB": sum(row["kB"] for row in rows)}]


def processor(session: CDPSession) -> float:
    """Give the seconds that the browser's processes have computed so far."""
    return sum(one["cpuTime"] for one in session.send("SystemInfo.getProcessInfo")["processInfo"])


def visit(browser: Browser, home: str, script: str, policy: str) -> dict:
    """Start Python, end it, start it again, and run the cell; gives times and other hosts asked."""
    page = browser.new_context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    session = browser.new_browser_cdp_session()
    bare = open_bare(page, home, policy, script)

    def timed(what: str) -> tuple[float, float]:
        start, used = time.monotonic(), processor(session)
        page.evaluate(what)
        return time.monotonic() - start, processor(session) - used

    found = {}
    found["first_wall"], found["first"] = timed("py.start()")
    page.evaluate("py.stop()")
    found["again_wall"], found["again"] = timed("py.start()")
    runs = [bare.run(CELL) for _ in range(20)]
    assert all(run["ok"] for run in runs)
    found["cell"] = min(run["milliseconds"] for run in runs)
    found["others"] = sum(not url.startswith(home) for url in asked)
    page.context.close()
    return found


def in_pytorch() -> float:
    """Give the milliseconds that PyTorch takes for the cell."""
    code, times = compile(CELL, "cell", "exec"), []
    for _ in range(20):
        start = time.perf_counter()
        exec(code, {})
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def main() -> int:
    options = report.options(__doc__, times=3)
    visits = []
    policy = content_policy.policy(report.SITE)
    with (
        tempfile.TemporaryDirectory() as folder,
        site_server.serving(report.SITE, policy=policy) as home,
        report.chromium(shell=True) as browser,
    ):
        script = client(Path(folder))
        for _ in range(options.times):
            visits.append(visit(browser, home, script, policy))
            print(visits[-1], flush=True)
    torch_ms = in_pytorch()
    keys = ("first", "again", "first_wall", "again_wall")
    middle = {key: statistics.median(one[key] for one in visits) for key in keys}
    cell = min(one["cell"] for one in visits)
    times = [
        {"what": "starts, seconds of the processor", "took": round(middle["first"], 2)},
        {"what": "starts again after Stop, seconds of the processor", "took": round(middle["again"], 2)},
        {"what": "starts, seconds of the clock", "took": round(middle["first_wall"], 1)},
        {"what": "a cell of ten operators, ms", "took": round(cell, 2)},
        {"what": "the same cell in PyTorch, ms", "took": round(torch_ms, 2)},
    ]
    parts = weights(report.SITE / "_static" / "page")
    rules = {
        f"all of it at most {MOST_KB} kB": parts[-1]["kB"] <= MOST_KB,
        f"ready within {MOST_SECONDS:g} s of the processor's time": middle["first"] <= MOST_SECONDS,
        f"a cell of ten operators within {MOST_MS:g} ms": cell <= MOST_MS,
        "no other host is asked": not any(one["others"] for one in visits),
    }
    return report.finish(
        "page_start",
        what="Python in the page: what comes over the line, until it is ready, a cell of ten operators",
        rules=list(rules),
        rows={"parts": parts, "times": times},
        broken=[f"not so: {rule}" for rule, holds in rules.items() if not holds],
        columns={"what": "what", "kB": "kB", "took": "took"},
        visits=len(visits),
    )


if __name__ == "__main__":
    sys.exit(main())
