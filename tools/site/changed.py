"""Print the folders of tests that a change can touch: `make test CHANGED=1`.

What differs from main, committed or not, is looked up in a table; a path that is not in it can touch all.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tests(*kinds: str) -> tuple[str, ...]:
    """Give the folders of these kinds of tests."""
    return tuple(f"tests/{kind}" for kind in kinds)


BOOK = ("book", "browser", "course", "notebooks")  # what reads pages and what stands in them
OWN = tests(*BOOK, "claims", "comparison", "helpers", "lessons", "livetorch", "pagepython", "recipes")
# the first that fits holds
TOUCHES = (
    ("benchmarks/", tests("book")),
    ("book/", tests(*BOOK)),
    ("notebooks/", tests(*BOOK, "claims", "lessons", "livetorch", "pagepython")),
    ("plain/", tests("lessons", "notebooks")),
    ("attn_lessons/", tests(*BOOK, "claims", "lessons", "pagepython")),
    ("tools/", tests(*BOOK, "comparison", "lessons", "pagepython", "recipes")),
    *((f"{folder}/", (folder,)) for folder in OWN),
    ("tests/planted/", ()),
)


def touched(paths: list[str]) -> list[str]:
    """Name the folders of tests, or all.

    >>> touched(["plain/writer.py", "benchmarks/hammer.py"]), touched(["livetorch/format.py"])
    (['tests/book', 'tests/lessons', 'tests/notebooks'], ['tests'])
    """
    found: set[str] = set()
    for path in paths:
        rows = [tests for start, tests in TOUCHES if path.startswith(start)]
        if not rows and path.endswith(".md"):
            rows = [("tests/book",)]
        if not rows:
            return ["tests"]
        found |= set(rows[0])
    return sorted(found)


def changed() -> list[str]:
    """List the files that differ from main, committed or not."""

    def git(*words: str) -> list[str]:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")

    base = git("merge-base", "HEAD", "main")[0] or "HEAD"
    new = git("ls-files", "--others", "--exclude-standard")
    return [path for path in [*git("diff", "--name-only", base), *new] if path]


def pages() -> list[str]:
    """List the pages and notebooks among them, without their suffix."""
    return [path.rpartition(".")[0] for path in changed() if path.endswith((".md", ".rst", ".ipynb"))]


def main() -> None:
    """Print the folders, and on the error stream what is left out."""
    folders = touched(changed())
    print(*folders)
    every = {f"tests/{path.name}" for path in (ROOT / "tests").iterdir() if path.is_dir()}
    if folders != ["tests"]:
        print(
            f"Left out, as no change touches them: {', '.join(sorted(every - set(folders)))}", file=sys.stderr
        )


if __name__ == "__main__":
    main()
