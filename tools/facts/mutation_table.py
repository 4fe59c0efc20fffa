"""Print what the exercises' checkers say to typical wrong answers, and fail if one is let through.

    python tools/facts/mutation_table.py            the table: exercise, wrong answer, reply
    python tools/facts/mutation_table.py --write    also write it to book/mutation_table.md

The wrong answers are the mistakes that the exercises list; a checker that accepts one cannot be trusted. The
command fails (exit code 1) when a wrong answer is accepted or gets another reply than the one listed, or the
page of the book is not the table of today; `tests/lessons/exercises` looks closer.
"""

import argparse
import sys
from pathlib import Path

from attn_lessons.exercises import check
from attn_lessons.exercises.checking.check import all_exercises
from attn_lessons.exercises.checking.exercise import Exercise

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "book" / "mutation_table.md"
HEAD = """\
# Can the checkers be fooled?

A checker that accepts a wrong answer teaches a mistake.
So each of them is tried on typical wrong answers, and must refuse every one by the name of its mistake.
`make test` does this and prints the table below; it fails if this page says something else.
"""


def replies(exercise: Exercise) -> list[tuple[str, str]]:
    """Give each wrong answer of an exercise with the mistake that the reply names."""
    return [
        (one.label, check(exercise.name, one.function).mistake or "ACCEPTED") for one in exercise.mistakes
    ]


def problems(exercise: Exercise, rows: list[tuple[str, str]]) -> list[str]:
    """Say which wrong answers get another reply than the one listed."""
    return [
        f"{exercise.name}: {one.label} got the reply '{reply}', expected '{one.what}'"
        for one, (_, reply) in zip(exercise.mistakes, rows, strict=True)
        if one.what not in reply
    ]


def page(tables: dict[str, list[tuple[str, str]]]) -> str:
    """Write the tables as a page of the book."""
    total = sum(map(len, tables.values()))
    parts = [HEAD, f"{len(tables)} exercises, {total} wrong answers.\n"]
    for name, rows in tables.items():
        chapter = all_exercises()[name].chapter
        number = chapter.partition("_")[0].lstrip("0")
        parts.append(f"## {name}\n\nIn [lesson {number}](../notebooks/{chapter}.ipynb).\n")
        parts.append("| wrong answer | what the checker says |\n| --- | --- |")
        parts += [f"| {label} | {_cell(reply)} |" for label, reply in rows]
        parts.append("")
    return "\n".join(parts)


def _cell(text: str) -> str:
    """Keep stars, bars and brackets from being read as Markdown."""
    return "".join(f"\\{letter}" if letter in "*|_[]<>" else letter for letter in text)


def main() -> int:
    """Print the table and what is wrong with it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the page of the book")
    write = parser.parse_args().write
    tables = {name: replies(exercise) for name, exercise in all_exercises().items()}
    widths = max(map(len, tables)), max(len(label) for rows in tables.values() for label, _ in rows)
    for name, rows in tables.items():
        for label, reply in rows:
            print(f"{name:{widths[0]}}  {label:{widths[1]}}  {reply}")
    print(f"{len(tables)} exercises, {sum(map(len, tables.values()))} wrong answers")
    found = [one for name, exercise in all_exercises().items() for one in problems(exercise, tables[name])]
    if write:
        PAGE.write_text(page(tables), encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page(tables):
        found.append(
            "book/mutation_table.md is out of date: run python tools/facts/mutation_table.py --write"
        )
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
