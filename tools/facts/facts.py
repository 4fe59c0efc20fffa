"""Print the facts of the book, from what was just built and run.

    python tools/facts/facts.py            print them
    python tools/facts/facts.py --write    also write them into book/measured.md
    python tools/facts/facts.py --check    fail where that page says something else

Counts come from the notebooks and the exercises, what pages show from the last `make test` (_build/visits).
Times and Lighthouse scores come from benchmarks/results, which `make proof` writes; sources.py knows what
each depends on, and one that is older than that is quoted as such.
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import yaml
from measured_tables import tables
from sources import record, when

ROOT = Path(__file__).resolve().parents[2]
VISITS = ROOT / "_build" / "visits" / "desktop"  # what tests/browser/test_pages.py saw
PAGE = ROOT / "book" / "measured.md"
FACTS = ("<!-- facts: make facts -->\n", "<!-- end of facts -->")
TABLES = ("<!-- tables: make facts -->\n", "<!-- end of tables -->")
SEEN = (  # of the pages, by `make test`
    "console errors on the pages visited",
    "requests to other hosts",
    "serious axe violations",
)


@dataclass(frozen=True)
class Fact:
    """One line of the table."""

    what: str
    value: str
    source: str

    @property
    def line(self) -> str:
        """Give the fact as a row of the table."""
        return f"| {self.what} | {self.value} | {self.source} |"


def _notebooks() -> list[Path]:
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def _code_cells(path: Path) -> list:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def _html(cell) -> Iterator[str]:
    for output in cell.outputs:
        yield output.get("data", {}).get("text/html", "")


def contents() -> list[Fact]:
    """Count what the book holds."""
    from attn_lessons.exercises.checking.check import all_exercises

    cells = {path: _code_cells(path) for path in _notebooks()}
    shown = [html for found in cells.values() for cell in found for html in _html(cell)]
    left_out = [
        c for found in cells.values() for c in found if "nbval-ignore-output" in c.metadata.get("tags", [])
    ]
    total = sum(map(len, cells.values()))
    operators = json.loads((ROOT / "livetorch/built/operators.json").read_text(encoding="utf-8"))
    exercises = all_exercises().values()
    refused = sum(len(exercise.mistakes) for exercise in exercises)
    claims = (ROOT / "notebooks" / "claims_tested.ipynb").read_text(encoding="utf-8").count("claim(\\n")
    return [
        Fact("chapters and lessons", str(sum(path.name[0].isdigit() for path in cells)), "`notebooks/`"),
        Fact("live figures", str(sum('class="livetorch"' in html for html in shown)), "stored outputs"),
        Fact("PyTorch operators in the browser's runtime", str(len(operators)), "`operators.json`"),
        Fact("notebook cells run again and compared", f"{total - len(left_out)} of {total}", "`make test`"),
        Fact(
            "exercises in code, wrong answers refused by name", f"{len(exercises)}, {refused}", "`make test`"
        ),
        Fact(
            "questions answered in the page",
            str(sum("lt-question" in html for html in shown)),
            "stored outputs",
        ),
        Fact("claims of tutorials tested", str(claims), "`claims_tested`"),
    ]


def checks() -> list[Fact]:
    """Say what the last `make test` saw of the pages; without one, what it said before stays."""
    seen = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(VISITS.glob("*.json"))]
    if not seen:
        rows = [line.strip("| ").split(" | ") for line in quoted(FACTS).splitlines()]
        return [Fact(row[0], row[1], row[2]) for row in rows if row[0] in SEEN]
    rules = ("errors", "requests to other hosts", "accessibility")
    values = [str(sum(len(page[rule]) for page in seen)) for rule in rules]
    return [Fact(what, value, "`make test`") for what, value in zip(SEEN, values, strict=True)]


def measured() -> list[Fact]:
    """Quote the recorded measurements; what was not measured on this book has no line."""
    return [
        Fact(what, value(found), f"`make proof`, {when(name)}")
        for name, what, value in MEASURED
        if (found := record(name))
    ]


def _scores(found: dict) -> str:
    kinds = ("performance", "accessibility", "best-practices", "seo")
    return ", ".join(f"{kind} {min(row[kind] for row in found['pages'])}" for kind in kinds)


def _slowest(found: dict) -> str:
    rows = found["figures"]
    worst = [max((row["p95"] for row in rows if row["budget"] == budget), default=0.0) for budget in (16, 50)]
    return f"{worst[0]:.1f} ms; {worst[1]:.1f} ms, 95th percentile"


def _hammered(found: dict) -> str:
    rows = found["figures"]
    growth = max(row["heap_last_mb"] - row["heap_first_mb"] for row in rows)
    events, errors = (sum(row[key] for row in rows) for key in ("events", "errors"))
    return f"{events:,} events, {growth:.1f} MB more memory at most, {errors} errors"


def _slow(found: dict) -> str:
    paint, live = (max(row[key] or 0 for row in found["pages"]) / 1000 for key in ("paint_ms", "live_ms"))
    return f"first paint within {paint:.1f} s, first figure alive within {live:.1f} s"


MEASURED: tuple[tuple[str, str, Callable[[dict], str]], ...] = (
    (
        "live_latency",
        "figures within their time for an event (95th percentile), of those measured",
        lambda found: (
            f"{sum(row['p95'] <= row['budget'] for row in found['figures'])} of {len(found['figures'])}"
        ),
    ),
    ("live_latency", "slowest figure; slowest that runs a model", _slowest),
    (
        "onnx_race",
        "transformers of 16 tokens: time by that of ONNX Runtime Web",
        lambda found: "; ".join(f"{row['ratio']:.2f} ({row['model']})" for row in found["models"]),
    ),
    (
        "runtime_speed",
        "training a transformer's block: time by that of torch eager, and of torch.optim.Adam",
        lambda found: "; ".join(
            f"{row['ratio']:.2f} and {row['adam_ratio']:.2f} ({row['model']})" for row in found["models"]
        ),
    ),
    ("lighthouse", "lowest Lighthouse scores (mobile)", _scores),
    (
        "first_figures",
        "first figure alive on that profile, slowest lesson; a default page's first word",
        lambda found: (
            f"{max(row['live_ms'] or 0 for row in found['pages']) / 1000:.1f} s; "
            f"{found['default_paint_ms'] / 1000:.1f} s"
        ),
    ),
    (
        "firefox",
        "Firefox",
        lambda found: (
            f"{len(found['visits'])} visits, {found['comparisons']:,} numbers, "
            f"{sum(row['errors'] + row['foreign'] for row in found['visits'])} errors"
        ),
    ),
    ("hammer", "figures hammered for a minute", _hammered),
    ("slow_devices", "on a processor 6 times slower and a line of 400 kbit/s", _slow),
    (
        "notebook_memory",
        "memory of the heaviest notebook",
        lambda found: f"{max(row['peak_mb'] for row in found['notebooks'])} MB",
    ),
)


def quoted(marks: tuple[str, str]) -> str:
    """Give what the page says between two marks."""
    text = PAGE.read_text(encoding="utf-8")
    return text.partition(marks[0])[2].partition(marks[1])[0]


def write(marks: tuple[str, str], new: str) -> None:
    """Replace what the page says between two marks."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(marks[0])
    after = rest.partition(marks[1])[2]
    PAGE.write_text(f"{before}{marks[0]}{new}{marks[1]}{after}", encoding="utf-8")


def disagreements(facts: list[Fact]) -> list[str]:
    """List the facts that the page does not quote as they are now."""
    lines = {
        line.split(" | ")[0].lstrip("| "): line
        for line in quoted(FACTS).splitlines()
        if line.startswith("| ")
    }
    wrong = []
    for fact in facts:
        said = lines.pop(fact.what, "(nothing)")
        if said != fact.line:
            wrong.append(f"page: {said}\n now: {fact.line}")
    wrong += [
        f"page: {said}\n now: no such fact" for what, said in lines.items() if what not in ("what", "---")
    ]
    return wrong


def main() -> int:
    """Print the facts, and write or check the page as asked."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    facts = [*contents(), *checks(), *measured()]
    table = "\n".join(["| what | now | from |", "| --- | --- | --- |", *(fact.line for fact in facts)])
    print(f"{config['title']}: the facts\n\n{table}")
    if "--write" in sys.argv:
        write(FACTS, f"{table}\n")
        write(TABLES, tables())
    wrong = disagreements(facts)
    if quoted(TABLES) != tables():
        wrong.append("the tables of what was measured are not those of benchmarks/results")
    if wrong and "--check" in sys.argv:
        print("\nbook/measured.md quotes facts that are no longer true (`make facts` writes them anew):")
        print("\n".join(wrong))
    return 1 if wrong and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
