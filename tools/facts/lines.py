"""Count the lines of code of each part: neither blank, nor docstring, nor a block comment.

python tools/facts/lines.py            of this checkout
python tools/facts/lines.py COMMIT     beside those of an older commit
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {".py": "Python", ".mjs": "JavaScript", ".js": "JavaScript", ".ts": "JavaScript", ".css": "CSS"}
# what others wrote, what is built, and notebooks' data
LEFT_OUT = re.compile(r"(^|/)(dist|katex|compiled|constants)/|\.min\.|node_modules/")
BLOCK = re.compile(r"^[ \t]*/\*.*?\*/[ \t]*$", re.DOTALL | re.MULTILINE)


def docstrings(text: str) -> set[int]:
    """Give the numbers of the lines of a Python file's docstrings.

    >>> sorted(docstrings('def f():\\n    "one"\\n    return 1'))
    [2]
    """
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    held = [node.body[0] for node in ast.walk(ast.parse(text)) if isinstance(node, kinds) and node.body]
    found = [
        n
        for n in held
        if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) and isinstance(n.value.value, str)
    ]
    return {line for node in found for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def code(text: str, language: str) -> int:
    """Count a file's lines of code.

    >>> code('"What."\\n\\nx = 1\\n', "Python"), code("/** What. */\\n\\nx = 1;\\n", "JavaScript")
    (1, 1)
    """
    if language == "Python":
        told = docstrings(text)
        return sum(bool(line.strip()) for n, line in enumerate(text.splitlines(), 1) if n not in told)
    return sum(bool(line.strip()) for line in BLOCK.sub("", text).splitlines())


def files(commit: str) -> dict[str, str]:
    """Read the source files of a commit, or of this checkout for ''."""
    listed = ["git", "ls-tree", "-r", "--name-only", commit] if commit else ["git", "ls-files"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    wanted = [name for name in names if Path(name).suffix in LANGUAGES and not LEFT_OUT.search(name)]
    if not commit:
        return {name: (ROOT / name).read_text(encoding="utf-8") for name in wanted if (ROOT / name).is_file()}
    asked = "".join(f"{commit}:{name}\n" for name in wanted)
    batch = subprocess.run(
        ["git", "cat-file", "--batch"], cwd=ROOT, input=asked.encode(), capture_output=True, check=True
    )
    found, rest = {}, batch.stdout
    for name in wanted:
        head, _, rest = rest.partition(b"\n")
        size = int(head.split()[-1])
        found[name], rest = rest[:size].decode("utf-8"), rest[size + 1 :]
    return found


def part(name: str) -> str:
    """Name the part that a file belongs to: its package, with one folder more where it is large.

    >>> part("livetorch/js/views/bars.mjs"), part("tests/book/test_book.py"), part("plain/writer.py")
    ('livetorch/js', 'tests/book', 'plain')
    """
    folders = name.split("/")[:-1]
    return (
        "/".join(folders[:2] if folders[:1] in (["livetorch"], ["tests"], ["attn_lessons"]) else folders[:1])
        or "."
    )


def table(commit: str = "") -> Counter[str]:
    """Count the lines of each part."""
    found: Counter[str] = Counter()
    for name, text in files(commit).items():
        found[part(name)] += code(text, LANGUAGES[Path(name).suffix])
    return found


def report(commits: list[str]) -> str:
    """Write the counts, a column for each commit and one for this checkout."""
    columns = [table(commit) for commit in commits]
    names = sorted(set().union(*columns))
    rows = [(name, *(column[name] for column in columns)) for name in names]
    every = [sum(column.values()) for column in columns]
    tests = [sum(n for name, n in column.items() if name.startswith("tests")) for column in columns]
    product = [both - only for both, only in zip(every, tests, strict=True)]
    rows += [("without tests", *product), ("tests", *tests), ("all", *every)]
    heads = [commit or "here" for commit in commits]
    lines = [("part", *heads), *rows]
    return "\n".join(f"{name:28}" + "".join(f"{value!s:>10}" for value in values) for name, *values in lines)


if __name__ == "__main__":
    print(report([*sys.argv[1:], ""]))
