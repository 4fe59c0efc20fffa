"""A finger on a page: real touch events, which Chromium makes scroll, press and enlarge as a phone does."""

from playwright.sync_api import CDPSession, Page

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 1,
    "reduced_motion": "reduce",
}
FRAME = "new Promise((done) => requestAnimationFrame(done))"
# Until the page stands still: what scrolls on takes the next touch for itself.
STILL = """async () => {
  for (let y = NaN, same = 0; same < 2; ) {
    await new Promise((done) => requestAnimationFrame(done));
    same = scrollY === y ? same + 1 : 0;
    y = scrollY;
  }
}"""

Point = tuple[float, float]


class Hand:
    """One finger, or two."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touches: CDPSession = page.context.new_cdp_session(page)

    def _send(self, kind: str, *points: Point) -> None:
        spots = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self.touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    def _lift(self) -> None:
        self._send("touchEnd")
        self.page.evaluate(STILL)

    def move(self, start: Point, by: Point) -> None:
        """Put the finger down, move it, a little at first, and lift it."""
        self._send("touchStart", start)
        for part in (0.07, 0.4, 1):
            self._send("touchMove", (start[0] + part * by[0], start[1] + part * by[1]))
            self.page.evaluate(FRAME)
        self._lift()

    def tap(self, at: Point) -> None:
        """Touch one place."""
        self._send("touchStart", at)
        self._lift()

    def move_beside(self, resting: Point, start: Point, by: Point) -> None:
        """Move a second finger while the first rests somewhere else."""
        self._send("touchStart", resting)
        self._send("touchStart", resting, start)
        for part in (0.07, 0.4, 1):
            self._send("touchMove", resting, (start[0] + part * by[0], start[1] + part * by[1]))
            self.page.evaluate(FRAME)
        self._lift()
        self.touches.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 1})

    def pinch(self, middle: Point) -> None:
        """Put two fingers down beside each other and draw them apart."""
        x, y = middle
        self._send("touchStart", (x - 12, y))
        for reach in (12, 30, 60):
            kind = "touchStart" if reach == 12 else "touchMove"
            self._send(kind, (x - reach, y), (x + reach, y - reach / 3))
            self.page.evaluate(FRAME)
        self._lift()
        self.touches.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 1})
