"""One visit of a page in one situation: all that is asked of it is measured there and kept as one record.

What is wrong is told with page, situation, rule and element, and leaves a picture of the window as it was in
_build/visits/SITUATION/PAGE.RULE.png; the record lies beside it as JSON.
"""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from built_site import ROOT
from playwright.sync_api import Page

FOLDER = ROOT / "_build" / "visits"
MOST_TOLD = 8  # faults of one rule


class Visit:
    """A page that is open, what was measured on it, and what of that is wrong."""

    def __init__(self, page: Page, name: str, situation: str) -> None:
        self.page, self.name, self.situation = page, name, situation
        self.record: dict[str, Any] = {}
        self.faults: list[str] = []

    def file(self, ending: str) -> Path:
        """Name a file of this visit, below _build/visits."""
        path = FOLDER / self.situation / f"{self.name.replace('/', '.')}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def note(self, rule: str, faults: Sequence[Any], fact: Any = None) -> None:
        """Keep what a rule found, or the fact that it judged; faults leave a picture of the window."""
        self.record[rule] = list(faults) if fact is None else fact
        if faults:
            shot = self.file(f"{rule.replace(' ', '-')}.png")
            self.page.screenshot(path=shot)
            where = f"{self.name}, {self.situation}, {rule}"
            self.faults += [f"{where}: {str(fault)[:400]}" for fault in faults[:MOST_TOLD]]
            more = f"{len(faults) - MOST_TOLD} more, " if len(faults) > MOST_TOLD else ""
            self.faults.append(f"  ({more}seen in {shot.relative_to(ROOT)})")

    def ask(self, rule: str, script: str, arg: object = None, *, seconds: float = 0) -> None:
        """Note what a script that lists faults finds on the page, once it has had some seconds to settle."""
        end = time.monotonic() + seconds
        while (found := self.page.evaluate(script, arg)) and time.monotonic() < end:
            self.page.wait_for_timeout(50)
        self.note(rule, found)

    def judge(self) -> None:
        """Write the record and fail if anything was wrong."""
        self.file("json").write_text(json.dumps(self.record, indent=1), encoding="utf-8")
        if self.faults:
            pytest.fail("\n".join(self.faults), pytrace=False)
