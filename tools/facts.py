"""Print the facts of the book, from what was just built and run.

    python tools/facts.py            print them
    python tools/facts.py --write    also write them into the README
    python tools/facts.py --check    fail where the README says something else

Counts come from the notebooks, the exercises and the reports that `make test` leaves in _build/reports.
Times and Lighthouse scores come from benchmarks/results, which `make proof` writes; none may be missing.
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
from measured_tables import record, tables

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "_build" / "reports"
README = ROOT / "README.md"
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
    from attn_helpers.exercises._core import all_exercises

    cells = {path: _code_cells(path) for path in _notebooks()}
    shown = [html for found in cells.values() for cell in found for html in _html(cell)]
    left_out = [
        c for found in cells.values() for c in found if "nbval-ignore-output" in c.metadata.get("tags", [])
    ]
    total = sum(map(len, cells.values()))
    operators = json.loads((ROOT / "attn_helpers/live/operators.json").read_text(encoding="utf-8"))
    exercises = all_exercises().values()
    refused = sum(len(exercise.wrong_answers) for exercise in exercises)
    claims = (ROOT / "notebooks" / "claims_tested.ipynb").read_text(encoding="utf-8").count("claim(\\n")
    return [
        Fact("chapters", str(sum(path.name[0].isdigit() for path in cells)), "`notebooks/`"),
        Fact("live figures", str(sum('class="attention-live"' in html for html in shown)), "stored outputs"),
        Fact("PyTorch operators in the browser's runtime", str(len(operators)), "`operators.json`"),
        Fact("notebook cells run again and compared", f"{total - len(left_out)} of {total}", "`make test`"),
        Fact(
            "exercises in code, wrong answers refused by name", f"{len(exercises)}, {refused}", "`make test`"
        ),
        Fact(
            "questions answered in the page",
            str(sum("al-question" in html for html in shown)),
            "stored outputs",
        ),
        Fact("claims of tutorials tested", str(claims), "`claims_tested`"),
    ]


def checks() -> list[Fact]:
    """Say what the last `make test` ran and saw."""
    facts = []
    for name, what in (("python", "Python"), ("javascript", "JavaScript"), ("notebooks", "notebook")):
        # a few need an optional model, so their number differs a little between machines
        facts.append(Fact(f"{what} tests passed", f"{_passed(name):,}", "`make test`", 0.01))
    seen = json.loads((REPORTS / "pages.json").read_text(encoding="utf-8"))
    heaviest = max(page["kB"] for page in seen.values())
    weights = max(page["weights_kB"] for page in seen.values())
    facts.append(Fact("pages opened in Chromium", str(len(seen)), "`make test`"))
    for what in ("console errors", "requests to other hosts", "serious axe violations"):
        facts.append(Fact(what, str(sum(page[what] for page in seen.values())), "`make test`"))
    facts.append(
        Fact("heaviest page with all it loads, compressed", f"{heaviest:.0f} kB", "`make test`", 0.03)
    )
    facts.append(Fact("heaviest trained weights of a page", f"{weights:.0f} kB", "`make test`", 0.03))
    return facts


def measured() -> list[Fact]:
    """Quote the recorded measurements, after seeing that nothing of the book is missing in them."""
    speed = record("live_latency")["figures"]
    figures = {(path.stem, name) for path in _notebooks() for name in _figures(path)}
    missing = figures - {(row["chapter"], row["figure"]) for row in speed}
    if missing:
        raise ValueError(f"benchmarks/results/live_latency.json lacks {sorted(missing)}: run `make proof`.")
    within = sum(row["p95"] <= row["budget"] for row in speed)
    worst = {budget: max(row["p95"] for row in speed if row["budget"] == budget) for budget in (16, 50)}
    scores = record("lighthouse")["pages"]
    lowest = {
        kind: min(row[kind] for row in scores)
        for kind in ("performance", "accessibility", "best-practices", "seo")
    }
    lowest_scores = ", ".join(f"{kind} {score}" for kind, score in lowest.items())
    settings, firefox = record("random_settings"), record("firefox")
    hammer = record("hammer")["figures"]
    growth = max(row["heap_last_mb"] - row["heap_first_mb"] for row in hammer)
    slow = record("slow_devices")["pages"]
    memory = max(record("notebook_memory")["notebooks"], key=lambda row: row["peak_mb"])
    return [
        _proof("figures within their time for an event (95th percentile)", f"{within} of {len(speed)}"),
        _proof(
            "slowest figure; slowest that runs a model",
            f"{worst[16]:.1f} ms; {worst[50]:.1f} ms, 95th percentile",
        ),
        _proof("lowest Lighthouse scores (mobile)", lowest_scores),
        _proof(
            "random settings of every figure against PyTorch",
            f"{settings['settings']} each, {settings['comparisons']:,} numbers, "
            f"error at most {settings['largest_error']:g}",
        ),
        _proof(
            "Firefox",
            f"{len(firefox['visits'])} visits, {firefox['comparisons']:,} numbers, "
            f"{sum(row['errors'] + row['foreign'] for row in firefox['visits'])} errors",
        ),
        _proof(
            "figures hammered for a minute",
            f"{sum(row['events'] for row in hammer):,} events, {growth:.1f} MB more memory at most, "
            f"{sum(row['errors'] for row in hammer)} errors",
        ),
        _proof(
            "on a processor 6 times slower and a line of 400 kbit/s",
            f"first paint within {max(row['paint_ms'] for row in slow) / 1000:.1f} s, "
            f"first figure alive within {max(row['live_ms'] or 0 for row in slow) / 1000:.1f} s",
        ),
        _proof("memory of the heaviest notebook", f"{memory['peak_mb']} MB"),
    ]


def _proof(what: str, value: str) -> Fact:
    return Fact(what, value, "`make proof`")


def _figures(path: Path) -> list[str]:
    return [name for cell in _code_cells(path) for html in _html(cell) for name in NAME.findall(html)]


NAME = re.compile(r'<figure class="attention-live[^"]*"[^>]* data-name="([^"]+)"')


def quoted(marks: tuple[str, str]) -> str:
    """Give what the README says between two marks."""
    text = README.read_text(encoding="utf-8")
    return text.partition(marks[0])[2].partition(marks[1])[0]


def write(marks: tuple[str, str], new: str) -> None:
    """Replace what the README says between two marks."""
    before, _, rest = README.read_text(encoding="utf-8").partition(marks[0])
    after = rest.partition(marks[1])[2]
    README.write_text(f"{before}{marks[0]}{new}{marks[1]}{after}", encoding="utf-8")


def disagreements(facts: list[Fact]) -> list[str]:
    """List the facts that the README does not quote as they are now."""
    lines = {
        line.split(" | ")[0].lstrip("| "): line
        for line in quoted(FACTS).splitlines()
        if line.startswith("| ")
    }
    wrong = []
    for fact in facts:
        said = lines.pop(fact.what, "(nothing)")
        if said != fact.line and not (fact.loose and _near(said, fact)):
            wrong.append(f"README: {said}\n   now: {fact.line}")
    wrong += [
        f"README: {said}\n   now: no such fact" for what, said in lines.items() if what not in ("what", "---")
    ]
    return wrong


def _near(said: str, fact: Fact) -> bool:
    found = NUMBER.search(said), NUMBER.search(fact.value)
    if None in found:
        return False
    before, now = (float(number[0].replace(",", "")) for number in found)
    return abs(before / now - 1) <= fact.loose


def main() -> int:
    """Print the facts, and write or check the README as asked."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    facts = [*contents(), *checks(), *measured()]
    table = "\n".join(["| what | now | from |", "| --- | --- | --- |", *(fact.line for fact in facts)])
    print(f"{config['title']}: the facts\n\n{table}")
    if "--write" in sys.argv:
        write(FACTS, f"{table}\n")
        write(TABLES, tables())
    wrong = disagreements(facts)
    if quoted(TABLES) != tables():
        wrong.append("README: the tables of what was measured are not those of benchmarks/results")
    if wrong and "--check" in sys.argv:
        print("\nThe README quotes facts that are no longer true (`make facts` writes them anew):")
        print("\n".join(wrong))
    return 1 if wrong and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
