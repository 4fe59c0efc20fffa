"""What browser tests share: the built book over http and from disk, a Chromium, pages that record."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import browser as browser_program
import content_policy
import pytest
import site_server
from accessibility import findings
from built_site import site  # noqa: F401
from layout_shifts import NOTE_SHIFTS
from live_page import Opener, write_live_page
from open_number import READY
from playwright.sync_api import Browser, Page, sync_playwright
from stored_figures import notebooks, write_page


def _then_awake(way: Callable) -> Callable:
    """Make a way to open a page wait until its scripts are there, too."""

    def opened(page: Page, *args: object, **settings: object) -> object:
        response = way(page, *args, **settings)
        page.evaluate(browser_program.AWAKE)
        return response

    return opened


for _name in ("goto", "reload", "go_back", "go_forward"):
    setattr(Page, _name, _then_awake(getattr(Page, _name)))

LIVE_READY = """() => Promise.all(
  [...document.querySelectorAll("figure.livetorch")].map((figure) => figure.livetorch?.ready))"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
NOTE_REFUSALS = """window.refused = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    window.refused.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}`));"""


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

    def come_alive(self) -> None:
        """Wait until the live figures that are wanted now are there."""
        self.page.evaluate(LIVE_READY)

    def resize(self, width: int, height: int = 740) -> None:
        """Give the window another size and let figures follow."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(TWO_FRAMES)

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")

    def axe(self, part: str = "html", *, only_colours: bool = False) -> list[str]:
        """What accessibility.findings says."""
        return findings(self.page, part, only_colours=only_colours)


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:  # noqa: F811
    """Serve the built book on this machine, with the headers of a careful host; gives its address."""
    with site_server.serving(site, policy=content_policy.policy(site)) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the installed Chromium, once for each worker."""
    program = browser_program.find(shell=True)
    assert program, browser_program.HOW_TO_GET
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=list(browser_program.FLAGS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def opening(
    chromium: Browser,
    site: Path,  # noqa: F811
    server: str,
) -> Callable[..., AbstractContextManager[Opened]]:
    """Give a function that opens a page of the book, waits until its live figures are there, and closes it.

    ``with opening("notebooks/01a_weighted_average") as opened`` opens it over http;
    ``scheme="file"`` from disk.
    Each page has a context of its own, as a reader who comes for the first time.
    """

    @contextlib.contextmanager
    def open_one(
        name: str,
        *,
        scheme: str = "http",
        theme: str = "light",
        width: int = 1280,
        javascript: bool = True,
        query: str = "",
    ) -> Iterator[Opened]:
        home = server if scheme == "http" else f"file://{site}"
        context = chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme=theme, java_script_enabled=javascript
        )
        context.add_init_script(NOTE_REFUSALS)
        context.add_init_script(NOTE_SHIFTS)
        opened = Opened(context.new_page(), home=home)
        page = opened.page
        page.on("console", lambda m: opened.errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: opened.errors.append(str(error)))
        page.on("request", lambda r: opened.requests.append(r.url))
        try:
            page.goto(f"{home}/{name}.html{query}", wait_until="load")
            if javascript:
                opened.come_alive()
            yield opened
        finally:
            context.close()

    return open_one


@pytest.fixture
def open_page(opening) -> Iterator[Callable[..., Opened]]:
    """Give a function that opens a page as `opening` does; it stays open until the test ends."""
    with contextlib.ExitStack() as pages:
        yield lambda name, **how: pages.enter_context(opening(name, **how))


@pytest.fixture
def stored_page(chromium: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Give a function that opens a page of a notebook's figures; errors of the page fail the test."""
    contexts, errors = [], []

    def open_one(notebook: str, change: Callable[[str], str] = lambda text: text, **how: object) -> Page:
        context = chromium.new_context(**({"viewport": {"width": 1280, "height": 900}} | how))
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        address = write_page(next(path for path in notebooks() if path.stem == notebook), tmp_path)
        file = tmp_path / f"{notebook}.html"
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
        page.goto(address)
        page.evaluate(READY)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture(scope="module")
def visits() -> dict:
    """Keep what the visits of one test module saw: each page is opened once, not once for each rule."""
    return {}


@pytest.fixture(scope="session")
def live_address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Write a page with one live figure for each kind of control; gives its address."""
    return write_live_page(tmp_path_factory.mktemp("live"))


@pytest.fixture
def open_figures(chromium: Browser, live_address: str) -> Iterator[Opener]:
    """Give a function that opens the page; its errors are checked at the end."""
    contexts, errors = [], []

    def open_one(hash: str = "", **options) -> Page:
        context = chromium.new_context(
            viewport={"width": options.pop("width", 900), "height": 800}, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(live_address + hash)
        if options.get("java_script_enabled", True):
            page.evaluate("Promise.all([...document.querySelectorAll('figure')].map(f => f.livetorch.ready))")
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert errors == []
