"""Open the built book in Firefox, drive its live figures, and hold their numbers against torch.

    python benchmarks/firefox.py [--site _build/html] [--settings 3] [--pages NAME ...]

Every page over http, and under the content security policy that the book documents; every chapter from disk
too. Each figure is tried as it opens, at random settings, and with its first slider moved by the keyboard;
on each page with questions, one is answered; in the first lesson a cell is edited and run. Firefox is the
installed one, driven by WebDriver BiDi.
"""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import report
import torch
from content_policy import policy
from live_chapters import OUTPUTS, STATE, chapters, figures, take_settings
from site_server import serving
from torch_says import difference, random_settings

DRIVER = Path(__file__).resolve().with_suffix(".mjs")
NAMES = ("firefox-esr", "firefox")
# the JSON of a figure or a question, inside the JSON of a notebook
STORED = re.compile(r'<script type=\\"application/json\\">(.*?)</script>')
MAC = "/Applications/Firefox.app/Contents/MacOS/firefox"
HOW_TO_GET = "No Firefox found: install one (Debian: apt-get install firefox-esr) or set FIREFOX_PATH."
COLUMNS = {
    "page": "page",
    "opened": "opened",
    "figures": "live figures",
    "settings": "settings",
    "numbers": "numbers compared",
    "question": "question",
    "edited": "edited and run",
    "errors": "console errors",
    "foreign": "requests to others",
}
TRY = f"""async ([name, all]) => {{
  const figure = document.querySelector(`figure.livetorch[data-name="${{name}}"]`);
  await figure.livetorch.ready;
  const state = {STATE}, outputs = {OUTPUTS};
  return all.map((settings) => {{
    for (const [control, value] of settings) figure.livetorch.set(control, value);
    return [state(figure), outputs(figure)];
  }});
}}"""
WAKE = """async () => {
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
    scrollTo(0, y);
    await new Promise((done) => requestAnimationFrame(done));
  }
  const figures = [...document.querySelectorAll("figure.livetorch")];
  await Promise.all(figures.map((figure) => figure.livetorch.ready));
  return figures.map((figure) => figure.dataset.name);
}"""
PROGRAM = "import torch; print(torch.tensor([1.0, 2.0]).softmax(0))"
PRINTED = "tensor([0.2689, 0.7311])"
EDIT = """async ([program]) => {
  const until = async (found) => {
    for (let tries = 0; tries < 1000; tries += 1) {
      if (found()) return found();
      await new Promise((done) => setTimeout(done, 250));
    }
    throw new Error(`nothing came of ${found}`);
  };
  (await until(() => document.querySelector(".article-header-buttons .edit-switch:enabled"))).click();
  await until(() => document.querySelector(".ed-dock")?.dataset.state === "ready");
  const code = document.querySelector("[id^='in-']");
  for (let at = code; at; at = at.parentElement) if (at.matches("details")) at.open = true;
  code.scrollIntoView({ block: "center" });
  (await until(() => code.querySelector(".cm-content"))).focus();
  document.execCommand("selectAll");
  document.execCommand("insertText", false, program);
  code.querySelector(".ed-run").click();
  await until(() => ["ran", "failed", "kept"].includes(code.dataset.run));
  const shown = `#${code.id} + .cell_output, #${code.id.replace("in", "out")}`;
  return document.querySelector(shown).innerText.trim();
}"""


def find() -> str | None:
    """Give the path of an installed Firefox."""
    candidates = [os.environ.get("FIREFOX_PATH"), *map(shutil.which, NAMES), MAC]
    return next((path for path in candidates if path and Path(path).exists()), None)


def number_question(notebook: Path) -> dict[str, Any] | None:
    """Find the first question of a notebook that asks for a number, with its answer."""
    for text in STORED.findall(notebook.read_text(encoding="utf-8") if notebook.exists() else ""):
        spec = json.loads(json.loads(f'"{text}"'))
        if spec.get("kind") == "number" and "shown" in spec:
            return {"name": spec["name"], "shown": spec["shown"]}
    return None


def plan(names: list[str], homes: dict[str, str], number: int) -> list[dict[str, Any]]:
    """List the visits: page, how it is opened, and which settings of which figures are tried there."""
    visits = []
    edited = next((name for name in names if name.startswith("notebooks/")), None)
    for name in names:
        notebook = report.ROOT / f"{name}.ipynb"
        drawn = random_settings(notebook, number) if notebook in chapters() else {}
        question = number_question(notebook)
        few = {figure: [] for figure in drawn}
        for scheme, settings in {"http": drawn, "policy": {}, "file": few}.items():
            if scheme in homes and (scheme != "file" or name.startswith("notebooks/")):
                visit = {"page": name, "scheme": scheme, "home": homes[scheme]}
                edit = [PROGRAM] if name == edited and scheme != "file" else None
                visits.append({**visit, "settings": settings, "question": question, "edit": edit})
    return visits


def drive(program: str, visits: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Let Firefox make the visits; what it found comes one by one, first its version."""
    job = json.dumps({"program": program, "wake": WAKE, "attempt": TRY, "edit": EDIT, "visits": visits})
    with subprocess.Popen(
        ["node", str(DRIVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:
        node.stdin.write(job)
        node.stdin.close()
        yield from map(json.loads, node.stdout)
    if node.returncode:
        raise RuntimeError(f"Firefox's driver ended with code {node.returncode}")


def judge(found: dict[str, Any]) -> dict[str, Any]:
    """Compare the figures of one visit with torch; gives a row of the table."""
    notebook = report.ROOT / f"{found['page']}.ipynb"
    made = figures(notebook) if found["figures"] else {}
    broken, tries = [], []
    for name, seen in found["figures"].items():
        tries += [(name, state, outputs) for state, outputs in seen["tries"]]
        if isinstance(seen["pressed"], str):
            broken.append(f"{name}: {seen['pressed']}")
        elif seen["pressed"]:
            tries.append((name, *seen["pressed"]))
    said = [(name, state, difference(take_settings(made[name], state), got)) for name, state, got in tries]
    broken += [f"{name}, at {str(state)[:200]}: {fault}" for name, state, fault in said if fault][:3]
    broken += found["errors"]
    broken += [f"asks {address}" for address in found["foreign"]]
    if found["question"] not in (None, "right"):
        broken.append(f"a right answer to a question: {found['question']}")
    if found["edited"] not in (None, PRINTED):
        broken.append(f"a cell that was edited printed {found['edited']!r}")
    return {
        "page": found["page"],
        "opened": found["scheme"],
        "figures": len(found.get("names", [])),
        "settings": len(tries),
        "numbers": sum(len(output["data"]) for _, _, got in tries for output in got.values()),
        "question": found["question"],
        "edited": found["edited"] and found["edited"] == PRINTED,
        "errors": len(found["errors"]),
        "foreign": len(found["foreign"]),
        "broken": broken,
    }


def main() -> int:
    pages = ["book/intro", "book/notation", *report.some_chapters()]
    options = report.options(__doc__, site=report.SITE, settings=3, pages=pages)
    program = find()
    if program is None:
        sys.exit(HOW_TO_GET)
    torch.set_num_threads(1)
    site = options.site.resolve()
    with serving(site) as plain, serving(site, policy=policy(site)) as guarded:
        homes = {"http": plain, "policy": guarded, "file": site.as_uri()}
        with contextlib.redirect_stdout(io.StringIO()):  # the chapters' own prints
            seen = drive(program, plan(options.pages, homes, options.settings))
            version = next(seen)["version"]
            rows = [judge(found) for found in seen]
    broken = [f"{row['page']} ({row['opened']}): {line}" for row in rows for line in row.pop("broken")]
    return report.finish(
        "firefox",
        what="Lessons of each kind in Firefox; live figures held against torch",
        rules=[
            "no console error, nothing refused by the policy, no request to another host",
            "every number within 1e-5 of torch's",
            "the right answer to a question is judged right",
            "a cell that was edited prints what torch prints",
        ],
        browser=version,
        comparisons=sum(row["numbers"] for row in rows),
        rows={"visits": rows},
        broken=broken,
        columns=COLUMNS,
    )


if __name__ == "__main__":
    sys.exit(main())
