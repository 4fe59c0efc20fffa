"""Name the folders of tests that a change can touch; `make test` runs them whole, a third of the other files.

What differs from main, committed or not, is looked up in a table; a path that is not in it can touch all.
On main itself it is what the last commit changed, or all since the commit that BASE names.
"""

import os
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
    ("livetorch/js/", tests("book", "browser", "lessons", "livetorch", "pagepython", "recipes")),
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
    >>> "tests/livetorch" in touched(["livetorch/js/views/heatmap.mjs"])
    True
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


def git(*words: str) -> list[str]:
    """Give the lines that git prints, none where it fails or is not there."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def base() -> str:
    """Find the commit that changes are counted from; "" where the history does not tell."""
    head = git("rev-parse", "HEAD")
    for name in filter(None, (os.environ.get("BASE"), "origin/main", "main")):
        if found := git("merge-base", "HEAD", name):
            return (found if found != head else [*git("rev-parse", "--verify", "--quiet", "HEAD~1"), ""])[0]
    return ""


def changed() -> list[str]:
    """List the files that differ from main, committed or not; "?" where nobody knows, which can touch all."""
    if not (since := base()):
        return ["?"]
    return [*git("diff", "--name-only", since), *git("ls-files", "--others", "--exclude-standard")]


def pages() -> list[str]:
    """List the pages and notebooks among them, without their suffix."""
    return [path.rpartition(".")[0] for path in changed() if path.endswith((".md", ".rst", ".ipynb"))]


def main() -> None:
    """Print the folders, and on the error stream of which others only some tests run."""
    folders = ["tests"] if os.environ.get("SAMPLE_SEED") == "all" else touched(changed())
    print(*folders)
    others = {f"tests/{path.name}" for path in (ROOT / "tests").glob("[a-z]*/")} - set(folders)
    if folders != ["tests"]:
        print(f"No change since {base()[:8]} touches: {', '.join(sorted(others))}", file=sys.stderr)


if __name__ == "__main__":
    main()
