"""Look into a small random model of every library, and write down what was found: the guide's table.

    python benchmarks/inside.py     # needs requirements/inside.txt

Each row: maps found, the largest difference from the library's own maps (where it gives them), the size of
the saved page, the seconds of `look_inside`, and the milliseconds of the page's run for another text, or for
another patch or window: of the last layer's Program, in Node on one thread, the quickest of many, for others
use the machine too.
"""

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

from libraries import LIBRARIES, TARGET, TEXT, given, own_maps  # noqa: E402
from runtime_speed import quickest_in_node  # noqa: E402
from test_libraries import shown  # noqa: E402

from attn_helpers import look_inside  # noqa: E402

RECORD = ROOT / "benchmarks/results/inside.json"
GUIDE = ROOT / "book/your_model.md"
TURNS, SECONDS = 7, 0.5
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
        "milliseconds": round(quickest(figure, library.kind), 1),
    }


def quickest(figure: Any, kind: str) -> float:
    """Run the last layer's Program for other texts or other patches of the picture; give milliseconds."""
    program = figure.exact_programs[-1]
    figure.set(layer=len(figure.exact_programs) - 1)
    series = []
    for turn in range(TURNS):
        figure.set(**settings(figure, kind, turn))
        inputs = figure.inputs_now()
        series.append({spec.name: inputs[spec.name] for spec in program.inputs})
    return quickest_in_node(program, series, SECONDS)


def settings(figure: Any, kind: str, turn: int) -> dict[str, Any]:
    """Give what a reader would change: the words in another order, the patch that asks, or a window."""
    if kind == "image":
        known = [control["name"] for control in figure.spec["controls"]]
        return {"query" if "query" in known else "group": 1 + turn % 4}
    words = TEXT.split()
    text = " ".join(words[turn:] + words[:turn])
    return {"source": text, "target": TARGET} if kind == "two" else {"text": text}


def table(record: list[dict[str, Any]]) -> str:
    """Write the record as the guide has it."""
    head = "| model | maps | from the library's own | page | recorded in | another input |\n"
    head += "| --- | --- | --- | --- | --- | --- |\n"
    lines = [
        f"| {row['library'].removeprefix('transformers: ')} | {row['maps']} | {said(row['differs'])} "
        f"| {row['kilobytes']} kB | {row['seconds']} s | {max(row['milliseconds'], 0.1)} ms |\n"
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
