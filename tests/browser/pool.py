"""Pages of the browser that are used again: a page of its own costs three times what a visit does.

What a reader leaves behind is gone when a page is lent again: what is stored, media, size, routes, listeners.
A test that adds a script of its own to a page's start, or refuses the browser something, takes a fresh page.
"""

from collections.abc import Callable
from typing import Any

from layout_shifts import NOTE_SHIFTS
from playwright.sync_api import Browser, Page

# Run at the start of every document, for each time that a page was lent; the store keeps which was the last.
# (A name given to the window does not last: the browser may drop it when it changes the process.)
FORGET = """if (window === top) {
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      if (Number(window[name].getItem("lent")) >= TIME) continue;
      window[name].clear();
      window[name].setItem("lent", "TIME");
    } catch {}
  }
}"""
NOTE_REFUSALS = """window.refused = [];
  document.addEventListener("securitypolicyviolation", (event) =>
    window.refused.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}`));"""
MOST_VISITS = 60  # then a page is closed: a browser keeps some memory for each
CHANGEABLE = ("viewport", "color_scheme", "reduced_motion")  # of a page that is there


class Pool:
    """Lends pages, each in a context of its own."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._free: dict[tuple, list[Page]] = {}
        self._lent: dict[Page, tuple[tuple, list[tuple[str, Callable]]]] = {}
        self._visits: dict[Page, int] = {}

    def lend(self, **how: Any) -> Page:
        """Give an empty page; `how` is what `new_context` takes."""
        kind = tuple(sorted((name, str(value)) for name, value in how.items() if name not in CHANGEABLE))
        free = self._free.setdefault(kind, [])
        page = free.pop() if free else self._new(how)
        page.set_viewport_size(how.get("viewport", {"width": 1280, "height": 800}))
        page.emulate_media(
            media="null",
            color_scheme=how.get("color_scheme", "light"),
            reduced_motion=how.get("reduced_motion", "no-preference"),
        )
        self._lent[page] = (kind, [])
        self._visits[page] = self._visits.get(page, 0) + 1
        page.add_init_script(FORGET.replace("TIME", str(self._visits[page])))
        return page

    def _new(self, how: dict[str, Any]) -> Page:
        context = self.browser.new_context(**{n: v for n, v in how.items() if n not in CHANGEABLE})
        for script in (NOTE_REFUSALS, NOTE_SHIFTS):
            context.add_init_script(script)
        return context.new_page()

    def listen(self, page: Page, event: str, hear: Callable) -> None:
        """Hear of an event until the page is given back."""
        page.on(event, hear)
        self._lent[page][1].append((event, hear))

    def give_back(self, page: Page) -> None:
        """Take a page back, or close one that has served its time."""
        kind, heard = self._lent.pop(page)
        if page.is_closed() or len(page.context.pages) > 1 or self._visits[page] >= MOST_VISITS:
            page.context.close()
            return
        for event, hear in heard:
            page.remove_listener(event, hear)
        page.unroute_all(behavior="ignoreErrors")
        page.mouse.up()
        page.goto("about:blank")
        self._free[kind].append(page)
