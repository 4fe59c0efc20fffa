"""The live figures of a chapter, made again by running its code, so that a page can be held against torch."""

import contextlib
import functools
import itertools
import linecache
import random
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
import torch
import yaml
from built_site import ROOT
from IPython.display import display

import livetorch
from livetorch import LiveFigure, controls
from pagepython.running.names import names_of

CONTROLS = {one.kind: one for one in vars(controls).values() if hasattr(one, "kind")}

# typed arrays become lists on the way out of the page; NaN and infinities, text
LIST = "(data) => Array.from(data, (x) => (Number.isFinite(x) ? x : String(x)))"
STATE = f"""figure => Object.fromEntries(Object.entries(figure.livetorch.state()).map(
  ([name, value]) => [name, value?.shape ? {{ carried: ({LIST})(value.data) }} : value]))"""
OUTPUTS = f"""figure => Object.fromEntries(Object.entries(figure.livetorch.outputs()).map(
  ([name, {{ shape, data }}]) => [name, {{ shape: [...shape], data: ({LIST})(data) }}]))"""


def chapters() -> list[Path]:
    """List the notebooks that hold a live figure."""
    books = sorted((ROOT / "notebooks").glob("*.ipynb"))
    return [path for path in books if "livetorch" in path.read_text(encoding="utf-8")]


def needed(cells: list[str]) -> list[bool]:
    """Tell which cells make a figure, or something that another such cell needs."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    kinds = {kind: config["page_python"][kind] for kind in ("looks", "draws", "changes")}
    names = [names_of(source, **kinds) for source in cells]
    last = max((at for at, source in enumerate(cells) if "explore(" in source), default=-1)
    called: set[str] = set()  # what functions read when they are called, wherever it was bound
    while True:
        wanted, later = set(called), set(called)
        kept = [at <= last for at in range(len(cells))]
        for at in range(last, -1, -1):
            if (found := names[at]) is None:
                continue
            changed = {*found["binds"], *found["touches"]} - {"_"}
            kept[at] = "explore(" in cells[at] or bool(wanted & changed)
            if kept[at]:
                later |= {*found["later"]}
                wanted = wanted - {*found["binds"]} | called | {*found["touches"], *found["reads"]}
        if later == called:
            return kept
        called = later


@functools.cache
def figures(path: Path) -> dict[str, LiveFigure]:
    """Run the chapter's code cells that its figures need and collect what `explore` returned, by name.

    Whoever calls holds each figure's JSON against the stored one, so that a cell left out by mistake is seen.
    """
    made: dict[str, LiveFigure] = {}
    explore = livetorch.explore

    def record(*args: Any, **kwargs: Any) -> LiveFigure:
        figure = explore(*args, **kwargs)
        assert figure.spec["name"] not in made, f"two figures of {path.name} are named {figure.spec['name']}"
        made[figure.spec["name"]] = figure
        return figure

    namespace: dict[str, Any] = {"__name__": "__main__", "display": display}  # as a notebook has it
    cells = [
        cell
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code" and "raises-exception" not in cell.metadata.get("tags", [])
    ]
    # from the notebook's folder, as a kernel: some lessons import a file of plain/ by its relative path
    with mock.patch.object(livetorch, "explore", record), contextlib.chdir(path.parent):
        for cell in itertools.compress(cells, needed([cell.source for cell in cells])):
            file = f"<{path.stem}:{cell.id}>"
            linecache.cache[file] = (len(cell.source), None, cell.source.splitlines(keepends=True), file)
            exec(compile(cell.source, file, "exec"), namespace)
    return made


def take_settings(figure: LiveFigure, state: dict[str, Any]) -> dict[str, torch.Tensor]:
    """Give the figure the browser's settings and return what torch makes of them."""
    controls = figure._binding.controls
    settings = {}
    for name, value in state.items():
        control = controls[name]
        carried = isinstance(value, dict)
        settings[name] = reshaped(value["carried"], control) if carried else control.from_js(value)
    figure.value = settings
    return figure.outputs


def reshaped(numbers: list[float], control: Any) -> Any:
    return torch.tensor(plain(numbers), dtype=control.dtype).reshape(control.shape).tolist()


def plain(numbers: list[float | str]) -> list[float]:
    """Read a page's numbers: those that JSON has no word for come as text."""
    return [float(x) if isinstance(x, str) else x for x in numbers]


def tensor(output: dict[str, Any]) -> torch.Tensor:
    """Turn an output of the page's runtime into a tensor of its dtype."""
    return torch.tensor(plain(output["data"]), dtype=torch.float64).reshape(output["shape"])


def random_value(control: dict[str, Any], draw: random.Random) -> Any:
    """Draw a setting that the control allows, in the browser's form; None where no hand moves it."""
    return CONTROLS[control["kind"]].at_random(control, draw)
