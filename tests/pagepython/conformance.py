"""Hold what notebooks say in the page's Python against what they store, cell by cell."""

import json
import math
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import yaml

from pagepython.sphinx import PATTERNS, lesson

ROOT = Path(__file__).resolve().parents[2]
BOOK = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]["page_python"]
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?![\w])")
IGNORED = {"nbval-ignore-output", "nbval-skip"}
TOLERANCE = 2e-3  # training and half precision; single numbers are held tighter by the other tests


@dataclass(frozen=True)
class Cell:
    """What became of one cell.

    Its outcome is "same", "differs", "kept" (the page does not run it), "absent" (what it needs is not in the
    page, and no tag says so) or "error".
    """

    notebook: str
    number: int
    outcome: str
    said: str
    seconds: float = 0.0


def parted(text: str) -> tuple[list[str], list[float]]:
    """Part a text into its words and its numbers."""
    return NUMBER.sub("#", text).split(), [float(x) for x in NUMBER.findall(text)]


def same(found: str, wanted: str) -> bool:
    """Tell whether two texts have the same words, and numbers that are close."""
    (words, numbers), (other_words, other_numbers) = parted(found), parted(wanted)
    pairs = list(zip(numbers, other_numbers, strict=False))
    close = [
        x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= TOLERANCE * max(1.0, abs(y))
        for x, y in pairs
    ]
    return words == other_words and len(numbers) == len(other_numbers) and all(close)


def judge(name: str, line: dict, tags: list[str]) -> Cell:
    """Say what became of a cell."""
    number, seconds = line["cell"], line["milliseconds"] / 1000
    kind = (line["error"] or "").split(":")[0] or None
    if kind != line["wanted_error"]:
        outcome = "absent" if line["absent"] else "error"
        return Cell(name, number, outcome, line["error"] or "no error", seconds)
    if IGNORED & set(tags) or kind or same(line["text"], line["wanted"]):
        return Cell(name, number, "same", "", seconds)
    said = f"{line['text'][:300]!r} where {line['wanted'][:300]!r} is stored"
    return Cell(name, number, "differs", said, seconds)


def kept(notebook: dict) -> dict[int, str]:
    """Give the places of the cells that a page does not run, and why."""
    patterns = {key: BOOK[key] for key in PATTERNS if key in BOOK}
    cells = lesson(notebook, patterns=patterns)["page"]["cells"]
    return {int(place): about["kept"] for place, about in cells.items() if "kept" in about}


def run(notebook: Path, *, seconds: float = 300) -> list[Cell]:
    """Run a notebook in the page's Python; cells that were not reached in time count as errors."""
    name, book = notebook.stem, json.loads(notebook.read_text("utf-8"))
    tags = {n: c["metadata"].get("tags", []) for n, c in enumerate(book["cells"]) if c["cell_type"] == "code"}
    done = {place: Cell(name, place, "kept", why) for place, why in kept(book).items()}
    command = ["node", "tools/page_python.mjs", "tests/pagepython/cells.py"]
    command += [str(notebook.relative_to(ROOT)), *map(str, done)]
    try:
        out = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=False
        ).stdout
    except subprocess.TimeoutExpired as late:
        out = (late.stdout or b"").decode()
    for line in out.splitlines():
        if line.startswith('{"cell"'):
            found = json.loads(line)
            done[found["cell"]] = judge(name, found, tags[found["cell"]])
    return [done.get(number, Cell(name, number, "error", "not reached")) for number in tags]
