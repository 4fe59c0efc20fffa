"""What browser tests share: the built book over http and from disk, a Chromium, pages that record."""

import contextlib
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import browser as browser_program
import content_policy
import processor
import pytest
import site_server
from accessibility import findings
from built_site import ROOT, site  # noqa: F401
from live_page import Opener, write_live_page
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pool import Pool
from stored_figures import notebooks, write_page
from waiting import FRAMES, PATIENCE, READY


def _then_awake(way: Callable) -> Callable:
    """Make a way to open a page wait until its scripts are there, too."""

    def opened(page: Page, *args: object, **settings: object) -> object:
        response = way(page, *args, **settings)
        page.evaluate(browser_program.AWAKE)
        return response

    return opened


for _name in ("goto", "reload", "go_back", "go_forward"):
    setattr(Page, _name, _then_awake(getattr(Page, _name)))


def _patiently(way: Callable) -> Callable:
    """Make a way to a new page or context wait for what is slow on a busy machine."""

    def made(*args: object, **settings: object) -> Page | BrowserContext:
        new = way(*args, **settings)
        new.set_default_timeout(PATIENCE * 1000)
        return new

    return made


expect.set_options(timeout=PATIENCE * 1000)
for _name in ("new_context", "new_page"):
    setattr(Browser, _name, _patiently(getattr(Browser, _name)))

TOOK = ROOT / "_build" / "reports"
# the long way down of many numbers is walked in Chromium by `make proof`, and by Node every day
collect_ignore = [] if "OPEN_NUMBERS" in os.environ else ["test_open_random.py"]
SLOW_LINE = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}  # a slow phone's
SLOW_BY = 4  # times a desktop's processor


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
        self.page.evaluate(READY)

    def resize(self, width: int, height: int = 740) -> None:
        """Give the window another size and let figures follow."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(FRAMES)

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        page = "document.documentElement"  # its own width: a phone's window grows with a wide page
        return self.page.evaluate(f"{page}.scrollWidth - {page}.clientWidth")

    def axe(self, part: str = "html", *, only_colours: bool = False) -> list[str]:
        """What accessibility.findings says."""
        return findings(self.page, part, only_colours=only_colours)


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[str]:  # noqa: F811
    """Serve the built book on this machine, with the headers of a careful host; gives its address."""
    with site_server.serving(site, policy=content_policy.policy(site)) as address:
        yield address


@pytest.fixture(scope="session")
def chromium(worker_id: str) -> Iterator[Browser]:
    """Start the installed Chromium, once for each worker; what it took of the processor is kept."""
    program = browser_program.find(shell=True)
    assert program, browser_program.HOW_TO_GET
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=list(browser_program.FLAGS))
        yield running
        TOOK.mkdir(parents=True, exist_ok=True)
        (TOOK / f"browser_{worker_id}.txt").write_text(f"{processor.seconds() or 0:.1f}\n", encoding="utf-8")
        running.close()


@pytest.fixture(scope="session")
def pool(chromium: Browser) -> Pool:
    """Lend pages that are used again."""
    return Pool(chromium)


@pytest.fixture(scope="session")
def opening(
    pool: Pool,
    site: Path,  # noqa: F811
    server: str,
) -> Callable[..., AbstractContextManager[Opened]]:
    """Give a function that opens a page of the book, waits until its live figures are there, and closes it.

    ``with opening("notebooks/01a_weighted_average") as opened`` opens it over http;
    ``scheme="file"`` from disk. Each time it is as for a reader who comes for the first time.
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
        cold: bool = False,
        slow: bool = False,
        **more: object,
    ) -> Iterator[Opened]:
        home = server if scheme == "http" else f"file://{site}"
        how = {"viewport": {"width": width, "height": 800}, "color_scheme": theme} | more
        page = pool.lend(**how, java_script_enabled=javascript)
        opened = Opened(page, home=home)
        hear_errors(pool, page, opened.errors)
        pool.listen(page, "request", lambda r: opened.requests.append(r.url))
        tools = page.context.new_cdp_session(page)
        if cold or slow:  # nothing is there from another visit
            tools.send("Network.enable")
            tools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        if slow:
            tools.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_LINE})
            tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_BY})
        try:
            page.goto(f"{home}/{name}.html{query}", wait_until="load")
            if javascript:
                opened.come_alive()
            yield opened
        finally:
            tools.detach()
            pool.give_back(page)

    return open_one


def hear_errors(pool: Pool, page: Page, errors: list[str]) -> None:
    """Note what a page complains of."""
    pool.listen(page, "console", lambda m: errors.append(m.text) if m.type == "error" else None)
    pool.listen(page, "pageerror", lambda error: errors.append(str(error)))


@pytest.fixture
def open_page(opening) -> Iterator[Callable[..., Opened]]:
    """Give a function that opens a page as `opening` does; it stays open until the test ends."""
    with contextlib.ExitStack() as pages:
        yield lambda name, **how: pages.enter_context(opening(name, **how))


@pytest.fixture
def stored_page(pool: Pool, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Give a function that opens a page of a notebook's figures; errors of the page fail the test."""
    lent, errors = [], []

    def open_one(
        notebook: str, change: Callable[[str], str] = lambda text: text, width: int = 736, **how: object
    ) -> Page:
        page = pool.lend(**({"viewport": {"width": 1280, "height": 900}} | how))
        lent.append(page)
        hear_errors(pool, page, errors)
        address = write_page(next(path for path in notebooks() if path.stem == notebook), tmp_path, width)
        file = tmp_path / f"{notebook}.html"
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
        page.goto(address)
        page.evaluate(READY)
        return page

    yield open_one
    for page in lent:
        pool.give_back(page)
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
def open_figures(pool: Pool, live_address: str) -> Iterator[Opener]:
    """Give a function that opens the page; its errors are checked at the end."""
    lent, errors = [], []

    def open_one(hash: str = "", width: int = 900, **options) -> Page:
        page = pool.lend(viewport={"width": width, "height": 800}, **options)
        lent.append(page)
        hear_errors(pool, page, errors)
        page.goto(live_address + hash)
        if options.get("java_script_enabled", True):
            page.evaluate(READY)
        return page

    yield open_one
    for page in lent:
        pool.give_back(page)
    assert errors == []
