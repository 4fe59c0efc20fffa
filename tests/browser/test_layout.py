"""No label over another, no cut text, nothing that scrolls unseen: every live figure, at many settings.

The stored figures on pages of their own, so that a change of a view is seen without building the site.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from layout_faults import covered, faults, names, overflow, too_high
from live_chapters import random_value
from playwright.sync_api import Browser, Page
from stored_figures import figures_of, notebooks, write_page

ZOOMED = 640  # what 1280 pixels are at 200 %
SIZES = (1600, 1280, 768, ZOOMED, 360)
RANDOM_AT = (1280, 360)
DRAWS = 20
TEXT_COLUMN = 1000  # what a figure may take on a page of the book
SET = """([name, state]) => {
  const figure = document.querySelector(`figure[data-name="${name}"]`).livetorch;
  for (const [control, value] of Object.entries(state)) figure.set(control, value);
  figure.outputs();
}"""


@pytest.fixture(params=notebooks(), ids=lambda path: path.stem)
def notebook(request) -> Path:
    return request.param


@pytest.fixture
def page(chromium: Browser, notebook: Path, tmp_path: Path) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": SIZES[0], "height": 800})
    page = context.new_page()
    page.goto(write_page(notebook, tmp_path, TEXT_COLUMN))
    page.evaluate("Promise.all([...document.querySelectorAll('figure')].map((f) => f.livetorch.ready))")
    yield page
    context.close()


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def specs(notebook: Path) -> dict[str, dict]:
    """The JSON of each figure, by name."""
    stored = (re.search(r"<script[^>]*>(.*?)</script>", html, re.DOTALL) for html in figures_of(notebook))
    found = [json.loads(match.group(1)) for match in stored if match]
    return {spec["name"]: spec for spec in found}


def test_nothing_lies_over_another_or_is_cut(page: Page):
    found = []
    for width in SIZES:
        resize(page, width)
        for theme in ("light", "dark"):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            found += [f"{width} {theme} {fault}" for name in names(page) for fault in faults(page, name)]
        if (wider := overflow(page)) > 0:
            found.append(f"{width}: the page scrolls sideways by {wider} pixels")
    assert "\n".join(found) == ""


def test_nothing_lies_over_another_at_other_settings(page: Page, notebook: Path):
    found = []
    for width in RANDOM_AT:
        resize(page, width)
        for name, spec in specs(notebook).items():
            draw = random.Random(name)
            for _ in range(DRAWS):
                state = {one["name"]: random_value(one, draw) for one in spec["controls"]}
                state = {key: value for key, value in state.items() if value is not None}
                page.evaluate(SET, [name, state])
                found += [f"{width} {fault} at {state}"[:300] for fault in faults(page, name)]
    assert "\n".join(found) == ""


def test_on_a_phone_control_and_effect_are_seen_together(page: Page):
    resize(page, 360)
    assert (too_high(page), covered(page)) == ([], [])


def test_a_name_over_another_is_found(page: Page, notebook: Path):
    name = names(page)[0]
    page.evaluate(
        """name => { const words = document.createElement("span");
          words.textContent = "over it"; words.style.cssText = "position: absolute; margin-left: -60px";
          document.querySelector(`figure[data-name="${name}"] .lt-title`).append(words); }""",
        name,
    )
    assert any("lies over" in fault for fault in faults(page, name))
