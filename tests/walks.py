"""How many files one passes through: `explore`, a move of a slider, a number that is opened.

    python tests/walks.py

Counted are the project's files in which a function runs (`sys.setprofile`; V8's coverage, in a page without a
browser). A change that sends a reader of the code through more files than `MOST` says fails its test.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch

from livetorch import explore

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = str(ROOT / "livetorch")


def python_files() -> list[str]:
    """Give the files that `explore` of a function of four operators enters."""
    keys = torch.tensor([0.0, 1.0, 2.0])

    def weights(width: torch.Tensor) -> torch.Tensor:
        return torch.softmax(-(((keys[:, None] - keys) / width) ** 2), dim=-1)

    entered: set[str] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            entered.add(frame.f_code.co_filename.removeprefix(f"{PACKAGE}/"))

    explore(weights, width=(0.5, 2.0))  # what is imported or made once
    sys.setprofile(note)
    try:
        explore(weights, width=(0.5, 2.0))
    finally:
        sys.setprofile(None)
    return sorted(entered)


def page_files() -> dict[str, list[str]]:
    """Give the modules that a move of a slider enters, and those that opening a number does."""
    done = subprocess.run(
        ["node", "tests/livetorch/js/walks.mjs"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def walks() -> dict[str, list[str]]:
    """Give all three."""
    # in a process of its own: late in a long run of tests CPython 3.11 was seen to hang in what is profiled
    done = subprocess.run(
        [sys.executable, __file__, "--explore"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return {"explore": json.loads(done.stdout), **page_files()}


if __name__ == "__main__" and "--explore" in sys.argv:
    print(json.dumps(python_files()))
elif __name__ == "__main__":
    for walk, files in walks().items():
        print(f"{walk}: {len(files)} files\n  " + "\n  ".join(files))
