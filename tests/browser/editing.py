"""A lesson whose cells are edited and run: what the tests of the editors do with a page."""

from dataclasses import dataclass

import nbformat
from built_site import ROOT
from playwright.sync_api import Locator, Page
from waiting import wait_until

LESSON = "notebooks/03a_masked_softmax"
FIGURE, FORMULA, EXERCISE = 3, 8, 22  # places of cells in that lesson
LONG = 90  # seconds that Python may take to start on a busy machine
STATE = "([at, states]) => states.includes(document.getElementById(`in-${at}`).dataset.run)"


def source(at: int, lesson: str = LESSON) -> str:
    """Give the book's text of a cell."""
    return nbformat.read(ROOT / f"{lesson}.ipynb", 4).cells[at].source


@dataclass
class Lesson:
    """The page, with its editors open."""

    page: Page

    def code(self, at: int) -> Locator:
        """The cell's code: the line above it and the editor."""
        return self.page.locator(f"#in-{at}")

    def editor(self, at: int) -> Locator:
        """The text that can be edited, with its fold open and in sight."""
        self.page.evaluate(
            """at => {
              const code = document.getElementById(`in-${at}`);
              for (let f = code.closest("details"); f; f = f.parentElement.closest("details")) f.open = true;
              code.scrollIntoView({ block: "center" });
            }""",
            at,
        )
        place = self.code(at).locator(".cm-content")
        place.wait_for()
        return place

    def write(self, at: int, text: str) -> None:
        """Put a text in place of the cell's own."""
        self.editor(at).click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def text(self, at: int) -> str:
        """Give the lines of the editor."""
        return "\n".join(self.editor(at).locator(".cm-line").all_inner_texts()).replace("\n\n", "\n")

    def empty(self, at: int) -> None:
        """Take all text away; a busy editor may take the keys before it has selected."""
        for _ in range(50):
            self.editor(at).click()
            self.page.keyboard.press("Control+a")
            self.page.wait_for_timeout(20)
            self.page.keyboard.press("Delete")
            self.page.wait_for_timeout(20)
            if not self.text(at).strip():
                return
        raise AssertionError(f"the editor still holds {self.text(at)!r}")

    def wait_for_more(self, at: int, sign: str, seen: int) -> None:
        """Wait until the editor holds the sign more often than it was seen (a quote brings its partner)."""
        for _ in range(100):
            if self.text(at).count(sign) > seen:
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"{sign!r} was typed, and the editor holds {self.text(at)!r}")

    def wait(self, at: int, *states: str, seconds: float = LONG) -> None:
        """Wait until the cell is in one of these states."""
        wait_until(self.page, STATE, [at, states], seconds)

    def run(self, at: int) -> str:
        """Run a cell by its button; gives how it ended."""
        self.editor(at)
        # what was just typed may have begun to run by itself: the same button would stop it
        self.code(at).evaluate(
            "code => code.dataset.run === 'running' || code.querySelector('.ed-run').click()"
        )
        self.wait(at, "running", "ran", "failed", "kept")
        self.wait(at, "ran", "failed", "kept", "")
        return self.code(at).get_attribute("data-run")

    def output(self, at: int) -> Locator:
        """What the cell shows."""
        return self.page.locator(f"#in-{at} + .cell_output, #out-{at}").first


def press_switch(page: Page, *, ready: bool = True) -> Lesson:
    """Press the switch in the page's header, and wait for the editors, or for Python too."""
    page.locator(".article-header-buttons .edit-switch").click()
    page.locator(".ed-dock").wait_for()
    if ready:
        wait_ready(page)
    return Lesson(page)


def wait_ready(page: Page) -> None:
    """Wait until Python can run a cell."""
    page.locator(".ed-dock").wait_for()
    wait_until(page, "document.querySelector('.ed-dock').dataset.state === 'ready'", seconds=LONG)
