"""A finger on a live figure: points drag, a tap paints, a swipe scrolls and changes nothing."""

from collections.abc import Iterator
from typing import Any

from finger import Hand, Point

THUMBS = ".lt-range:not([hidden])"  # the one over past steps comes with the first step
PADS = ".lt-drawn-on"  # a finger draws on them, whichever way it goes
# Where a finger comes down that scrolls on: every view, and every other part of a card.
ELSEWHERE = ".lt-view:not(:has(.lt-drawn-on)), .lt-control, .lt-run, .lt-head, .lt-caption, .lt-tools"

# What must stay as it was: settings, steps, what is marked, what is open, which field waits for letters.
SEEN = """([name, css, n]) => {
  const figure = document.querySelector(`figure[data-name="${name}"]`);
  const plain = (_, v) => (ArrayBuffer.isView(v) ? Array.from(v) : v);
  const marked = [...figure.querySelectorAll(".lt-marked, .lt-open, .lt-marks rect")];
  const range = document.querySelectorAll(`figure[data-name="${name}"] ${css}`)[n];
  return { state: JSON.stringify([figure.livetorch.state(), figure.livetorch.history()?.length], plain),
    marks: marked.map((e) => e.getAttribute("class") + e.textContent).join() +
      (document.activeElement?.matches("input[type=text], input[type=number]") ? "a field" : ""),
    top: -figure.getBoundingClientRect().top,
    share: (range?.value - range?.min) / (range?.max - range?.min) || 0 };
}"""
# Brings the n-th element into the middle of the window; gives its box, what of it is free, a slider's value.
PLACE = """([name, css, n]) => {
  const figure = document.querySelector(`figure[data-name="${name}"]`);
  const element = figure.querySelectorAll(css)[n];
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const led = figure.querySelector(".lt-leading");
  const above = led && !led.contains(element) && led.getBoundingClientRect().top <= y;
  const share = (element.value - element.min) / (element.max - element.min) || 0;
  const top = Math.max(y, (above && led.getBoundingClientRect().bottom) || 0);
  return { x, y, width, height, share, top, bottom: Math.min(y + height, innerHeight),
    line: Boolean(element.closest(".lt-line")) };
}"""
# Whether a finger there holds what it is asked for: it is wider than a line.
HIT = """([x, y, css]) =>
  [-3, -2, -1, 0, 1, 2, 3].some((d) => document.elementFromPoint(x + d, y)?.closest(css))"""
# Chooses what a control that is grey waits for.
WAKE = """([name, css, n]) => {
  const figure = document.querySelector(`figure[data-name="${name}"]`);
  const { spec, set } = figure.livetorch;
  const { id } = figure.querySelectorAll(css)[n];
  const { when } = spec.controls.find((control) => id.endsWith(`-${control.name}`)) ?? {};
  for (const other in when) set(other, when[other][0]);
}"""
RESET = """async name => {
  const { stop, reset } = document.querySelector(`figure[data-name="${name}"]`).livetorch;
  stop();
  reset();
  for (let i = 0; i < 3; i += 1) await new Promise((done) => requestAnimationFrame(done));
}"""


class Figure:
    """One live figure under a finger."""

    def __init__(self, hand: Hand, name: str) -> None:
        self.hand, self.page, self.name = hand, hand.page, name

    def count(self, css: str) -> int:
        inside = [f'figure[data-name="{self.name}"] {each}' for each in css.split(", ")]
        return self.page.locator(", ".join(inside)).count()

    def place(self, css: str, n: int) -> dict[str, Any]:
        return self.page.evaluate(PLACE, [self.name, css, n])

    def seen(self, css: str = "svg", n: int = 0) -> dict[str, Any]:
        return self.page.evaluate(SEEN, [self.name, css, n])

    def hits(self, at: Point, css: str) -> bool:
        return self.page.evaluate(HIT, [*at, css])

    def reset(self) -> None:
        self.page.evaluate(RESET, self.name)

    def faults(self) -> Iterator[str]:
        """What a finger does wrong on this figure."""
        for n in range(self.count(ELSEWHERE)):
            box = self.place(ELSEWHERE, n)
            x, y = box["x"] + 0.45 * box["width"], (box["top"] + box["bottom"]) / 2
            # a point and a thumb have swipes of their own
            if box["width"] > 2 and not self.hits((x, y), ".lt-handle"):
                yield from self.fault_of_a_swipe(f"part {n}", (x, y), (4, -150) if n % 2 else (55, -145))
        for n in range(self.count(THUMBS)):
            self.page.evaluate(WAKE, [self.name, THUMBS, n])
            yield from self.faults_of_a_slider(n)
        self.reset()
        for n in range(self.count(".lt-handle")):
            yield from self.faults_of_a_point(n)
        for n in range(self.count(".lt-editable")):
            yield from self.faults_of_a_map(n)
        yield from self.faults_of_two_fingers()

    def fault_of_a_swipe(self, where: str, start: Point, by: Point) -> Iterator[str]:
        before = self.seen()
        self.hand.move(start, by)
        after = self.seen()
        if not after["top"] - before["top"] > 60:
            yield f"a swipe over {where} scrolls by {after['top'] - before['top']} pixels"
        if after["state"] != before["state"]:
            yield f"a swipe over {where} changes the figure"
            self.reset()
        elif after["marks"] != before["marks"]:
            yield f"a swipe over {where} marks {after['marks']}, before it {before['marks']}"

    def faults_of_a_slider(self, n: int) -> Iterator[str]:
        for share, by in ((None, (4, -150)), (0.12, (55, -145))):
            box = self.place(THUMBS, n)
            at = box["x"] + 10 + (box["share"] if share is None else share) * (box["width"] - 20)
            yield from self.fault_of_a_swipe(f"slider {n}", (at, box["y"] + box["height"] / 2), by)
        box = self.place(THUMBS, n)
        at = (box["x"] + 10 + box["share"] * (box["width"] - 20), box["y"] + box["height"] / 2)
        before, way = self.seen(THUMBS, n), -0.6 if box["share"] > 0.5 else 0.6
        self.hand.move(at, (way * (box["width"] - 20), 3))
        after = self.seen(THUMBS, n)
        if abs(after["share"] - before["share"] - way) > 0.25:
            yield f"thumb {n} goes from {before['share']:.2f} to {after['share']:.2f}, and not by {way}"
        if abs(after["top"] - before["top"]) > 1:
            yield f"thumb {n} scrolls the page by {after['top'] - before['top']} pixels"

    def faults_of_a_point(self, n: int) -> Iterator[str]:
        for by in ((34, 0), (-10, -44)):
            self.reset()
            box = self.place(".lt-handle", n)
            # a line moves along its axis only, and has its point at the foot
            y = box["y"] + (box["height"] - 17 if box["line"] else box["height"] / 2)
            before = self.seen()
            self.hand.move((box["x"] + box["width"] / 2, y), by)
            after = self.seen()
            if abs(after["top"] - before["top"]) > 1:
                yield f"a drag of point {n} by {by} scrolls the page"
            if after["state"] == before["state"]:
                yield f"a drag of point {n} by {by} does not move it"
        self.reset()

    def faults_of_a_map(self, n: int) -> Iterator[str]:
        for what in ("tap", "stroke", "swipe"):
            box = self.place(".lt-editable", n)
            at = (box["x"] + 0.6 * box["width"], box["y"] + 0.4 * box["height"])
            pad = self.hits(at, PADS)
            before = self.seen()
            if what == "tap":
                self.hand.tap(at)
            else:
                self.hand.move(at, (-70, 5) if what == "stroke" else (3, -100))
            after = self.seen()
            scrolls = what == "swipe" and not pad
            if (after["state"] == before["state"]) is not scrolls:
                yield f"a {what} on map {n} {'paints' if scrolls else 'paints nothing'}"
            if (abs(after["top"] - before["top"]) > 1) is not scrolls:
                yield f"a {what} on map {n} scrolls by {after['top'] - before['top']} pixels"
            self.reset()

    def faults_of_two_fingers(self) -> Iterator[str]:
        for css in (".lt-stage", THUMBS, ".lt-handle"):
            for n in range(min(2, self.count(css))):
                box = self.place(css, n)
                before = self.seen()
                # the first finger holds a point or a thumb, where there is one
                at = box["x"] + 12 + (0.5 if css == ".lt-stage" else box["share"]) * (box["width"] - 12)
                middle = (box["top"] + box["bottom"]) / 2
                self.hand.pinch((min(max(at, 70), 290), middle))
                if self.seen()["state"] != before["state"]:
                    yield f"two fingers on {css} {n} change the figure"
                    self.reset()
                if css != THUMBS:
                    continue
                before, box = self.seen(), self.place(css, n)
                across = box["x"] + 10 + box["share"] * (box["width"] - 20)
                way = 90 if box["share"] < 0.5 else -90
                self.hand.move_beside((3, 40), (across, (box["top"] + box["bottom"]) / 2), (way, 3))
                if self.seen()["state"] != before["state"]:
                    yield f"slider {n} moves while another finger rests on the page"
                    self.reset()
