"""Weigh every chapter of the built book: all that a first visit loads, compressed as hosts do it (gzip).

    python benchmarks/page_weight.py [--site _build/html]

Trained weights, which come when their figure is first used, are listed apart.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools" / "site"))

import browser as browser_program  # noqa: E402
import record  # noqa: E402

PAGE_BUDGET, WEIGHTS_BUDGET = 350, 300  # kB


def weigh(page: Page, path: Path) -> tuple[float, float]:
    """Open a page, scroll through it, and add up its files; gives kB of the page and of trained weights."""
    loaded: set[str] = set()
    page.on("request", lambda request: loaded.add(unquote(urlsplit(request.url).path)))
    page.goto(path.resolve().as_uri())
    page.evaluate(browser_program.AWAKE)
    for _ in range(60):
        page.mouse.wheel(0, 1000)
        page.wait_for_timeout(20)
    files = [Path(name) for name in loaded if Path(name).is_file()]
    sizes = {file: len(gzip.compress(file.read_bytes())) / 1000 for file in files}
    weights = sum(size for file, size in sizes.items() if file.parent.name == "live")
    return sum(sizes.values()) - weights, weights


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=ROOT / "_build" / "html")
    site = parser.parse_args().site
    over, rows = [], []
    print("| page | kB | trained weights, kB |")
    print("| --- | ---: | ---: |")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser_program.find(), args=list(browser_program.FLAGS)
        )
        for path in sorted((site / "notebooks").glob("*.html")):
            page = chromium.new_page()
            size, weights = weigh(page, path)
            page.close()
            print(f"| {path.stem} | {size:.0f} | {weights:.0f} |")
            rows.append({"page": path.stem, "kB": size, "weights_kB": weights})
            if size > PAGE_BUDGET or weights > WEIGHTS_BUDGET:
                over.append(path.stem)
        chromium.close()
    record.write("page_weight", {"pages": rows})
    for name in over:
        print(f"over the budget: {name}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
