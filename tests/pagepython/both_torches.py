"""Run the same code in PyTorch and in the page's Python, and compare what it prints."""

import contextlib
import io
import json
import math
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?![\w])")
RUN = """
import contextlib, io, json
def run(code):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(code, {"__name__": "snippet"})
    except Exception as error:
        kind = next(k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins")
        print(kind, file=out)
    return out.getvalue()
"""


def in_page(snippets: list[str], folder: Path) -> list[str]:
    """Run snippets in the page's Python, one process for all."""
    script = folder / "snippets.py"
    script.write_text(
        f"{RUN}\nprint(json.dumps([run(code) for code in json.loads({json.dumps(snippets)!r})]))"
    )
    command = ["node", str(ROOT / "tools/page_python.mjs"), str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


SERVE = (
    RUN
    + """
import sys
for line in sys.stdin:
    print(json.dumps([run(json.loads(line))]), flush=True)
"""
)


class Served:
    """The page's Python, running one snippet after the other."""

    def __init__(self, folder: Path) -> None:
        script = folder / "served.py"
        script.write_text(SERVE)
        command = ["node", str(ROOT / "tools/page_python.mjs"), str(script)]
        self._node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, code: str) -> str:
        """Run a snippet; gives what it prints."""
        self._node.stdin.write(json.dumps(code) + "\n")
        self._node.stdin.flush()
        line = self._node.stdout.readline()
        assert line, "the page's Python has ended"
        return json.loads(line)[0]

    def close(self) -> None:
        """End it."""
        self._node.communicate(timeout=60)


def in_torch(snippets: list[str]) -> list[str]:
    """Run snippets in PyTorch."""
    space = {}
    exec(RUN, space)
    with contextlib.redirect_stderr(io.StringIO()):
        return [space["run"](code) for code in snippets]


def parted(text: str) -> tuple[list[str], list[float]]:
    """Part a text into its words and its numbers."""
    return NUMBER.sub("#", text).split(), [float(x) for x in NUMBER.findall(text)]


def differs(found: str, wanted: str, tolerance: float) -> bool:
    """Tell whether two texts differ in a word, or in a number by more than the tolerance (0: at all)."""
    if tolerance == 0:
        return found != wanted
    (words, numbers), (other_words, other_numbers) = parted(found), parted(wanted)
    if words != other_words or len(numbers) != len(other_numbers):
        return True

    def apart(x: float, y: float) -> bool:
        if math.isnan(x) or math.isnan(y):
            return math.isnan(x) != math.isnan(y)
        return x != y and not abs(x - y) <= tolerance * max(1.0, abs(y))

    return any(map(apart, numbers, other_numbers))
