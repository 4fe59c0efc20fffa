"""Open lessons as a phone on a mobile line does, and take when the first figure lives.

    python benchmarks/first_figures.py [--site _build/html] [--pages NAME ...]

The profile is Lighthouse's: a processor 4 times slower, 1.6 Mbit/s, 150 ms to the host and back, nothing kept
from an earlier visit; here it is applied, not reckoned. The time runs from the click to the figure that
answers a reader who scrolls to it at once; of three visits the median counts. Seconds are the machine's, so
they are held against another page's in the same run: a lesson as Jupyter Book builds it by default, with dead
pictures. Here that page gets nothing from other hosts and does not wait for them: a reader's is later.
"""

import statistics
import sys

import report
from lighthouse import COMPARED, default_book
from playwright.sync_api import Browser
from site_server import serving
from slow_devices import FIRST_FIGURE, FIRST_PAINT

VISITS = 3
SLOWER = 4
MOST = 2  # times the default page's first word
LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}


def visit(chromium: Browser, address: str, until: str) -> int | None:
    """Open a page for the first time; gives the milliseconds that a script in it waits for."""
    context = chromium.new_context(viewport={"width": 412, "height": 823}, has_touch=True, is_mobile=True)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="commit")
    taken = page.evaluate(until)
    context.close()
    return round(taken) if taken else None


def measure(chromium: Browser, address: str, until: str = FIRST_FIGURE) -> int | None:
    """Give the median of the visits to a page, or nothing where what is waited for is not there."""
    times = [visit(chromium, address, until) for _ in range(VISITS)]
    return None if None in times else round(statistics.median(times))


def main() -> int:
    options = report.options(__doc__, site=report.SITE, pages=report.pages_by_lot(report.chapters()))
    rows = []
    with report.chromium(shell=True) as chromium:
        with default_book() as folder, serving(folder) as address:
            page = f"{address}/{COMPARED.rpartition('/')[2]}.html"
            default = measure(chromium, page, FIRST_PAINT) or 0
        with serving(options.site) as address:
            for name in options.pages:
                rows.append({"page": name, "live_ms": measure(chromium, f"{address}/{name}.html")})
    return report.finish(
        "first_figures",
        what="First figures on a phone's profile, beside a default page's first word",
        rules=[f"alive within {MOST} times the time until the default page paints its first word"],
        rows={"pages": rows},
        broken=[
            f"{row['page']}: {row['live_ms']} ms, the default page {default}"
            for row in rows
            if (row["live_ms"] or 0) > MOST * default
        ],
        columns={"page": "page", "live_ms": "first figure alive, ms"},
        default_paint_ms=default,
    )


if __name__ == "__main__":
    sys.exit(main())
