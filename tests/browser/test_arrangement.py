"""How each live figure is laid out at two sizes: its parts in order, rows of views, sizes within a tenth.

What holds is stored in structure.json, with a small picture of each figure in screenshots/ for eyes: a layout
that breaks is seen, a pixel that moves is not. After a change that is meant, this stores what is there now,
of all notebooks or of those named:
`PYTHONPATH=tests:tests/browser python tests/browser/test_arrangement.py CHROMIUM [NOTEBOOK ...]`.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from stored_figures import notebooks, write_page

STORED = Path(__file__).with_name("structure.json")
SCREENSHOTS = Path(__file__).with_name("screenshots")
SHOWN = 0.6  # of its size on a page, so that all of them are small
MOST = 1_500_000  # bytes of all of them
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
  return [figure.dataset.name, { card: [card.offsetWidth, card.offsetHeight],
    parts: parts.map((e) => e.className.split(" ")[0]), controls, rows }];
}))"""


def structure(browser: Browser, notebook: Path, folder: Path, *, pictures: bool = False) -> dict[str, Any]:
    """The layout of each figure of a notebook at each size; with `pictures`, these are stored too."""
    page = browser.new_page(viewport={"width": SIZES[0], "height": 800})
    page.goto(write_page(notebook, folder, COLUMN))
    page.evaluate("Promise.all([...document.querySelectorAll('figure')].map((f) => f.livetorch.ready))")
    found = {}
    for width in SIZES:
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found[str(width)] = page.evaluate(STRUCTURE)
        if pictures:
            take(page, notebook.stem, width)
    page.close()
    return found


def take(page: Page, notebook: str, width: int) -> None:
    """Store a small picture of each figure of a page."""
    for figure in page.query_selector_all("figure.livetorch"):
        image = Image.open(io.BytesIO(figure.query_selector(".lt-card").screenshot())).convert("RGB")
        small = image.resize([round(SHOWN * side) for side in image.size], Image.Resampling.LANCZOS)
        name = f"{notebook}.{figure.get_attribute('data-name')}.{width}.webp"
        small.save(SCREENSHOTS / name, quality=25, method=6)


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


def test_each_layout_has_its_picture():
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    cards = {
        f"{notebook}.{name}.{width}.webp": layout["card"]
        for notebook, sizes in stored.items()
        for width, figures in sizes.items()
        for name, layout in figures.items()
    }
    pictures = {path.name: path for path in SCREENSHOTS.iterdir()}
    assert sorted(pictures) == sorted(cards)
    assert sum(path.stat().st_size for path in pictures.values()) <= MOST
    for name, path in pictures.items():
        for drawn, side in zip(Image.open(path).size, cards[name], strict=True):
            assert abs(drawn - SHOWN * side) <= 2, name


def test_another_row_and_another_size_are_seen():
    layout = {"rows": [[{"kind": "bars", "size": [300, 160]}], [{"kind": "table", "size": [300, 90]}]]}
    moved = {"rows": [[*layout["rows"][0], *layout["rows"][1]]]}
    narrow = json.loads(json.dumps(layout).replace("160", "120"))
    assert differences(layout, layout) == []
    assert len(differences(moved, layout)) == 1
    assert differences(narrow, layout) == [" rows 0 0 size 1: 120, stored 160"]


if __name__ == "__main__":
    chromium_path, *names = sys.argv[1:]
    made = json.loads(STORED.read_text(encoding="utf-8")) if names else {}
    SCREENSHOTS.mkdir(exist_ok=True)
    wanted = [each for each in notebooks() if not names or each.stem in names]
    for old in SCREENSHOTS.iterdir():
        if not names or old.name.split(".")[0] in names:
            old.unlink()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        running = playwright.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        made |= {each.stem: structure(running, each, Path(folder), pictures=True) for each in wanted}
        running.close()
    STORED.write_text(json.dumps(made, separators=(",", ":"), sort_keys=True) + "\n", encoding="utf-8")
