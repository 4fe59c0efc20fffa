"""Read the results that readers saved in the page: python -m attn_lessons.results FILES... > class.csv

A line for each reader and lesson: what was asked, answered, right, looked up, and when. The files are written
by the reader's own browser and can be edited: they show what was done, and prove nothing.
"""

import csv
import functools
import json
import re
import sys
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
COLUMNS = [
    "reader",
    "saved",
    "lesson",
    "read",
    "asked",
    "answered",
    "right",
    "looked up",
    "unclear",
    "solved",
]
TIMES = ["first", "last"]
NO_PROOF = "These files come from the readers' own browsers and can be edited: they are no proof of honesty."
_SPEC = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)
_LESSON = re.compile(r"(\d\d[a-z]?_\w+)\.html$")


@functools.cache
def _questions(lesson: str) -> dict[str, dict[str, Any]]:
    """Give a lesson's questions by name, with their answers; none where this edition has no such lesson."""
    path = NOTEBOOKS / f"{lesson}.ipynb"
    found = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if path.exists() else ():
        for output in cell.get("outputs", ()):
            text = "".join(output.get("data", {}).get("text/html", ""))
            if "lt-question" in text and (spec := _SPEC.search(text)):
                question = json.loads(spec[1])
                found[question["name"]] = question
    return found


def _number(text: str) -> float | None:
    """Read a number as people write it, or nothing.

    >>> [_number(text) for text in ("0,25", "1/4", "25 %", "1 1/4", "about five")]
    [0.25, 0.25, 0.25, 1.25, None]
    """
    plain = text.strip().replace("−", "-").replace(",", ".")
    percent = plain.endswith("%")
    try:
        value = float(sum(map(Fraction, plain.rstrip("% ").split())))
    except (ValueError, ZeroDivisionError):
        return None
    return value / 100 if percent else value


def _right(question: dict[str, Any], value: Any) -> bool | None:
    """Tell whether an answer is right; None where it cannot be read."""
    if question["kind"] != "number":
        return bool(value == question["answer"])
    given = _number(str(value))
    return None if given is None else abs(given - question["answer"]) <= question["tolerance"] + 1e-9


def rows(text: str, name: str) -> Iterable[dict[str, Any]]:
    """Give a line for each lesson of one saved file; a file of another kind is an error that names it.

    >>> list(rows('{"format": "attention-live/results", "version": 1, "pages": {}}', "ada"))
    []
    """
    try:
        saved = json.loads(text)
        if saved["format"] != "attention-live/results" or saved["version"] != 1:
            raise KeyError("format")
        pages = {path: dict(page) for path, page in dict(saved["pages"]).items()}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{name} is no file of results that this book saved ({error!r}).") from None
    for path, page in sorted(pages.items()):
        if not (found := _LESSON.search(path)):
            continue
        asked, answers = _questions(found[1]), page.get("answers", {})
        judged = {
            key: (_right(asked[key], value[0]), bool(value[1]))
            for key, value in answers.items()
            if key in asked and isinstance(value, list) and len(value) == 2
        }
        when = sorted(map(str, page.get("when", {}).values()))
        yield {
            "reader": saved.get("reader", "") or name,
            "saved": saved.get("saved", ""),
            "lesson": found[1],
            "read": int(bool(page.get("read"))),
            "asked": len(asked),
            "answered": len(judged),
            "right": sum(good is True and not shown for good, shown in judged.values()),
            "looked up": sum(shown for _, shown in judged.values()),
            "unclear": sum(good is None for good, _ in judged.values()),
            "solved": sum(key.startswith("check ") for key in answers),
            "first": when[0] if when else "",
            "last": when[-1] if when else "",
        }


def main(files: list[str]) -> int:
    """Write the lines of all files; gives 1 if one could not be read.

    >>> main([])
    reader,saved,lesson,read,asked,answered,right,looked up,unclear,solved,first,last
    0
    """
    out = csv.DictWriter(sys.stdout, [*COLUMNS, *TIMES], lineterminator="\n")
    out.writeheader()
    failed = 0
    for name in files:
        try:
            for row in rows(Path(name).read_text(encoding="utf-8", errors="replace"), Path(name).stem):
                # a spreadsheet must not run what a reader called themselves
                out.writerow({k: f"'{v}" if str(v)[:1] in "=+-@" and str(v) else v for k, v in row.items()})
        except (ValueError, OSError) as error:
            print(error, file=sys.stderr)
            failed = 1
    print(NO_PROOF, file=sys.stderr)
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]) if sys.argv[1:] else print(__doc__))
