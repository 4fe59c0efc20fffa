"""What browser tests share: the built book over http and from disk, a Chromium, pages that record."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import browser as browser_program
import content_policy
import pytest
import site_server
from built_site import ROOT, site  # noqa: F401
from playwright.sync_api import Browser, Page, sync_playwright

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
LIVE_READY = """() => Promise.all(
  [...document.querySelectorAll("figure.attention-live")].map((figure) => figure.attentionLive?.ready))"""


@dataclass
class Opened:
    """A page and what was seen while it was open."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    home: str = ""

    @property
    def foreign(self) -> list[str]:
        """The requests that left the book."""
        return [url for url in self.requests if not url.startswith((self.home, "data:", "blob:"))]

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")

    def axe(self, part: str = "html") -> list[str]:
        """Serious and critical findings of axe-core in a part of the page (a CSS selector), one line each."""
        self.page.wait_for_function("'marked' in document.documentElement.dataset")  # book.js is done
        self.page.add_script_tag(path=str(AXE))
        run = (
            "async (part) => (await axe.run(part, {resultTypes: ['violations'], preload: false})).violations"
        )
        found = self.page.evaluate(run, part)
        return [
            f"{rule['id']} ({rule['impact']}): {rule['nodes'][0]['html'][:160]} ({len(rule['nodes'])} places)"
            for rule in found
            if rule["impact"] in ("serious", "critical")
        ]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_) -> None:
        pass


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:  # noqa: F811
    """Serve the built book on this machine; gives its address."""
    handler = functools.partial(_Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the installed Chromium, once for each worker."""
    program = browser_program.find()
    assert program, browser_program.HOW_TO_GET
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=list(browser_program.FLAGS))
        yield running
        running.close()


@pytest.fixture
def open_page(chromium: Browser, site: Path, request) -> Iterator[Callable[..., Opened]]:  # noqa: F811
    """Give a function that opens a page of the book and waits until its live figures are there.

    ``open_page("notebooks/01_kernel_pooling")`` opens it over http; ``scheme="file"`` from disk.
    """
    contexts = []

    def open_one(
        name: str,
        *,
        scheme: str = "http",
        theme: str = "light",
        width: int = 1280,
        javascript: bool = True,
        query: str = "",
    ) -> Opened:
        home = request.getfixturevalue("server") if scheme == "http" else f"file://{site}"
        context = chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme=theme, java_script_enabled=javascript
        )
        contexts.append(context)
        opened = Opened(context.new_page(), home=home)
        page = opened.page
        page.on("console", lambda m: opened.errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: opened.errors.append(str(error)))
        page.on("request", lambda r: opened.requests.append(r.url))
        page.goto(f"{home}/{name}.html{query}", wait_until="load")
        if javascript:
            page.evaluate(LIVE_READY)
        return opened

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def under_policy(chromium: Browser, site: Path) -> Iterator[Callable[[str], Opened]]:  # noqa: F811
    """Give a function that opens a page from a host that sends the content security policy."""
    with site_server.serving(site, policy=content_policy.policy(site)) as address:
        context = chromium.new_context(viewport={"width": 1280, "height": 800})
        context.add_init_script(
            """window.refused = [];
            document.addEventListener("securitypolicyviolation", (event) =>
              window.refused.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}`));"""
        )

        def open_one(name: str) -> Opened:
            opened = Opened(context.new_page(), home=address)
            opened.page.on("console", lambda m: opened.errors.append(m.text) if m.type == "error" else None)
            opened.page.on("pageerror", lambda error: opened.errors.append(str(error)))
            opened.page.goto(f"{address}/{name}.html", wait_until="load")
            return opened

        yield open_one
        context.close()


@pytest.fixture(scope="module")
def visits() -> dict:
    """Keep what the visits of one test module saw: each page is opened once, not once for each rule."""
    return {}
