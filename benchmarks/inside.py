"""Look into a small random model of every library, and write down what was found: the guide's table.

    python benchmarks/inside.py     # needs requirements/inside.txt

Each row: maps found, the largest difference from the library's own maps (where it gives them), the size of
the saved page, and the seconds of `look_inside`.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/rare/inside"), str(ROOT / "tests"), str(ROOT)]

from libraries import LIBRARIES, given, own_maps  # noqa: E402
from test_libraries import shown  # noqa: E402

from attn_helpers import look_inside  # noqa: E402

RECORD = ROOT / "benchmarks/results/inside.json"
GUIDE = ROOT / "book/your_model.md"
TABLE = re.compile(r"(?<=<!-- libraries -->\n).*?(?=<!-- end -->)", re.DOTALL)


def measured(name: str, folder: Path) -> dict[str, Any]:
    """Look into one model."""
    torch.manual_seed(0)
    library = LIBRARIES[name]
    model = library.make().eval()
    began = time.perf_counter()
    figure = look_inside(model, *given(library.kind))
    seconds = time.perf_counter() - began
    own = own_maps(model, library, figure) if library.attentions else None
    pairs = [(shown(figure, layer), each[0]) for layer, each in enumerate(own or [])]
    worst = max((float((ours - theirs).abs().max()) for ours, theirs in pairs), default=None)
    size = figure.save(folder / "page.html").stat().st_size
    return {
        "library": name,
        "maps": len(figure.exact_programs),
        "differs": worst,
        "kilobytes": round(size / 1000),
        "seconds": round(seconds, 1),
    }


def table(record: list[dict[str, Any]]) -> str:
    """Write the record as the guide has it."""
    head = "| library and model | maps | from the library's own | page | recorded in |\n"
    head += "| --- | --- | --- | --- | --- |\n"
    lines = [
        f"| {row['library']} | {row['maps']} | {said(row['differs'])} | {row['kilobytes']} kB "
        f"| {row['seconds']} s |\n"
        for row in record
    ]
    return head + "".join(lines)


def said(differs: float | None) -> str:
    """Say how far maps are from the library's."""
    return "it gives none" if differs is None else f"{differs:.0e}"


def main() -> None:
    """Measure, and write record and guide."""
    with tempfile.TemporaryDirectory() as folder:
        record = [measured(name, Path(folder)) for name in LIBRARIES]
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    guide = GUIDE.read_text(encoding="utf-8")
    GUIDE.write_text(TABLE.sub(lambda _: table(record), guide), encoding="utf-8")
    print(table(record))


if __name__ == "__main__":
    main()
