"""Print the facts of the book, from what was just built and run.

    python tools/facts/facts.py            print them
    python tools/facts/facts.py --write    also write them into book/measured.md
    python tools/facts/facts.py --check    fail where that page says something else

Counts come from the notebooks, the exercises and the reports that `make test` leaves in _build/reports.
Times and Lighthouse scores come from benchmarks/results, which `make proof` writes; sources.py knows what
each depends on, and one that is older than that is quoted as such.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import yaml
from measured_tables import tables
from sources import record, when

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "_build" / "reports"
VISITS = ROOT / "_build" / "visits" / "desktop"  # what tests/browser/test_pages.py saw
PAGE = ROOT / "book" / "measured.md"
FACTS = ("<!-- facts: make facts -->\n", "<!-- end of facts -->")
TABLES = ("<!-- tables: make facts -->\n", "<!-- end of tables -->")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Fact:
    """One line of the table; `loose` allows what differs between machines, as a share of the number."""

    what: str
    value: str
    source: str
    loose: float = 0.0

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


def _passed(name: str) -> int:
    """Count the tests of a report that passed; any that failed has stopped `make test` already."""
    path = REPORTS / f"{name}.xml"
    if not path.is_file():
        raise FileNotFoundError(f"{path.relative_to(ROOT)} is missing: run `make test` first.")
    cases = ElementTree.parse(path).iter("testcase")
    return sum(not {child.tag for child in case} & {"failure", "error", "skipped"} for case in cases)


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
    """Say what the last `make test` ran and saw."""
    facts = []
    for name, what in (("python", "Python"), ("javascript", "JavaScript"), ("notebooks", "notebook")):
        # in hundreds: how many there are changes with each commit, and tells a reader nothing
        passed = _passed(name) // 100 * 100
        facts.append(Fact(f"{what} tests passed, more than", f"{passed:,}", "`make test`", 0.15))
    seen = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(VISITS.glob("*.json"))]
    if not seen:
        raise FileNotFoundError(f"{VISITS.relative_to(ROOT)} is missing: run `make test` first.")
    heaviest = max(page["weight"]["kB"] for page in seen)
    weights = max(page["weight"]["weights_kB"] for page in seen)
    facts.append(Fact("pages opened in Chromium", str(len(seen)), "`make test`"))
    for what, rule in (
        ("console errors", "errors"),
        ("requests to other hosts", "requests to other hosts"),
        ("serious axe violations", "accessibility"),
    ):
        facts.append(Fact(what, str(sum(len(page[rule]) for page in seen)), "`make test`"))
    facts.append(
        Fact("heaviest page with all it loads, compressed", f"{heaviest:.0f} kB", "`make test`", 0.03)
    )
    facts.append(Fact("heaviest trained weights of a page", f"{weights:.0f} kB", "`make test`", 0.03))
    return facts


def measured() -> list[Fact]:
    """Quote the recorded measurements."""
    speed = record("live_latency")["figures"]
    within = sum(row["p95"] <= row["budget"] for row in speed)
    worst = {budget: max(row["p95"] for row in speed if row["budget"] == budget) for budget in (16, 50)}
    kinds = ("performance", "accessibility", "best-practices", "seo")
    scores = {kind: min(row[kind] for row in record("lighthouse")["pages"]) for kind in kinds}
    settings, firefox = record("random_settings"), record("firefox")
    hammer, slow = record("hammer")["figures"], record("slow_devices")["pages"]
    growth = max(row["heap_last_mb"] - row["heap_first_mb"] for row in hammer)
    memory = max(record("notebook_memory")["notebooks"], key=lambda row: row["peak_mb"])
    return [
        _proof(
            "live_latency",
            "figures within their time for an event (95th percentile), of those measured",
            f"{within} of {len(speed)}",
        ),
        _proof(
            "live_latency",
            "slowest figure; slowest that runs a model",
            f"{worst[16]:.1f} ms; {worst[50]:.1f} ms, 95th percentile",
        ),
        _proof(
            "lighthouse",
            "lowest Lighthouse scores (mobile)",
            ", ".join(f"{kind} {score}" for kind, score in scores.items()),
        ),
        _proof(
            "random_settings",
            "random settings of every figure against PyTorch",
            f"{settings['settings']} each, {settings['comparisons']:,} numbers, "
            f"error at most {settings['largest_error']:g}",
        ),
        _proof(
            "firefox",
            "Firefox",
            f"{len(firefox['visits'])} visits, {firefox['comparisons']:,} numbers, "
            f"{sum(row['errors'] + row['foreign'] for row in firefox['visits'])} errors",
        ),
        _proof(
            "hammer",
            "figures hammered for a minute",
            f"{sum(row['events'] for row in hammer):,} events, {growth:.1f} MB more memory at most, "
            f"{sum(row['errors'] for row in hammer)} errors",
        ),
        _proof(
            "slow_devices",
            "on a processor 6 times slower and a line of 400 kbit/s",
            f"first paint within {max(row['paint_ms'] for row in slow) / 1000:.1f} s, "
            f"first figure alive within {max(row['live_ms'] or 0 for row in slow) / 1000:.1f} s",
        ),
        _proof("notebook_memory", "memory of the heaviest notebook", f"{memory['peak_mb']} MB"),
    ]


def _proof(name: str, what: str, value: str) -> Fact:
    return Fact(what, value, f"`make proof`, {when(name)}")


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
        if said != fact.line and not (fact.loose and _near(said, fact)):
            wrong.append(f"page: {said}\n now: {fact.line}")
    wrong += [
        f"page: {said}\n now: no such fact" for what, said in lines.items() if what not in ("what", "---")
    ]
    return wrong


def _near(said: str, fact: Fact) -> bool:
    found = NUMBER.search(said), NUMBER.search(fact.value)
    if None in found:
        return False
    before, now = (float(number[0].replace(",", "")) for number in found)
    return abs(before / now - 1) <= fact.loose


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
