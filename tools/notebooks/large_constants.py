"""The large constants of a notebook's live figures, in files beside it: ``constants/NAME.js``.

A figure that brings a trained model may weigh megabytes. Its picture, its numbers and its settings stay in
the notebook, and so does all that a kernel needs; the site and the comparison put the constants back
(``livetorch.pools``). A file that a study keeps as its weights is named where it is, and not copied.
"""

import copy
import re
from collections.abc import Iterator
from pathlib import Path

from livetorch.pools import POOL, put_back, take_out

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "constants"
WEIGHTS = "attn_lessons/studies/*/weights/*"
LARGE = 1_000_000  # characters; what is smaller stays in its notebook
ALONE = 100_000  # characters of a constant that has a file of its own, as a study's weights have
NAMED = re.compile(rf"\b{FOLDER}/([0-9a-f]+\.js)\b")


def lightened(notebook):
    """Give a copy of a notebook without large constants, and the files that hold them, name to text."""
    result, files = copy.deepcopy(notebook), {}
    for output in _html_outputs(result):
        output.data["text/html"], more = take_out(output.data["text/html"], LARGE, url=_place, part=ALONE)
        files |= {name: text for name, text in more.items() if _place(name).startswith(FOLDER)}
    return result, files


def _place(name: str) -> str:
    """Say where the file is, as a notebook of the book names it."""
    kept = next(ROOT.glob(f"{WEIGHTS}/{name}"), None)
    return f"{FOLDER}/{name}" if kept is None else f"../{kept.relative_to(ROOT).as_posix()}"


def store(folder: Path, files: dict[str, str]) -> None:
    """Write the files of a notebook in `folder`, and take away those that no notebook there names."""
    place = folder / FOLDER
    for name, text in files.items():
        place.mkdir(exist_ok=True)
        if not (place / name).exists():
            (place / name).write_text(text, encoding="utf-8")
    for path in set(place.glob("*.js")) - set(named(folder)):
        path.unlink()


def named(folder: Path) -> list[Path]:
    """List the files that the notebooks of a folder name."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.ipynb")))
    return [folder / FOLDER / name for text in texts for name in NAMED.findall(text)]


def complaints(notebook, folder: Path) -> Iterator[str]:
    """Say which constants are too large for a notebook, and which are not where it says."""
    for output in _html_outputs(notebook):
        html = output.data["text/html"]
        if take_out(html, LARGE)[1]:
            yield "holds constants that belong beside it: run `python tools/notebooks/notebooks.py write`"
        if POOL.search(html):
            try:
                put_back(html, folder)
            except (FileNotFoundError, ValueError) as error:
                yield str(error).replace(str(folder), folder.name)


def _html_outputs(notebook) -> Iterator:
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                yield output
