"""A bare page with Python in it, as the site has it: the client alone, under the site's content policy."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from built_site import ROOT
from playwright.sync_api import Page

CLIENT = """import { PagePython } from "./client.js";
window.PagePython = PagePython;
window.py = new PagePython({ base: "../_static/page/" });
window.states = [];
window.crashes = [];
py.addEventListener("state", ({ detail }) => states.push(detail));
py.addEventListener("crash", ({ detail }) => crashes.push(detail));
"""
NOTE_REFUSALS = """window.refused = [];
  document.addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));"""
RUN = """async ([source, cell]) => {
  const shown = [];
  const result = await py.run(source, { cell, onOutput: (output) => shown.push(output) });
  return { ...result, shown };
}"""


@dataclass
class Bare:
    """The page, with its client as `py`."""

    page: Page

    def run(self, source: str, cell: str = "cell 1") -> dict:
        """Run a cell; gives its result and what it showed."""
        return self.page.evaluate(RUN, [source, cell])


def need_python(site: Path) -> None:
    """Stop at once where the book was built without Python in its pages: nothing would ever start."""
    missing = "the pages have no Python: npm could not fetch pagepython's packages (make test says so)"
    assert (site / "_static/page/worker.js").is_file(), missing


def client(folder: Path) -> str:
    """Give the client as one module."""
    out = folder / "client.js"
    source = ROOT / "pagepython/worker/client.mjs"
    command = [ROOT / "node_modules/.bin/esbuild", source, "--bundle", "--format=esm", f"--outfile={out}"]
    subprocess.run([*command, "--log-level=error"], cwd=ROOT, check=True)
    return out.read_text(encoding="utf-8")


def open_bare(page: Page, home: str, policy: str, script: str) -> Bare:
    """Open the bare page below the site's address."""
    html = '<!doctype html><title>Bare</title><script type="module" src="test.js"></script>'
    texts = {
        "index.html": (
            "text/html",
            html,
        ),
        "test.js": ("text/javascript", CLIENT),
        "client.js": ("text/javascript", script),
    }

    def answer(route) -> None:
        kind, body = texts[route.request.url.rpartition("/")[2]]
        route.fulfill(body=body, content_type=kind, headers={"Content-Security-Policy": policy})

    page.route(f"{home}/bare/*", answer)
    page.goto(f"{home}/bare/index.html", wait_until="load")
    return Bare(page)
