"""The notation page lists the axis names that shape comments use."""

import collections
import re

import nbformat
from built_site import ROOT

COMMENT = re.compile(r"#.*?\(([\w., ]+)\)")  # "# (batch, queries, dim)"
NAME = re.compile(r"[a-z][a-z_]{2,}")


def _axis_names() -> collections.Counter[str]:
    """Count the names in the shape comments of the package and of the chapters' code."""
    texts = [path.read_text(encoding="utf-8") for path in ROOT.glob("attn_helpers/**/*.py")]
    for path in ROOT.glob("notebooks/*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        texts += [cell.source for cell in cells if cell.cell_type == "code"]
    parts = [part.strip() for text in texts for shape in COMMENT.findall(text) for part in shape.split(",")]
    return collections.Counter(part for part in parts if NAME.fullmatch(part))


def test_every_common_axis_name_is_on_the_page():
    page = (ROOT / "book/notation.md").read_text(encoding="utf-8")
    tables = "".join(line for line in page.splitlines() if line.startswith("| `"))
    common = {name for name, count in _axis_names().items() if count >= 6}
    assert {"batch", "heads", "queries", "keys", "dim"} <= common
    assert common - set(re.findall(r"`(\w+)`", tables)) == set()
