"""A reader who asks how a number was made: where each kind of view shows one, what the panel says."""

import contextlib
import re
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError
from waiting import FRAMES

FIGURE = 'figure.livetorch[data-name="{}"]'
NUMBER = r"[−-]?(?:\.?\d[\d.]*(?:e[−-]?\d+)?|∞)|NaN|True|False"
STATE = "f => JSON.stringify(f.livetorch.state(), (_, v) => ArrayBuffer.isView(v) ? Array.from(v) : v)"
# A place in the window where a view shows a number, by the kind of the view.
PLACE = """(view) => {
  view.scrollIntoView({ block: "center", behavior: "instant" });
  const at = (element, right = 0.5, down = 0.5, dy = 0) => {
    const box = () => element.getBoundingClientRect();
    const edge = box().y + down * box().height;
    if (edge < 60 || edge > innerHeight - 60) scrollBy({ top: edge - innerHeight / 2, behavior: "instant" });
    return { x: box().x + right * box().width, y: box().y + down * box().height + dy };
  };
  const one = (css) => view.querySelector(css);
  const kind = [...view.classList].find((name) => name.startsWith("lt-view-")).slice(8);
  switch (kind) {
    case "table": return at(one("tbody td"));
    case "flow": { // a field of a control in its cell is written in, not opened
      const written = ({ x, y }) => document.elementFromPoint(x, y)?.closest(".lt-control");
      const free = [...view.querySelectorAll(".lt-flow-cell")].find((cell) => !written(at(cell)));
      return at(free);
    }
    case "number": return at(one(".lt-number"), 0.1);
    case "strip": return at([...view.querySelectorAll(".lt-piece")].find((one) => one.getBBox().width > 8));
    case "tokens": return at([...view.querySelectorAll(".lt-token-weight")].at(-1));
    case "arcs": return at(one(".lt-arc-number")); // the box above it may be muted by a press
    case "heatmap": {
      at(one(".lt-stage"), 0, 0); // in sight, also in a view that is higher than a phone
      const axes = [...view.querySelectorAll(".lt-y .tick, .lt-x .tick")].map((tick) => tick.getCTM());
      const stage = one(".lt-stage").getBoundingClientRect();
      const [left, top] = [Math.max(...axes.map(({ e }) => e)), Math.min(...axes.map(({ f }) => f))];
      return { x: stage.x + left, y: stage.y + top };
    }
    default: return at(one(".lt-stage"), 0.55, 0.5);
  }
}"""
# What the view says there.
SAID = """([view, { x, y }]) => {
  const readout = view.querySelector(".lt-readout");
  if (readout) return readout.textContent;
  return document.elementFromPoint(x, y).textContent;
}"""


# Presses on the numbers that a figure prints as text (of many alike on some), and on its ticks: what opens is
# that very number, to its printed places, and a tick opens nothing. A name (a token "2", a row 2) is none.
PRINTED = r"""async (figure) => {
  const NUMBER = /^[−-]?\d*\.?\d+$/, MOST = 12;
  const names = ":is(.lt-piece-name, .lt-point-name, .lt-flow-name, " +
    ".lt-arc-text, .lt-token, .lt-spoken, .lt-open)";
  const frame = () => new Promise((done) => setTimeout(done, 0));
  const faults = [];
  let pressed = 0;
  for (const [v, view] of [...figure.querySelectorAll(".lt-view")].entries()) {
    const kinds = {};
    for (const text of view.querySelectorAll("text, tspan, td, .lt-token-weight")) {
      if (text.childElementCount || !NUMBER.test(text.textContent.trim()) || text.closest(names)) continue;
      const tick = text.closest(".tick, .lt-axes, .lt-piece-end");
      (kinds[`${text.tagName} ${text.getAttribute("class")} ${Boolean(tick)}`] ??= []).push({ text, tick });
    }
    const some = (all) => all.filter((_, i) => i % Math.ceil(all.length / MOST) === 0);
    for (const { text, tick } of Object.values(kinds).flatMap(some)) {
      text.scrollIntoView({ block: "center", behavior: "instant" });
      const box = text.getBoundingClientRect();
      const [clientX, clientY] = [box.x + box.width / 2, box.y + box.height / 2];
      const met = document.elementFromPoint(clientX, clientY);
      if (!text.isConnected || !view.contains(met) || met.closest(".lt-control, .lt-handle")) continue;
      const printed = text.textContent.trim();
      pressed += 1;
      met.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX, clientY, altKey: true }));
      await frame();
      const panel = figure.querySelector(".lt-open:not([hidden])");
      const said = panel?.querySelector("[aria-current]").textContent ?? "";
      const opened = Number(said.replace("−", "-").match(/^Where does (\S+) come/)?.[1] ?? NaN);
      const half = 0.5001 * 10 ** -(printed.split(".")[1] ?? "").length;
      const right = tick ? !panel : Math.abs(opened - Number(printed.replace("−", "-"))) <= half;
      const what = `view ${v}, ${tick ? "the tick" : "printed"} ${printed}`;
      if (!right) faults.push(`${what}: ${said || "nothing opens"}`);
      panel?.querySelector(".lt-close").click();
    }
  }
  return { faults, pressed };
}"""


def numbers_in(text: str) -> list[float]:
    """All numbers of a text, of a readout those after its colon."""
    words = re.findall(NUMBER, text.rpartition(":")[2])
    known = {"True": 1.0, "False": 0.0, "∞": float("inf"), "−∞": -float("inf"), "NaN": float("nan")}
    return [known[word] if word in known else float(word.replace("−", "-").rstrip(".")) for word in words]


def half_unit(text: str) -> float:
    """Half of the last place of the numbers of a text, at most 0.5."""
    places = [
        len(word.partition("e")[0].partition(".")[2]) for word in re.findall(NUMBER, text.rpartition(":")[2])
    ]
    return 0.5 * 10.0 ** -min(places, default=0)


class Panel:
    """The panel of one figure."""

    def __init__(self, page: Page, name: str) -> None:
        self.page, self.figure = page, page.locator(FIGURE.format(name))
        self.element = self.figure.locator(".lt-open")

    def views(self) -> list[Locator]:
        return self.figure.locator(".lt-view").all()

    def ask(self, view: Locator, *, alt: bool = False, opens: bool = True) -> str:
        """Press on a number of a view; says what the view shows there."""
        place: dict[str, Any] = view.evaluate(PLACE)
        self.page.mouse.move(place["x"] - 2, place["y"] - 2)
        self.page.mouse.move(place["x"], place["y"])
        self.page.evaluate(FRAMES)
        said: str = self.page.evaluate(SAID, [view.element_handle(), place])
        if alt:
            self.page.keyboard.down("Alt")
        self.page.mouse.click(place["x"], place["y"])
        if alt:
            self.page.keyboard.up("Alt")
        if opens:
            self.settle()
        self.page.evaluate(FRAMES)
        return said

    def settle(self) -> None:
        """Let what was asked for come: the part's file at first, a frame. Whether it came is seen later."""
        with contextlib.suppress(TimeoutError):
            self.element.wait_for(state="attached", timeout=20_000)
        self.page.evaluate(FRAMES)

    def is_open(self) -> bool:
        return self.element.count() == 1 and self.element.is_visible()

    def line(self) -> str:
        return self.element.locator(".lt-made-line").inner_text()

    def name(self) -> str:
        """What code calls the number."""
        return self.element.locator("samp").inner_text()

    def value(self) -> str:
        """The number that the line ends in, as it is written; of counted conditions that it begins with."""
        line = self.element.locator(".lt-made-line").text_content() or ""
        found = re.findall(rf"= ({NUMBER})(?=$|,)", line) or re.findall(r"^(\d+) of \d+ are True", line)
        return found[-1] if found else ""

    def crumbs(self) -> list[str]:
        return self.element.locator(".lt-crumbs li").all_inner_texts()

    def terms(self) -> Locator:
        return self.element.locator(".lt-made-line .lt-term")

    def down(self, n: int = 0) -> None:
        self.terms().nth(n).click()

    def close(self) -> None:
        if self.is_open():
            self.element.get_by_role("button", name="Close").click()


def numbers_faults(page: Page) -> list[str]:
    """Open numbers in every view of every figure: each must be the one that is shown, and change nothing."""
    faults, pressed = [], 0
    for name in page.evaluate(
        "[...document.querySelectorAll('figure.livetorch')].map((f) => f.dataset.name)"
    ):
        panel = Panel(page, name)
        picks = panel.figure.evaluate("f => Boolean(f.livetorch.spec.picks)")  # a click chooses first
        kinds = panel.figure.evaluate("f => f.livetorch.spec.views")
        for spec, view in zip(kinds, panel.views(), strict=True):
            if spec["kind"] == "plane":
                continue  # its points are tested by themselves
            before = panel.figure.evaluate(STATE)
            said = panel.ask(view, alt=bool(spec.get("edit")) or picks)
            where = f"{name}, {spec['kind']}: shows {said!r}"
            if not panel.is_open():
                faults.append(f"{where}, and does not open")
                continue
            value = numbers_in(panel.value() or panel.line())
            masked = spec.get("mask_word", "masked")
            levels = [*spec["levels"], [0, masked]] if spec.get("levels") else []
            read = said.removesuffix(f", {masked}")  # it follows the number
            if words := [number for number, word in levels if read.endswith(f": {word}")]:
                said = f"{words[0]}"  # a word stands for it
            shown, error = numbers_in(said), half_unit(said) + half_unit(panel.value())
            if not any(one == two or abs(one - two) <= error * 1.001 for one in shown for two in value):
                faults.append(f"{where}, the panel says {panel.line()!r}")
            if panel.figure.evaluate(STATE) != before:
                faults.append(f"{where}, and the figure was changed")
            panel.close()
        printed = panel.figure.evaluate(PRINTED)
        faults += [f"{name}, {fault}" for fault in printed["faults"]]
        pressed += printed["pressed"]
    return faults if pressed else [*faults, "no printed number could be pressed"]
