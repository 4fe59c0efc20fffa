"""Numbers of every figure of the book, opened at random settings in Chromium, down to what nothing made.

What opens them is built from the sources; test_open_number.py asks the shipped parts.

Each step's value must follow from the numbers that it names, and its text hold those very numbers rounded.
OPEN_NUMBERS=200 opens so many of each figure in place of a few; `make proof` does.
"""

import functools
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from built_site import ROOT
from live_chapters import random_value
from stored_figures import notebooks

NUMBERS = int(os.environ.get("OPEN_NUMBERS", 8))  # of each figure
AT_ONE_SETTING = 20 if NUMBERS > 50 else 4
MOST_STEPS = 3  # before the numbers of a figure with steps are opened

# The walk that Node takes too, as a script of the page.
WALK = re.sub(r"^export ", "", (ROOT / "tests/livetorch/opened.mjs").read_text(encoding="utf-8"), flags=re.M)
PREPARE = f"() => {{ {WALK}\n window.walked = walked; }}"
# What opens numbers, with all rules, built for the page: its own part opens them for the panel alone.
ENTRY = """import "./livetorch/js/parts/all.mjs";
export { openFigure } from "./livetorch/js/open/figure.mjs";
export { written } from "./livetorch/js/open/open.mjs";
export { fetchRules } from "./livetorch/js/open/rules.mjs";
export { partOf } from "./livetorch/js/hosts/parts.mjs";"""


@functools.cache
def opens_numbers() -> str:
    """Build what opens numbers as a script of a page."""
    build = ("npx", "esbuild", "--bundle", "--format=iife", "--global-name=opensNumbers", "--loader=js")
    return subprocess.run(build, cwd=ROOT, input=ENTRY, capture_output=True, text=True, check=True).stdout


SPECS = """() => [...document.querySelectorAll("figure.livetorch")].map(({ livetorch: { spec } }) =>
  ({ name: spec.name, controls: spec.controls, steps: spec.carry?.steps ?? 0 }))"""
OPEN = """async ([name, settings, steps, count, seed]) => {
  const figure = document.querySelector(`figure.livetorch[data-name="${name}"]`);
  const { livetorch } = figure;
  await livetorch.ready;
  livetorch.reset();
  const { fetchRules, openFigure, partOf, written } = window.opensNumbers;
  await fetchRules(livetorch.spec, partOf);
  for (const [control, value] of settings) livetorch.set(control, value);
  await livetorch.step(steps);
  const shown = livetorch.outputs();
  const explain = openFigure(livetorch.spec, livetorch.state());
  const found = window.walked(explain, written, { count, seed });
  for (const [output, { data }] of Object.entries(shown)) {
    // the page may use quicker loops, which add fractions in another order
    const [one, other] = [data, explain.outputs[output].data].map((all) => Array.from(all, Number));
    const whole = (x, y) => Number.isInteger(x) && Number.isInteger(y); // counts and truth values are exact
    const near = (x, y) => Object.is(x, y) || (!whole(x, y) && Math.abs(x - y) <= 1e-5 * (1 + Math.abs(x)));
    if (!one.every((x, i) => near(x, other[i]))) found.faults.push(`${output} is not what is shown`);
  }
  return { faults: found.faults, opened: found.steps, unknown: found.unknown };
}"""


@pytest.mark.parametrize("notebook", notebooks(), ids=lambda path: path.stem)
def test_any_number_at_any_setting_leads_down_to_its_ends(opening, notebook: Path):
    draw = random.Random(notebook.stem)
    faults: list[str] = []
    with opening(f"notebooks/{notebook.stem}") as opened:
        page = opened.page
        page.evaluate(PREPARE)
        page.evaluate(f"() => {{ {opens_numbers()}\n window.opensNumbers = opensNumbers; }}")
        for figure in page.evaluate(SPECS):
            left = NUMBERS
            while left > 0:
                count, left = min(left, AT_ONE_SETTING), left - AT_ONE_SETTING
                settings = random_settings(figure, draw)
                steps = min(figure["steps"], draw.randint(0, MOST_STEPS))
                asked = [figure["name"], settings, steps, count, draw.randrange(10**6)]
                found = page.evaluate(OPEN, asked)
                assert found["opened"] >= count
                where = f"{figure['name']}, {steps} steps at {str(settings)[:400]}"
                faults += [f"{where}: {fault}" for fault in [*found["faults"], *found["unknown"]]]
        assert opened.errors == []
    assert "\n".join(faults) == ""


def random_settings(figure: dict[str, Any], draw: random.Random) -> list[tuple[str, Any]]:
    """Draw a setting of each control that a hand can move."""
    drawn = [(control["name"], random_value(control, draw)) for control in figure["controls"]]
    return [(name, value) for name, value in drawn if value is not None]
