"""No function is long: one that is does several things, and is named for its first.

Lines of code are counted, closures included; blank lines, comments and docstrings are not. A file may be as
long as one thought.
"""

import ast
import io
import json
import subprocess
import tokenize
from collections.abc import Iterator

import pytest
from built_site import ROOT

MOST = 60  # lines of code of a function
# "file::function": why it is longer
LONGER: dict[str, str] = json.loads((ROOT / "tests/book/long_functions.json").read_text(encoding="utf-8"))
_SPACE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def python_functions(text: str, least: int = MOST) -> Iterator[tuple[str, int]]:
    """Yield the name of each function that spans more lines than the least, and its lines of code.

    >>> list(python_functions("def f(x):\\n    '''Two lines.'''\\n\\n    # and\\n    return x\\n", 2))
    [('f', 2)]
    """
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    long = [node for node in nodes if node.end_lineno - node.lineno >= least]
    if not long:  # taking a file to pieces is dear
        return
    code = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _SPACE
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in long:
        said = node.body[0] if ast.get_docstring(node) is not None else None
        docstring = set(range(said.lineno, said.end_lineno + 1)) if said else set()
        yield node.name, len((code & set(range(node.lineno, node.end_lineno + 1))) - docstring)


def functions() -> dict[str, int]:
    """Give the lines of functions by file and name: of scripts all, of Python the longer ones."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    found = [
        (name, function, lines)
        for name in files
        if name.endswith(".py")
        for function, lines in python_functions((ROOT / name).read_text(encoding="utf-8"))
    ]
    scripts = [name for name in files if name.endswith((".mjs", ".js"))]
    ruler = subprocess.run(
        ["node", "tests/book/function_lines.mjs", *scripts],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    lines: dict[str, int] = {}
    for name, function, count in [*found, *json.loads(ruler.stdout)]:
        key = f"{name}::{function}"
        lines[key] = max(count, lines.get(key, 0))
    return lines


@pytest.fixture(scope="module")
def lengths() -> dict[str, int]:
    return functions()


def test_no_function_is_longer_than_one_can_read_unless_it_says_why(lengths):
    assert {name: lines for name, lines in lengths.items() if lines > MOST and name not in LONGER} == {}, (
        f"more than {MOST} lines: cut them where the thought is, or give a reason in long_functions.json"
    )


def test_every_exception_is_still_one_and_has_a_reason(lengths):
    assert [name for name in LONGER if lengths.get(name, 0) <= MOST] == []
    assert all(len(reason.split()) >= 5 for reason in LONGER.values())


def test_the_ruler_counts_code_and_closures(tmp_path):
    script = tmp_path / "one.mjs"
    script.write_text(
        "// no\nexport function f() {\n  /* no\n no */ const g = () => {\n\n"
        "    return 1; // yes\n  };\n  return g;\n}\n"
    )
    done = subprocess.run(
        ["node", "tests/book/function_lines.mjs", str(script)], cwd=ROOT, capture_output=True, check=True
    )
    assert [(name, lines) for _, name, lines in json.loads(done.stdout)] == [("f", 6), ("g", 3)]
