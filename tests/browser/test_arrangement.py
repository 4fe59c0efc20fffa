"""How each live figure is laid out at two sizes: its parts in order, rows of views, sizes within a tenth.

What holds is stored in structure.json: a layout that breaks is seen, a pixel that moves is not.
After a change that is meant, this stores what is there now:
`PYTHONPATH=tests:tests/browser python tests/browser/test_arrangement.py CHROMIUM`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from stored_figures import notebooks, write_page

STORED = Path(__file__).with_name("structure.json")
SIZES = (1280, 360)
COLUMN = 1000  # pixels that a figure may take on a page of the book
NEAR = 0.1  # letters are wider on other machines
STRUCTURE = """() => Object.fromEntries([...document.querySelectorAll("figure.livetorch")].map((figure) => {
  const card = figure.querySelector(".lt-card");
  const parts = [...card.children].filter((part) => part.getBoundingClientRect().height > 1);
  const view = (e) => ({ kind: e.className.match(/lt-view-(\\w+)/)[1],
    size: [e.offsetWidth, e.querySelector(".lt-stage, .lt-wide, .lt-token-row").offsetHeight] });
  const rows = [...card.querySelectorAll(".lt-row")].map((row) => [...row.children].map(view));
  const controls = [...card.querySelectorAll(".lt-control")].map((e) => e.className.split(" ")[1]);
  return [figure.dataset.name, { parts: parts.map((e) => e.className.split(" ")[0]), controls, rows }];
}))"""


def structure(browser: Browser, notebook: Path, folder: Path) -> dict[str, Any]:
    """The layout of each figure of a notebook at each size."""
    page = browser.new_page(viewport={"width": SIZES[0], "height": 800})
    page.goto(write_page(notebook, folder, COLUMN))
    page.evaluate("Promise.all([...document.querySelectorAll('figure')].map((f) => f.livetorch.ready))")
    found = {}
    for width in SIZES:
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found[str(width)] = page.evaluate(STRUCTURE)
    page.close()
    return found


def differences(now: Any, then: Any, where: str = "") -> list[str]:
    """Say where two layouts differ; numbers may by a tenth."""
    if isinstance(now, dict) and isinstance(then, dict) and now.keys() == then.keys():
        return [line for key in now for line in differences(now[key], then[key], f"{where} {key}")]
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        pairs = zip(now, then, strict=True)
        return [line for i, (a, b) in enumerate(pairs) for line in differences(a, b, f"{where} {i}")]
    if isinstance(now, int) and isinstance(then, int):
        return [] if abs(now - then) <= 4 + NEAR * then else [f"{where}: {now}, stored {then}"]
    return [] if now == then else [f"{where}: {now}, stored {then}"]


@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_each_figure_has_the_layout_that_is_stored(chromium, notebook, tmp_path):
    stored = json.loads(STORED.read_text(encoding="utf-8"))[notebook.stem]
    assert "\n".join(differences(structure(chromium, notebook, tmp_path), stored)) == ""


def test_another_row_and_another_size_are_seen():
    layout = {"rows": [[{"kind": "bars", "size": [300, 160]}], [{"kind": "table", "size": [300, 90]}]]}
    moved = {"rows": [[*layout["rows"][0], *layout["rows"][1]]]}
    narrow = json.loads(json.dumps(layout).replace("160", "120"))
    assert differences(layout, layout) == []
    assert len(differences(moved, layout)) == 1
    assert differences(narrow, layout) == [" rows 0 0 size 1: 120, stored 160"]


if __name__ == "__main__":
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        running = playwright.chromium.launch(executable_path=sys.argv[1], args=["--no-sandbox"])
        made = {each.stem: structure(running, each, Path(folder)) for each in notebooks()}
        running.close()
    STORED.write_text(json.dumps(made, separators=(",", ":"), sort_keys=True) + "\n", encoding="utf-8")
