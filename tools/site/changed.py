"""Print the folders of tests that a change can touch: `make test CHANGED=1`.

What differs from main, committed or not, is looked up in a table; a path that is not in it can touch all.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOOK = ("tests/book", "tests/browser")
KINDS = (
    "book",
    "browser",
    "claims",
    "comparison",
    "helpers",
    "lessons",
    "livetorch",
    "notebooks",
    "pagepython",
)
OWN = [f"tests/{kind}" for kind in KINDS]
# the first that fits holds
TOUCHES = (
    ("benchmarks/", ("tests/book",)),
    ("book/", BOOK),
    ("notebooks/", (*BOOK, "tests/notebooks", "tests/livetorch", "tests/claims")),
    ("plain/", ("tests/lessons", "tests/notebooks")),
    ("attn_lessons/", ("tests/lessons", "tests/notebooks", "tests/claims", *BOOK)),
    ("tools/", (*BOOK, "tests/notebooks", "tests/comparison", "tests/lessons")),
    *(
        (f"tests/{name}/", (f"tests/{name}",))
        for name in ("book", "browser", "claims", "comparison", "helpers")
    ),
    *((f"{folder}/", (folder,)) for folder in OWN),
    ("tests/planted/", ()),
)


def touched(paths: list[str]) -> list[str]:
    """Name the folders of tests, or all.

    >>> touched(["book/intro.md", "benchmarks/hammer.py"]), touched(["livetorch/format.py"])
    (['tests/book', 'tests/browser'], ['tests'])
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
